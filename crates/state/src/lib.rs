//! The SQLite state file: where it lives, who may touch it, its schema, and every query.
//!
//! # Locking
//! WAL, and others are waited for as long as there is time ([`Patience`]); writers take the write lock at the start of their
//! transaction, so a transaction that has begun never fails half-way for want of a lock.
//!
//! # Compatibility
//! `user_version` counts the migrations. A file from a newer attest is refused, not guessed at, and so is
//! one without attest's application id or the tables of a version that wrote none. The
//! file of the Python tool of the same name is moved aside, see [`Store::moved_aside`].
//!
//! # Performance
//! Snapshots are written without fsync (`Store::write`): losing one to a power cut loses the
//! session that it belonged to as well. Only what guards against a loop is `Store::write_durably`.

mod agents;
mod baselines;
mod beside;
mod blocks;
mod cast;
mod error;
pub mod history;
mod identity;
mod location;
mod names;
mod notifications;
mod patience;
mod predecessor;
pub mod private;
mod record;
pub mod retention;
mod schema;
mod sqlite;
mod tables;
mod times;
pub mod trust;
mod turns;
mod while_off;
mod work;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

pub use agents::{
    Agent, AgentKey, Start, TurnStart, find, latest_in, others_at_work, transcript_of,
};
pub use baselines::{BaselineError, load_baseline};
pub use beside::{Beside, beside, first_subagent};
pub use blocks::{BlockPermit, BlockRequest, Refusal, commit_block, last_block_at};
pub use cast::{CastError, mirror};
pub use error::StoreError;
use identity::Owner;
pub use identity::{NotOurs, prove};
pub use notifications::{Notice, Told, remark, take_for_parent, take_for_person};
pub use patience::Patience;
pub use record::{Baseline, Failure, StopRecord, record_failure, record_start, record_stop};
pub use turns::{
    MAIN_AGENT, Next, Prompt, Turn, end_reported, first_baselines, has_subagent_at_work, last_turn,
    next, open_agents, transcripts_of_others, turn_key, turn_number,
};
pub use while_off::{
    Passed, WhileOff, Who, began_while_off, end_unjudged, passed_since, record as record_while_off,
    take_while_off,
};
pub use work::{Looked, MOST_OF_ONE, Work, agent_with, has_others_open, work_of_others};

/// Between two tries to open a file that another process moves aside.
const PAUSE: Duration = Duration::from_millis(5);

/// Size of the write-ahead log, in bytes, that [`Store::tidy`] moves: each opening reads all of it.
const MUCH: u64 = 400 * 1024;

/// An open state file, with the schema that this version knows.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    moved_aside: Option<PathBuf>,
    patience: Patience,
}

impl Store {
    /// Opens the state file, and creates it and its folder when they are missing.
    ///
    /// A folder or file that somebody else owns or may write to is refused, and so is
    /// anything at `path` that is no regular file.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_patiently(path, Patience::default())
    }

    /// The same, for one who waits for others as `patience` says: to open it, and for every write.
    pub fn open_patiently(path: &Path, patience: Patience) -> Result<Self, StoreError> {
        let wait = patience.begin();
        let opened = loop {
            match Self::open_or_move(path, patience) {
                Err(StoreError::Sqlite(error))
                    if error::is_swept_away(&error) && !wait.is_over() =>
                {
                    std::thread::sleep(PAUSE);
                }
                opened => break opened,
            }
        };
        opened.map_err(|error| match error {
            StoreError::Sqlite(error)
                if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) =>
            {
                StoreError::NotADatabase { path: path.into() }
            }
            other => other,
        })
    }

    fn open_or_move(path: &Path, patience: Patience) -> Result<Self, StoreError> {
        let file = location::prepare(path)?;
        let mut moved_aside = None;
        let mut connection = match look(path, &file, patience)? {
            Look::Ours(connection) => connection,
            Look::Unmarked => {
                moved_aside = predecessor::move_aside(&file, patience)?;
                location::prepare(path)?;
                match look(path, &file, patience)? {
                    Look::Ours(connection) => connection,
                    Look::Unmarked => return Err(StoreError::InUse),
                }
            }
        };
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true)?;
        schema::enter_wal(&connection, patience)?;
        connection.execute_batch("PRAGMA synchronous = NORMAL")?;
        schema::migrate(&mut connection)?;
        Ok(Self {
            connection,
            moved_aside,
            patience,
        })
    }

    /// Takes memory for one who goes through all of the history, which is more than SQLite keeps at hand by itself.
    pub fn expect_much(&self) -> Result<(), StoreError> {
        // 64 MiB at most: a hundred thousand verdicts have 20 that are counted.
        let pragmas = "PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY";
        Ok(self.connection.execute_batch(pragmas)?)
    }

    /// Where the state file of the Python tool is now, if this opening found one in its place and
    /// moved it aside. Nothing of it is lost.
    #[must_use]
    pub fn moved_aside(&self) -> Option<&Path> {
        self.moved_aside.as_deref()
    }

    /// Waits for others as `patience` says from now on.
    pub fn set_patience(&mut self, patience: Patience) {
        self.patience = patience;
    }

    /// Moves what has piled up beside the file into it, and empties the pile, if nobody else is at
    /// work in the file.
    ///
    /// A commit that did this by itself could not empty it: that takes a second write, which a
    /// hook does not make, so that every later commit would move all of it again.
    pub fn tidy(&self) -> Result<(), StoreError> {
        let log = self.connection.path().map(|path| format!("{path}-wal"));
        let size = log.and_then(|log| std::fs::metadata(log).ok());
        if size.is_none_or(|log| log.len() < MUCH) {
            return Ok(());
        }
        self.connection.busy_timeout(Duration::ZERO)?;
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        Ok(self.connection.query_row(sql, [], |_| Ok(()))?)
    }

    /// Gives the space that is free in the file back to the disk, by writing the file anew. Takes as
    /// long as that takes, in which nobody else writes; no hook does this.
    pub fn compact(&mut self) -> Result<(), StoreError> {
        self.connection.busy_timeout(self.patience.left())?;
        self.connection.execute_batch("VACUUM")?;
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        // Where somebody reads, the next one to tidy up ends this.
        Ok(self.connection.query_row(sql, [], |_| Ok(()))?)
    }

    /// Makes sure that the file can be written to: writes what it holds anyway. A transaction without a
    /// write also succeeds on a full disk, and in a file that may only be read.
    pub fn check_write(&mut self) -> Result<(), StoreError> {
        self.write_durably(|transaction| schema::write_version(transaction))
    }

    /// Runs `work` in one write transaction, without waiting for the disk.
    pub(crate) fn write<T, E: From<StoreError>>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.connection
            .busy_timeout(self.patience.left())
            .map_err(StoreError::from)?;
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(StoreError::from)?;
        let value = work(&transaction)?;
        transaction.commit().map_err(StoreError::from)?;
        Ok(value)
    }

    /// Runs `work` in one write transaction that is on the disk when this returns `Ok`.
    ///
    /// An error of `work` rolls everything back.
    pub(crate) fn write_durably<T, E: From<StoreError>>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.set_durability("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;")?;
        let result = self.write(work);
        self.set_durability("PRAGMA synchronous = NORMAL; PRAGMA fullfsync = OFF;")?;
        result
    }

    fn set_durability(&self, pragmas: &str) -> Result<(), StoreError> {
        Ok(self.connection.execute_batch(pragmas)?)
    }
}

/// What a file is at the first look.
enum Look {
    /// A file of ours, or an empty one.
    Ours(Connection),
    /// One with content that no migration of ours made; closed, as moving it aside takes.
    Unmarked,
}

/// Opens the file and looks at it, while nobody can move it aside.
///
/// SQLite opens the file, and then by its name the log beside it. If the file were moved in between,
/// this would be the old file with the log of the new one, and the last to close it would write the
/// one into the other. Behind the first look at a file of ours nobody moves it.
fn look(path: &Path, file: &Path, patience: Patience) -> Result<Look, StoreError> {
    let _still = predecessor::keep_in_place(file, patience)?;
    let connection = reconnect(path, file, patience)?;
    match identity::owner(&connection)? {
        Owner::Attest => Ok(Look::Ours(connection)),
        Owner::Unmarked => Ok(Look::Unmarked),
        Owner::Newer(found) => Err(StoreError::Newer {
            found,
            known: schema::newest(),
        }),
        Owner::Other => Err(StoreError::Foreign { path: path.into() }),
    }
}

/// Opens the file, which has to be there, and waits for others that are at work in it.
fn connect(file: &Path, patience: Patience) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(patience.left())?;
    // A checkpoint at close costs several fsyncs and belongs to nobody's critical path.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(connection)
}

/// The same, where another process may be moving the file aside at this moment.
fn reconnect(path: &Path, file: &Path, patience: Patience) -> Result<Connection, StoreError> {
    match connect(file, patience) {
        Err(StoreError::Sqlite(error))
            if error.sqlite_error_code() == Some(ErrorCode::CannotOpen) =>
        {
            location::prepare(path)?;
            connect(file, patience)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests;
