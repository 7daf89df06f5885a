//! One row per agent of a session: its generation, and whether that is still open.
//!
//! A start opens a generation, a stop that is let through closes it. A start while one is open
//! changes nothing, so that no second start can give an agent fresh retries.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use crate::names::{path_bytes, path_in};
use crate::times::nanoseconds;
use crate::{Store, StoreError};

/// What identifies an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentKey {
    /// The host's session.
    pub session: String,
    /// The agent within it.
    pub agent: String,
}

/// What names of attest's own begin with, and what is put before an id of a host that begins so.
const RESERVED: [&str; 3] = ["turn:", NAMELESS, ESCAPE];
/// Of an agent whose host says the type alone.
pub(crate) const NAMELESS: &str = "type:";
const ESCAPE: &str = "id:";

impl AgentKey {
    /// The key of an agent by the host's id for it. None is that of a turn, or of an agent without an id.
    #[must_use]
    pub fn of_id(session: &str, id: &str) -> Self {
        let is_reserved = RESERVED.iter().any(|prefix| id.starts_with(prefix));
        Self {
            session: session.to_owned(),
            agent: if is_reserved {
                format!("{ESCAPE}{id}")
            } else {
                id.to_owned()
            },
        }
    }

    /// The key of an agent of which only the type is known.
    #[must_use]
    pub fn of_type(session: &str, agent_type: Option<&str>) -> Self {
        Self {
            session: session.to_owned(),
            agent: format!("{NAMELESS}{}", agent_type.unwrap_or("unknown")),
        }
    }
}

/// The start of an agent.
#[derive(Debug, Clone)]
pub struct Start<'a> {
    /// Who.
    pub key: &'a AgentKey,
    /// The host.
    pub harness: &'a str,
    /// The host's name for its kind.
    pub agent_type: Option<&'a str>,
    /// The folder that the host named.
    pub cwd: Option<&'a Path>,
    /// Its transcript, if the host names it.
    pub transcript: Option<&'a Path>,
    /// The same, or where it should be: good for showing, not for judging.
    pub likely_transcript: Option<&'a Path>,
    /// Top folder of its work tree, if that is known.
    pub worktree: Option<&'a Path>,
    /// What names the repository, if it is known.
    pub repository: Option<&'a Path>,
    /// What names the repository on all machines, if it was cloned from another.
    pub origin: Option<&'a str>,
    /// Which turn of its session it is; `None` for a subagent.
    pub turn: Option<TurnStart<'a>>,
    /// Whether it is asked for a report; `None` if that was decided at an earlier start.
    pub asked: Option<bool>,
    /// When.
    pub at: Timestamp,
}

/// The turn that starts, of a session's main agent.
#[derive(Debug, Clone, Copy)]
pub struct TurnStart<'a> {
    /// Counts the turns of the session.
    pub number: u32,
    /// The host's id for it.
    pub id: Option<&'a str>,
}

/// A known agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Row id.
    pub id: i64,
    /// Counts the starts that followed an allowed stop.
    pub generation: u32,
    /// Whether a stop is still to come.
    pub is_open: bool,
    /// Blocks in this generation.
    pub block_count: u32,
    /// Nanoseconds since the epoch, of the first start.
    pub started_at: i64,
    /// The same of the start behind its last allowed stop, of one that was resumed.
    pub resumed_at: Option<i64>,
    /// The type that the start named.
    pub agent_type: Option<String>,
    /// Top folder of its work tree.
    pub worktree: Option<PathBuf>,
}

/// Looks an agent up.
pub fn find(store: &Store, key: &AgentKey) -> Result<Option<Agent>, StoreError> {
    find_in(&store.connection, key)
}

/// What [`agent_of`] reads, and first in the row.
pub(crate) const AGENT_COLUMNS: &str = "id, generation, open, block_count, started_at, agent_type, worktree, nullif(opened_at, started_at)";

pub(crate) fn agent_of(row: &Row<'_>) -> rusqlite::Result<Agent> {
    Ok(Agent {
        id: row.get(0)?,
        generation: row.get(1)?,
        is_open: row.get(2)?,
        block_count: row.get(3)?,
        started_at: row.get(4)?,
        agent_type: row.get(5)?,
        worktree: path_in(row, 6)?,
        resumed_at: row.get(7)?,
    })
}

/// Where the transcript of an agent is, or should be.
pub fn transcript_of(store: &Store, key: &AgentKey) -> Result<Option<PathBuf>, StoreError> {
    let sql =
        "SELECT transcript FROM runs WHERE session = ?1 AND agent_id = ?2 ORDER BY id DESC LIMIT 1";
    let values = params![key.session, key.agent];
    let found = store
        .connection
        .query_row(sql, values, |row| path_in(row, 0));
    Ok(found.optional()?.flatten())
}

pub(crate) fn find_in(
    connection: &Connection,
    key: &AgentKey,
) -> Result<Option<Agent>, StoreError> {
    let sql = format!("SELECT {AGENT_COLUMNS} FROM agents WHERE session = ?1 AND agent = ?2");
    // A stop asks again, inside its transaction.
    let mut select = connection.prepare_cached(&sql)?;
    let found = select.query_row(params![key.session, key.agent], agent_of);
    Ok(found.optional()?)
}

/// The row id of the last agent that began in this work tree, among the last hundred of all: every
/// start asks, and one in a new work tree would go through the whole table.
pub fn latest_in(store: &Store, worktree: &Path) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT id FROM (SELECT id, worktree FROM agents ORDER BY id DESC LIMIT 100)
               WHERE worktree = ?1 ORDER BY id DESC LIMIT 1";
    let path = path_bytes(worktree);
    Ok(store
        .connection
        .query_row(sql, [path], |row| row.get(0))
        .optional()?)
}

/// Records a start. Returns the row id, and whether the agent is new and needs a baseline.
pub(crate) fn register(
    transaction: &Transaction<'_>,
    start: &Start<'_>,
) -> Result<(i64, bool), StoreError> {
    let now = nanoseconds(start.at);
    if let Some(known) = find_in(transaction, start.key)? {
        if known.is_open {
            // A turn that waited for a subagent goes on.
            let sql = "UPDATE agents SET stopped_at = NULL WHERE id = ?1 AND stopped_at NOT NULL";
            transaction.execute(sql, [known.id])?;
        } else {
            transaction.execute(
                "UPDATE agents SET generation = generation + 1, open = 1, block_count = 0,
                     stopped_at = NULL, opened_at = ?2
                 WHERE id = ?1",
                params![known.id, now],
            )?;
        }
        return Ok((known.id, false));
    }
    if let Some(turn) = start.turn {
        end_turns_before(transaction, &start.key.session, turn.number, now)?;
    }
    transaction.execute(
        "INSERT INTO agents (session, agent, harness, agent_type, worktree, transcript, started_at,
                             opened_at, turn, turn_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9)",
        params![
            start.key.session,
            start.key.agent,
            start.harness,
            start.agent_type,
            start.worktree.map(path_bytes),
            start.transcript.map(path_bytes),
            now,
            start.turn.map(|turn| turn.number),
            start.turn.and_then(|turn| turn.id),
        ],
    )?;
    Ok((transaction.last_insert_rowid(), true))
}

/// Ends the turns before this one, which the host does not announce if a person interrupts them. None of them can go
/// on any more, so that their baselines go too; the first one's in a work tree is that of the session
/// there.
fn end_turns_before(
    transaction: &Transaction<'_>,
    session: &str,
    number: u32,
    now: i64,
) -> Result<(), StoreError> {
    transaction.execute(
        "UPDATE agents SET open = 0, stopped_at = coalesce(stopped_at, ?3)
         WHERE session = ?1 AND turn < ?2 AND open = 1",
        params![session, number, now],
    )?;
    transaction.execute(
        "DELETE FROM snapshots WHERE agent IN (
             SELECT id FROM agents WHERE session = ?1 AND turn < ?2
                 AND turn > (SELECT min(turn) FROM agents AS others
                             WHERE others.session = ?1 AND others.worktree IS agents.worktree))",
        params![session, number],
    )?;
    Ok(())
}

/// Records a stop that was let through.
pub(crate) fn close(transaction: &Transaction<'_>, id: i64, now: i64) -> Result<(), StoreError> {
    transaction.execute(
        "UPDATE agents SET open = 0, stopped_at = ?2 WHERE id = ?1",
        params![id, now],
    )?;
    Ok(())
}

/// Records the end of an agent that died.
pub(crate) fn end(
    transaction: &Transaction<'_>,
    key: &AgentKey,
    now: i64,
) -> Result<(), StoreError> {
    match find_in(transaction, key)? {
        Some(agent) if agent.is_open => close(transaction, agent.id, now),
        _ => Ok(()),
    }
}

/// Records a stop after which the agent goes on by itself, since it has subagents at work.
pub(crate) fn rest(transaction: &Transaction<'_>, id: i64, now: i64) -> Result<(), StoreError> {
    transaction.execute(
        "UPDATE agents SET stopped_at = ?2 WHERE id = ?1 AND open = 1",
        params![id, now],
    )?;
    Ok(())
}

/// Drops an agent with everything that is stored for it.
pub(crate) fn forget(transaction: &Transaction<'_>, id: i64) -> Result<(), StoreError> {
    transaction.execute("DELETE FROM agents WHERE id = ?1", [id])?;
    Ok(())
}

/// How many other subagents worked in the same work tree while this one did.
pub fn others_at_work(store: &Store, agent: &Agent) -> Result<u32, StoreError> {
    let Some(worktree) = &agent.worktree else {
        return Ok(0);
    };
    let count = store.connection.query_row(
        "SELECT count(*) FROM agents
         WHERE worktree = ?1 AND id <> ?2 AND turn IS NULL AND (open = 1 OR stopped_at >= ?3)",
        params![path_bytes(worktree), agent.id, agent.started_at],
        |row| row.get(0),
    )?;
    Ok(count)
}

#[cfg(test)]
pub(crate) mod tests;
