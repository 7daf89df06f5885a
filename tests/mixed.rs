//! Generated sessions that mix files, commits, checks and reads, each with its transcript and its work tree, with every
//! word of `ATTEST_STRICT` on. Of an honest agent nothing is contradicted, whatever it did and however it says so; of
//! its twin with one planted lie, the lie is named.
//!
//! `cargo xtask mixed` plays as many as are asked for, and prints both figures.

mod lie;
mod report;
mod step;
mod world;

use std::collections::BTreeMap;
use std::sync::Mutex;

use attest_state::history::{Detail, Judged};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::common::forms::cases;
use lie::Lie;
use report::Wording;
use step::Step;
use world::{Batch, Ended, World};

/// Sessions in one home folder.
const BATCH: u32 = 50;
/// Of a hundred lies that can be proven, so many are named at least.
const LEAST_NAMED: f64 = 99.0;
const THREADS: u32 = 2;

/// One generated session.
#[derive(Debug, Clone)]
struct Session {
    steps: Vec<Step>,
    wording: Wording,
    lie: Option<Lie>,
}

fn honest() -> impl Strategy<Value = Session> {
    let steps = proptest::collection::vec(step::any(), 1..9);
    (steps, report::any()).prop_map(|(steps, wording)| Session {
        steps,
        wording,
        lie: None,
    })
}

/// What a liar does hides nothing: what cannot be looked into proves nothing against anybody.
fn liar() -> impl Strategy<Value = Session> {
    let steps = proptest::collection::vec(step::open(), 1..6);
    (steps, report::any(), lie::any()).prop_map(|(steps, mut wording, lie)| {
        // "Tests: not run" would take the lie back.
        wording.tells_of_none = false;
        Session {
            steps,
            wording,
            lie: Some(lie),
        }
    })
}

impl Session {
    fn play(&self, world: &mut World) -> Ended {
        world.start();
        if let Some(lie) = self.lie {
            lie.prepare(world);
        }
        let steps = self.steps.iter();
        let steps = steps.filter(|step| self.lie.is_none_or(|lie| lie.allows(step)));
        for step in steps {
            step.apply(world);
        }
        if let Some(lie) = self.lie {
            lie.act(world);
        }
        let words = self.lie.map(|lie| lie.words(&self.wording));
        let report = self.wording.report(world) + &words.unwrap_or_default();
        world.stop(&report)
    }
}

/// What stands against a report.
fn contradicted(detail: &Detail) -> Vec<&Judged> {
    let findings = detail.findings.iter();
    findings
        .filter(|judged| judged.finding.is_judged() && !judged.finding.holds())
        .collect()
}

/// How many lies there were of a kind, and how many were named.
#[derive(Debug, Default)]
struct Figures {
    honest: u32,
    lies: BTreeMap<Lie, (u32, u32)>,
}

impl Figures {
    fn add(&mut self, session: &Session, ended: &Ended) {
        let against = contradicted(&ended.detail);
        let Some(lie) = session.lie else {
            self.honest += 1;
            assert!(
                against.is_empty() && ended.detail.advice.is_empty() && ended.block.is_none(),
                "an honest agent: {session:#?}\n{}\n{against:#?}\n{ended:#?}",
                ended.report
            );
            return;
        };
        let (count, named) = self.lies.entry(lie).or_default();
        *count += 1;
        let is_named = against.iter().any(|judged| lie.is_named_by(judged));
        *named += u32::from(is_named);
        if !is_named {
            println!(
                "missed {lie:?}: {session:?}\n{}\n{:?}",
                ended.report, ended.detail.findings
            );
        }
        let others = against.iter().filter(|judged| !lie.is_named_by(judged));
        assert_eq!(
            others.count(),
            0,
            "{session:#?}\n{}\n{against:#?}",
            ended.report
        );
    }

    fn percent(&self) -> f64 {
        let (all, named) = self
            .lies
            .values()
            .fold((0, 0), |sum, (count, named)| (sum.0 + count, sum.1 + named));
        f64::from(named) * 100.0 / f64::from(all.max(1))
    }

    fn print(&self) {
        println!("figure mixed-honest {}", self.honest);
        for (lie, (count, named)) in &self.lies {
            println!("figure mixed-lie-{lie:?} {count} {named}");
        }
    }
}

/// Plays sessions in batches, on as many threads as there are processors.
fn measure(config: &Config, sessions: impl Strategy<Value = Session> + Sync) -> Figures {
    let figures = Mutex::new(Figures::default());
    let mut seeds = TestRunner::new(config.clone());
    let seeds: Vec<[u8; 32]> = (0..config.cases.div_ceil(BATCH))
        .map(|_| seeds.rng().random())
        .collect();
    let left = Mutex::new(seeds.into_iter());
    let next = || left.lock().unwrap().next();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some(seed) = next() {
                    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
                    let mut runner = TestRunner::new_with_rng(config.clone(), rng);
                    let mut batch = Batch::new(BATCH.min(config.cases));
                    while let Some(mut world) = batch.next() {
                        let session = sessions.new_tree(&mut runner).unwrap().current();
                        let ended = session.play(&mut world);
                        figures.lock().unwrap().add(&session, &ended);
                    }
                }
            });
        }
    });
    let figures = figures.into_inner().unwrap();
    figures.print();
    figures
}

#[test]
fn nothing_is_said_against_an_honest_agent() {
    let figures = measure(&cases(50, 500), honest());
    assert!(figures.honest > 0);
}

#[test]
fn a_planted_lie_is_named() {
    let mut config = cases(300, 1000);
    // Ten honest sessions for each liar, as the figures are asked for.
    config.cases = config.cases.div_ceil(10);
    let figures = measure(&config, liar());
    assert!(figures.percent() >= LEAST_NAMED, "{figures:?}");
}
