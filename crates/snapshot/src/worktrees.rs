//! The other work trees of a repository, read from its files (see gitrepository-layout(5)).

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::bounds::{self, Count};
use crate::libgit2::refused;
use crate::nothing::is_missing;
use crate::nothing::is_nothing;
use crate::regular::{check_file, read_regular};
use crate::{Limits, Unreadable};

/// A work tree that shares the repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedWorktree {
    /// Its top folder.
    #[serde(with = "crate::text::path")]
    pub path: PathBuf,
    /// The content of its HEAD file: a branch or a commit.
    pub head: String,
}

/// Lists every work tree of the repository except the one at `root`.
pub(crate) fn others(
    common_dir: &Path,
    root: &Path,
    limits: &Limits,
) -> Result<Vec<LinkedWorktree>, Unreadable> {
    let mut found = Vec::new();
    if let Some(main) = main_of(common_dir, limits)?
        && main != root
    {
        found.push(LinkedWorktree {
            path: main,
            head: head_of(common_dir)?,
        });
    }
    let folder = common_dir.join("worktrees");
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if is_missing(&error) => return Ok(found),
        Err(error) => return Err(Unreadable::io(&folder, error)),
    };
    let mut count = Count::of(bounds::WORK_TREES);
    for entry in entries {
        count.add(1)?;
        let administration = entry.map_err(|e| Unreadable::io(&folder, e))?.path();
        // A stale entry, whose work tree is gone, does not name a place where work could be.
        if let Some(path) = work_tree_of(&administration, root, limits)?
            && path != root
        {
            found.push(LinkedWorktree {
                path,
                head: head_of(&administration)?,
            });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// The main work tree, which `core.worktree` may put elsewhere, as for a submodule. `None` if there
/// is none.
fn main_of(common_dir: &Path, limits: &Limits) -> Result<Option<PathBuf>, Unreadable> {
    if common_dir.ends_with(".git") {
        return Ok(common_dir.parent().map(Path::to_owned));
    }
    let config = git2::Config::open(&common_dir.join("config"));
    match config.and_then(|config| config.get_path("core.worktree")) {
        Ok(named) => there(&common_dir.join(named), limits),
        Err(error) if error.code() == git2::ErrorCode::NotFound => Ok(None),
        Err(error) => Err(refused(&error)),
    }
}

fn work_tree_of(
    administration: &Path,
    root: &Path,
    limits: &Limits,
) -> Result<Option<PathBuf>, Unreadable> {
    let Some(link) = text_of(&administration.join("gitdir"))? else {
        return Ok(None);
    };
    // `extensions.relativeWorktrees` stores it relative to the administrative folder.
    let dot_git = administration.join(crate::os_path::path_of(link.trim_ascii_end())?);
    match dot_git.parent() {
        Some(folder) if folder == root => Ok(Some(root.to_owned())),
        Some(folder) => there(folder, limits),
        None => Ok(None),
    }
}

/// The folder with its links resolved, if it exists.
fn there(folder: &Path, limits: &Limits) -> Result<Option<PathBuf>, Unreadable> {
    Unreadable::unless_looked_at(folder, limits)?;
    match crate::canonical(folder) {
        Ok(folder) => Ok(Some(folder)),
        Err(error) if is_nothing(&error) => Ok(None),
        Err(error) => Err(Unreadable::io(folder, error)),
    }
}

fn head_of(git_dir: &Path) -> Result<String, Unreadable> {
    let head = text_of(&git_dir.join("HEAD"))?.unwrap_or_default();
    Ok(crate::escaped(head.trim_ascii_end()))
}

/// The content of a file that names one thing. Anything else in its place may hide where work is.
fn text_of(path: &Path) -> Result<Option<Vec<u8>>, Unreadable> {
    check_file(path, bounds::NAME_FILE)?;
    read_regular(path, bounds::NAME_FILE).map_err(|error| Unreadable::io(path, error))
}
