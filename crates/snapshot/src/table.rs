//! Baselines in the state file.

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use serde::{Deserialize, Serialize};

use crate::reader::Memory;
use crate::{FileState, RepoPath, Snapshot, Unreadable, WorkTree};

/// Why a stored snapshot cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// SQLite refused.
    #[error("state file: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The header is not what this version writes.
    #[error("stored snapshot has a damaged header")]
    Header(#[source] Option<serde_json::Error>),
    /// The files are not what this version writes.
    #[error("stored snapshot has a damaged content")]
    Content(#[source] Option<postcard::Error>),
}

/// Stores the baseline of the agent with row id `agent`, which must not have one yet.
pub fn save_baseline(
    transaction: &Transaction<'_>,
    agent: i64,
    taken_at: i64,
    snapshot: &Snapshot,
) -> Result<(), rusqlite::Error> {
    let (unreadable, header, content) = match snapshot {
        Snapshot::Readable(tree) => (None, Some(header(tree)?), Some(content(tree)?)),
        Snapshot::Unreadable(why) => (Some(why.to_string()), None, None),
    };
    transaction.execute(
        "INSERT INTO snapshots (agent, kind, taken_at, unreadable, header, content)
         VALUES (?1, 'baseline', ?2, ?3, ?4, ?5)",
        params![agent, taken_at, unreadable, header, content],
    )?;
    Ok(())
}

/// Loads the baseline of an agent. `None` where none was stored.
pub fn load_baseline(connection: &Connection, agent: i64) -> Result<Option<Snapshot>, LoadError> {
    let row = connection
        .query_row(
            "SELECT unreadable, header, content FROM snapshots
             WHERE agent = ?1 AND kind = 'baseline'",
            [agent],
            |row| {
                Ok((
                    row.get("unreadable")?,
                    row.get("header")?,
                    row.get("content")?,
                ))
            },
        )
        .optional()?;
    let Some((unreadable, header, content)) = row else {
        return Ok(None);
    };
    if let Some(why) = unreadable {
        return Ok(Some(Snapshot::Unreadable(Unreadable::Recorded(why))));
    }
    let header: Option<String> = header;
    let header = header.ok_or(LoadError::Header(None))?;
    let tree: WorkTree =
        serde_json::from_str(&header).map_err(|source| LoadError::Header(Some(source)))?;
    let content: Option<Vec<u8>> = content;
    let content = content.ok_or(LoadError::Content(None))?;
    let content: Content<Vec<(RepoPath, FileState)>, Option<Memory>> =
        postcard::from_bytes(&content).map_err(|source| LoadError::Content(Some(source)))?;
    Ok(Some(Snapshot::Readable(WorkTree {
        files: content.files.into_iter().collect(),
        memory: content.memory,
        ..tree
    })))
}

/// What is compared, in a form that costs little to write and to read.
#[derive(Serialize, Deserialize)]
struct Content<Files, Kept> {
    /// In the order of the paths.
    files: Files,
    memory: Kept,
}

fn content(tree: &WorkTree) -> Result<Vec<u8>, rusqlite::Error> {
    let content = Content {
        files: &tree.files,
        memory: &tree.memory,
    };
    postcard::to_stdvec(&content)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

fn header(tree: &WorkTree) -> Result<String, rusqlite::Error> {
    serde_json::to_string(tree)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}
