//! Which values the verdicts have that lists can be narrowed to.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use attest_verdict::{Outcome, ReasonCode};
use jiff::Timestamp;
use rusqlite::{Connection, params_from_iter};

use super::Filter;
use super::stops::{Column, Name, Stopped, Stops};
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
pub struct Extent {
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
pub fn seen(store: &Store, filter: &Filter, narrowed: &Filter) -> Result<Extent, StoreError> {
    let stops = Stops::of(store, filter)?;
    let newest = |is_asked: bool, of| {
        if !is_asked {
            return Ok(Values::default());
        }
        let most = u32::try_from(MOST_VALUES).unwrap_or(u32::MAX);
        let values = known(store, filter, of, "", most.saturating_add(1))?;
        Ok::<_, StoreError>(Values::of(values))
    };
    let mut seen = stops.seen(filter);
    if narrowed.agent_type.is_some() {
        seen.agent_types = Values::of(stops.most_frequent(filter, Column::AgentType));
    }
    if !narrowed.outcomes.is_empty() {
        let outcomes = stops.most_frequent(filter, Column::Outcome);
        let outcomes = Values::of(outcomes).first.into_iter();
        seen.outcomes = outcomes.filter_map(|word| word.parse().ok()).collect();
    }
    seen.agents = newest(narrowed.agent.is_some(), Known::Agent)?;
    seen.sessions = newest(narrowed.session.is_some(), Known::Session)?;
    Ok(seen)
}

impl Values {
    /// The first of all.
    fn of(mut all: Vec<String>) -> Self {
        let has_more = all.len() > MOST_VALUES;
        all.truncate(MOST_VALUES);
        Self {
            first: all,
            has_more,
        }
    }
}

impl Stops<'_> {
    /// How many there are, and of which time, without values.
    #[must_use]
    pub fn seen(&self, filter: &Filter) -> Extent {
        let mut seen = Extent::default();
        let mut range: Option<(i64, i64)> = None;
        for stop in self.that(filter) {
            let (first, last) = range.unwrap_or((stop.at, stop.at));
            range = Some((first.min(stop.at), last.max(stop.at)));
            let is_unseen = stop.outcome == Some(Outcome::NoSnapshot);
            seen.verdicts += 1;
            seen.without_start += u32::from(is_unseen);
            seen.without_claim += u32::from(!is_unseen && !stop.is_claim());
        }
        let time = |at| Timestamp::from_microsecond(at).ok();
        seen.first = range.and_then(|(first, _)| time(first));
        seen.last = range.and_then(|(_, last)| time(last));
        seen
    }

    /// How many false DONEs were let through because the work tree was dirty at the start.
    #[must_use]
    pub fn lost_to_dirty_start(&self) -> u32 {
        let lost = |stop: &&Stopped| stop.reason == Some(ReasonCode::AllowAmbiguous);
        u32::try_from(self.that(&Filter::default()).filter(lost).count()).unwrap_or(u32::MAX)
    }

    /// The texts of a column, the most frequent first.
    fn most_frequent(&self, filter: &Filter, column: Column) -> Vec<String> {
        let mut counts: BTreeMap<Name, u32> = BTreeMap::new();
        for stop in self.that(filter) {
            *counts.entry(stop.name(column)).or_default() += 1;
        }
        let counts = counts.into_iter();
        let found = counts.filter_map(|(name, count)| Some((self.texts.text(name)?, count)));
        let mut found: Vec<_> = found.collect();
        found.sort_by(|(one, fewer), (other, more)| more.cmp(fewer).then_with(|| one.cmp(other)));
        found.into_iter().map(|(text, _)| text).collect()
    }

    /// The types of agents, those that stopped last first.
    fn newest_types(&self, filter: &Filter) -> Vec<String> {
        let mut newest: BTreeMap<Name, i64> = BTreeMap::new();
        for stop in self.that(filter) {
            let at = newest
                .entry(stop.name(Column::AgentType))
                .or_insert(stop.at);
            *at = stop.at.max(*at);
        }
        let newest = newest.into_iter();
        let found = newest.filter_map(|(name, at)| Some((Reverse(at), self.texts.text(name)?)));
        let mut found: Vec<_> = found.collect();
        found.sort();
        found.into_iter().map(|(_, text)| text).collect()
    }
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

/// The newest verdicts that are looked at before all are.
const NEWEST: i64 = 1000;

/// The values that begin with `prefix` in any case, of the verdicts that `filter` lets through, the newest first,
/// and at most so many.
pub fn known(
    store: &Store,
    filter: &Filter,
    of: Known,
    prefix: &str,
    most: u32,
) -> Result<Vec<String>, StoreError> {
    let column = match of {
        Known::Session => "session",
        Known::Agent => "agent_id",
        Known::AgentType => {
            let types = Stops::of(store, filter)?.newest_types(filter).into_iter();
            let begin = |name: &String| {
                let begin = name.as_bytes().get(..prefix.len());
                begin.is_some_and(|begin| begin.eq_ignore_ascii_case(prefix.as_bytes()))
            };
            return Ok(types.filter(begin).take(most as usize).collect());
        }
    };
    let ids = |from: &str| ids(&store.connection, filter, column, from, prefix, most);
    let bound = format!("seq > (SELECT max(seq) FROM verdicts) - {NEWEST}");
    let newest = ids(&format!("verdicts NOT INDEXED WHERE {bound} AND"))?;
    if newest.len() >= most as usize {
        return Ok(newest);
    }
    ids("verdicts INDEXED BY verdicts_of_agent WHERE")
}

/// Ids in a column of what is selected `from`.
fn ids(
    connection: &Connection,
    filter: &Filter,
    column: &'static str,
    from: &str,
    prefix: &str,
    most: u32,
) -> Result<Vec<String>, StoreError> {
    let mut condition = filter.condition("at");
    // `substr` counts characters, and no character of what is typed has a meaning, as it would in a pattern.
    let length = i64::try_from(prefix.chars().count()).unwrap_or(i64::MAX);
    condition.and(&format!("substr({column}, 1, ?)"), length);
    condition.values.push(prefix.to_owned().into());
    let sql = format!(
        "SELECT {column} FROM {from} {} = ? COLLATE NOCASE
         GROUP BY {column} ORDER BY max(seq) DESC LIMIT {most}",
        condition.sql
    );
    let mut select = connection.prepare(&sql)?;
    let rows = select.query_map(params_from_iter(condition.values), |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
