//! What git considers a repository (see gitrepository-layout(5)), decided without git.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::nothing::is_missing;
use crate::os_path::path_of;
use crate::regular::{check_file, read_regular};
use crate::{Limits, Unreadable, bounds};

/// What `.git` is.
#[derive(Debug)]
pub(crate) enum DotGit {
    /// There is none, or git does not accept it and searches further above.
    None,
    /// A file that does not name a repository.
    Broken(PathBuf),
    /// A repository, or a file that names one.
    Repository(GitDir),
}

/// What is at `.git`, or what `.git` names.
#[derive(Debug)]
pub(crate) struct GitDir {
    /// The folder with HEAD and the index.
    pub(crate) path: PathBuf,
    /// The file that names it, if it is elsewhere.
    pub(crate) named_by: Option<PathBuf>,
}

/// The repository of the work tree at `folder`, judged by its `.git` alone: a folder with the files
/// of a bare repository does not count. A `.git` that cannot be read is an error.
pub(crate) fn of(folder: &Path) -> Result<DotGit, Unreadable> {
    let dot_git = folder.join(".git");
    let Some(metadata) = look(&dot_git)? else {
        return Ok(DotGit::None);
    };
    if metadata.is_file() {
        return match named_in(&dot_git)? {
            Some(path) if is_git_dir(&path)? => Ok(DotGit::Repository(GitDir {
                path,
                named_by: Some(dot_git),
            })),
            _ => Ok(DotGit::Broken(dot_git)),
        };
    }
    if metadata.is_dir() && is_git_dir(&dot_git)? {
        return Ok(DotGit::Repository(GitDir {
            path: dot_git,
            named_by: None,
        }));
    }
    Ok(DotGit::None)
}

/// Whether git would accept `folder` as the folder of a repository: it has a valid HEAD, objects
/// and refs.
pub(crate) fn is_git_dir(folder: &Path) -> Result<bool, Unreadable> {
    if !has_head(&folder.join("HEAD"))? {
        return Ok(false);
    }
    let common_dir = common_dir(folder)?;
    let is_there = |name| look(&common_dir.join(name)).map(|found| found.is_some());
    Ok(is_there("objects")? && is_there("refs")?)
}

/// The folder that the work trees of a repository share.
pub(crate) fn common_dir(git_dir: &Path) -> Result<PathBuf, Unreadable> {
    let Some(text) = text_of(&git_dir.join("commondir"))? else {
        return Ok(git_dir.to_owned());
    };
    let named = git_dir.join(path_of(text.trim_ascii_end())?);
    Unreadable::unless_looked_at(&named, &Limits::default())?;
    Ok(named)
}

/// Fails if anything but a file is in place of one of the files that libgit2 and git read whenever
/// they open the repository: they would wait for it, or never reach its end.
pub(super) fn check_files(git_dir: &Path, common_dir: &Path) -> Result<(), Unreadable> {
    const OWN: [(&str, u64); 4] = [
        ("HEAD", bounds::NAME_FILE),
        ("commondir", bounds::NAME_FILE),
        ("gitdir", bounds::NAME_FILE),
        ("config.worktree", bounds::CONFIG),
    ];
    const SHARED: [(&str, u64); 5] = [
        ("config", bounds::CONFIG),
        ("packed-refs", bounds::PACKED_REFS),
        ("shallow", bounds::CONFIG),
        ("info/grafts", bounds::CONFIG),
        ("objects/info/alternates", bounds::CONFIG),
    ];
    let own = OWN.iter().map(|(name, most)| (git_dir.join(name), *most));
    let shared = SHARED
        .iter()
        .map(|(name, most)| (common_dir.join(name), *most));
    own.chain(shared)
        .try_for_each(|(path, most)| check_file(&path, most))
}

/// The target of a `.git` file.
fn named_in(dot_git: &Path) -> Result<Option<PathBuf>, Unreadable> {
    let text = text_of(dot_git)?.unwrap_or_default();
    let Some(target) = text.strip_prefix(b"gitdir: ") else {
        return Ok(None);
    };
    let end = target.iter().rposition(|byte| !b"\r\n".contains(byte));
    let target = &target[..end.map_or(0, |last| last + 1)];
    let named = dot_git.with_file_name("").join(path_of(target)?);
    Unreadable::unless_looked_at(&named, &Limits::default())?;
    Ok(Some(named))
}

fn has_head(head: &Path) -> Result<bool, Unreadable> {
    match fs::symlink_metadata(head) {
        Ok(metadata) if metadata.is_symlink() => {
            let target = fs::read_link(head).map_err(|error| Unreadable::io(head, error))?;
            if target.starts_with("refs") {
                return Ok(true);
            }
        }
        Ok(metadata) if metadata.is_file() => {}
        Ok(metadata) if metadata.is_dir() => return Ok(false),
        Ok(_) => return Err(odd(head, "not a regular file")),
        Err(error) if is_missing(&error) => return Ok(false),
        Err(error) => return Err(Unreadable::io(head, error)),
    }
    let Some(text) = text_of(head)? else {
        return Ok(false);
    };
    if let Some(target) = text.strip_prefix(b"ref:") {
        return Ok(target.trim_ascii_start().starts_with(b"refs/"));
    }
    let digits = text.iter().take_while(|byte| byte.is_ascii_hexdigit());
    Ok(digits.count() >= 40)
}

/// The content of a file that names one thing. `None` if there is none.
fn text_of(path: &Path) -> Result<Option<Vec<u8>>, Unreadable> {
    check_file(path, bounds::NAME_FILE)?;
    read_regular(path, bounds::NAME_FILE).map_err(|e| Unreadable::io(path, e))
}

/// Looks at the target, following links. `None` if nothing is there.
fn look(path: &Path) -> Result<Option<Metadata>, Unreadable> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(Unreadable::io(path, error)),
    }
}

pub(super) fn odd(path: &Path, why: &'static str) -> Unreadable {
    Unreadable::io(path, io::Error::other(why))
}
