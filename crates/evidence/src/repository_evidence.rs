//! What can be seen of a repository beside single paths.

use crate::RepoPath;

/// What is known of a repository at the stop.
pub trait RepositorySource {
    /// The paths that differ from HEAD, in the order of their names.
    fn uncommitted(&self) -> Vec<RepoPath>;
}
