//! The mirror of verdicts in the database of CAST, for those who have it. Nothing rests on it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use attest_store::Store;
use attest_verdict::history::{self, LookupError, Whole};
use rusqlite::{Connection, ErrorCode, OpenFlags, params};

use super::{Context, shrug};

/// How long a database that is locked is waited for.
const PATIENCE: Duration = Duration::from_millis(100);

#[derive(Debug, thiserror::Error)]
enum CastError {
    #[error(transparent)]
    Lookup(#[from] LookupError),
    #[error("no JSON form")]
    Json(#[from] serde_json::Error),
    // No `source`: that one prints the statement.
    #[error("database of CAST: {}", attest_store::in_words(.0))]
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for CastError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// Copies the verdict `id` where the database exists; never makes it.
pub(super) fn mirror(context: &Context, store: &Store, id: &str) {
    let Some(path) = &context.config.cast_db else {
        return;
    };
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return;
    }
    if let Err(error) = write(path, store, id) {
        shrug(&context.log, "CAST_NOT_WRITTEN", &error);
    }
}

fn write(path: &Path, store: &Store, id: &str) -> Result<(), CastError> {
    let (entry, detail) = history::find(store.connection(), id)?;
    let payload = serde_json::to_string(&Whole {
        entry: &entry,
        detail: &detail,
    })?;
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
