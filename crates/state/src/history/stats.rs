//! Verdicts counted by the type of agent.

use std::collections::BTreeMap;

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
    /// False DONEs that would have been sent back if the work tree had been clean at the start.
    pub lost_to_dirty_start: u32,
    /// Claimed paths that prove nothing, by the word of the doubt.
    pub doubts: BTreeMap<String, u32>,
}

/// Counts what `filter` lets through, the type with the most stops first.
pub fn tally(store: &Store, filter: &Filter) -> Result<Vec<Tally>, StoreError> {
    let condition = filter.condition("at");
    let sql = format!(
        "SELECT agent_type, count(*), sum(is_claim), sum(outcome IN ('MISMATCH', 'BLOCKED')),
                sum(outcome = 'BLOCKED'),
                sum(blocks_before > 0 AND outcome IN ('OK', 'SCOPE_CREEP', 'WARN')),
                sum(reason = 'ALLOW_AMBIGUOUS')
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
            lost_to_dirty_start: row.get(6)?,
            doubts: BTreeMap::new(),
        })
    })?;
    let mut tallies: Vec<Tally> = rows.collect::<Result<_, _>>()?;
    for doubt in doubts(store, filter)? {
        let same = |tally: &&mut Tally| tally.agent_type == doubt.agent_type;
        if let Some(tally) = tallies.iter_mut().find(same) {
            tally.doubts.insert(doubt.word, doubt.count);
        }
    }
    Ok(tallies)
}

/// How often agents of one type left a doubt of one word.
struct Counted {
    agent_type: Option<String>,
    word: String,
    count: u32,
}

fn doubts(store: &Store, filter: &Filter) -> Result<Vec<Counted>, StoreError> {
    let condition = filter.condition("at");
    // Most verdicts have none, and parsing each would take longer than looking for the name.
    let sql = format!(
        "SELECT agent_type, json_extract(finding.value, '$.doubt') AS word, count(*)
         FROM (SELECT agent_type, detail FROM verdicts
               WHERE {} AND instr(detail, '\"doubt\":\"') > 0 AND json_valid(detail)),
              json_each(detail, '$.findings') AS finding
         WHERE word IS NOT NULL GROUP BY agent_type, word",
        condition.sql
    );
    let mut select = store.connection.prepare(&sql)?;
    let rows = select.query_map(params_from_iter(condition.values), |row| {
        Ok(Counted {
            agent_type: row.get(0)?,
            word: row.get(1)?,
            count: row.get(2)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// How many false DONEs of all agents were let through because the work tree was dirty at the start.
pub fn lost_to_dirty_start(store: &Store) -> Result<u32, StoreError> {
    let sql = "SELECT count(*) FROM verdicts WHERE reason = 'ALLOW_AMBIGUOUS'";
    Ok(store.connection.query_row(sql, [], |row| row.get(0))?)
}
