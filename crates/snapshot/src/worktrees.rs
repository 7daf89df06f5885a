//! The other work trees of a repository, read from its files (see gitrepository-layout(5)).

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Unreadable;
use crate::fingerprint::is_missing;
use crate::regular::read_regular;

/// Longest `gitdir` or `HEAD` file that makes sense, in bytes.
const LONGEST: u64 = 64 * 1024;

/// A work tree that shares the repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedWorktree {
    /// Its top folder.
    #[serde(with = "crate::text::path")]
    pub path: PathBuf,
    /// What its HEAD file says: a branch or a commit.
    pub head: String,
}

/// Lists every work tree of the repository but the one at `root`.
pub(crate) fn others(common_dir: &Path, root: &Path) -> Result<Vec<LinkedWorktree>, Unreadable> {
    let mut found = Vec::new();
    if let Some(main) = main_of(common_dir)
        && main != root
    {
        found.push(LinkedWorktree {
            path: main,
            head: head_of(common_dir),
        });
    }
    let folder = common_dir.join("worktrees");
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if is_missing(&error) => return Ok(found),
        Err(error) => return Err(Unreadable::io(&folder, error)),
    };
    for entry in entries {
        let administration = entry.map_err(|e| Unreadable::io(&folder, e))?.path();
        // A stale entry, whose work tree is gone, names no place where work could be.
        if let Some(path) = work_tree_of(&administration)
            && path != root
        {
            found.push(LinkedWorktree {
                path,
                head: head_of(&administration),
            });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// The main work tree, which `core.worktree` may put elsewhere, as for a submodule. `None` if there
/// is none.
fn main_of(common_dir: &Path) -> Option<PathBuf> {
    if common_dir.ends_with(".git") {
        return common_dir.parent().map(Path::to_owned);
    }
    let config = git2::Config::open(&common_dir.join("config")).ok()?;
    let named = config.get_path("core.worktree").ok()?;
    fs::canonicalize(common_dir.join(named)).ok()
}

fn work_tree_of(administration: &Path) -> Option<PathBuf> {
    let link = text_of(&administration.join("gitdir"))?;
    let link = crate::repository::path_of(link.trim_ascii_end()).ok()?;
    // `extensions.relativeWorktrees` stores it relative to the administrative folder.
    let dot_git = administration.join(link);
    fs::canonicalize(dot_git.parent()?).ok()
}

fn head_of(git_dir: &Path) -> String {
    let head = text_of(&git_dir.join("HEAD")).unwrap_or_default();
    crate::escaped(head.trim_ascii_end())
}

fn text_of(path: &Path) -> Option<Vec<u8>> {
    read_regular(path, LONGEST).ok()?
}
