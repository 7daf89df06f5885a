//! What can be seen of a repository beside single paths.

use std::path::PathBuf;

use crate::{Doubt, RepoPath};

/// What is known of a repository at the stop.
pub trait RepositorySource {
    /// The paths that differ from HEAD and changed since the start, in the order of their names.
    fn uncommitted(&self) -> Vec<RepoPath>;

    /// A path that differs from HEAD, and did at the start.
    fn left_before(&self) -> Option<RepoPath>;

    /// What each of some files of the work tree holds now; `None` for what is not a file, or cannot be read. The bytes
    /// of a file come with it if there are no more than so many.
    fn held_now(&self, paths: &[&RepoPath], most: u64) -> Vec<Option<Held>>;

    /// How much each of them held at the start; `None` if that is not known.
    fn held_before(&self, paths: &[&RepoPath]) -> Vec<Option<Before>>;

    /// How many bytes git noted of a file before the start, if that costs nothing to know: it most likely held so many
    /// at the start. None of one that git does not track, which most likely is new.
    fn noted_size(&self, path: &RepoPath) -> Option<u64>;

    /// The bytes that it had at the start, none if it was not there, if they are known and no more than so many.
    fn bytes_before(&self, path: &RepoPath, most: u64) -> Option<Vec<u8>>;

    /// What was seen of the commit whose name begins with these hex digits, in lower case.
    fn commit(&self, hash: &str) -> CommitEvidence;

    /// Whether a branch of this name is there, or was at the start; or why that is not known.
    fn has_branch(&self, name: &str) -> Result<bool, Doubt>;

    /// Whether git may run hooks here that the repository or the person has set up.
    fn may_run_hooks(&self) -> bool;

    /// What differs from the start, each with when it was last changed, in nanoseconds since the epoch, if that is known:
    /// of what is gone, when the folder was that it stood in.
    fn changed(&self) -> Vec<(RepoPath, Option<i128>)>;

    /// Whether a remote-tracking branch has the commit of HEAD, and one has each that a branch came to lead to since the
    /// start: any, or with a name that branch, or one of that remote. That none has proves nothing.
    fn is_pushed(&self, to: Option<&str>) -> bool;

    /// Whether a remote-tracking branch came since the start, or leads elsewhere than it did.
    fn has_moved_on_a_remote(&self) -> bool {
        true
    }

    /// Whether a commit that came since the start, or was left behind, may touch the path.
    fn may_be_committed(&self, _path: &RepoPath) -> bool {
        true
    }

    /// Where a folder lies that commands name.
    fn folder(&self, folder: &str) -> FolderPlace;
}

/// Where a folder lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderPlace {
    /// It is the root of the work tree.
    Root,
    /// It is below that, and of no other work tree.
    Below,
    /// It is anywhere else, or nobody knows.
    Elsewhere,
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// How many bytes it has.
    pub size: u64,
    /// The bytes themselves, if they were asked for.
    pub bytes: Option<Vec<u8>>,
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
