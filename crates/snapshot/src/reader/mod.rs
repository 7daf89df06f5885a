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

#[cfg(unix)]
pub(crate) use fast::basis::Basis;
pub use listing::ReaderKind;
pub(crate) use listing::{Listing, Seen};
pub(crate) use memory::ScanCache;
#[cfg(not(unix))]
pub(crate) use raw_index::git_with_index;
pub use refs::Head;
#[cfg(not(unix))]
use refusal::Refusal;

use crate::repository::{Access, Repository};
use crate::{Limits, Moment, Unreadable, WorkTree};

/// Only attest's own reader has one.
#[cfg(not(unix))]
#[derive(Debug)]
pub(crate) enum Basis {}

/// A reading of a work tree.
pub(crate) struct Reading {
    pub(crate) reader: ReaderKind,
    pub(crate) listing: Listing,
    /// What it rests on, if a proof may reuse it.
    pub(crate) basis: Option<Basis>,
}

impl Reading {
    fn without_basis(reader: ReaderKind, listing: Listing) -> Self {
        Self {
            reader,
            listing,
            basis: None,
        }
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
) -> Result<Reading, Unreadable> {
    let reader = match &repository.access {
        Access::LibGit2(opened) => {
            let listing = libgit2::list(repository, opened, limits)?;
            return Ok(Reading::without_basis(ReaderKind::LibGit2, listing));
        }
        Access::Program { why } => ReaderKind::Git { why: why.clone() },
        Access::Fast(_) => ReaderKind::Fast,
    };
    let (listing, basis) = fast::FastReader::new(repository, now, earlier).list(limits)?;
    Ok(Reading {
        reader,
        listing,
        basis,
    })
}

/// Reads `repository` with the fastest reader that understands it.
#[cfg(not(unix))]
pub(crate) fn read(
    repository: &Repository,
    limits: &Limits,
    _now: &Moment,
    _earlier: Option<&WorkTree>,
) -> Result<Reading, Unreadable> {
    let program = |why: String| {
        let listing = program::list(repository, limits)?;
        Ok(Reading::without_basis(ReaderKind::Git { why }, listing))
    };
    match &repository.access {
        Access::Program { why } => program(why.clone()),
        Access::LibGit2(opened) => match libgit2::list(repository, opened, limits) {
            Ok(listing) => Ok(Reading::without_basis(ReaderKind::LibGit2, listing)),
            Err(Refusal::Unreadable(why)) => Err(why),
            Err(refusal) => program(refusal.to_string()),
        },
    }
}
