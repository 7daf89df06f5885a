//! What a line below a prompt has room for. It is asked for every few seconds, so what is older is not read.

use attest_verdict::{Outcome, ReasonCode};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, params_from_iter};

use super::fates::{mends, no_answers};
use super::runs::{End, Run, agents};
use super::stats::EACH_AGENT;
use super::{Filter, Of};
use crate::times::stored;
use crate::{Store, StoreError};

/// How many agents came to what. None is in two of these.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Settled {
    /// Agents of which something that was claimed could be judged, and all of that held when it last was.
    pub verified: u32,
    /// Agents with nothing that could be judged, and nothing to look at.
    pub unjudged: u32,
    /// Agents with a false DONE, of which the last report is none any more.
    pub mended: u32,
    /// Agents with a false DONE that stands.
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
    let is = |is_it: fn(Outcome) -> bool| {
        let outcomes = Outcome::ALL.into_iter().filter(|outcome| is_it(*outcome));
        let words: Vec<_> = outcomes.map(|outcome| format!("'{outcome}'")).collect();
        format!("outcome IN ({})", words.join(", "))
    };
    let is_good = |it: Outcome| matches!(it, Outcome::Ok | Outcome::ScopeCreep);
    let (good, bad) = (is(is_good), is(Outcome::is_false_done));
    let let_go = ReasonCode::AllowDisputed;
    let bad = format!("{bad} AND disputed IS NOT 'honest' AND reason <> '{let_go}'");
    let tells = is(|it| it.is_false_done() || it == Outcome::Warn);
    let is_quiet = |it: Outcome| matches!(it, Outcome::Ok | Outcome::ScopeCreep | Outcome::NoClaim);
    let quiet = is(is_quiet);
    // The last stop of some is the one with the greatest number; what it came to is in the last bit.
    let sql = format!(
        "SELECT coalesce(sum(good & 1 AND NOT bad), 0), coalesce(sum(bad AND mends & 1), 0),
                coalesce(sum(bad AND NOT mends & 1), 0), coalesce(sum(unjudged), 0)
         FROM (SELECT max({bad}) AS bad,
                      coalesce(max(CASE WHEN {tells} OR {good} AND judged <> '' THEN seq * 2 + ({good}) END), 0)
                          AS good,
                      coalesce(min({quiet} AND judged = ''), 0) AS unjudged,
                      coalesce(max(CASE WHEN reason NOT IN ({}) THEN seq * 2 + ({}) END), 0) AS mends
               FROM verdicts INDEXED BY verdicts_by_time
               WHERE {} GROUP BY {EACH_AGENT})",
        no_answers(),
        is(mends),
        condition.sql
    );
    let values = params_from_iter(condition.values);
    let settled = store.connection.query_row(&sql, values, |row| {
        Ok(Settled {
            verified: row.get(0)?,
            mended: row.get(1)?,
            false_dones: row.get(2)?,
            unjudged: row.get(3)?,
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
    agents(store, &filter, &[End::Open])
}
