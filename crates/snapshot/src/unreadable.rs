//! Why a work tree could not be read.

use std::io;
use std::path::{Path, PathBuf};

use crate::git::GitError;
use crate::{Limits, TooMuch};

/// Why there is no snapshot. Must never be confused with a work tree in which nothing differs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unreadable {
    /// No repository at or above the folder.
    #[error("{0:?} is not inside a git work tree")]
    NotARepository(PathBuf),
    /// The repository has no work tree.
    #[error("{0:?} is a bare repository")]
    Bare(PathBuf),
    /// git would not trust it either.
    #[error(
        "{path:?} belongs to user {owner}, and no safe.directory of the system or the person names it"
    )]
    ForeignOwner {
        /// The work tree, its `.git`, or the folder that this names.
        path: PathBuf,
        /// Its owner's id.
        owner: u32,
    },
    /// An object that is not what something else says it is.
    #[error("object {oid} cannot be used: {why}")]
    Object {
        /// Its name.
        oid: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A list from the repository is longer than what is read.
    #[error(transparent)]
    TooMuch(#[from] TooMuch),
    /// The folder is gone, or never existed.
    #[error("{0:?} does not exist")]
    NoFolder(PathBuf),
    /// A look there may mount something, or reach a device.
    #[error("{0:?} is not looked at: it may be on another machine, or a device")]
    NotLookedAt(PathBuf),
    /// A file or folder could not be examined.
    #[error("cannot read {path:?}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The git program could not read it either.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The time for it ran out.
    #[error("the work tree could not be read in the time given")]
    TooSlow,
    /// A list from git contains a path that leaves the work tree.
    #[error("git listed {0:?}, which is no path inside the work tree")]
    StrangePath(String),
    /// An index that git may write when it reads it, and that attest does not read either.
    #[error("git may write when it reads {0:?}, which is split, sparse or not understood")]
    WouldWrite(PathBuf),
    /// More has happened since the start than is searched.
    #[error("more than {0} commits have come since the start")]
    TooMuchHistory(usize),
    /// A snapshot that was stored as unreadable.
    #[error("{0}")]
    Recorded(String),
}

impl Unreadable {
    /// Fails if nobody looks at the place, which a file of the repository or a payload names.
    pub(crate) fn unless_looked_at(place: &Path, limits: &Limits) -> Result<(), Self> {
        let looked = limits.may_look(place);
        looked.map_err(|_| Self::NotLookedAt(place.to_owned()))
    }

    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            source,
        }
    }
}
