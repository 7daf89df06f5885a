//! Verdicts counted by the hour or the day of their stops.

use std::collections::BTreeMap;
use std::convert::Infallible;

use attest_verdict::Outcome;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::Filter;
use super::stops::{Name, Stops};

/// The length of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// An hour.
    Hour,
    /// A day.
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

/// A quarter of an hour in microseconds: no hour of any zone begins within one.
const QUARTER: i64 = 900_000_000;

/// The local hour of a quarter that is counted from the epoch.
fn named(quarter: i64, zone: &TimeZone) -> String {
    let begin = Timestamp::from_microsecond(quarter.saturating_mul(QUARTER));
    let local = begin.map(|at| {
        at.to_zoned(zone.clone())
            .strftime("%Y-%m-%dT%H")
            .to_string()
    });
    local.unwrap_or_default()
}

impl Stops<'_> {
    /// Counts what `filter` lets through by the hour of a zone, the earliest first. Hours without a stop are left out.
    #[must_use]
    pub fn by_hour(&self, filter: &Filter, zone: &TimeZone) -> Vec<InPeriod> {
        let mut quarters: BTreeMap<_, (Outcome, u32)> = BTreeMap::new();
        for stop in self.that(filter) {
            if let Some(outcome) = stop.outcome {
                let key = (stop.at.div_euclid(QUARTER), outcome.as_str());
                quarters.entry(key).or_insert((outcome, 0)).1 += 1;
            }
        }
        let mut hours: BTreeMap<_, (Outcome, u32)> = BTreeMap::new();
        for ((quarter, word), (outcome, stops)) in quarters {
            let key = (named(quarter, zone), word);
            hours.entry(key).or_insert((outcome, 0)).1 += stops;
        }
        let hours = hours.into_iter();
        let hours = hours.map(|((period, _), (outcome, stops))| InPeriod {
            period,
            outcome,
            stops,
        });
        hours.collect()
    }

    /// Counts the agents that `filter` lets through by the hour of a zone in which they first stopped, the earliest first.
    /// Each counts once in every repository that it stopped in, so that the repositories add up.
    #[must_use]
    pub fn agents_by_hour(&self, filter: &Filter, zone: &TimeZone) -> Vec<AgentsIn> {
        let admits = self.admitted_by(filter);
        let mut quarters: BTreeMap<i64, (u32, u32)> = BTreeMap::new();
        let mut agents: Vec<Counted> = Vec::new();
        let Ok(()) = self.each_agent::<Infallible>(|stops| {
            for stop in stops.iter().filter(|stop| admits.lets(stop)) {
                let repository = stop.repository();
                let known = agents.iter_mut().find(|it| it.repository == repository);
                let claims = (stop.is_claim(), stop.is_false());
                match known {
                    Some(known) => known.add(stop.at, claims),
                    None => agents.push(Counted {
                        repository,
                        at: stop.at,
                        claims,
                    }),
                }
            }
            for agent in agents.drain(..) {
                let (is_claim, is_false) = agent.claims;
                let sums = quarters.entry(agent.at.div_euclid(QUARTER)).or_default();
                *sums = (sums.0 + u32::from(is_claim), sums.1 + u32::from(is_false));
            }
            Ok(())
        });
        let mut hours: BTreeMap<_, (u32, u32)> = BTreeMap::new();
        for (quarter, (claims, false_dones)) in quarters {
            let sums = hours.entry(named(quarter, zone)).or_default();
            *sums = (sums.0 + claims, sums.1 + false_dones);
        }
        let hours = hours.into_iter();
        let hours = hours.map(|(period, (with_claim, with_false_done))| AgentsIn {
            period,
            with_claim,
            with_false_done,
        });
        hours.collect()
    }
}

/// An agent in one repository.
struct Counted {
    repository: Name,
    /// The first of its stops.
    at: i64,
    /// Whether any claims something, and any something false.
    claims: (bool, bool),
}

impl Counted {
    fn add(&mut self, at: i64, claims: (bool, bool)) {
        self.at = self.at.min(at);
        self.claims = (self.claims.0 | claims.0, self.claims.1 | claims.1);
    }
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
