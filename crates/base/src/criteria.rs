//! The criteria file of a work tree, and the trust that a person has in it.

mod owner;
mod place;
mod process;
mod trust;

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use attest_checklist::{Criteria, SyntaxError, sha256};
use attest_snapshot::read_regular_whole;
use attest_state::trust::CriteriaPlace;
use thiserror::Error;

pub use self::owner::{Foreign, check as check_owner};
use self::place::place_of;
pub use self::process::{INTERRUPTED, cancelled_by_signals, interrupted, processors};
pub use self::trust::{Trust, trust_in};

/// The folder of the file in a work tree.
const FOLDER: &str = ".attest";
/// Its name there.
const NAME: &str = "criteria.yaml";
/// The largest file that is read, in bytes.
const LARGEST: u64 = 1024 * 1024;

/// A criteria file as it was read, once: what is trusted, parsed and run is the same content.
#[derive(Debug)]
pub struct CriteriaFile {
    /// Where the file is.
    pub path: PathBuf,
    /// Where its commands run.
    pub folder: PathBuf,
    text: String,
    /// Of the content, in lower-case hex.
    pub sha256: String,
    /// Where it is for whoever trusts it.
    pub place: CriteriaPlace,
    /// Of the file that was read.
    metadata: Metadata,
}

/// Why there are no criteria.
#[expect(missing_docs, reason = "each says in its message what it is")]
#[derive(Debug, Error)]
pub enum CriteriaError {
    #[error("no {FOLDER}/{NAME} is in this folder or above it")]
    Missing,
    #[error("cannot read {path:?}")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path:?} is not a regular file of at most 1 MiB")]
    NotAFile { path: PathBuf },
    #[error("{path:?} is not UTF-8 (byte {at})")]
    NotText { path: PathBuf, at: usize },
    #[error("{path:?} is invalid")]
    Syntax { path: PathBuf, source: SyntaxError },
}

/// Where the file of the work tree with this top folder is.
#[must_use]
pub fn path_in(root: &Path) -> PathBuf {
    root.join(FOLDER).join(NAME)
}

impl CriteriaFile {
    /// The file that is named, or else the nearest one in `start` or above it.
    pub fn find(named: Option<&Path>, start: &Path) -> Result<Self, CriteriaError> {
        let path = if let Some(named) = named {
            start.join(named)
        } else {
            let candidates = start.ancestors().map(path_in);
            let mut there = candidates.filter(|path| fs::symlink_metadata(path).is_ok());
            there.next().ok_or(CriteriaError::Missing)?
        };
        let holder = path.parent().filter(|holder| holder.ends_with(FOLDER));
        let folder = holder.and_then(Path::parent).unwrap_or(start).to_owned();
        Self::read(path, folder)
    }

    /// The file of the work tree with this top folder.
    pub fn of(root: &Path) -> Result<Self, CriteriaError> {
        Self::read(path_in(root), root.to_owned())
    }

    fn read(path: PathBuf, folder: PathBuf) -> Result<Self, CriteriaError> {
        let read = read_bytes(&path).and_then(|read| match read {
            Some((bytes, metadata)) => Ok(Some((bytes, metadata, place_of(&folder, &path)?))),
            None => Ok(None),
        });
        let (bytes, metadata, place) = match read {
            Ok(Some(read)) => read,
            Ok(None) => return Err(CriteriaError::NotAFile { path }),
            Err(source) => return Err(CriteriaError::Read { path, source }),
        };
        let sha256 = sha256(&bytes);
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self {
                path,
                folder,
                text,
                sha256,
                place,
                metadata,
            }),
            Err(error) => Err(CriteriaError::NotText {
                path,
                at: error.utf8_error().valid_up_to(),
            }),
        }
    }

    /// Whether the file and the folders that it is about are the person's own.
    pub fn check_owner(&self) -> Result<(), Foreign> {
        owner::check(&self.path, &self.metadata)?;
        let holder = self.path.parent();
        let folders = holder.into_iter().chain([&*self.folder, &*self.place.root]);
        folders.into_iter().try_for_each(owner::check_folder)
    }

    /// The criteria that the text has.
    pub fn parse(&self) -> Result<Criteria, CriteriaError> {
        Criteria::parse(&self.text).map_err(|source| CriteriaError::Syntax {
            path: self.path.clone(),
            source,
        })
    }
}

impl CriteriaError {
    /// Whether there is just no file, which is no fault.
    #[must_use]
    pub fn is_absence(&self) -> bool {
        match self {
            Self::Missing => true,
            Self::Read { source, .. } => matches!(
                source.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ),
            Self::NotAFile { .. } | Self::NotText { .. } | Self::Syntax { .. } => false,
        }
    }
}

/// The content of the file and what the system says about it; `None` if it is not a regular one, or too
/// large.
fn read_bytes(path: &Path) -> io::Result<Option<(Vec<u8>, Metadata)>> {
    // Nothing at all is told apart from something else.
    fs::metadata(path)?;
    match read_regular_whole(path, LARGEST) {
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Ok(None),
        read => read,
    }
}
