//! What a person says of a verdict, beside what attest said.

use std::fmt;

use attest_verdict::Outcome;
use jiff::Timestamp;
use rusqlite::{params, params_from_iter};
use serde::{Deserialize, Serialize};

use super::{Entry, Filter, stops};
use crate::times::nanoseconds;
use crate::{Store, StoreError};

/// What a person says that the report was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Said {
    /// All of it was true.
    Honest,
    /// Some of it was not.
    Lie,
}

impl fmt::Display for Said {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Honest => "honest",
            Self::Lie => "lie",
        })
    }
}

/// How often attest was right, by those who have looked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Disputes {
    /// False DONEs of which somebody has said what the report was.
    pub false_dones: u32,
    /// Those of them that were called lies.
    pub right: u32,
    /// Other reports that were called lies.
    pub missed: u32,
}

/// Keeps what a person says of a verdict. Whether an agent that is at work is let go for it: one that was sent back,
/// and was honest.
pub fn dispute(store: &mut Store, entry: &Entry, said: Said) -> Result<bool, StoreError> {
    let was_sent_back = matches!(entry.outcome, Outcome::Blocked | Outcome::SentBack);
    let lets_go = was_sent_back && said == Said::Honest;
    let at: Timestamp = entry.at.parse().unwrap_or(Timestamp::MIN);
    store.write_durably(|transaction| {
        let kept = "UPDATE verdicts SET disputed = ?2 WHERE seq = ?1";
        transaction.execute(kept, params![entry.seq, said.to_string()])?;
        stops::forget(transaction, entry.seq..=entry.seq)?;
        // Of a run that began later it says nothing.
        let of_agent = "UPDATE agents SET let_go = CASE WHEN ?3 THEN generation END
                        WHERE session = ?1 AND agent = ?2 AND open = 1 AND block_count > 0
                          AND coalesce(opened_at, started_at) <= ?4";
        let (session, agent) = (&entry.session_id, &entry.agent_id);
        let of_agent =
            transaction.execute(of_agent, params![session, agent, lets_go, nanoseconds(at)])?;
        Ok(lets_go && of_agent == 1)
    })
}

/// What people have said of the verdicts that `filter` lets through.
pub fn disputes(store: &Store, filter: &Filter) -> Result<Disputes, StoreError> {
    let condition = filter.condition("at");
    let (blocked, mismatch) = (Outcome::Blocked, Outcome::Mismatch);
    let sql = format!(
        "SELECT coalesce(sum(is_false), 0), coalesce(sum(is_false AND is_lie), 0),
                coalesce(sum(NOT is_false AND is_lie), 0)
         FROM (SELECT outcome IN ('{blocked}', '{mismatch}') AS is_false, disputed = 'lie' AS is_lie
               FROM verdicts WHERE disputed IS NOT NULL AND {})",
        condition.sql
    );
    let values = params_from_iter(condition.values);
    let disputes = store.connection.query_row(&sql, values, |row| {
        Ok(Disputes {
            false_dones: row.get(0)?,
            right: row.get(1)?,
            missed: row.get(2)?,
        })
    })?;
    Ok(disputes)
}
