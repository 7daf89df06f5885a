//! Which values the verdicts have that lists can be narrowed to.

use std::cmp::Reverse;
use std::collections::HashMap;

use attest_verdict::Outcome;
use jiff::Timestamp;
use rusqlite::{Connection, params_from_iter};

use super::Filter;
use crate::{Store, StoreError};

/// Values of a column that are given at most: more than there are outcomes.
const MOST_VALUES: usize = 10;

/// Some values of a column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values {
    /// The first of them.
    pub first: Vec<String>,
    /// Whether there are others.
    pub has_more: bool,
}

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
    pub agent_types: Values,
    /// The outcomes, the most frequent first.
    pub outcomes: Vec<Outcome>,
    /// Some sessions, the newest first.
    pub sessions: Values,
    /// Some agents, the newest first.
    pub agents: Values,
}

/// The values that the verdicts have which `filter` lets through.
///
/// The values are only those of what `narrowed` asks for.
pub fn seen(store: &Store, filter: &Filter, narrowed: &Filter) -> Result<Seen, StoreError> {
    let values = |is_asked: bool, column, order| {
        if is_asked {
            values(&store.connection, filter, column, order)
        } else {
            Ok(Values::default())
        }
    };
    let asks_outcome = !narrowed.outcomes.is_empty();
    let outcomes = values(asks_outcome, "outcome", Order::MostFrequent)?;
    let outcomes = outcomes.first.iter().filter_map(|word| word.parse().ok());
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

/// What lists can be narrowed by, of which the history has values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// A session, by its id.
    Session,
    /// An agent, by its id.
    Agent,
    /// A type of agent.
    AgentType,
}

impl Known {
    const fn column(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Agent => "agent_id",
            Self::AgentType => "agent_type",
        }
    }
}

/// The values that begin with `prefix` in any case, of the verdicts that `filter` lets through, the newest first,
/// and at most so many.
pub fn known(
    store: &Store,
    filter: &Filter,
    of: Known,
    prefix: &str,
    most: u32,
) -> Result<Vec<String>, StoreError> {
    let mut condition = filter.condition("at");
    let column = of.column();
    // `substr` counts characters, and no character of what is typed has a meaning, as it would in a pattern.
    let length = i64::try_from(prefix.chars().count()).unwrap_or(i64::MAX);
    condition.and(&format!("substr({column}, 1, ?)"), length);
    condition.values.push(prefix.to_owned().into());
    let sql = format!(
        "SELECT {column} FROM verdicts INDEXED BY verdicts_counted
         WHERE {} = ? COLLATE NOCASE AND {column} IS NOT NULL
         GROUP BY {column} ORDER BY max(at) DESC LIMIT {most}",
        condition.sql
    );
    let mut select = store.connection.prepare(&sql)?;
    let rows = select.query_map(params_from_iter(condition.values), |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Counted here: SQLite would sort a hundred thousand texts.
fn values(
    connection: &Connection,
    filter: &Filter,
    column: &'static str,
    order: Order,
) -> Result<Values, StoreError> {
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
    let has_more = found.len() > MOST_VALUES;
    let first = found.into_iter().take(MOST_VALUES);
    Ok(Values {
        first: first.map(|(value, _)| value).collect(),
        has_more,
    })
}
