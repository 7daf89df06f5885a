//! Files for which only the content shows whether they changed.
//!
//! git is not asked: it might run a filter, or any other program that a configuration names. Line
//! endings are converted here. If anything else stands between a file and what git stores for it (a
//! filter, an encoding, an expanded `$Id$`), the file counts as changed, at the start and at the
//! stop alike, so that its own bytes are compared.

use std::io;
use std::os::fd::OwnedFd;

use rustix::io::Errno;
use sha1::{Digest, Sha1};
use sha2::Sha256;

use super::index::{Entry, Index, OID};
use super::line_ends::{Conversion, LineEnds};
use super::listing::refused;
use super::outcome::Outcome;
use crate::deadline::check_time;
use crate::odb::LINK;
use crate::reader::listing::listed;
use crate::reader::refusal::Refusal;
use crate::regular::open_regular_at;
use crate::{Limits, RepoPath, fingerprint, parallel};

/// The result of comparing the bytes themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compared {
    Same,
    Other,
    /// The same, and it contains carriage returns.
    SameWithReturns,
    /// The same after removing the carriage returns before line endings.
    SameWithoutReturns,
}

/// What decides whether contents differ.
pub(super) struct Contents<'a> {
    pub(super) root: &'a OwnedFd,
    pub(super) index: &'a Index,
    pub(super) conversion: Conversion<'a>,
    pub(super) limits: &'a Limits,
}

impl Contents<'_> {
    /// The paths that changed, of those that `outcome` leaves undecided.
    pub(super) fn changed(&self, outcome: &Outcome) -> Result<Vec<RepoPath>, Refusal> {
        let entries = outcome.undecided.iter();
        let tasks: Vec<_> = entries.map(|number| self.index.entry(*number)).collect();
        let threads = parallel::threads_for(tasks.len());
        let (root, limits) = (self.root, self.limits);
        let found = parallel::map(&tasks, threads, |buffer: &mut Vec<u8>, entry| {
            check_time(limits)?;
            compare(buffer, root, entry, limits)
        })?;
        let mut changed = Vec::new();
        let mut doubtful = Vec::new();
        for (entry, found) in tasks.iter().zip(found) {
            match found {
                Compared::Same => {}
                Compared::Other => changed.push(listed(entry.path)?),
                with_returns => doubtful.push((*entry, with_returns)),
            }
        }
        if doubtful.is_empty() {
            return Ok(changed);
        }
        let entries: Vec<_> = doubtful.iter().map(|(entry, _)| *entry).collect();
        let ends = self.conversion.line_ends(&entries, outcome)?;
        for ((entry, found), ends) in doubtful.into_iter().zip(ends) {
            let is_same = match ends {
                LineEnds::Kept => found == Compared::SameWithReturns,
                LineEnds::Converted => found == Compared::SameWithoutReturns,
                LineEnds::Automatic | LineEnds::Unknown => true,
            };
            if !is_same {
                changed.push(listed(entry.path)?);
            }
        }
        Ok(changed)
    }
}

/// Compares the bytes of one file with those in the index.
fn compare(
    buffer: &mut Vec<u8>,
    root: &OwnedFd,
    entry: &Entry<'_>,
    limits: &Limits,
) -> Result<Compared, Refusal> {
    let path = entry.path;
    let found = if entry.mode() == LINK {
        link_or_file(root, path, entry.oid().len(), buffer, limits)
    } else {
        hash_file(root, path, entry.oid().len(), buffer, limits)
    };
    let found = match found {
        // To git it has changed; its state is then told by its times.
        Err(Errno::ACCESS | Errno::PERM) => None,
        found => found.map_err(|error| refused(path, error))?,
    };
    Ok(match found {
        Some(hash) if hash.oid == entry.oid() && hash.has_returns => Compared::SameWithReturns,
        Some(hash) if hash.oid == entry.oid() => Compared::Same,
        Some(hash) if hash.without_returns.as_deref() == Some(entry.oid()) => {
            Compared::SameWithoutReturns
        }
        // Also if it has become something else since it was looked at.
        _ => Compared::Other,
    })
}

/// The hash under which git would store a content.
struct Hash {
    oid: Vec<u8>,
    has_returns: bool,
    /// The hash without carriage returns, if it is a text that has some.
    without_returns: Option<Vec<u8>>,
}

/// A link, or the file that stands for one if `core.symlinks` is off.
fn link_or_file(
    root: &OwnedFd,
    path: &[u8],
    oid: usize,
    buffer: &mut Vec<u8>,
    limits: &Limits,
) -> Result<Option<Hash>, Errno> {
    let target = match crate::beneath::target(root, path) {
        Ok(Some(target)) => target,
        Ok(None) => return hash_file(root, path, oid, buffer, limits),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut hasher = Hasher::of_blob(oid, target.len() as u64);
    hasher.update(&target);
    Ok(Some(Hash {
        oid: hasher.finish(),
        has_returns: false,
        without_returns: None,
    }))
}

/// `None` if it is not a regular file, or changes while it is read.
fn hash_file(
    root: &OwnedFd,
    path: &[u8],
    oid: usize,
    buffer: &mut Vec<u8>,
    limits: &Limits,
) -> Result<Option<Hash>, Errno> {
    let Some((length, first)) = pass(root, path, limits, buffer, |length| {
        (Hasher::of_blob(oid, length), LineCount::default())
    })?
    else {
        return Ok(None);
    };
    let (hasher, lines) = first;
    let mut hash = Hash {
        oid: hasher.finish(),
        has_returns: lines.returns > 0,
        without_returns: None,
    };
    if lines.is_text() && lines.ends > 0 {
        let second = pass(root, path, limits, buffer, |_| {
            WithoutReturns::new(Hasher::of_blob(oid, length - lines.ends))
        })?;
        hash.without_returns = second
            .filter(|(again, _)| *again == length)
            .map(|(_, hasher)| hasher.finish());
    }
    Ok(Some(hash))
}

/// Receives the pieces of a file, one after another.
trait Pieces {
    fn take(&mut self, piece: &[u8]);
}

/// Reads a file from the beginning up to the length that it had. Returns that length.
fn pass<P: Pieces>(
    root: &OwnedFd,
    path: &[u8],
    limits: &Limits,
    buffer: &mut Vec<u8>,
    pieces: impl FnOnce(u64) -> P,
) -> Result<Option<(u64, P)>, Errno> {
    let errno = |error: io::Error| Errno::from_io_error(&error).unwrap_or(Errno::IO);
    let opened = open_regular_at(root, path, u64::MAX).map_err(errno)?;
    let Some((mut file, metadata)) = opened else {
        return Ok(None);
    };
    let mut pieces = pieces(metadata.len());
    let mut rest = metadata.len();
    let mut is_late = false;
    buffer.resize(fingerprint::BUFFER, 0);
    fingerprint::each_piece(&mut file, buffer, |piece| {
        pieces.take(piece);
        rest = rest.saturating_sub(piece.len() as u64);
        is_late |= check_time(limits).is_err();
        // A file that grows as fast as it is read would never end.
        rest > 0 && !is_late
    })
    .map_err(errno)?;
    if is_late {
        return Err(Errno::TIMEDOUT);
    }
    Ok((rest == 0).then_some((metadata.len(), pieces)))
}

/// git's hash of a content, with its kind and length in front.
enum Hasher {
    Sha1(Sha1),
    Sha256(Sha256),
}

impl Hasher {
    fn of_blob(oid: usize, length: u64) -> Self {
        let mut hasher = if oid == OID {
            Self::Sha1(Sha1::new())
        } else {
            Self::Sha256(Sha256::new())
        };
        hasher.update(format!("blob {length}\0").as_bytes());
        hasher
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Sha1(hasher) => hasher.update(bytes),
            Self::Sha256(hasher) => hasher.update(bytes),
        }
    }

    fn finish(self) -> Vec<u8> {
        match self {
            Self::Sha1(hasher) => hasher.finalize().to_vec(),
            Self::Sha256(hasher) => hasher.finalize().to_vec(),
        }
    }
}

/// What git checks in a file to decide whether it is text.
#[derive(Default)]
struct LineCount {
    returns: u64,
    /// Carriage returns before the end of a line.
    ends: u64,
    has_nul: bool,
    ends_in_return: bool,
}

impl LineCount {
    fn is_text(&self) -> bool {
        !self.has_nul && self.returns == self.ends
    }
}

impl Pieces for (Hasher, LineCount) {
    fn take(&mut self, piece: &[u8]) {
        let (hasher, lines) = self;
        hasher.update(piece);
        lines.has_nul |= memchr::memchr(0, piece).is_some();
        if lines.ends_in_return && piece.first() == Some(&b'\n') {
            lines.ends += 1;
        }
        for at in memchr::memchr_iter(b'\r', piece) {
            lines.returns += 1;
            lines.ends += u64::from(piece.get(at + 1) == Some(&b'\n'));
        }
        lines.ends_in_return = piece.last() == Some(&b'\r');
    }
}

/// Drops each carriage return; in a text they occur only before the end of a line.
struct WithoutReturns(Hasher);

impl WithoutReturns {
    fn new(hasher: Hasher) -> Self {
        Self(hasher)
    }

    fn finish(self) -> Vec<u8> {
        self.0.finish()
    }
}

impl Pieces for WithoutReturns {
    fn take(&mut self, piece: &[u8]) {
        for part in piece.split(|byte| *byte == b'\r') {
            self.0.update(part);
        }
    }
}
