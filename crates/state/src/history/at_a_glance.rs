//! What a line below a prompt has room for. It is asked for every few seconds, so what is older is not read.

use std::collections::HashSet;

use attest_verdict::Outcome;
use jiff::Timestamp;
use rusqlite::params_from_iter;

use super::runs::{self, Run};
use super::stats::EACH_AGENT;
use super::{Filter, Of};
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
    let agents = |outcomes: &[Outcome]| {
        let words: Vec<_> = outcomes.iter().map(|it| format!("'{it}'")).collect();
        format!("max(outcome IN ({}))", words.join(", "))
    };
    let sql = format!(
        "SELECT coalesce(sum(verified), 0), coalesce(sum(false_done), 0) FROM (
             SELECT {} AS verified, {} AS false_done FROM verdicts WHERE {} GROUP BY {EACH_AGENT})",
        agents(&[Outcome::Ok, Outcome::ScopeCreep]),
        agents(&[Outcome::Mismatch, Outcome::Blocked]),
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
    let sql = format!("SELECT {} FROM runs ORDER BY id DESC", runs::COLUMNS);
    let mut select = store.connection.prepare(&sql)?;
    let mut seen = HashSet::new();
    let mut open = Vec::new();
    // One is recorded when it starts, so the first that is older is followed by older ones alone.
    for run in select.query_map([], runs::read)? {
        let run = run?;
        if run
            .started_at
            .or(run.stopped_at)
            .is_some_and(|at| at < since)
        {
            break;
        }
        let is_here = match of {
            Of::Any => true,
            Of::Repository(it) => run.repository.as_ref() == Some(it),
            Of::NoRepository => run.repository.is_none(),
        };
        let is_last = seen.insert((run.session.clone(), run.agent_id.clone()));
        let is_open = run.stopped_at.is_none() && run.failure.is_none();
        if is_here && is_last && is_open {
            open.push(run);
        }
    }
    Ok(open)
}
