//! The turns of a session's main agent. Each is an agent of the ledger, so that its baseline, its retries and its
//! end are kept as those of a subagent.

use std::borrow::Cow;
use std::path::PathBuf;

use rusqlite::{Connection, OptionalExtension, params};

use crate::agents::{AGENT_COLUMNS, agent_of};
use crate::names::{path_bytes, path_of_bytes};
use crate::{Agent, AgentKey, Store, StoreError};

/// The type of a session's main agent in lists and in scopes.
pub const MAIN_AGENT: &str = "main";

/// Sessions that are looked at for the one that another was forked from.
const MOST_OTHERS: u32 = 100;

/// A turn of the main agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Its row.
    pub agent: Agent,
    /// Its name in the ledger.
    pub key: AgentKey,
    /// Counts the turns of the session.
    pub number: u32,
    /// The host's id for it.
    id: Option<String>,
    /// What it was last sent back with.
    sent: Option<String>,
    /// Whether the main agent has stopped and waits for a subagent.
    is_resting: bool,
}

/// A prompt, as far as it says which turn it belongs to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Prompt<'a> {
    /// The host's id for the turn.
    pub turn_id: Option<&'a str>,
    /// What is asked.
    pub text: Option<&'a str>,
    /// Whether it hands over what subagents report.
    pub is_report: bool,
}

/// What a prompt does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It belongs to the turn that is at work, in which nothing changes.
    Same,
    /// A turn that has stopped goes on with what its subagents report, from the same baseline.
    Resumed,
    /// A turn begins, with this number.
    Begun(u32),
}

/// What a prompt does after `last`, the last turn of the session.
#[must_use]
pub fn next(last: Option<&Turn>, prompt: Prompt<'_>) -> Next {
    let Some(last) = last else {
        return Next::Begun(1);
    };
    if last.is_sent_back_with(prompt) {
        return Next::Same;
    }
    let is_at_work = last.agent.is_open && !last.is_resting;
    if prompt.is_report {
        return if is_at_work {
            Next::Same
        } else {
            Next::Resumed
        };
    }
    let is_same = match (last.id.as_deref(), prompt.turn_id) {
        (Some(last), Some(turn)) => last == turn,
        // A turn that was interrupted looks like one that a prompt comes into. It keeps its baseline, which is the
        // one that is better for the agent.
        _ => is_at_work,
    };
    if is_same {
        Next::Same
    } else {
        Next::Begun(last.number.saturating_add(1))
    }
}

impl Turn {
    /// Whether the host hands on what we sent back, perhaps with words of its own around it.
    fn is_sent_back_with(&self, prompt: Prompt<'_>) -> bool {
        let sent = self.sent.as_deref().map(str::trim);
        let is_in = |text: &str| sent.is_some_and(|sent| !sent.is_empty() && text.contains(sent));
        prompt.text.is_some_and(is_in)
    }
}

/// The name of a turn in the ledger.
#[must_use]
pub fn turn_key(session: &str, number: u32) -> AgentKey {
    AgentKey {
        session: session.to_owned(),
        agent: format!("turn:{number}"),
    }
}

/// The number of the turn that is so named in the ledger; `None` for a subagent.
#[must_use]
pub fn turn_number(agent: &str) -> Option<u32> {
    agent.strip_prefix("turn:")?.parse().ok()
}

/// The last turn of a session.
pub fn last_turn(store: &Store, session: &str) -> Result<Option<Turn>, StoreError> {
    let sql = format!(
        "SELECT {AGENT_COLUMNS}, agent, turn, turn_id, sent, open = 1 AND stopped_at IS NOT NULL AS is_resting
         FROM agents WHERE session = ?1 AND turn IS NOT NULL ORDER BY turn DESC LIMIT 1"
    );
    let turn = store.connection.query_row(&sql, [session], |row| {
        Ok(Turn {
            agent: agent_of(row)?,
            key: AgentKey {
                session: session.to_owned(),
                agent: row.get("agent")?,
            },
            number: row.get("turn")?,
            id: row.get("turn_id")?,
            sent: row.get("sent")?,
            is_resting: row.get("is_resting")?,
        })
    });
    Ok(turn.optional()?)
}

/// What a turn was last sent back with, which the person reads in the conversation; `None` for a subagent, of which
/// the host shows nothing.
pub(crate) fn sent(connection: &Connection, agent: i64) -> Result<Option<String>, StoreError> {
    let sql = "SELECT sent FROM agents WHERE id = ?1 AND turn IS NOT NULL AND block_count > 0";
    let sent = connection.query_row(sql, [agent], |row| row.get(0));
    Ok(sent.optional()?.flatten())
}

/// Row ids of agents of a session that have their baseline, whether turns or subagents, and began before this one: the
/// first of all, and the first in the work tree of this one.
pub fn first_baselines(
    store: &Store,
    session: &str,
    before: &Agent,
) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT min(agents.id) FROM agents JOIN snapshots ON snapshots.agent = agents.id
               WHERE session = ?1 AND agents.id < ?2 AND (?3 IS NULL OR worktree = ?3)";
    let first = |worktree: Option<Cow<'_, [u8]>>| {
        let values = params![session, before.id, worktree];
        let first = store.connection.query_row(sql, values, |row| row.get(0));
        first.map_err(StoreError::from)
    };
    let all: Option<i64> = first(None)?;
    let here = match &before.worktree {
        Some(worktree) => first(Some(path_bytes(worktree)))?,
        None => None,
    };
    Ok(all
        .into_iter()
        .chain(here.filter(|here| Some(*here) != all))
        .collect())
}

/// Sessions other than this one whose turns were judged, each with its transcript, the newest first.
pub fn transcripts_of_others(
    store: &Store,
    session: &str,
) -> Result<Vec<(String, PathBuf)>, StoreError> {
    let sql = "SELECT session, transcript FROM agents
               WHERE session <> ?1 AND turn IS NOT NULL AND transcript IS NOT NULL
               GROUP BY session ORDER BY max(id) DESC LIMIT ?2";
    let mut select = store.connection.prepare(sql)?;
    let rows = select.query_map(params![session, MOST_OTHERS], |row| {
        let transcript: Vec<u8> = row.get(1)?;
        Ok((row.get(0)?, path_of_bytes(&transcript)))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Whether a subagent that began in this turn, or was resumed in it, has not stopped yet. The order of the rows
/// holds even if the clock was set back.
pub fn has_subagent_at_work(store: &Store, turn: &Turn) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM agents WHERE session = ?1 AND turn IS NULL AND open = 1
               AND (id > ?2 OR coalesce(opened_at, started_at) >= ?3))";
    let values = params![turn.key.session, turn.agent.id, turn.agent.started_at];
    Ok(store.connection.query_row(sql, values, |row| row.get(0))?)
}

/// The subagents of a session that have not stopped yet.
pub fn open_agents(store: &Store, session: &str) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT agent FROM agents WHERE session = ?1 AND turn IS NULL AND open = 1";
    let mut select = store.connection.prepare(sql)?;
    let rows = select.query_map([session], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Ends subagents that are over: of one that failed the host announces no stop.
pub fn end_reported(
    store: &mut Store,
    session: &str,
    agents: &[String],
    now: i64,
) -> Result<(), StoreError> {
    const OPEN: &str = "session = ?1 AND agent = ?2 AND turn IS NULL AND open = 1";
    for agent in agents {
        // A look before the write lock is taken: nearly always it has stopped.
        let sql = format!("SELECT EXISTS (SELECT 1 FROM agents WHERE {OPEN})");
        let key = AgentKey::of_id(session, agent);
        let values = [session, &key.agent];
        let is_open: bool = store.connection.query_row(&sql, values, |row| row.get(0))?;
        if is_open {
            let sql = format!("UPDATE agents SET open = 0, stopped_at = ?3 WHERE {OPEN}");
            store.write(|transaction| {
                transaction.execute(&sql, params![session, key.agent, now])?;
                Ok::<_, StoreError>(())
            })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
