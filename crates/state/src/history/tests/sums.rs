//! The sums of parts are the whole: whatever is recorded, each row is of one repository or of none.

use std::collections::{BTreeMap, BTreeSet};

use jiff::tz::TimeZone;
use proptest::prelude::*;

use super::*;

/// A stop, by numbers.
#[derive(Debug, Clone, Copy)]
struct One {
    agent: u8,
    agent_type: Option<u8>,
    repository: Option<u8>,
    outcome: usize,
    is_claim: bool,
    hour: u8,
}

fn one() -> impl Strategy<Value = One> {
    (
        0..6_u8,
        prop::option::of(0..3_u8),
        prop::option::weighted(0.7, 0..3_u8),
        0..Outcome::ALL.len(),
        any::<bool>(),
        0..72_u8,
    )
        .prop_map(
            |(agent, agent_type, repository, outcome, is_claim, hour)| One {
                agent,
                agent_type,
                repository,
                outcome,
                is_claim,
                hour,
            },
        )
}

impl Kept {
    /// Records a stop, whose repository is what `One` has, whatever the run of its agent had.
    fn record(&mut self, one: One) {
        let agent = if one.agent == 5 {
            "type:Explore".to_owned()
        } else {
            format!("a{}", one.agent)
        };
        let outcome = Outcome::ALL[one.outcome];
        let reason = match outcome {
            Outcome::Blocked => BLOCKED,
            Outcome::Mismatch => ReasonCode::AllowAmbiguous,
            _ => ALLOWED,
        };
        let id = self.stop(&agent, i64::from(one.hour) * 3600, outcome, reason);
        let repository = one.repository.map(|number| name(number).into_bytes());
        let agent_type = one.agent_type.map(|number| format!("type {number}"));
        let connection = &self.store.connection;
        let verdict =
            "UPDATE verdicts SET repository = ?1, agent_type = ?2, is_claim = ?3 WHERE id = ?4";
        let values = rusqlite::params![repository, agent_type, one.is_claim, id];
        connection.execute(verdict, values).unwrap();
        let run = "UPDATE runs SET repository = ?1, agent_type = ?2
                   WHERE id = (SELECT max(id) FROM runs WHERE agent_id = ?3)";
        let values = rusqlite::params![repository, agent_type, agent];
        connection.execute(run, values).unwrap();
    }
}

fn name(repository: u8) -> String {
    format!("/repo{repository}/.git")
}

/// Everything there is, and its parts.
fn parts() -> Vec<Filter> {
    let named = (0..3).map(|number| Of::Repository(name(number).into()));
    let of = named.chain([Of::NoRepository]);
    of.map(|of| Filter {
        of,
        ..Filter::default()
    })
    .collect()
}

/// Adds up what is counted under the same name.
fn sum(counted: impl Iterator<Item = (String, u32)>) -> BTreeMap<String, u32> {
    let mut sums = BTreeMap::new();
    for (name, count) in counted.filter(|(_, count)| *count > 0) {
        *sums.entry(name).or_default() += count;
    }
    sums
}

/// Every number of `stats`, by type and name.
fn numbers(store: &Store, filter: &Filter) -> Vec<(String, u32)> {
    let tallies = serde_json::to_value(tally(store, filter).unwrap()).unwrap();
    let mut numbers = Vec::new();
    for tally in tallies.as_array().unwrap() {
        for (field, value) in tally.as_object().unwrap() {
            if let Some(number) = value.as_u64() {
                let name = format!("{} {field}", tally["agent_type"]);
                numbers.push((name, u32::try_from(number).unwrap()));
            }
        }
    }
    numbers
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_repositories_and_what_is_of_none_are_all(stops in prop::collection::vec(one(), 0..30)) {
        let mut kept = Kept::new();
        for stop in stops {
            kept.record(stop);
        }
        let (store, all, parts) = (&kept.store, Filter::default(), parts());
        let of_parts = |count: &dyn Fn(&Filter) -> Vec<(String, u32)>| {
            sum(parts.iter().flat_map(count))
        };
        let stats = |filter: &Filter| numbers(store, filter);
        prop_assert_eq!(of_parts(&stats), sum(stats(&all).into_iter()));
        let hours = |filter: &Filter| {
            let stops = Stops::of(store, filter).unwrap().by_hour(filter, &TimeZone::UTC);
            let stops = stops.into_iter().flat_map(|(period, sum)| {
                let stops = Outcome::ALL.into_iter().zip(sum.stops);
                stops.map(move |(outcome, stops)| (format!("{period} {outcome}"), stops))
            });
            stops.filter(|(_, stops)| *stops > 0).collect()
        };
        prop_assert_eq!(of_parts(&hours), sum(hours(&all).into_iter()));
        let agents_of = |filter: &Filter| {
            let days = by_day(&Stops::of(store, filter).unwrap().by_hour(filter, &TimeZone::UTC));
            let named = days.into_iter().flat_map(|(period, sum)| {
                let name = |what: &str| format!("{period} {what}");
                let Rate { agents_with_claim, agents_with_false_done } = sum.agents;
                [(name("claim"), agents_with_claim), (name("false"), agents_with_false_done)]
            });
            named.collect()
        };
        prop_assert_eq!(of_parts(&agents_of), sum(agents_of(&all).into_iter()));
        let seen = |filter: &Filter| {
            let verdicts = Stops::of(store, filter).unwrap().seen(filter).verdicts;
            vec![("verdicts".to_owned(), verdicts)]
        };
        prop_assert_eq!(of_parts(&seen), sum(seen(&all).into_iter()));
        // Each row stands in one list.
        let mut ids = BTreeSet::new();
        let mut all_runs = 0;
        for part in &parts {
            for id in kept.ids(part) {
                prop_assert!(ids.insert(id));
            }
            all_runs += agents(store, part, &[]).unwrap().len();
        }
        prop_assert_eq!(ids.len(), kept.ids(&all).len());
        prop_assert_eq!(all_runs, agents(store, &all, &[]).unwrap().len());
        // Each block has one fate.
        for tally in tally(store, &all).unwrap() {
            let fates = tally.fixed + tally.withdrawn + tally.repeated + tally.unanswered;
            prop_assert_eq!(tally.blocked, fates);
            prop_assert!(tally.agents_with_false_done <= tally.agents);
        }
        // What a list begins with is what is newest.
        for filter in parts.iter().chain([&all]) {
            let first = kept.ids(filter).into_iter().next();
            prop_assert_eq!(first, newest(store, filter).ok().map(|(entry, _)| entry.id));
        }
    }
}

/// Enforcement makes a liar stop twice; it stays one agent of two.
#[test]
fn rates_are_those_of_agents_and_do_not_move_with_blocks() {
    let mut detected = Kept::new();
    detected.stop("liar", 10, Outcome::Mismatch, ReasonCode::AllowNotEnforcing);
    detected.stop("honest", 20, Outcome::Ok, ALLOWED);
    let mut enforced = Kept::new();
    enforced.stop("liar", 10, Outcome::Blocked, BLOCKED);
    enforced.stop("liar", 15, Outcome::Mismatch, ReasonCode::AllowRetryCap);
    enforced.stop("honest", 20, Outcome::Ok, ALLOWED);
    let agents = |kept: &Kept| {
        let tally = tally(&kept.store, &Filter::default()).unwrap().remove(0);
        (tally.agents, tally.agents_with_false_done)
    };
    assert_eq!(agents(&detected), (2, 1));
    assert_eq!(agents(&enforced), (2, 1));
}
