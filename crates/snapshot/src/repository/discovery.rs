//! The repository that contains a folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::git_dir::{self, DotGit, GitDir, is_git_dir, odd};
use super::ownership;
use crate::{Limits, Unreadable};

/// A folder with a `.git`, and what that is.
#[derive(Debug)]
pub(super) struct Found {
    /// With links resolved.
    pub(super) folder: PathBuf,
    pub(super) git_dir: PathBuf,
}

/// Searches `folder` and the folders above it, up to the end of its file system, as git does, for a
/// repository that git would trust. What merely looks like a bare repository does not count: a
/// clone may bring one, with a configuration of its own.
pub(super) fn find(folder: &Path, limits: &Limits) -> Result<Found, Unreadable> {
    let folder = canonical(folder)?;
    let device = device_of(&folder);
    let mut above = folder.ancestors();
    above.next();
    let above = above.take_while(|above| device_of(above) == device);
    let mut looks_bare = false;
    for here in std::iter::once(folder.as_path()).chain(above) {
        match git_dir::of(here)? {
            DotGit::Repository(GitDir { path, named_by }) => {
                ownership::check(here, &path, named_by.as_deref(), limits)?;
                return Ok(Found {
                    folder: here.to_owned(),
                    git_dir: path,
                });
            }
            DotGit::Broken(dot_git) => return Err(odd(&dot_git, "it names no repository")),
            DotGit::None => {}
        }
        looks_bare |= is_git_dir(here).unwrap_or(false);
    }
    Err(if looks_bare {
        Unreadable::Bare(folder)
    } else {
        Unreadable::NotARepository(folder)
    })
}

pub(super) fn canonical(path: &Path) -> Result<PathBuf, Unreadable> {
    crate::canonical(path).map_err(|source| Unreadable::io(path, source))
}

#[cfg(unix)]
fn device_of(folder: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(folder).ok().map(|metadata| metadata.dev())
}

/// Without device numbers, all folders count as being on the same device.
#[cfg(not(unix))]
fn device_of(folder: &Path) -> Option<u64> {
    fs::metadata(folder).ok().map(|_| 0)
}
