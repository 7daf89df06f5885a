//! Hosts of which nothing could be judged lately, because no start was seen of the agents that stopped.

use std::collections::BTreeMap;

use attest_verdict::Outcome;
use jiff::Timestamp;

use crate::agents::NAMELESS;
use crate::times::stored;
use crate::{Store, StoreError};

/// Runs that are looked at, newest first.
const MOST_RUNS: u32 = 1000;

/// A host whose newest stops have nothing to be compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blind {
    /// The host.
    pub harness: String,
    /// How many of its newest stops in a row.
    pub stops: u32,
    /// Whether its newest start came without the name of the agent, which the stop has.
    pub is_nameless: bool,
}

/// Every host whose last stop since a time is one of an agent whose start was not seen.
pub fn blind(store: &Store, since: Timestamp) -> Result<Vec<Blind>, StoreError> {
    let sql = "SELECT harness, agent_id, started_at IS NOT NULL, outcome FROM runs
               WHERE coalesce(stopped_at, started_at) >= ?1 ORDER BY id DESC LIMIT ?2";
    let mut select = store.connection.prepare(sql)?;
    let mut rows = select.query((stored(since), MOST_RUNS))?;
    let mut found: BTreeMap<String, SeenOfHost> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let seen = found.entry(row.get(0)?).or_default();
        let (agent, has_started): (String, bool) = (row.get(1)?, row.get(2)?);
        if has_started && seen.is_nameless.is_none() {
            seen.is_nameless = Some(agent.starts_with(NAMELESS));
        }
        match row.get::<_, Option<String>>(3)? {
            Some(word) if word == Outcome::NoSnapshot.to_string() && !seen.is_over => {
                seen.stops += 1;
            }
            Some(_) => seen.is_over = true,
            None => {}
        }
    }
    let blind = found.into_iter().filter(|(_, seen)| seen.stops > 0);
    let blind = blind.map(|(harness, seen)| Blind {
        harness,
        stops: seen.stops,
        is_nameless: seen.is_nameless == Some(true),
    });
    Ok(blind.collect())
}

/// What was seen of a host so far, from its newest run on.
#[derive(Default)]
struct SeenOfHost {
    /// Of its newest start.
    is_nameless: Option<bool>,
    /// Stops without a start, up to the first with one.
    stops: u32,
    is_over: bool,
}
