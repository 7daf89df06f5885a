//! Baselines in the state file. Agents that begin in the same work tree, as it is, share what it held.

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

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
    let tree = content.map(|content| share(transaction, &content));
    transaction.execute(
        "INSERT INTO snapshots (agent, kind, taken_at, unreadable, header, tree)
         VALUES (?1, 'baseline', ?2, ?3, ?4, ?5)",
        params![agent, taken_at, unreadable, header, tree.transpose()?],
    )?;
    Ok(())
}

/// The row id of a tree with this content, which is stored if it is not there yet. One that was
/// damaged is written anew.
fn share(transaction: &Transaction<'_>, content: &[u8]) -> Result<i64, rusqlite::Error> {
    let sha256 = <[u8; 32]>::from(Sha256::digest(content));
    let known = transaction
        .query_row(
            "SELECT id, content = ?2 FROM trees WHERE sha256 = ?1",
            params![sha256, content],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    match known {
        Some((id, true)) => Ok(id),
        Some((id, false)) => {
            let sql = "UPDATE trees SET content = ?2 WHERE id = ?1";
            transaction.execute(sql, params![id, content])?;
            Ok(id)
        }
        None => {
            let sql = "INSERT INTO trees (sha256, content) VALUES (?1, ?2)";
            transaction.execute(sql, params![sha256, content])?;
            Ok(transaction.last_insert_rowid())
        }
    }
}

/// Loads the baseline of an agent. `None` where none was stored.
pub fn load_baseline(connection: &Connection, agent: i64) -> Result<Option<Snapshot>, LoadError> {
    let row = connection
        .query_row(
            "SELECT unreadable, header, coalesce(trees.content, snapshots.content) AS content
             FROM snapshots LEFT JOIN trees ON trees.id = snapshots.tree
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
    let damaged = |source| LoadError::Content(Some(source));
    let (content, rest) = postcard::take_from_bytes::<Stored>(&content).map_err(damaged)?;
    // A baseline of an earlier version ends here.
    let (unlisted, store) = match rest {
        [] => (None, None),
        rest => postcard::from_bytes(rest).map_err(damaged)?,
    };
    Ok(Some(Snapshot::Readable(WorkTree {
        files: content.files.into_iter().collect(),
        unlisted,
        store,
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

/// The content as it is read.
type Stored = Content<Vec<(RepoPath, FileState)>, Option<Memory>>;

fn content(tree: &WorkTree) -> Result<Vec<u8>, rusqlite::Error> {
    let content = Content {
        files: &tree.files,
        memory: &tree.memory,
    };
    postcard::to_stdvec(&(content, &tree.unlisted, &tree.store))
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

fn header(tree: &WorkTree) -> Result<String, rusqlite::Error> {
    serde_json::to_string(tree)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Store;
    use crate::unlisted::Unlisted;

    #[test]
    fn what_an_earlier_version_stored_is_read() {
        let none: Vec<(RepoPath, FileState)> = Vec::new();
        let content = Content {
            files: none,
            memory: None::<Memory>,
        };
        let unlisted = Unlisted {
            modules: Vec::new(),
            ignored: Vec::new(),
            hollow: Vec::new(),
            rules: None,
        };
        let old = postcard::to_stdvec(&content).unwrap();
        let new = postcard::to_stdvec(&(content, Some(unlisted), None::<Store>)).unwrap();
        let tree = r#"{"root":"/r","common_dir":"/r/.git","head":null,"branch":null,"refs":{},
            "worktrees":[],"taken_at":{"wall_ns":1},"reader":{"name":"fast"}}"#;
        for (content, is_told) in [(old, false), (new, true)] {
            let connection = Connection::open_in_memory().unwrap();
            let tables = "CREATE TABLE snapshots (agent, kind, unreadable, header, content, tree);
                 CREATE TABLE trees (id INTEGER PRIMARY KEY, content)";
            connection.execute_batch(tables).unwrap();
            let row = "INSERT INTO snapshots VALUES (1, 'baseline', NULL, ?1, ?2, NULL)";
            connection.execute(row, params![tree, content]).unwrap();
            let Some(Snapshot::Readable(tree)) = load_baseline(&connection, 1).unwrap() else {
                panic!("not readable")
            };
            assert_eq!(tree.unlisted.is_some(), is_told);
        }
    }
}
