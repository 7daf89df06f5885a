//! What can be seen of a repository beside single paths.

use crate::RepoPath;

/// What is known of a repository at the stop.
pub trait RepositorySource {
    /// The paths that differ from HEAD, in the order of their names.
    fn uncommitted(&self) -> Vec<RepoPath>;

    /// What a file of the work tree held at the start and holds now, if both are known without reading either.
    fn content(&self, path: &RepoPath) -> Option<Content>;

    /// The bytes that a file of the work tree has, if there are no more than so many.
    fn bytes_now(&self, path: &RepoPath, most: u64) -> Option<Vec<u8>>;

    /// The bytes that it had at the start, none if it was not there, if they are known and no more than so many.
    fn bytes_before(&self, path: &RepoPath, most: u64) -> Option<Vec<u8>>;
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
