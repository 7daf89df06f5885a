//! Which criteria files a person trusts, and what they were when an agent started.

use std::path::PathBuf;

use rusqlite::{OptionalExtension, Transaction, params};

use crate::names::path_bytes;
use crate::{Store, StoreError};

/// Where a criteria file is, with all links resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CriteriaPlace {
    /// The folder that all work trees of the repository share, the top folder of a work tree of which
    /// that cannot be said, or the folder itself if it is in none.
    pub root: PathBuf,
    /// Where the commands run, from the top of the work tree.
    pub folder: PathBuf,
    /// The file, from there; or absolute if it lies elsewhere.
    pub file: PathBuf,
}

/// Whether a person lets the content with this digest run its commands in this place.
pub fn is_trusted(store: &Store, place: &CriteriaPlace, sha256: &str) -> Result<bool, StoreError> {
    Ok(store.connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM trusted_criteria
             WHERE root = ?1 AND folder = ?2 AND file = ?3 AND sha256 = ?4)",
        params![
            path_bytes(&place.root),
            path_bytes(&place.folder),
            path_bytes(&place.file),
            sha256
        ],
        |row| row.get(0),
    )?)
}

/// Remembers that a person lets the content with this digest run its commands in this place.
pub fn trust(
    store: &mut Store,
    place: &CriteriaPlace,
    sha256: &str,
    now: i64,
) -> Result<(), StoreError> {
    store.write_durably(|transaction| {
        transaction.execute(
            "INSERT OR REPLACE INTO trusted_criteria (root, folder, file, sha256, trusted_at)
             VALUES (?1, ?2, ?3, ?4, ?5)",
            params![
                path_bytes(&place.root),
                path_bytes(&place.folder),
                path_bytes(&place.file),
                sha256,
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
