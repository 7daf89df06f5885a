//! What can be wrong with the state file.

use std::io;
use std::path::PathBuf;

use rusqlite::ErrorCode;
use thiserror::Error;

use crate::sqlite::in_words;

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
    /// A new file would get a name that a file of another kind may have.
    #[error("{path:?} is not there, and a new state file has a name that ends in .db")]
    NotNamedDatabase {
        /// The path.
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
    #[error(
        "a newer attest has written the state file: its schema has version {found}, this attest knows {known}"
    )]
    Newer {
        /// The version in the file.
        found: i64,
        /// The newest version known here.
        known: i64,
    },
    /// The file is not a SQLite database.
    #[error("{path:?} is not a SQLite database; it was left as it is")]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// The file is a database of some other program.
    #[error("{path:?} is a database of another program; it was left as it is")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Another process has the state file of the Python tool open, so that it stays where it is.
    #[error("the state file of the Python tool is in use, and has to be moved aside")]
    InUse,
    /// The state file of the Python tool could not be moved aside.
    #[error("cannot move {path:?} aside, which is the state file of the Python tool")]
    MoveAside {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The schema could not be brought up to date.
    // No `source`: that one prints the whole schema.
    #[error("cannot migrate the state file: {}", migration_in_words(.0))]
    Migrate(Box<rusqlite_migration::Error>),
    /// SQLite refused: locked, corrupt, full or read-only.
    // No `source`: that one prints the statement.
    #[error("state file: {}", in_words(.0))]
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl StoreError {
    /// Whether another process has what is needed, for now.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        let Self::Sqlite(error) = self else {
            return false;
        };
        error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
    }

    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoFileName { .. } | Self::NotNamedDatabase { .. } | Self::Foreign { .. } => {
                NAME_ANOTHER
            }
            // A folder in which each has files of their own, such as /tmp.
            Self::OpenToOthers { mode, .. } if mode & STICKY != 0 => NAME_ANOTHER,
            Self::Prepare { source, .. } | Self::MoveAside { source, .. } => of_system(source),
            Self::NotAFile { .. } => "move it away, or name another file in ATTEST_STATE_DB",
            Self::ForeignOwner { .. } => "name a file of your own in ATTEST_STATE_DB",
            Self::OpenToOthers { .. } => "run `chmod go-w` on it",
            Self::Newer { .. } => {
                "install that attest again, or name another file in ATTEST_STATE_DB"
            }
            Self::NotADatabase { .. } => {
                "name another file in ATTEST_STATE_DB; if this one was attest's, move it away: the next hook \
                 makes a new one, without the history"
            }
            Self::InUse => "end the sessions that use the Python tool, then run this again",
            Self::Migrate(error) => match &**error {
                rusqlite_migration::Error::RusqliteError { err, .. } => of_sqlite(err),
                _ => MOVE_AWAY,
            },
            Self::Sqlite(error) => of_sqlite(error),
        }
    }
}

/// Of the permission bits.
const STICKY: u32 = 0o1000;
const NAME_ANOTHER: &str = "name another file in ATTEST_STATE_DB";
const MOVE_AWAY: &str = "move it away: the next hook makes a new one, without the history";
const CHECK_PERMISSIONS: &str = "check the permissions of the file and its folder";
const FREE_SPACE: &str = "free some space on the disk";

fn of_system(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => CHECK_PERMISSIONS,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => FREE_SPACE,
        _ => NAME_ANOTHER,
    }
}

fn of_sqlite(error: &rusqlite::Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => FREE_SPACE,
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            CHECK_PERMISSIONS
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another process is at work in it; run this again"
        }
        // The last two are a table or a value that attest did not make.
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown) | None => {
            MOVE_AWAY
        }
        _ => NAME_ANOTHER,
    }
}

fn migration_in_words(error: &rusqlite_migration::Error) -> String {
    match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => in_words(err),
        rusqlite_migration::Error::MigrationDefinition(_)
        | rusqlite_migration::Error::InvalidUserVersion => {
            "its version is not one that attest has given it".to_owned()
        }
        _ => "a step of the migration failed".to_owned(),
    }
}

/// Whether another process has what is needed, for now.
pub(crate) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

/// Whether a file of the database was gone when it was to be removed: another process moves the database
/// aside just now.
pub(crate) fn is_swept_away(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code == Some(rusqlite::ffi::SQLITE_IOERR_DELETE_NOENT)
}
