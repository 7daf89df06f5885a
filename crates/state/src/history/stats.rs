//! Verdicts counted by the type of agent.

use rusqlite::params_from_iter;
use serde::Serialize;

use super::Filter;
use crate::{Store, StoreError};

/// What agents of one type did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// The host's name for the kind; `None` where it gave none.
    pub agent_type: Option<String>,
    /// Stops, also those that were sent back.
    pub stops: u32,
    /// Of them, with a claim.
    pub claims: u32,
    /// Of them, proven false.
    pub false_dones: u32,
    /// Of them, sent back.
    pub blocked: u32,
    /// Stops after a block whose claim was not false any more.
    pub fixed: u32,
}

/// Counts what `filter` lets through, the type with the most stops first.
pub fn tally(store: &Store, filter: &Filter) -> Result<Vec<Tally>, StoreError> {
    let condition = filter.condition("at");
    let sql = format!(
        "SELECT agent_type, count(*), sum(is_claim), sum(outcome IN ('MISMATCH', 'BLOCKED')),
                sum(outcome = 'BLOCKED'),
                sum(blocks_before > 0 AND outcome IN ('OK', 'SCOPE_CREEP', 'WARN'))
         FROM verdicts WHERE {} GROUP BY agent_type ORDER BY 2 DESC, 1",
        condition.sql
    );
    let mut select = store.connection.prepare(&sql)?;
    let rows = select.query_map(params_from_iter(condition.values), |row| {
        Ok(Tally {
            agent_type: row.get(0)?,
            stops: row.get(1)?,
            claims: row.get(2)?,
            false_dones: row.get(3)?,
            blocked: row.get(4)?,
            fixed: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
