//! How much of a repository is read at most.
//!
//! Whoever made a repository decides how large each of its lists is, so each has an end here, far
//! above what people have. What lies beyond it is not read in part: the answer is Unreadable.

/// Folders above a path, and trees in trees: as many as git itself follows (`core.maxTreeDepth`).
#[allow(dead_code)]
pub(crate) const DEPTH: usize = 2048;

/// Bytes of a file that names one thing: `HEAD`, `.git`, `commondir`, `gitdir`, a branch.
pub(crate) const NAME_FILE: u64 = 64 * 1024;
/// Bytes of a configuration, or of a list of other object stores, of shallow or grafted commits.
pub(crate) const CONFIG: u64 = 4 * 1024 * 1024;
/// Bytes of `packed-refs`.
pub(crate) const PACKED_REFS: u64 = 64 * 1024 * 1024;

/// Bytes of an index, or of the shared part of one.
pub(crate) const INDEX: u64 = 128 * 1024 * 1024;

/// Where a bound was passed, and what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("more than {most} {what}")]
pub struct TooMuch {
    /// How many are read.
    pub most: u64,
    /// Of what.
    pub what: &'static str,
}
