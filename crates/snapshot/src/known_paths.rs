//! What git knows by name, and what it ignores. Asked only for a path that is about to be called
//! absent, and answered without a git process wherever attest reads the index itself.

#[cfg(unix)]
mod ignored;
#[cfg(not(unix))]
#[path = "known_paths/libgit2.rs"]
mod ignored;
#[cfg(not(unix))]
mod listed;
#[cfg(unix)]
mod own;

use std::rc::Rc;

use ignored::Ignored;
#[cfg(not(unix))]
use listed::Listed;

use crate::reader::Basis;
use crate::{Limits, RepoPath, Repository, Unreadable};

/// The names in the index and in one commit, and the rules by which git ignores paths.
pub struct KnownPaths {
    names: Names,
    ignored: Ignored,
}

/// Where the names come from.
enum Names {
    /// The index and trees, read as far as a path leads into them.
    #[cfg(unix)]
    Own(Box<own::Names>),
    /// Lists that the git program made, once for all paths.
    #[cfg(not(unix))]
    Listed(Listed),
}

/// What git has under a name, in any case or Unicode form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Found {
    /// A file, or a folder with files in it.
    tracked: bool,
    /// A submodule, or something in one.
    module: bool,
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

impl Names {
    #[cfg_attr(
        not(unix),
        expect(clippy::unnecessary_wraps, reason = "objects may be missing")
    )]
    fn find(&self, path: &RepoPath) -> Result<Found, Unreadable> {
        match self {
            #[cfg(unix)]
            Self::Own(names) => names.find(path),
            #[cfg(not(unix))]
            Self::Listed(listed) => Ok(listed.find(path)),
        }
    }

    /// What the index has for the rule file at `path`, which is not on disk.
    #[cfg(unix)]
    fn left_out_rules(&self, path: &[u8]) -> Result<Vec<u8>, Unreadable> {
        let Self::Own(names) = self;
        names.left_out_rules(path)
    }
}

impl std::fmt::Debug for KnownPaths {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("KnownPaths").finish_non_exhaustive()
    }
}
