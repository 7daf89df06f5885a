//! What a line below a prompt has room for. It is asked for every few seconds, so what is older is not read.

use attest_verdict::Outcome;
use jiff::Timestamp;
use rusqlite::{OptionalExtension, params_from_iter};

use super::runs::{End, Run, agents_that};
use super::stats::EACH_AGENT;
use super::{Filter, Of};
use crate::times::stored;
use crate::{Store, StoreError};

/// How many agents came to what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Settled {
    /// Agents of which every claimed path was accounted for.
    pub verified: u32,
    /// Agents with a false DONE.
    pub false_dones: u32,
}

/// What the stops since then came to.
pub fn settled_since(store: &Store, of: &Of, since: Timestamp) -> Result<Settled, StoreError> {
    let filter = Filter {
        of: of.clone(),
        since: Some(since),
        ..Filter::default()
    };
    let condition = filter.condition("at");
    let any = |is_it: fn(Outcome) -> bool| {
        let outcomes = Outcome::ALL.into_iter().filter(|outcome| is_it(*outcome));
        let words: Vec<_> = outcomes.map(|outcome| format!("'{outcome}'")).collect();
        format!("max(outcome IN ({}))", words.join(", "))
    };
    let sql = format!(
        "SELECT coalesce(sum(verified), 0), coalesce(sum(false_done), 0) FROM (
             SELECT {} AS verified, {} AS false_done FROM verdicts INDEXED BY verdicts_by_time
             WHERE {} GROUP BY {EACH_AGENT})",
        any(|it| matches!(it, Outcome::Ok | Outcome::ScopeCreep)),
        any(Outcome::is_false_done),
        condition.sql
    );
    let values = params_from_iter(condition.values);
    let settled = store.connection.query_row(&sql, values, |row| {
        Ok(Settled {
            verified: row.get(0)?,
            false_dones: row.get(1)?,
        })
    })?;
    Ok(settled)
}

/// The last runs of agents that have started since then and not ended, the newest first.
pub fn open_since(store: &Store, of: &Of, since: Timestamp) -> Result<Vec<Run>, StoreError> {
    // One is recorded when it starts, so the first that is older is preceded by older ones alone.
    let sql = "SELECT id FROM runs WHERE coalesce(started_at, stopped_at) < ?1
               ORDER BY id DESC LIMIT 1";
    let older = store
        .connection
        .query_row(sql, [stored(since)], |row| row.get(0))
        .optional()?;
    let filter = Filter {
        of: of.clone(),
        after: older,
        ..Filter::default()
    };
    agents_that(store, &filter, &[End::Open])
}
