//! The state file of the Python tool of the same name, versions 0.1 to 0.3, which lies in the same
//! place: it is moved aside whole, under a name that says what it is.
//!
//! It is known by a table `snapshots` with the columns `agent_key` and `snapshot`, in a database
//! whose `user_version` was never set. Any other database that is not ours is left as it is.
//!
//! # Locking
//! Several hooks may find it at once. They take turns by a lock on the folder, which everybody shares
//! for the first look at a file, and look again when it is theirs. The file is renamed while it is
//! locked for SQLite, after its write-ahead log has been moved into it: nothing of it lies beside it
//! then, and nobody else has it open.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::error::is_busy;
use crate::identity::{self, Owner};
use crate::patience::Wait;
use crate::{PAUSE, Patience, StoreError, connect};

/// Moves the file aside if it is the Python tool's, and gives its new name; `None` if another
/// process did so meanwhile.
pub(crate) fn move_aside(path: &Path, patience: Patience) -> Result<Option<PathBuf>, StoreError> {
    // The tool may keep it open as long as it likes.
    let patience = patience.usual();
    let wait = patience.begin();
    let _lock = lock(path, wait, File::try_lock)?;
    if !path.exists() {
        return Ok(None);
    }
    let connection = connect(path, patience)?;
    if identity::owner(&connection)? != Owner::Unmarked {
        return Ok(None);
    }
    if !is_pythons(&connection)? {
        return Err(StoreError::Foreign { path: path.into() });
    }
    let failed = |source| StoreError::MoveAside {
        path: path.into(),
        source,
    };
    leave_wal(&connection, wait)?;
    connection.execute_batch("BEGIN EXCLUSIVE")?;
    let aside = free_name(path, &connection)?;
    // Windows does not rename what is open; elsewhere the lock is kept until it is done.
    let held = (!cfg!(windows)).then_some(connection);
    fs::rename(path, &aside).map_err(failed)?;
    drop(held);
    if let Some(folder) = path.parent().and_then(|folder| File::open(folder).ok()) {
        // A file system that cannot sync a folder has made the change all the same.
        let _ = folder.sync_all();
    }
    Ok(Some(aside))
}

fn is_pythons(connection: &Connection) -> Result<bool, StoreError> {
    let sql = "SELECT count(*) = 2 FROM pragma_table_info('snapshots') \
               WHERE name IN ('agent_key', 'snapshot')";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

/// Moves the write-ahead log into the file and does without one, which takes being alone with it.
fn leave_wal(connection: &Connection, wait: Wait) -> Result<(), StoreError> {
    loop {
        let mode = connection.pragma_update_and_check(None, "journal_mode", "delete", |row| {
            row.get::<_, String>(0)
        });
        match mode {
            Ok(mode) if mode == "delete" => return Ok(()),
            Err(error) if !is_busy(&error) => return Err(error.into()),
            _ if wait.is_over() => return Err(StoreError::InUse),
            _ => std::thread::sleep(PAUSE),
        }
    }
}

/// A name beside the file that nothing has yet, with the time in UTC.
fn free_name(path: &Path, connection: &Connection) -> Result<PathBuf, StoreError> {
    let sql = "SELECT strftime('%Y%m%dT%H%M%SZ', 'now')";
    let now: String = connection.query_row(sql, [], |row| row.get(0))?;
    let mut number = 1;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".python-{now}"));
        if number > 1 {
            name.push(format!("-{number}"));
        }
        let name = PathBuf::from(name);
        if fs::symlink_metadata(&name).is_err() {
            return Ok(name);
        }
        number += 1;
    }
}

/// Keeps the file where it is while the lock lives, which any number of processes may have.
pub(crate) fn keep_in_place(path: &Path, patience: Patience) -> Result<Option<File>, StoreError> {
    lock(path, patience.usual().begin(), File::try_lock_shared)
}

/// Locks the folder of the file. A file system without locks is used without one.
fn lock(
    path: &Path,
    wait: Wait,
    try_lock: fn(&File) -> Result<(), TryLockError>,
) -> Result<Option<File>, StoreError> {
    let Some(Ok(folder)) = path.parent().map(File::open) else {
        return Ok(None);
    };
    loop {
        match try_lock(&folder) {
            Ok(()) => return Ok(Some(folder)),
            Err(TryLockError::Error(_)) => return Ok(None),
            Err(TryLockError::WouldBlock) if wait.is_over() => {
                return Err(StoreError::InUse);
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
        }
    }
}

#[cfg(test)]
mod tests;
