//! Which values the verdicts have that lists can be narrowed to.

use std::cmp::Reverse;
use std::collections::HashMap;

use attest_verdict::Outcome;
use jiff::Timestamp;
use rusqlite::{Connection, params_from_iter};

use super::Filter;
use crate::{Store, StoreError};

/// Values of a column that are given at most.
const MOST_VALUES: usize = 8;

/// What is there to ask for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// How many verdicts.
    pub verdicts: u32,
    /// When the first was recorded.
    pub first: Option<Timestamp>,
    /// When the last was recorded.
    pub last: Option<Timestamp>,
    /// How many of them rest on no claim, though the start of the agent was seen.
    pub without_claim: u32,
    /// How many are of an agent whose start was not seen, so that its report was not read.
    pub without_start: u32,
    /// Some types of agent, the most frequent first.
    pub agent_types: Vec<String>,
    /// The outcomes, the most frequent first.
    pub outcomes: Vec<Outcome>,
    /// Some sessions, the newest first.
    pub sessions: Vec<String>,
    /// Some agents, the newest first.
    pub agents: Vec<String>,
}

/// The values that the verdicts have which `filter` lets through.
///
/// The values are only those of what `narrowed` asks for.
pub fn seen(store: &Store, filter: &Filter, narrowed: &Filter) -> Result<Seen, StoreError> {
    let values = |is_asked: bool, column, order| {
        if is_asked {
            values(&store.connection, filter, column, order)
        } else {
            Ok(Vec::new())
        }
    };
    let asks_outcome = !narrowed.outcomes.is_empty();
    let outcomes = values(asks_outcome, "outcome", Order::MostFrequent)?;
    let outcomes = outcomes.iter().filter_map(|word| word.parse().ok());
    Ok(Seen {
        agent_types: values(
            narrowed.agent_type.is_some(),
            "agent_type",
            Order::MostFrequent,
        )?,
        outcomes: outcomes.collect(),
        agents: values(narrowed.agent.is_some(), "agent_id", Order::Newest)?,
        sessions: values(narrowed.session.is_some(), "session", Order::Newest)?,
        ..seen_in_short(store, filter)?
    })
}

/// The same without the values: how many there are, and of which time.
pub fn seen_in_short(store: &Store, filter: &Filter) -> Result<Seen, StoreError> {
    let condition = filter.condition("at");
    let sql = format!(
        "SELECT count(*), min(at), max(at), count(*) - coalesce(sum(is_claim OR outcome = '{unseen}'), 0),
                coalesce(sum(outcome = '{unseen}'), 0)
         FROM verdicts WHERE {}",
        condition.sql,
        unseen = Outcome::NoSnapshot,
    );
    let time = |text: Option<String>| text.and_then(|text| text.parse().ok());
    let values = params_from_iter(condition.values);
    let seen = store.connection.query_row(&sql, values, |row| {
        Ok(Seen {
            verdicts: row.get(0)?,
            first: time(row.get(1)?),
            last: time(row.get(2)?),
            without_claim: row.get(3)?,
            without_start: row.get(4)?,
            ..Seen::default()
        })
    })?;
    Ok(seen)
}

/// In which order values are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    MostFrequent,
    Newest,
}

/// Counted here: SQLite would sort a hundred thousand texts.
fn values(
    connection: &Connection,
    filter: &Filter,
    column: &'static str,
    order: Order,
) -> Result<Vec<String>, StoreError> {
    let condition = filter.condition("at");
    let sql = format!(
        "SELECT {column}, seq FROM verdicts WHERE {} AND {column} IS NOT NULL",
        condition.sql
    );
    let mut select = connection.prepare(&sql)?;
    let mut rows = select.query(params_from_iter(condition.values))?;
    let mut found: HashMap<String, (u32, i64)> = HashMap::new();
    while let Some(row) = rows.next()? {
        let value = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
        let seq: i64 = row.get(1)?;
        match found.get_mut(value) {
            Some((count, newest)) => (*count, *newest) = (*count + 1, seq.max(*newest)),
            None => drop(found.insert(value.to_owned(), (1, seq))),
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_cached_key(|(value, (count, newest))| match order {
        Order::MostFrequent => (Reverse(i64::from(*count)), value.clone()),
        Order::Newest => (Reverse(*newest), value.clone()),
    });
    let most = found.into_iter().take(MOST_VALUES);
    Ok(most.map(|(value, _)| value).collect())
}
