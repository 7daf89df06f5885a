//! The repository that a folder is in.

use std::fs;
use std::path::{Path, PathBuf};

use super::git_dir::{self, DotGit, GitDir, is_git_dir, odd};
use super::{canonical, ownership};
use crate::{Limits, Unreadable};

/// A folder with a `.git`, and what that is.
#[derive(Debug)]
pub(super) struct Found {
    /// Links resolved.
    pub(super) folder: PathBuf,
    pub(super) git_dir: PathBuf,
}

/// Looks in `folder` and above it, up to the end of its file system, as git does, for a repository
/// that git would trust. What only looks like a bare repository is none: a clone may bring one, with
/// a configuration of its own.
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

#[cfg(unix)]
fn device_of(folder: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(folder).ok().map(|metadata| metadata.dev())
}

/// Without such numbers all folders are on one.
#[cfg(not(unix))]
fn device_of(folder: &Path) -> Option<u64> {
    fs::metadata(folder).ok().map(|_| 0)
}
