//! Verdicts counted by the hour or the day of their stops.

use attest_verdict::Outcome;
use rusqlite::params_from_iter;

use super::Filter;
use super::stats::EACH_AGENT;
use crate::{Store, StoreError};

/// The length of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// An hour of UTC.
    Hour,
    /// A day of UTC.
    Day,
}

impl Period {
    /// Characters of a stored time that name its period.
    const fn characters(self) -> usize {
        match self {
            Self::Hour => "2026-01-31T01".len(),
            Self::Day => "2026-01-31".len(),
        }
    }
}

/// The stops of one period that had one outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InPeriod {
    /// The beginning of the times in it, such as `2026-01-31`.
    pub period: String,
    /// What they came to.
    pub outcome: Outcome,
    /// How many.
    pub stops: u32,
}

/// Counts what `filter` lets through by the hour, the earliest first. Hours without a stop are left out.
pub fn by_hour(store: &Store, filter: &Filter) -> Result<Vec<InPeriod>, StoreError> {
    let condition = filter.condition("at");
    let sql = format!(
        "SELECT substr(at, 1, {}) AS period, outcome, count(*)
         FROM verdicts WHERE {} GROUP BY period, outcome ORDER BY period, outcome",
        Period::Hour.characters(),
        condition.sql
    );
    let mut select = store.connection.prepare(&sql)?;
    let rows = select.query_map(params_from_iter(condition.values), |row| {
        let outcome: String = row.get(1)?;
        let in_period = |outcome| {
            Ok::<_, rusqlite::Error>(InPeriod {
                period: row.get(0)?,
                outcome,
                stops: row.get(2)?,
            })
        };
        outcome.parse().ok().map(in_period).transpose()
    })?;
    Ok(rows
        .filter_map(Result::transpose)
        .collect::<Result<_, _>>()?)
}

/// The same by days, of what was counted by hours.
#[must_use]
pub fn by_day(hours: &[InPeriod]) -> Vec<InPeriod> {
    let mut days: Vec<InPeriod> = Vec::new();
    for hour in hours {
        let day = day_of(&hour.period);
        let mut of_day = days
            .iter_mut()
            .rev()
            .take_while(|other| other.period == day);
        match of_day.find(|other| other.outcome == hour.outcome) {
            Some(sum) => sum.stops += hour.stops,
            None => days.push(InPeriod {
                period: day.to_owned(),
                ..hour.clone()
            }),
        }
    }
    days.sort_by(|one, other| {
        let key = |it: &InPeriod| (it.period.clone(), it.outcome.as_str());
        key(one).cmp(&key(other))
    });
    days
}

/// The agents that first stopped in one period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentsIn {
    /// As that of [`InPeriod`].
    pub period: String,
    /// Those with a claim at any stop.
    pub with_claim: u32,
    /// Of them, with one that was proven false.
    pub with_false_done: u32,
}

/// Counts the agents that `filter` lets through by the hour of their first stop, the earliest first.
pub fn agents_by_hour(store: &Store, filter: &Filter) -> Result<Vec<AgentsIn>, StoreError> {
    let condition = filter.condition("at");
    let sql = format!(
        "SELECT period, sum(is_claim), sum(is_false)
         FROM (SELECT substr(min(at), 1, {}) AS period, max(is_claim) AS is_claim,
                      max(outcome IN ('MISMATCH', 'BLOCKED')) AS is_false
               FROM verdicts WHERE {} GROUP BY {EACH_AGENT})
         GROUP BY period ORDER BY period",
        Period::Hour.characters(),
        condition.sql
    );
    let mut select = store.connection.prepare(&sql)?;
    let rows = select.query_map(params_from_iter(condition.values), |row| {
        Ok(AgentsIn {
            period: row.get(0)?,
            with_claim: row.get(1)?,
            with_false_done: row.get(2)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The same by days, of what was counted by hours.
#[must_use]
pub fn agents_by_day(hours: &[AgentsIn]) -> Vec<AgentsIn> {
    let mut days: Vec<AgentsIn> = Vec::new();
    for hour in hours {
        let day = day_of(&hour.period);
        match days.last_mut().filter(|last| last.period == day) {
            Some(sum) => {
                sum.with_claim += hour.with_claim;
                sum.with_false_done += hour.with_false_done;
            }
            None => days.push(AgentsIn {
                period: day.to_owned(),
                ..hour.clone()
            }),
        }
    }
    days
}

fn day_of(hour: &str) -> &str {
    &hour[..hour.floor_char_boundary(Period::Day.characters())]
}
