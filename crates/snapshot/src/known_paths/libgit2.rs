//! The ignore rules of a repository, as answered by libgit2.

use super::names::Names;
use crate::libgit2::refused;
use crate::os_path::path_of;
use crate::repository::Access;
use crate::{Limits, RepoPath, Repository, Unreadable};

/// The repository that libgit2 opened.
pub(super) struct Ignored(Box<git2::Repository>);

impl Ignored {
    pub(super) fn read(repository: &Repository, limits: &Limits) -> Result<Self, Unreadable> {
        match Repository::discover(&repository.root, limits)?.access {
            Access::LibGit2(opened) => Ok(Self(opened)),
            Access::Program { why } => Err(Unreadable::Recorded(why)),
        }
    }

    pub(super) fn covers(&self, path: &RepoPath, _names: &Names) -> Result<bool, Unreadable> {
        // Nothing below an ignored folder can be included again.
        for folder in path.ancestors() {
            if self.asks_folder(&folder)? {
                return Ok(true);
            }
        }
        self.ask(path.as_bytes())
    }

    pub(super) fn covers_folder(&self, path: &RepoPath, names: &Names) -> Result<bool, Unreadable> {
        Ok(self.asks_folder(path)? || self.covers(path, names)?)
    }

    /// libgit2 takes a path with a slash at the end for a folder.
    fn asks_folder(&self, folder: &RepoPath) -> Result<bool, Unreadable> {
        self.ask(&[folder.as_bytes(), b"/"].concat())
    }

    fn ask(&self, path: &[u8]) -> Result<bool, Unreadable> {
        let found = self.0.is_path_ignored(path_of(path)?);
        found.map_err(|error| refused(&error))
    }
}
