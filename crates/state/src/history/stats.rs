//! Verdicts counted by the type of agent.

use std::collections::BTreeMap;

use attest_verdict::Fate;
use rusqlite::params_from_iter;
use serde::Serialize;

use super::{Coverage, Filter, coverage, fates};
use crate::{Store, StoreError};

/// What agents of one type did. How often they were right is to be asked of the agents: stops, of which a block makes
/// one more, would show another share as soon as enforcement is on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// The host's name for the kind; `None` where it gave none.
    pub agent_type: Option<String>,
    /// Agents, of which each may have stopped several times: one that is sent back stops once more.
    pub agents: u32,
    /// Of them, with a claim at any stop.
    pub agents_with_claim: u32,
    /// Of them, with one that was proven false.
    pub agents_with_false_done: u32,
    /// Stops, also those that were sent back.
    pub stops: u32,
    /// Of them, with a claim.
    pub claims: u32,
    /// Of them, proven false.
    pub false_dones: u32,
    /// Of them, sent back: each is one of the four that follow.
    pub blocked: u32,
    /// Blocks after which the agent wrote what was missing.
    pub fixed: u32,
    /// Blocks after which it took the claim back.
    pub withdrawn: u32,
    /// Blocks after which it claimed the same again.
    pub repeated: u32,
    /// Blocks after which no stop was seen that could be judged.
    pub unanswered: u32,
    /// False DONEs that would have been sent back if the work tree had been clean at the start.
    pub lost_to_dirty_start: u32,
    /// In what share of the stops something could be judged.
    pub coverage: Coverage,
    /// Claimed paths that prove nothing, by the word of the doubt.
    pub doubts: BTreeMap<String, u32>,
}

/// Counts what `filter` lets through, the type with the most stops first.
pub fn tally(store: &Store, filter: &Filter) -> Result<Vec<Tally>, StoreError> {
    let condition = filter.condition("at");
    let sql = format!(
        "SELECT agent_type, count(*), sum(is_claim), sum(outcome IN ('MISMATCH', 'BLOCKED')),
                sum(outcome = 'BLOCKED'), sum(reason = 'ALLOW_AMBIGUOUS'), {}
         FROM verdicts WHERE {} GROUP BY agent_type ORDER BY 2 DESC, 1",
        coverage::columns(),
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
            lost_to_dirty_start: row.get(5)?,
            coverage: coverage::read(row, 6)?,
            ..Tally::default()
        })
    })?;
    let mut tallies: Vec<Tally> = rows.collect::<Result<_, _>>()?;
    let mut of_type = |agent_type: &Option<String>, count: &dyn Fn(&mut Tally)| {
        let tally = tallies.iter_mut().find(|it| it.agent_type == *agent_type);
        tally.into_iter().for_each(count);
    };
    for found in agents(store, filter)? {
        of_type(&found.agent_type, &|tally| {
            tally.agents = found.count;
            tally.agents_with_claim = found.with_claim;
            tally.agents_with_false_done = found.with_false_done;
        });
    }
    for block in fates(store, filter)? {
        of_type(&block.agent_type, &|tally| match block.fate {
            Fate::Fixed => tally.fixed += 1,
            Fate::Withdrawn => tally.withdrawn += 1,
            Fate::Repeated => tally.repeated += 1,
            Fate::Unanswered => tally.unanswered += 1,
        });
    }
    for doubt in doubts(store, filter)? {
        of_type(&doubt.agent_type, &|tally| {
            tally.doubts.insert(doubt.word.clone(), doubt.count);
        });
    }
    Ok(tallies)
}

/// Agents of one type.
struct Agents {
    agent_type: Option<String>,
    count: u32,
    with_claim: u32,
    with_false_done: u32,
}

/// What stops of one agent have in common. It counts once in every repository that it stopped in, so that the
/// repositories add up, and one without an id of its own, which is never sent back, as often as it stopped.
pub(super) const EACH_AGENT: &str =
    "session, agent_id, repository, CASE WHEN agent_id LIKE 'type:%' THEN seq END";

fn agents(store: &Store, filter: &Filter) -> Result<Vec<Agents>, StoreError> {
    let condition = filter.condition("at");
    let sql = format!(
        "SELECT agent_type, count(*), sum(is_claim), sum(is_false)
         FROM (SELECT agent_type, max(is_claim) AS is_claim,
                      max(outcome IN ('MISMATCH', 'BLOCKED')) AS is_false
               FROM verdicts WHERE {} GROUP BY agent_type, {EACH_AGENT})
         GROUP BY agent_type",
        condition.sql
    );
    let mut select = store.connection.prepare(&sql)?;
    let rows = select.query_map(params_from_iter(condition.values), |row| {
        Ok(Agents {
            agent_type: row.get(0)?,
            count: row.get(1)?,
            with_claim: row.get(2)?,
            with_false_done: row.get(3)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
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
