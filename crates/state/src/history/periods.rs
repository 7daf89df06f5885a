//! Stops and agents counted by the hour or the day.

use std::collections::BTreeMap;
use std::convert::Infallible;

use attest_verdict::Outcome;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::coverage::Share;
use super::stats::{Rate, note};
use super::stops::Stops;
use super::{Filter, stops::Stopped};

/// What came to pass in one hour or day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InPeriod {
    /// How many stops had each outcome, in the order of [`Outcome::ALL`].
    pub stops: [u32; Outcome::ALL.len()],
    /// The agents that first stopped then.
    pub agents: Rate,
    /// The stops of which something could be judged.
    pub coverage: Share,
}

/// Hours or days by the beginning of the times in them, such as `2026-01-31T01` or `2026-01-31`. Those without a stop
/// are left out.
pub type Periods = BTreeMap<String, InPeriod>;

impl InPeriod {
    fn add(&mut self, other: &Self) {
        for (stops, more) in self.stops.iter_mut().zip(other.stops) {
            *stops += more;
        }
        self.coverage += other.coverage;
        self.agents.agents_with_claim += other.agents.agents_with_claim;
        self.agents.agents_with_false_done += other.agents.agents_with_false_done;
    }
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
    /// Counts what `filter` lets through by the hour of a zone. An agent counts once in every repository that it
    /// stopped in, so that the repositories add up.
    #[must_use]
    pub fn by_hour(&self, filter: &Filter, zone: &TimeZone) -> Periods {
        let admits = self.admitted_by(filter);
        let mut quarters: BTreeMap<i64, InPeriod> = BTreeMap::new();
        let mut agents = Vec::new();
        let Ok(()) = self.each_agent::<Infallible>(|stops| {
            let quarter = |at: i64| at.div_euclid(QUARTER);
            for stop in stops.iter().filter(|stop| admits.lets(stop)) {
                if let Some(outcome) = stop.outcome {
                    let sum = quarters.entry(quarter(stop.at)).or_default();
                    sum.stops[outcome as usize] += 1;
                    sum.coverage += stop.share();
                }
                note(&mut agents, 0, false, stop, claims(stop));
            }
            for agent in agents.drain(..) {
                let sum = quarters.entry(quarter(agent.at)).or_default();
                sum.agents.add(agent.is_claim, agent.is_false);
            }
            Ok(())
        });
        sums(quarters.iter().map(|(at, sum)| (named(*at, zone), sum)))
    }
}

fn claims(stop: &Stopped) -> (bool, bool) {
    (stop.is_claim(), stop.is_false())
}

/// The same by days, of what was counted by hours.
#[must_use]
pub fn by_day(hours: &Periods) -> Periods {
    const DAY: usize = "2026-01-31".len();
    let day = |hour: &str| hour[..hour.floor_char_boundary(DAY)].to_owned();
    sums(hours.iter().map(|(hour, sum)| (day(hour), sum)))
}

fn sums<'p>(parts: impl Iterator<Item = (String, &'p InPeriod)>) -> Periods {
    let mut periods = Periods::new();
    for (name, part) in parts {
        periods.entry(name).or_default().add(part);
    }
    periods
}
