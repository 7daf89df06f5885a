//! The readers that list what differs from HEAD. All readers give the same answer; they differ in
//! speed and in the repositories that they understand.

mod cursor;
#[cfg(unix)]
pub(crate) mod fast;
mod libgit2;
mod memory;
#[cfg(not(unix))]
mod program;
mod raw_index;
mod refs;
pub(crate) mod refusal;

use std::collections::BTreeMap;
#[cfg(not(unix))]
use std::path::Path;

use serde::{Deserialize, Serialize};

#[cfg(unix)]
pub(crate) use fast::Basis;
pub(crate) use memory::ScanCache;
#[cfg(not(unix))]
use raw_index::RawIndex;
pub use refs::Head;
use refusal::Refusal;

use crate::repository::{Access, Repository};
use crate::unlisted::Unlisted;
use crate::{Limits, Moment, RepoPath, Unreadable, WorkTree};

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
    /// Every path whose work tree, index or existence differs from HEAD, including untracked files:
    /// in no particular order, and with duplicates.
    pub(crate) differing: Vec<(RepoPath, Seen)>,
    /// The folders in which it lists nothing, if this reader reports them.
    pub(crate) unlisted: Option<Unlisted>,
    /// What the next reading may build on.
    pub(crate) memory: Option<ScanCache>,
    /// The basis of the reading, if a proof may reuse it.
    pub(crate) basis: Option<Basis>,
}

/// Only attest's own reader has one.
#[cfg(not(unix))]
#[derive(Debug)]
pub(crate) enum Basis {}

/// What a listing saw at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// A regular file, a moment ago: it need not be looked at again before it is opened.
    File,
    /// Nothing that saves a look.
    Nothing,
}

impl Seen {
    fn nothing_of(path: RepoPath) -> (RepoPath, Self) {
        (path, Self::Nothing)
    }
}

/// Reads `repository` with the fastest reader that understands it. `now` is the moment at which the
/// reading began, and `earlier` is an earlier state of the same work tree, by the same clock.
#[cfg(unix)]
pub(crate) fn read(
    repository: &Repository,
    limits: &Limits,
    now: &Moment,
    earlier: Option<&WorkTree>,
) -> Result<(ReaderKind, Listing), Unreadable> {
    let (kind, listing) = match &repository.access {
        Access::LibGit2(opened) => (
            ReaderKind::LibGit2,
            libgit2::list(repository, opened, limits),
        ),
        access => {
            let kind = match access {
                Access::Program { why } => ReaderKind::Git { why: why.clone() },
                _ => ReaderKind::Fast,
            };
            (
                kind,
                fast::FastReader::new(repository, now, earlier).list(limits),
            )
        }
    };
    Ok((kind, listing?))
}

/// Reads `repository` with the fastest reader that understands it.
#[cfg(not(unix))]
pub(crate) fn read(
    repository: &Repository,
    limits: &Limits,
    _now: &Moment,
    _earlier: Option<&WorkTree>,
) -> Result<(ReaderKind, Listing), Unreadable> {
    let program = |why: String| Ok((ReaderKind::Git { why }, program::list(repository, limits)?));
    match &repository.access {
        Access::Program { why } => program(why.clone()),
        Access::LibGit2(opened) => match libgit2::list(repository, opened, limits) {
            Ok(listing) => Ok((ReaderKind::LibGit2, listing)),
            Err(Refusal::Unreadable(why)) => Err(why),
            Err(refusal) => program(refusal.to_string()),
        },
    }
}

/// Whether the git program can read the index in this folder without writing.
#[cfg(not(unix))]
pub(crate) fn check_index(git_dir: &Path) -> Result<(), Unreadable> {
    let path = git_dir.join("index");
    let index = RawIndex::open(&path).map_err(|error| Unreadable::io(&path, error))?;
    match index {
        None => Ok(()),
        Some(Ok(index)) if !index.makes_git_write() => Ok(()),
        Some(_) => Err(Unreadable::WouldWrite(path)),
    }
}

/// Turns one listed name into a path; a name that leaves the work tree makes the whole tree
/// unreadable.
fn listed(bytes: &[u8]) -> Result<RepoPath, Unreadable> {
    RepoPath::from_git(bytes).ok_or_else(|| Unreadable::StrangePath(crate::escaped(bytes)))
}
