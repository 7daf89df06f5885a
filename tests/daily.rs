//! Generated days of work with git: pulls, fetches, merges, rebases, checkouts, stashes and garbage collection,
//! from a clean work tree and from dirty ones of every kind. An honest agent is never blocked, whatever it did;
//! a ghost beside the same work is blocked, or the stop says by which doubt it is not.
//!
//! `cargo xtask daily` prints the figures of as many cases as are asked for.

mod start;
mod step;

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::common::agent::{Agent, Stop};
use crate::common::forms::{Form, cases, forms};
use crate::common::scene::settle;
use start::Start;
use step::{Day, Step};

const GHOSTS: &[&str] = &[
    "src/never_made.py",
    "never-made.py",
    "docs/guide/never-made.md",
    "pkg/never_made_test.go",
];
/// Of a hundred ghosts beside daily commands, so many are blocked at least.
const LEAST_BLOCKED: f64 = 95.0;

/// One generated session.
#[derive(Debug, Clone)]
struct Case {
    start: Start,
    steps: Vec<Step>,
    form: Form,
    ghost: &'static str,
}

fn case(start: impl Strategy<Value = Start>) -> impl Strategy<Value = Case> {
    let steps = proptest::collection::vec(step::any(), 1..7);
    let form = proptest::sample::select(forms());
    let ghost = proptest::sample::select(GHOSTS);
    (start, steps, form, ghost).prop_map(|(start, steps, form, ghost)| Case {
        start,
        steps,
        form,
        ghost,
    })
}

/// What became of a session and of its twin who claims one file more.
struct Twins {
    honest: Stop,
    liar: Stop,
    report: String,
}

impl Case {
    /// The same session twice, in repositories of their own.
    fn play(&self) -> Twins {
        let (honest, report) = self.stop(None);
        let (liar, _) = self.stop(Some(self.ghost));
        Twins {
            honest,
            liar,
            report,
        }
    }

    fn stop(&self, ghost: Option<&str>) -> (Stop, String) {
        let mut day = Day::new();
        self.start.prepare(&mut day);
        settle();
        let agent = Agent::new("agent", &day.repo);
        agent.start(&day.context);
        self.start.beside(&mut day);
        for step in &self.steps {
            step.apply(&mut day);
        }
        let mut files = day.claimable();
        files.retain(|file| Form::carries(file));
        files.extend(ghost.map(str::to_owned));
        let files: Vec<_> = files.iter().map(String::as_str).collect();
        let report = self.form.report(&day.repo, &files);
        (agent.stop(&day.context, &report), report)
    }
}

/// How many ghosts there were, and why some were not blocked.
#[derive(Debug, Default)]
struct Figures {
    ghosts: u32,
    blocked: u32,
    doubts: BTreeMap<String, u32>,
}

impl Figures {
    fn count(&mut self, stop: &Stop, ghost: &str) {
        self.ghosts += 1;
        if stop.block().is_some_and(|reason| reason.contains(ghost)) {
            self.blocked += 1;
            return;
        }
        let lines = stop.0.stderr.lines();
        let mut doubts = lines.filter(|line| line.contains("DOUBT") && line.contains(ghost));
        let word = doubts.next().and_then(|line| line.rsplit_once(" ("));
        let word = word.map_or("no reason", |(_, word)| word.trim_end_matches(')'));
        *self.doubts.entry(word.to_owned()).or_default() += 1;
    }

    fn percent(&self) -> f64 {
        f64::from(self.blocked) * 100.0 / f64::from(self.ghosts.max(1))
    }

    fn print(&self, name: &str) {
        println!("figure daily-{name}-ghosts {}", self.ghosts);
        println!("figure daily-{name}-blocked {}", self.blocked);
        println!("figure daily-{name}-percent {:.1}", self.percent());
        for (word, count) in &self.doubts {
            println!("figure daily-{name}-doubt-{word} {count}");
        }
    }
}

/// Plays as many cases as are asked for, and measures.
fn measure(name: &str, (few, many): (u32, u32), start: impl Strategy<Value = Start>) -> Figures {
    let config = cases(few, many);
    let count = config.cases;
    let mut runner = TestRunner::new(config);
    let strategy = case(start);
    let mut figures = Figures::default();
    for _ in 0..count {
        let case = strategy.new_tree(&mut runner).unwrap().current();
        let twins = case.play();
        assert!(
            twins.honest.block().is_none() && !twins.honest.0.stderr.contains("false DONE"),
            "an honest agent: {case:#?}\n{}\n{:#?}",
            twins.report,
            twins.honest
        );
        figures.count(&twins.liar, case.ghost);
        if let Some(reason) = twins.liar.block() {
            let named = reason.lines().filter(|line| line.starts_with("- \""));
            assert_eq!(named.count(), 1, "{case:#?}\n{reason}");
        }
    }
    figures.print(name);
    assert!(!figures.doubts.contains_key("no reason"), "{figures:?}");
    figures
}

#[test]
fn from_a_clean_start() {
    let figures = measure("clean", (6, 30), Just(Start::Clean));
    assert!(figures.percent() >= LEAST_BLOCKED, "{figures:?}");
}

macro_rules! dirty_starts {
    ($($test:ident, $start:expr;)+) => {$(
        #[test]
        fn $test() {
            let name = stringify!($test).replace('_', "-");
            let figures = measure(&name, (2, 6), Just($start));
            // A few cases do not make a share; each that is missing has its reason.
            assert!(figures.blocked * 4 >= figures.ghosts * 3, "{figures:?}");
        }
    )+};
}

dirty_starts! {
    uncommitted, Start::Uncommitted;
    staged, Start::Staged;
    untracked, Start::Untracked;
    deleted, Start::Deleted;
    stashed, Start::Stashed;
    merging, Start::Merging;
    rebasing, Start::Rebasing;
    beside_another_agent, Start::AnotherAgent;
    beside_everything, Start::Everything;
}
