//! Which criteria files a person trusts, and what they were when an agent started.

use std::path::Path;

use attest_evidence::path_bytes;
use rusqlite::{OptionalExtension, Transaction, params};

use crate::{Store, StoreError};

/// A content in a place, which is what a person trusts.
#[derive(Debug, Clone, Copy)]
pub struct Content<'a> {
    /// What all places of the repository share.
    pub root: &'a Path,
    /// Where the commands run, from the top of the work tree.
    pub folder: &'a Path,
    /// The file, from there; or absolute if it lies elsewhere.
    pub file: &'a Path,
    /// Of the file, in lower-case hex.
    pub sha256: &'a str,
}

/// Whether a person lets this content run its commands in this place.
pub fn is_trusted(store: &Store, content: &Content<'_>) -> Result<bool, StoreError> {
    Ok(store.connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM trusted_criteria
             WHERE root = ?1 AND folder = ?2 AND file = ?3 AND sha256 = ?4)",
        params![
            path_bytes(content.root),
            path_bytes(content.folder),
            path_bytes(content.file),
            content.sha256
        ],
        |row| row.get(0),
    )?)
}

/// Remembers that a person lets this content run its commands in this place.
pub fn trust(store: &mut Store, content: &Content<'_>, now: i64) -> Result<(), StoreError> {
    store.write_durably(|transaction| {
        transaction.execute(
            "INSERT OR REPLACE INTO trusted_criteria (root, folder, file, sha256, trusted_at)
             VALUES (?1, ?2, ?3, ?4, ?5)",
            params![
                path_bytes(content.root),
                path_bytes(content.folder),
                path_bytes(content.file),
                content.sha256,
                now
            ],
        )?;
        Ok(())
    })
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

/// What the file was when the agent first started, if it was trusted then.
pub fn recorded(store: &Store, agent: i64) -> Result<Option<String>, StoreError> {
    let sql = "SELECT sha256 FROM agent_criteria WHERE agent = ?1";
    Ok(store
        .connection
        .query_row(sql, [agent], |row| row.get(0))
        .optional()?)
}
