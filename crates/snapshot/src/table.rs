//! Baselines in the state file.

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use crate::{Fingerprint, RepoPath, Snapshot, UnknownFingerprint, Unreadable, WorkTree};

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
    /// A stored path is none.
    #[error("stored snapshot has a damaged path")]
    Path,
    /// A stored fingerprint is none.
    #[error("stored snapshot: {0}")]
    Fingerprint(#[from] UnknownFingerprint),
}

/// Stores the baseline of the agent with row id `agent`, which must not have one yet.
pub fn save_baseline(
    transaction: &Transaction<'_>,
    agent: i64,
    taken_at: i64,
    snapshot: &Snapshot,
) -> Result<(), rusqlite::Error> {
    let (unreadable, header) = match snapshot {
        Snapshot::Readable(tree) => (None, Some(header(tree)?)),
        Snapshot::Unreadable(why) => (Some(why.to_string()), None),
    };
    transaction.execute(
        "INSERT INTO snapshots (agent, kind, taken_at, unreadable, header)
         VALUES (?1, 'baseline', ?2, ?3, ?4)",
        params![agent, taken_at, unreadable, header],
    )?;
    if let Snapshot::Readable(tree) = snapshot {
        let id = transaction.last_insert_rowid();
        let mut insert = transaction.prepare(
            "INSERT INTO snapshot_files (snapshot, path, fingerprint) VALUES (?1, ?2, ?3)",
        )?;
        for (path, print) in &tree.files {
            insert.execute(params![id, path.as_bytes(), print.to_string()])?;
        }
    }
    Ok(())
}

/// Loads the baseline of an agent. `None` where none was stored.
pub fn load_baseline(connection: &Connection, agent: i64) -> Result<Option<Snapshot>, LoadError> {
    let row: Option<(i64, Option<String>, Option<String>)> = connection
        .query_row(
            "SELECT id, unreadable, header FROM snapshots WHERE agent = ?1 AND kind = 'baseline'",
            [agent],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .optional()?;
    let Some((id, unreadable, header)) = row else {
        return Ok(None);
    };
    if let Some(why) = unreadable {
        return Ok(Some(Snapshot::Unreadable(Unreadable::Recorded(why))));
    }
    let header = header.ok_or(LoadError::Header(None))?;
    let mut tree: WorkTree =
        serde_json::from_str(&header).map_err(|source| LoadError::Header(Some(source)))?;
    let mut select =
        connection.prepare("SELECT path, fingerprint FROM snapshot_files WHERE snapshot = ?1")?;
    let mut rows = select.query([id])?;
    while let Some(row) = rows.next()? {
        let path = RepoPath::from_git(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?);
        let print: Fingerprint = row
            .get_ref(1)?
            .as_str()
            .map_err(rusqlite::Error::from)?
            .parse()?;
        tree.files.insert(path.ok_or(LoadError::Path)?, print);
    }
    Ok(Some(Snapshot::Readable(tree)))
}

fn header(tree: &WorkTree) -> Result<String, rusqlite::Error> {
    serde_json::to_string(tree)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}
