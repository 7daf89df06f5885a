//! What the state file knows of criteria files.

use attest_snapshot::path_bytes;
use attest_store::StoreError;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{CriteriaFile, Foreign};

/// Whether a person lets a file run its commands.
#[derive(Debug)]
pub(crate) enum Trust {
    /// This content, in this place.
    Given,
    /// Nobody has said so yet.
    Missing,
    /// Nobody can: it is somebody else's.
    Refused(Foreign),
}

/// Whether a person lets this file run its commands where it is.
pub(crate) fn trust_in(connection: &Connection, file: &CriteriaFile) -> Result<Trust, StoreError> {
    if let Err(foreign) = file.check_owner() {
        return Ok(Trust::Refused(foreign));
    }
    let place = &file.place;
    let found = connection
        .query_row(
            "SELECT 1 FROM trusted_criteria
             WHERE root = ?1 AND folder = ?2 AND file = ?3 AND sha256 = ?4",
            params![
                path_bytes(&place.root),
                path_bytes(&place.folder),
                path_bytes(&place.file),
                file.sha256
            ],
            |_| Ok(()),
        )
        .optional()?;
    Ok(found.map_or(Trust::Missing, |()| Trust::Given))
}

/// Remembers that a person lets this content run its commands in its place.
pub(crate) fn trust(
    transaction: &Transaction<'_>,
    file: &CriteriaFile,
    now: i64,
) -> Result<(), StoreError> {
    let place = &file.place;
    transaction.execute(
        "INSERT OR REPLACE INTO trusted_criteria (root, folder, file, sha256, trusted_at)
         VALUES (?1, ?2, ?3, ?4, ?5)",
        params![
            path_bytes(&place.root),
            path_bytes(&place.folder),
            path_bytes(&place.file),
            file.sha256,
            now
        ],
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
