//! One row per start of an agent, until the stop that lets it end.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use attest_verdict::Outcome;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params, params_from_iter};

use super::{Filter, Stop};
use crate::names::{path_bytes, path_in};
use crate::times::{nanoseconds, stored};
use crate::{AgentKey, Start, Store, StoreError};

/// An agent that has not written to its transcript for so long will not stop any more: hosts give
/// up on one that is stuck after ten minutes.
pub const LOST_AFTER: SignedDuration = SignedDuration::from_hours(1);

/// A run of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The host's session.
    pub session: String,
    /// The agent within it.
    pub agent_id: String,
    /// The host's name for its kind.
    pub agent_type: Option<String>,
    /// What the host calls its task.
    pub task: Option<String>,
    /// The host.
    pub harness: String,
    /// The agent's transcript.
    pub transcript: Option<PathBuf>,
    /// The folder that the host named.
    pub cwd: Option<PathBuf>,
    /// The folder that all work trees of the repository share.
    pub repository: Option<PathBuf>,
    /// When it started; `None` where only the stop was seen.
    pub started_at: Option<Timestamp>,
    /// When it was let through.
    pub stopped_at: Option<Timestamp>,
    /// What its last stop came to.
    pub outcome: Option<Outcome>,
    /// Why it ended without a stop, in the host's words.
    pub failure: Option<String>,
}

impl Run {
    /// Whether it is at work, as far as its transcript tells.
    #[must_use]
    pub fn is_at_work(&self, now: Timestamp) -> bool {
        let written = self.transcript.as_deref().and_then(last_write);
        let last_heard = self.started_at.max(written).unwrap_or(Timestamp::MIN);
        let has_ended = self.stopped_at.is_some() || self.failure.is_some();
        !has_ended && now.duration_since(last_heard) <= LOST_AFTER
    }
}

fn last_write(transcript: &Path) -> Option<Timestamp> {
    let modified: SystemTime = fs::metadata(transcript).ok()?.modified().ok()?;
    Timestamp::try_from(modified).ok()
}

const COLUMNS: &str = "session, agent_id, agent_type, harness, transcript, cwd, started_at, \
                       stopped_at, outcome, task, failure, repository";

/// Records a start.
pub(crate) fn record_start(
    transaction: &Transaction<'_>,
    start: &Start<'_>,
) -> Result<(), StoreError> {
    // A resumed agent's tree is not read again, and it is not asked again: both are those of the run before.
    transaction.execute(
        "INSERT INTO runs (session, agent_id, agent_type, harness, transcript, cwd, repository,
                           started_at, asked)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6,
                 coalesce(?7, (SELECT repository FROM runs WHERE session = ?1 AND agent_id = ?2
                               ORDER BY id DESC LIMIT 1)),
                 ?8,
                 coalesce(?9, (SELECT asked FROM runs WHERE session = ?1 AND agent_id = ?2
                               ORDER BY id DESC LIMIT 1)))",
        params![
            start.key.session,
            start.key.agent,
            start.agent_type,
            start.harness,
            start.likely_transcript.map(path_bytes),
            start.cwd.map(path_bytes),
            start.repository.map(path_bytes),
            stored(start.at),
            start.asked,
        ],
    )?;
    if let (Some(repository), Some(origin)) = (start.repository, start.origin) {
        transaction.execute(
            "INSERT OR REPLACE INTO origins VALUES (?1, ?2, ?3)",
            params![path_bytes(repository), origin, nanoseconds(start.at)],
        )?;
    }
    Ok(())
}

pub(super) fn record_stop(
    transaction: &Transaction<'_>,
    stop: &Stop<'_>,
) -> Result<(), StoreError> {
    let stopped_at = stop.is_end.then(|| stored(stop.at));
    // An agent that stops all the same has not died of the error.
    let known = transaction.execute(
        "UPDATE runs SET stopped_at = ?3, outcome = ?4, transcript = coalesce(?5, transcript),
                         repository = coalesce(?6, repository),
                         agent_type = coalesce(?7, agent_type), task = coalesce(?8, task),
                         failure = NULL
         WHERE id = (SELECT max(id) FROM runs WHERE session = ?1 AND agent_id = ?2)
           AND (stopped_at IS NULL OR failure IS NOT NULL)",
        params![
            stop.key.session,
            stop.key.agent,
            stopped_at,
            stop.outcome.as_str(),
            stop.transcript.map(path_bytes),
            stop.repository.map(path_bytes),
            stop.agent_type,
            stop.task,
        ],
    )?;
    if known == 0 {
        transaction.execute(
            "INSERT INTO runs (session, agent_id, agent_type, harness, transcript, cwd, repository,
                               stopped_at, outcome, task)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                stop.key.session,
                stop.key.agent,
                stop.agent_type,
                stop.harness,
                stop.transcript.map(path_bytes),
                stop.cwd.map(path_bytes),
                stop.repository.map(path_bytes),
                stopped_at,
                stop.outcome.as_str(),
                stop.task,
            ],
        )?;
    }
    Ok(())
}

/// Records the end of a run that died.
pub(crate) fn record_failure(
    transaction: &Transaction<'_>,
    key: &AgentKey,
    why: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    transaction.execute(
        "UPDATE runs SET stopped_at = ?3, failure = ?4
         WHERE id = (SELECT max(id) FROM runs WHERE session = ?1 AND agent_id = ?2)
           AND stopped_at IS NULL",
        params![key.session, key.agent, stored(at), why],
    )?;
    Ok(())
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Nothing was heard of an end.
    Open,
    /// It stopped.
    Stopped,
    /// It ended without a stop.
    Failed,
}

impl End {
    const fn condition(self) -> &'static str {
        match self {
            Self::Open => "(stopped_at IS NULL AND failure IS NULL)",
            Self::Stopped => "(stopped_at IS NOT NULL AND failure IS NULL)",
            Self::Failed => "failure IS NOT NULL",
        }
    }
}

/// The last run of each agent that has come so far, the newest first; of all if no end is named.
pub fn agents(store: &Store, filter: &Filter, ends: &[End]) -> Result<Vec<Run>, StoreError> {
    let last = "NOT EXISTS (SELECT 1 FROM runs AS later WHERE later.session = runs.session
                            AND later.agent_id = runs.agent_id AND later.id > runs.id)";
    let ends: Vec<_> = ends.iter().map(|end| end.condition()).collect();
    let which = match &*ends {
        [] => last.to_owned(),
        ends => format!("{last} AND ({})", ends.join(" OR ")),
    };
    select(&store.connection, filter, &which)
}

/// Whether the agent of the verdict with this number is still at work.
pub(super) fn is_at_work(connection: &Connection, verdict: i64) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM runs WHERE id = (
             SELECT max(runs.id) FROM verdicts JOIN runs USING (session, agent_id) WHERE seq = ?1)"
    );
    let mut select = connection.prepare_cached(&sql)?;
    let run = select.query_row([verdict], read).optional()?;
    Ok(run.is_some_and(|run| run.is_at_work(Timestamp::now())))
}

/// Every run, the newest first.
pub fn runs(store: &Store, filter: &Filter) -> Result<Vec<Run>, StoreError> {
    select(&store.connection, filter, "1")
}

/// When a hook of each host last recorded a run that began since then.
pub fn last_of_each_host(
    store: &Store,
    since: Timestamp,
) -> Result<BTreeMap<String, Timestamp>, StoreError> {
    let sql = "SELECT harness, max(coalesce(stopped_at, started_at)) FROM runs
               WHERE coalesce(started_at, stopped_at) >= ?1 GROUP BY harness";
    let mut select = store.connection.prepare_cached(sql)?;
    let rows = select.query_map([stored(since)], |row| {
        Ok((row.get(0)?, row.get::<_, String>(1)?.parse().ok()))
    })?;
    let each = rows.map(|row| row.map(|(host, at)| Some((host, at?))));
    Ok(each
        .filter_map(Result::transpose)
        .collect::<Result<_, _>>()?)
}

fn select(connection: &Connection, filter: &Filter, which: &str) -> Result<Vec<Run>, StoreError> {
    let mut condition = filter.condition("coalesce(started_at, stopped_at)");
    if let Some(id) = filter.after {
        condition.and("id > ?", id);
    }
    condition.values.push(filter.most().into());
    let sql = format!(
        "SELECT {COLUMNS} FROM runs WHERE {} AND {which} ORDER BY id DESC LIMIT ?",
        condition.sql
    );
    let mut select = connection.prepare(&sql)?;
    let rows = select.query_map(params_from_iter(condition.values), read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn read(row: &Row<'_>) -> Result<Run, rusqlite::Error> {
    let time = |column| -> Result<Option<Timestamp>, rusqlite::Error> {
        let text: Option<String> = row.get(column)?;
        Ok(text.and_then(|text| text.parse().ok()))
    };
    let outcome: Option<String> = row.get(8)?;
    Ok(Run {
        session: row.get(0)?,
        agent_id: row.get(1)?,
        agent_type: row.get(2)?,
        harness: row.get(3)?,
        transcript: path_in(row, 4)?,
        cwd: path_in(row, 5)?,
        repository: path_in(row, 11)?,
        started_at: time(6)?,
        stopped_at: time(7)?,
        outcome: outcome.and_then(|word| word.parse().ok()),
        task: row.get(9)?,
        failure: row.get(10)?,
    })
}
