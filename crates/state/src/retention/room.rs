//! Baselines are nearly all that the state file holds, and each is of use until its agent has
//! stopped, or is resumed, which it is soon or never.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, Transaction, params};

use super::{Forgotten, ago};
use crate::StoreError;
use crate::history;
use crate::times::{nanoseconds, stored};

/// What is younger stays, however large it is: its agents may be resumed, and a person is looking.
const FRESH: SignedDuration = SignedDuration::from_hours(1);
/// An agent that has not stopped after this never will.
const LOST: SignedDuration = SignedDuration::from_hours(24);
/// How many more verdicts and runs than baselines go at once: they are as much smaller.
const SMALLER: u32 = 10;

/// Bytes of the state file that are in use; the rest of it is free to be used again.
pub(super) fn bytes_in_use(connection: &Connection) -> Result<u64, StoreError> {
    let value = |pragma: &str| -> Result<u64, StoreError> {
        let value: i64 = connection.pragma_query_value(None, pragma, |row| row.get(0))?;
        Ok(u64::try_from(value).unwrap_or(0))
    };
    let pages = value("page_count")?.saturating_sub(value("freelist_count")?);
    Ok(pages.saturating_mul(value("page_size")?))
}

/// Lets go of the baselines of agents that stopped before `before`, the oldest first and at most so
/// many, but not of the newest of each work tree, which the next start there builds on. An agent
/// that is resumed later has none: it never gets another one.
pub(super) fn release_baselines(
    transaction: &Transaction<'_>,
    before: Timestamp,
    most: Option<u32>,
) -> Result<usize, StoreError> {
    let condition = "agents.open = 0 AND agents.stopped_at < ?1
        AND agents.id NOT IN (SELECT max(id) FROM agents GROUP BY worktree)";
    release(transaction, condition, before, most)
}

/// Lets go of the oldest that there is, in steps: baselines of agents that have stopped, then the
/// history, then baselines of agents that were never heard of again. Each call makes one step of
/// the first kind that there is; nothing is forgotten when there is nothing left to let go.
pub(super) fn make_room(
    transaction: &Transaction<'_>,
    now: Timestamp,
    most: u32,
) -> Result<Forgotten, StoreError> {
    let fresh = ago(now, FRESH);
    let ended = "agents.open = 0 AND agents.stopped_at < ?1";
    let baselines = release(transaction, ended, fresh, Some(most))?;
    if baselines > 0 {
        return Ok(Forgotten {
            baselines,
            ..Forgotten::default()
        });
    }
    let history = forget_history(transaction, fresh, most.saturating_mul(SMALLER))?;
    if history != Forgotten::default() {
        return Ok(history);
    }
    let lost = "agents.open = 1 AND agents.started_at < ?1";
    Ok(Forgotten {
        baselines: release(transaction, lost, ago(now, LOST), Some(most))?,
        ..Forgotten::default()
    })
}

fn release(
    transaction: &Transaction<'_>,
    condition: &str,
    before: Timestamp,
    most: Option<u32>,
) -> Result<usize, StoreError> {
    let sql = format!(
        "DELETE FROM snapshots WHERE id IN (
             SELECT snapshots.id FROM snapshots JOIN agents ON agents.id = snapshots.agent
             WHERE {condition}
             ORDER BY coalesce(agents.stopped_at, agents.started_at) LIMIT ?2)"
    );
    let most = most.map_or(-1, i64::from);
    let released = transaction.execute(&sql, params![nanoseconds(before), most])?;
    if released > 0 {
        // Without what was there before, nobody can say of work that it is gone.
        let sql = "DELETE FROM work WHERE agent NOT IN (SELECT agent FROM snapshots)";
        transaction.execute(sql, [])?;
    }
    Ok(released)
}

fn forget_history(
    transaction: &Transaction<'_>,
    before: Timestamp,
    most: u32,
) -> Result<Forgotten, StoreError> {
    let verdicts = "SELECT seq FROM verdicts WHERE at < ?1 ORDER BY at LIMIT ?2";
    let runs = "DELETE FROM runs WHERE id IN (
        SELECT id FROM runs WHERE coalesce(stopped_at, started_at) < ?1
        ORDER BY coalesce(stopped_at, started_at) LIMIT ?2)";
    let values = params![stored(before), most];
    Ok(Forgotten {
        verdicts: history::remove(transaction, verdicts, values)?,
        runs: transaction.execute(runs, values)?,
        ..Forgotten::default()
    })
}

#[cfg(test)]
mod tests;
