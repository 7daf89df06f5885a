//! Whose a SQLite file is: attest's own has its application id, or the exact tables of a version that
//! wrote none.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use thiserror::Error;

use crate::{Patience, StoreError, location, schema, tables};

/// "atst", as the migrations write it.
pub(crate) const APPLICATION_ID: i64 = 0x6174_7374;
/// What every SQLite file begins with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Whose an open file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// Attest's, or nobody's yet: there is nothing in it.
    Attest,
    /// No migration of attest's has touched it, and there is something in it.
    Unmarked,
    /// A version says so that is newer than any known here.
    Newer(i64),
    /// Another program's.
    Other,
}

pub(crate) fn owner(connection: &Connection) -> Result<Owner, StoreError> {
    if application_id(connection)? == APPLICATION_ID {
        return Ok(Owner::Attest);
    }
    // All of it at one moment: another process may be migrating the file.
    let moment = connection.unchecked_transaction()?;
    let id = application_id(&moment)?;
    let version = schema::user_version(&moment)?;
    let tables = tables::of(&moment)?;
    Ok(match version {
        _ if id == APPLICATION_ID => Owner::Attest,
        _ if id != 0 => Owner::Other,
        0 if tables.is_empty() => Owner::Attest,
        0 => Owner::Unmarked,
        newer if newer > schema::newest() => Owner::Newer(newer),
        _ if schema::tables_of(version)?.is_some_and(|ours| ours == tables) => Owner::Attest,
        _ => Owner::Other,
    })
}

fn application_id(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, "application_id", |row| row.get(0))?)
}

/// Why a file cannot be shown to be a state file of attest's.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NotOurs {
    /// There is none.
    #[error("it is not there")]
    Missing,
    /// A folder, a link, a pipe or a device, or what is beside it is one.
    #[error("it is not a regular file")]
    NotAFile,
    /// It belongs to somebody else, or others may write to it.
    #[error("it belongs to another user, or others may write to it")]
    Foreign,
    /// Its first bytes are not those of a database.
    #[error("it is not a SQLite database")]
    NotADatabase,
    /// It is a database without attest's application id or tables.
    #[error("it is a database of another program")]
    OfAnother,
    /// It is attest's, and something else has put tables into it, which a newer attest may be.
    #[error("it has tables that this attest does not know")]
    UnknownTables,
    /// It cannot be looked at.
    #[error("it cannot be read")]
    Unreadable(#[source] io::Error),
    /// SQLite cannot look at it.
    #[error("it cannot be read: {0}")]
    Unusable(StoreError),
}

/// Shows that the file at `path` is a state file of attest's with nothing else in it, without changing it.
pub fn prove(path: &Path) -> Result<(), NotOurs> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(NotOurs::Missing),
        Err(error) => return Err(NotOurs::Unreadable(error)),
    };
    if !metadata.is_file() {
        return Err(NotOurs::NotAFile);
    }
    location::check_private(path, &metadata).map_err(|_| NotOurs::Foreign)?;
    location::check_beside(path, false).map_err(|_| NotOurs::NotAFile)?;
    // Before SQLite opens it, which makes files beside a database that is in WAL.
    if !begins_as_a_database(path).map_err(NotOurs::Unreadable)? {
        return Err(NotOurs::NotADatabase);
    }
    let connection = open(path).map_err(NotOurs::Unusable)?;
    let (owner, tables) = owner(&connection)
        .and_then(|owner| Ok((owner, tables::of(&connection)?)))
        .map_err(NotOurs::Unusable)?;
    if owner != Owner::Attest || tables.is_empty() {
        return Err(NotOurs::OfAnother);
    }
    let known = schema::all_tables().map_err(NotOurs::Unusable)?;
    let is_known = |name: &String| known.contains(name);
    if !tables.keys().all(is_known) {
        return Err(NotOurs::UnknownTables);
    }
    Ok(())
}

fn begins_as_a_database(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(16).read_to_end(&mut head)?;
    Ok(head == MAGIC)
}

fn open(path: &Path) -> Result<Connection, StoreError> {
    let file: PathBuf = location::resolved(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(Patience::default().left())?;
    Ok(connection)
}

#[cfg(test)]
mod tests;
