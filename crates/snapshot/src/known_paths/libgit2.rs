//! The ignore rules of a repository, asked of libgit2.

use super::Names;
use crate::repository::{Access, path_of};
use crate::{Limits, RepoPath, Repository, Unreadable};

/// What libgit2 opened.
pub(super) struct Ignored(Box<git2::Repository>);

impl Ignored {
    pub(super) fn read(repository: &Repository, limits: &Limits) -> Result<Self, Unreadable> {
        match Repository::discover(&repository.root, limits)?.access {
            Access::LibGit2(opened) => Ok(Self(opened)),
            Access::Program { why } => Err(Unreadable::Recorded(why)),
        }
    }

    pub(super) fn covers(&self, path: &RepoPath, _names: &Names) -> Result<bool, Unreadable> {
        let ask = |path: &[u8]| {
            let found = self.0.is_path_ignored(path_of(path)?);
            found.map_err(|error| Unreadable::Recorded(error.message().to_owned()))
        };
        // Nothing below an ignored folder is brought back, and to libgit2 a folder ends in a slash.
        for folder in path.ancestors() {
            if ask(&[folder.as_bytes(), b"/"].concat())? {
                return Ok(true);
            }
        }
        ask(path.as_bytes())
    }
}
