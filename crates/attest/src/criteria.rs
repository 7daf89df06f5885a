//! The criteria file of a work tree, and the trust that a person has in it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use attest_checklist::{Criteria, SyntaxError, sha256};
use attest_snapshot::path_bytes;
use attest_store::StoreError;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use thiserror::Error;

/// The folder of the file in a work tree.
const FOLDER: &str = ".attest";
/// Its name there.
const NAME: &str = "criteria.yaml";
/// The largest file that is read, in bytes.
const LARGEST: u64 = 1024 * 1024;

/// A criteria file as it was read, once: what is trusted, parsed and run is the same content.
#[derive(Debug)]
pub(crate) struct CriteriaFile {
    pub(crate) path: PathBuf,
    /// Where its commands run.
    pub(crate) folder: PathBuf,
    text: String,
    /// Of the content, in lower-case hex.
    pub(crate) sha256: String,
}

/// Why there are no criteria.
#[derive(Debug, Error)]
pub(crate) enum CriteriaError {
    #[error("no {FOLDER}/{NAME} is in this folder or above it")]
    Missing,
    #[error("cannot read {path:?}")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path:?} is not a regular file of at most 1 MiB")]
    NotAFile { path: PathBuf },
    #[error("{path:?} is not UTF-8 (byte {at})")]
    NotText { path: PathBuf, at: usize },
    #[error("{path:?} makes no sense")]
    Syntax { path: PathBuf, source: SyntaxError },
}

/// Where the file of the work tree with this top folder is.
pub(crate) fn path_in(root: &Path) -> PathBuf {
    root.join(FOLDER).join(NAME)
}

impl CriteriaFile {
    /// The file that is named, or else the nearest one in `start` or above it.
    pub(crate) fn find(named: Option<&Path>, start: &Path) -> Result<Self, CriteriaError> {
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
    pub(crate) fn of(root: &Path) -> Result<Self, CriteriaError> {
        Self::read(path_in(root), root.to_owned())
    }

    fn read(path: PathBuf, folder: PathBuf) -> Result<Self, CriteriaError> {
        let bytes = match read_bytes(&path) {
            Ok(Some(bytes)) => bytes,
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
            }),
            Err(error) => Err(CriteriaError::NotText {
                path,
                at: error.utf8_error().valid_up_to(),
            }),
        }
    }

    pub(crate) fn parse(&self) -> Result<Criteria, CriteriaError> {
        Criteria::parse(&self.text).map_err(|source| CriteriaError::Syntax {
            path: self.path.clone(),
            source,
        })
    }
}

impl CriteriaError {
    /// Whether there is just no file, which is no fault.
    pub(crate) fn is_absence(&self) -> bool {
        match self {
            Self::Missing => true,
            Self::Read { source, .. } => matches!(
                source.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ),
            Self::NotAFile { .. } | Self::NotText { .. } | Self::Syntax { .. } => false,
        }
    }

    /// What the person can do about it.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Syntax { .. } => Some("`attest check --schema` prints the schema for editors"),
            _ if self.is_absence() => Some("`attest check --init` writes one to begin with"),
            _ => None,
        }
    }
}

/// The content, or `None` where it is no regular file or too large.
fn read_bytes(path: &Path) -> io::Result<Option<Vec<u8>>> {
    // Opening a pipe would wait for its writer.
    if !fs::metadata(path)?.is_file() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= LARGEST).then_some(bytes))
}

/// Whether a person lets a file of this content run commands.
pub(crate) fn is_trusted(connection: &Connection, sha256: &str) -> Result<bool, StoreError> {
    let found = connection
        .query_row(
            "SELECT 1 FROM trusted_criteria WHERE sha256 = ?1",
            [sha256],
            |_| Ok(()),
        )
        .optional()?;
    Ok(found.is_some())
}

/// Remembers that a person lets this content run commands.
pub(crate) fn trust(
    transaction: &Transaction<'_>,
    file: &CriteriaFile,
    now: i64,
) -> Result<(), StoreError> {
    transaction.execute(
        "INSERT OR REPLACE INTO trusted_criteria (sha256, path, trusted_at) VALUES (?1, ?2, ?3)",
        params![file.sha256, path_bytes(&file.path), now],
    )?;
    Ok(())
}

/// Notes what the file was when an agent first started.
pub(crate) fn record(
    transaction: &Transaction<'_>,
    agent: i64,
    sha256: &str,
) -> Result<(), StoreError> {
    transaction.execute(
        "INSERT OR IGNORE INTO agent_criteria (agent, sha256) VALUES (?1, ?2)",
        params![agent, sha256],
    )?;
    Ok(())
}

/// What the file was when the agent first started, where it was trusted then.
pub(crate) fn recorded(connection: &Connection, agent: i64) -> Result<Option<String>, StoreError> {
    Ok(connection
        .query_row(
            "SELECT sha256 FROM agent_criteria WHERE agent = ?1",
            [agent],
            |row| row.get(0),
        )
        .optional()?)
}
