//! The baselines of agents. Agents that begin in the same work tree, as it is, share what it held.

use attest_snapshot::{Snapshot, Stored, StoredError, Unreadable, WorkTree};
use rusqlite::{OptionalExtension, Transaction, params};
use sha2::{Digest as _, Sha256};

use crate::{Store, StoreError};

/// Why a baseline cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// SQLite refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It is not what this version writes.
    #[error(transparent)]
    Damaged(#[from] StoredError),
}

/// Stores the baseline of the agent with row id `agent`, which must not have one yet.
pub(crate) fn save(
    transaction: &Transaction<'_>,
    agent: i64,
    taken_at: i64,
    snapshot: &Snapshot,
) -> Result<(), StoreError> {
    let (stored, unreadable) = match snapshot {
        Snapshot::Readable(tree) => (Some(encode(tree)?), None),
        Snapshot::Unreadable(why) => (None, Some(why.to_string())),
    };
    let tree = stored
        .as_ref()
        .map(|stored| share(transaction, &stored.content));
    transaction.execute(
        "INSERT INTO snapshots (agent, kind, taken_at, unreadable, header, tree)
         VALUES (?1, 'baseline', ?2, ?3, ?4, ?5)",
        params![
            agent,
            taken_at,
            unreadable,
            stored.as_ref().map(|stored| &stored.header),
            tree.transpose()?
        ],
    )?;
    Ok(())
}

fn encode(tree: &WorkTree) -> Result<Stored, rusqlite::Error> {
    tree.to_stored()
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
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

/// Loads the baseline of an agent. `None` if none was stored.
pub fn load_baseline(store: &Store, agent: i64) -> Result<Option<Snapshot>, BaselineError> {
    type Row = (Option<String>, Option<String>, Option<Vec<u8>>);
    let row = store
        .connection
        .query_row(
            "SELECT unreadable, header, coalesce(trees.content, snapshots.content)
             FROM snapshots LEFT JOIN trees ON trees.id = snapshots.tree
             WHERE agent = ?1 AND kind = 'baseline'",
            [agent],
            |row| Row::try_from(row),
        )
        .optional()
        .map_err(StoreError::from)?;
    let Some((unreadable, header, content)) = row else {
        return Ok(None);
    };
    Ok(Some(match unreadable {
        Some(why) => Snapshot::Unreadable(Unreadable::Recorded(why)),
        // What is missing is as damaged as what is cut off.
        None => Snapshot::Readable(WorkTree::from_stored(
            &header.unwrap_or_default(),
            &content.unwrap_or_default(),
        )?),
    }))
}
