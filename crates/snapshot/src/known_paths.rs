//! What git knows by name, and what it ignores. Asked only for a path that is about to be called
//! absent, and answered without a git process wherever attest reads the index itself.

mod ends;
mod found;
#[cfg(unix)]
mod ignored;
#[cfg(not(unix))]
#[path = "known_paths/libgit2.rs"]
mod ignored;
#[cfg(not(unix))]
mod listed;
mod names;
#[cfg(unix)]
mod own;

use std::rc::Rc;

use ignored::Ignored;
#[cfg(not(unix))]
use listed::Listed;
use names::Names;

use crate::reader::Basis;
use crate::{Limits, RepoPath, Repository, Unreadable};

/// The names in the index and in one commit, and the rules by which git ignores paths.
pub struct KnownPaths {
    names: Names,
    ignored: Ignored,
}

impl KnownPaths {
    /// Reads the index and the rules of `repository`; the names of `commit` count as well.
    pub fn read(
        repository: Repository,
        commit: Option<&str>,
        limits: &Limits,
    ) -> Result<Self, Unreadable> {
        Self::of(Rc::new(repository), None, commit, limits)
    }

    /// The same, using the basis of a reading of the repository.
    #[cfg(unix)]
    pub(crate) fn of(
        repository: Rc<Repository>,
        basis: Option<Rc<Basis>>,
        commit: Option<&str>,
        limits: &Limits,
    ) -> Result<Self, Unreadable> {
        let basis = match basis {
            Some(basis) => basis,
            None => Rc::new(Basis::read(&repository, limits)?),
        };
        Ok(Self {
            ignored: Ignored::by(&basis, &repository)?,
            names: Names::Own(Box::new(own::Names::by(basis, repository, commit, limits))),
        })
    }

    /// The same: on this system a reading leaves no basis that could be reused.
    #[cfg(not(unix))]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "other systems keep what they are given"
    )]
    pub(crate) fn of(
        repository: Rc<Repository>,
        _basis: Option<Rc<Basis>>,
        commit: Option<&str>,
        limits: &Limits,
    ) -> Result<Self, Unreadable> {
        Ok(Self {
            names: Names::Listed(Listed::read(&repository, commit, limits)?),
            ignored: Ignored::read(&repository, limits)?,
        })
    }

    /// Whether git has a file or folder with this name, in any case or Unicode form.
    pub fn is_tracked(&self, path: &RepoPath) -> Result<bool, Unreadable> {
        Ok(self.names.find(path)?.tracked)
    }

    /// Whether the path is a submodule or in one, in any case or Unicode form.
    pub fn in_submodule(&self, path: &RepoPath) -> Result<bool, Unreadable> {
        Ok(self.names.find(path)?.module)
    }

    /// Files that the index has and whose paths end in this one, in any case or Unicode form: at most as many.
    pub fn ending_in(&self, path: &RepoPath, most: usize) -> Result<Vec<RepoPath>, Unreadable> {
        self.names.ending_in(path, most)
    }

    /// Whether an ignore rule covers the path, even if git has a file there: the answer of `git
    /// check-ignore --no-index`, except that rule files left out of the checkout count as they do
    /// in `git status`. A rule file that cannot be read is an error, because it might cover the
    /// path.
    pub fn is_ignored(&self, path: &RepoPath) -> Result<bool, Unreadable> {
        self.ignored.covers(path, &self.names)
    }

    /// The same, assuming that the path is a folder.
    pub fn is_ignored_folder(&self, path: &RepoPath) -> Result<bool, Unreadable> {
        self.ignored.covers_folder(path, &self.names)
    }
}

impl std::fmt::Debug for KnownPaths {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("KnownPaths").finish_non_exhaustive()
    }
}
