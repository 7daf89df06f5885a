//! What can be wrong with the state file.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why the state file cannot be used. Each hook fails open on any of these.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The path has no folder or no file name.
    #[error("state file path {path:?} names no file")]
    NoFileName {
        /// The path as given.
        path: PathBuf,
    },
    /// A folder or the file could not be made or looked at.
    #[error("cannot prepare {path:?}")]
    Prepare {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A directory, a link, a pipe or a device stands where the file should be.
    #[error("{path:?} is not a regular file")]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// Somebody else owns the folder or file.
    #[error("{path:?} belongs to user {owner}, not to user {user}")]
    ForeignOwner {
        /// The folder or file.
        path: PathBuf,
        /// Its owner's id.
        owner: u32,
        /// The id that this process runs as.
        user: u32,
    },
    /// Others may write to the folder or file.
    #[error("{path:?} may be written to by others (mode {mode:04o})")]
    OpenToOthers {
        /// The folder or file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The file was written by a newer attest.
    #[error("state file has schema version {found}, this attest knows {known}")]
    Newer {
        /// The version in the file.
        found: i64,
        /// The newest version known here.
        known: i64,
    },
    /// The schema could not be brought up to date.
    #[error("cannot migrate the state file")]
    Migrate(#[source] Box<rusqlite_migration::Error>),
    /// SQLite refused: locked, corrupt, full or read-only.
    #[error("state file: {0}")]
    Sqlite(#[from] rusqlite::Error),
}
