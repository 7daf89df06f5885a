//! What can be seen of a repository beside single paths.

use std::path::PathBuf;

use crate::{Doubt, RepoPath};

/// What is known of a repository at the stop.
pub trait RepositorySource {
    /// The paths that differ from HEAD, in the order of their names.
    fn uncommitted(&self) -> Vec<RepoPath>;

    /// What each of some files of the work tree held at the start and holds now, if both are known without reading
    /// either.
    fn contents(&self, paths: &[&RepoPath]) -> Vec<Option<Content>>;

    /// The bytes that a file of the work tree has, if there are no more than so many.
    fn bytes_now(&self, path: &RepoPath, most: u64) -> Option<Vec<u8>>;

    /// The bytes that it had at the start, none if it was not there, if they are known and no more than so many.
    fn bytes_before(&self, path: &RepoPath, most: u64) -> Option<Vec<u8>>;

    /// What was seen of the commit whose name begins with these hex digits, in lower case.
    fn commit(&self, hash: &str) -> CommitEvidence;

    /// Whether a branch of this name is there, or was at the start; or why that is not known.
    fn has_branch(&self, name: &str) -> Result<bool, Doubt>;

    /// Whether git may run hooks here that the repository or the person has set up.
    fn may_run_hooks(&self) -> bool;

    /// Whether a remote-tracking branch has the commit of HEAD. That none has proves nothing.
    fn is_pushed(&self) -> bool;
}

/// How much a file held at the start and holds now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Content {
    /// How much it held at the start.
    pub before: Before,
    /// How many bytes it has.
    pub now: u64,
}

/// How much a file held at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// It was not there.
    Missing,
    /// So many bytes.
    Bytes(u64),
    /// It was not empty; how many bytes it had is not known.
    Some,
}

/// What was seen of a commit. Only [`CommitEvidence::Missing`] says anything against a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommitEvidence {
    /// It is in the agent's repository.
    Found {
        /// Whether it certainly was there at the start: a branch of then leads to it.
        is_old: bool,
        /// Whether a branch leads to it now, if that is known.
        is_reachable: Option<bool>,
    },
    /// It is in the repository of this work tree.
    FoundElsewhere(PathBuf),
    /// No repository that can be looked at has it, and none of them can have lost it or left it out.
    Missing,
    /// It is not known.
    Inconclusive(Doubt),
}
