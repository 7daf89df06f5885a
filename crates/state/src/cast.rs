//! The mirror of verdicts in the database of CAST, for those who have it. Nothing rests on it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use attest_json::Fault;
use rusqlite::{Connection, ErrorCode, OpenFlags, params};

use crate::Store;
use crate::history::{self, LookupError, Whole};
use crate::sqlite::in_words;

/// How long a database that is locked is waited for.
const PATIENCE: Duration = Duration::from_millis(100);

/// Why a verdict was not copied.
#[derive(Debug, thiserror::Error)]
pub enum CastError {
    /// There is no such verdict.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// It could not be written as text.
    #[error("the verdict has no form in JSON")]
    Json(#[source] Fault),
    /// SQLite refused.
    // No `source`: that one prints the statement.
    #[error("database of CAST: {}", in_words(.0))]
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for CastError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// Copies the verdict `id` if there is a database at `path`; never makes one.
pub fn mirror(store: &Store, id: &str, path: &Path) -> Result<(), CastError> {
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return Ok(());
    }
    let (entry, detail) = history::find(store, None, id)?;
    let payload = serde_json::to_string(&Whole {
        entry: &entry,
        answer: None,
        spent: None,
        noticed: None,
        detail: &detail,
    })
    .map_err(|error| CastError::Json(error.into()))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let cast = Connection::open_with_flags(path, flags)?;
    cast.busy_timeout(PATIENCE)?;
    cast.execute_batch(
        "CREATE TABLE IF NOT EXISTS attestations (
             id          TEXT PRIMARY KEY,
             agent_key   TEXT NOT NULL,
             false_done  INTEGER NOT NULL,
             payload     TEXT NOT NULL,
             created_at  TEXT NOT NULL)",
    )?;
    let insert = |id: Option<&str>| {
        cast.execute(
            "INSERT INTO attestations (id, agent_key, false_done, payload, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5)",
            params![
                id,
                entry.agent_id,
                entry.outcome.is_false_done(),
                payload,
                entry.at
            ],
        )
    };
    match insert(Some(&entry.id)) {
        // The table was made with ids that are numbers, which SQLite counts up itself.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::TypeMismatch) => insert(None)?,
        other => other?,
    };
    Ok(())
}
