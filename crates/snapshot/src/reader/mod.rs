//! The readers that list what differs from HEAD. All readers give the same answer; they differ in
//! speed and in the repositories that they understand.

mod cursor;
#[cfg(unix)]
pub(crate) mod fast;
mod libgit2;
pub(crate) mod listing;
pub(crate) mod memory;
#[cfg(not(unix))]
mod program;
mod raw_index;
pub(crate) mod refs;
pub(crate) mod refusal;

pub use listing::ReaderKind;
pub(crate) use listing::{Basis, Listing, Seen};
pub(crate) use memory::ScanCache;
#[cfg(not(unix))]
pub(crate) use raw_index::git_with_index;
pub use refs::Head;
#[cfg(not(unix))]
use refusal::Refusal;

use crate::repository::{Access, Repository};
use crate::{Limits, Moment, Unreadable, WorkTree};

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
