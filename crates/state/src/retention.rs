//! Forgetting what is old.

mod room;
mod spare;

use std::fmt;
use std::ops::AddAssign;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, Transaction, params};

use crate::history;
use crate::times::{nanoseconds, stored};
use crate::{Store, StoreError};
use room::{bytes_in_use, make_room, release_baselines};

pub use spare::collect;

/// How long what is forgotten by itself was kept.
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How long after its agent has stopped a baseline is kept: one that is resumed later has none.
const BASELINES_KEPT_FOR: SignedDuration = SignedDuration::from_hours(24);
/// Baselines that are let go before the size is looked at again.
const STEP: u32 = 10;

/// Between two turns of a daily chore.
const DAY_NS: i64 = 24 * 60 * 60 * 1_000_000_000;

/// What was forgotten, or would be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// Agents, with their snapshots.
    pub agents: usize,
    /// Verdicts of the history.
    pub verdicts: usize,
    /// Runs of the history.
    pub runs: usize,
    /// Baselines alone: of agents that are still known.
    pub baselines: usize,
}

impl fmt::Display for Forgotten {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            agents,
            verdicts,
            baselines,
            ..
        } = self;
        write!(
            out,
            "{agents} agents, {verdicts} verdicts, {baselines} baselines"
        )
    }
}

impl AddAssign for Forgotten {
    fn add_assign(&mut self, more: Self) {
        self.agents += more.agents;
        self.verdicts += more.verdicts;
        self.runs += more.runs;
        self.baselines += more.baselines;
    }
}

const OLD_AGENTS: &str = "FROM agents WHERE coalesce(stopped_at, started_at) < ?1";
const OLD_VERDICTS: &str = "FROM verdicts WHERE at < ?1";
const OLD_RUNS: &str = "FROM runs WHERE coalesce(stopped_at, started_at) < ?1";

/// How much is older than `before`.
pub fn count_older(store: &Store, before: Timestamp) -> Result<Forgotten, StoreError> {
    let count = |what: &str, value: &dyn rusqlite::ToSql| -> Result<usize, StoreError> {
        let sql = format!("SELECT count(*) {what}");
        let count: i64 = store
            .connection
            .query_row(&sql, [value], |row| row.get(0))?;
        Ok(usize::try_from(count).unwrap_or(0))
    };
    Ok(Forgotten {
        agents: count(OLD_AGENTS, &nanoseconds(before))?,
        verdicts: count(OLD_VERDICTS, &stored(before))?,
        runs: count(OLD_RUNS, &stored(before))?,
        baselines: 0,
    })
}

/// Forgets what is older than `before`, and what is above `most` bytes.
pub fn forget(store: &mut Store, before: Timestamp, most: u64) -> Result<Forgotten, StoreError> {
    let now = Timestamp::now();
    let baselines_before = before.max(ago(now, BASELINES_KEPT_FOR));
    store.write(|transaction| {
        let mut forgotten = remove_older(transaction, before, None)?;
        forgotten.baselines += release_baselines(transaction, baselines_before, None)?;
        while bytes_in_use(transaction)? > most {
            let some = make_room(transaction, now, STEP)?;
            if some == Forgotten::default() {
                break;
            }
            forgotten += some;
        }
        Ok(forgotten)
    })
}

/// Forgets agents that were last heard of before `before`, with their snapshots, session counters
/// that were last raised before it, what nobody was told since, and older runs and verdicts. `most`
/// bounds agents, runs and verdicts.
fn remove_older(
    transaction: &Transaction<'_>,
    before: Timestamp,
    most: Option<u32>,
) -> Result<Forgotten, StoreError> {
    let most = most.map_or(-1, i64::from);
    let (instant, text) = (nanoseconds(before), stored(before));
    let agents = transaction.execute(
        &format!("DELETE FROM agents WHERE id IN (SELECT id {OLD_AGENTS} LIMIT ?2)"),
        params![instant, most],
    )?;
    let verdicts = format!("SELECT seq {OLD_VERDICTS} LIMIT ?2");
    let verdicts = history::remove(transaction, &verdicts, params![text, most])?;
    let runs = transaction.execute(
        &format!("DELETE FROM runs WHERE id IN (SELECT id {OLD_RUNS} LIMIT ?2)"),
        params![text, most],
    )?;
    transaction.execute("DELETE FROM session_blocks WHERE raised_at < ?1", [instant])?;
    transaction.execute("DELETE FROM advisories WHERE made_at < ?1", [instant])?;
    transaction.execute("DELETE FROM while_off WHERE at < ?1", [instant])?;
    transaction.execute("DELETE FROM origins WHERE seen_at < ?1", [instant])?;
    Ok(Forgotten {
        agents,
        verdicts,
        runs,
        baselines: 0,
    })
}

/// Whether the daily chore `name` is due.
fn is_due(connection: &Connection, name: &str, now: Timestamp) -> Result<bool, StoreError> {
    let sql = "SELECT NOT EXISTS (
                   SELECT 1 FROM chores WHERE name = ?1 AND begun_at BETWEEN ?2 AND ?3)";
    let (since, until) = day_around(now);
    Ok(connection.query_row(sql, params![name, since, until], |row| row.get(0))?)
}

/// Takes the turn of a daily chore: of any number of processes at once, one gets `true`.
fn take_turn(
    transaction: &Transaction<'_>,
    name: &str,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let (since, until) = day_around(now);
    let taken = transaction.execute(
        "INSERT INTO chores (name, begun_at) VALUES (?1, ?2)
         ON CONFLICT DO UPDATE SET begun_at = ?2 WHERE begun_at NOT BETWEEN ?3 AND ?4",
        params![name, nanoseconds(now), since, until],
    )?;
    Ok(taken == 1)
}

/// The times at which a turn counts as one of today. A turn far ahead is from a clock that was
/// wrong, and must not be the last one for years.
fn day_around(now: Timestamp) -> (i64, i64) {
    let now = nanoseconds(now);
    (now.saturating_sub(DAY_NS), now.saturating_add(DAY_NS))
}

/// The time that lies so long before `now`; the earliest there is if that is before it.
fn ago(now: Timestamp, age: SignedDuration) -> Timestamp {
    now.saturating_sub(age).unwrap_or(Timestamp::MIN)
}

#[cfg(test)]
mod tests;
