//! What can be seen of a repository beside single paths.

use std::path::PathBuf;

use crate::{Doubt, RepoPath};

/// What is known of a repository at the stop.
pub trait RepositorySource {
    /// The paths that differ from HEAD, in the order of their names.
    fn uncommitted(&self) -> Vec<RepoPath>;
    /// What was seen of the commit whose name begins with these hex digits, in lower case.
    fn commit(&self, hash: &str) -> CommitEvidence;
    /// Whether a branch of this name is there, or was at the start; or why that is not known.
    fn has_branch(&self, name: &str) -> Result<bool, Doubt>;
    /// Whether a remote-tracking branch has the commit of HEAD. That none has proves nothing.
    fn is_pushed(&self) -> bool;
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
