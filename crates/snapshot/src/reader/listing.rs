//! What a reader finds in a work tree.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::memory::ScanCache;
use super::refs::Head;
use crate::unlisted::Unlisted;
use crate::{RepoPath, Unreadable};

/// Which reader made a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "name")]
pub enum ReaderKind {
    /// attest's own.
    Fast,
    /// libgit2.
    LibGit2,
    /// attest's own, with objects, settings and ref tables from the git program, or the program
    /// alone on systems where attest has no reader of its own.
    Git {
        /// Why git is needed.
        why: String,
    },
}

/// What a reader found.
pub(crate) struct Listing {
    pub(crate) head: Head,
    /// Local and remote-tracking branches and the stash: full name and object id.
    pub(crate) refs: BTreeMap<String, String>,
    /// What names the repository on all machines, if it was cloned from another.
    pub(crate) origin: Option<String>,
    /// Every path whose work tree, index or existence differs from HEAD, including untracked files:
    /// in no particular order, and with duplicates.
    pub(crate) differing: Vec<(RepoPath, Seen)>,
    /// The folders in which it lists nothing, if this reader reports them.
    pub(crate) unlisted: Option<Unlisted>,
    /// What the next reading may build on.
    pub(crate) memory: Option<ScanCache>,
}

/// What a listing saw at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// A regular file, a moment ago: it need not be looked at again before it is opened.
    File,
    /// Nothing that saves a look.
    Nothing,
}

impl Seen {
    pub(super) fn nothing_of(path: RepoPath) -> (RepoPath, Self) {
        (path, Self::Nothing)
    }
}

/// Turns one listed name into a path; a name that leaves the work tree makes the whole tree
/// unreadable.
pub(super) fn listed(bytes: &[u8]) -> Result<RepoPath, Unreadable> {
    RepoPath::from_git(bytes).ok_or_else(|| Unreadable::StrangePath(crate::escaped(bytes)))
}
