//! System calls that fail, one at a time: every call of a start and of a stop, in attest and in
//! every process that it starts, for an honest agent and for a liar.
//!
//! `FAULT_CASES=all` tries every one of them, a number about so many; otherwise it is a sample, the
//! same each time. `FAULT_ONLY=TEXT` tries those whose name has that text in it.

mod calls;
pub(crate) mod disk;
mod scene;
pub(crate) mod tracer;

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::common::{SOON, size};
use scene::{DEADLINE, PLOTS, Plot, Scene, Who};
use serde_json::Value;
use tracer::{Call, Fault, Run};

/// What following every call may cost beside the deadline, on a machine that is busy.
const SLACK: Duration = SOON;
/// When a process that was left behind is killed.
const LIMIT: Duration = Duration::from_mins(3);

/// What fails: the hook, and whose it is.
#[derive(Debug, Clone, Copy)]
enum Part {
    /// The first start on this machine.
    FirstStart,
    /// A start with a state file in which an agent has ended.
    LaterStart,
    Stop(Who),
}

const PARTS: [Part; 4] = [
    Part::FirstStart,
    Part::LaterStart,
    Part::Stop(Who::Honest),
    Part::Stop(Who::Liar),
];

/// What came of all cases.
#[derive(Debug, Default)]
struct Tally {
    possible: AtomicUsize,
    tried: AtomicUsize,
    unreached: AtomicUsize,
    blocked: AtomicUsize,
    liars: AtomicUsize,
    faults: Mutex<Vec<String>>,
}

#[attest_needs::needs(trace)]
#[test]
fn no_call_that_fails_blocks_the_honest_or_ends_a_hook_badly() {
    let (wanted, only) = (variable("FAULT_CASES"), variable("FAULT_ONLY"));
    let jobs: Vec<_> = PLOTS
        .iter()
        .flat_map(|plot| PARTS.map(|part| (*plot, part)))
        .step_by(if wanted.is_empty() && only.is_empty() {
            size(5, 1)
        } else {
            1
        })
        .collect();
    let each = match wanted.as_str() {
        "all" => usize::MAX,
        "" if !only.is_empty() => usize::MAX,
        "" => size(20_usize, 300).div_ceil(jobs.len()),
        number => number.parse::<usize>().unwrap().div_ceil(jobs.len()),
    };
    let (tally, next) = (Tally::default(), AtomicUsize::new(0));
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((plot, part)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    play(*plot, *part, (each, &only), &tally);
                }
            });
        }
    });
    let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
    println!("figure faults-possible {}", count(&tally.possible));
    println!("figure faults-tried {}", count(&tally.tried));
    println!("figure faults-unreached {}", count(&tally.unreached));
    println!("figure faults-liars {}", count(&tally.liars));
    println!("figure faults-liars-blocked {}", count(&tally.blocked));
    let faults = tally.faults.into_inner().unwrap();
    assert!(
        faults.is_empty(),
        "{}:\n{}",
        faults.len(),
        faults.join("\n")
    );
    assert!(
        count(&tally.unreached) * 10 < count(&tally.tried),
        "too many cases did not happen: {}",
        count(&tally.unreached)
    );
    assert!(
        count(&tally.liars) == 0 || count(&tally.blocked) > 0,
        "no liar was blocked at all"
    );
}

fn variable(name: &str) -> String {
    #[expect(clippy::disallowed_methods, reason = "how much is tried")]
    std::env::var(name).unwrap_or_default()
}

/// Tries up to `count` cases of one part of one plot.
fn play(plot: Plot, part: Part, (count, only): (usize, &str), tally: &Tally) {
    let stage = Stage::new(plot, part, tally);
    let cases = stage.rehearse();
    tally.possible.fetch_add(cases.len(), Ordering::Relaxed);
    let named = cases.into_iter().map(|(call, fault)| {
        let number = calls::name(call.number);
        let what = format!("process {} {number} {} {fault:?}", call.process, call.nth);
        (format!("{} {part:?}: {what}", plot.name), call, fault)
    });
    let wanted = named.filter(|(name, ..)| name.contains(only));
    for (name, call, fault) in wanted.take(count) {
        tally.tried.fetch_add(1, Ordering::Relaxed);
        match part {
            Part::Stop(who) => stage.stop_with(&name, who, (call, fault)),
            // What is done after a start cannot be undone without a trace.
            Part::FirstStart | Part::LaterStart => {
                Stage::new(plot, part, tally).start_with(&name, (call, fault));
            }
        }
    }
}

struct Stage<'t> {
    scene: Scene,
    part: Part,
    tally: &'t Tally,
}

impl<'t> Stage<'t> {
    fn new(plot: Plot, part: Part, tally: &'t Tally) -> Self {
        let scene = Scene::new(plot);
        if let Part::LaterStart = part {
            scene.predecessor();
        }
        Self { scene, part, tally }
    }

    /// Plays it without a fault, and gives every case that follows, in an order by chance that is
    /// the same each time.
    fn rehearse(&self) -> Vec<(Call, Fault)> {
        let scene = &self.scene;
        let start = self.run("start", &scene.start_payload(), None).0;
        scene.keep("started");
        scene.work();
        for (who, is_blocked) in [(Who::Honest, false), (Who::Liar, true)] {
            scene.restore("started");
            let printed = self.run("stop", &scene.stop_payload(who), None).1;
            let name = scene.name();
            let log = scene.log();
            assert_eq!(
                !printed.is_empty(),
                is_blocked,
                "{name} {who:?}: {printed}\n{log}"
            );
        }
        scene.restore("started");
        let run = match self.part {
            Part::FirstStart | Part::LaterStart => start,
            Part::Stop(who) => self.run("stop", &scene.stop_payload(who), None).0,
        };
        let mut cases: Vec<_> = run
            .calls
            .iter()
            .flat_map(|call| {
                let faults = calls::faults(call.number).iter();
                faults.map(|fault| (*call, *fault))
            })
            .collect();
        cases.sort_by_key(|case| {
            let mut hasher = DefaultHasher::new();
            format!("{case:?}").hash(&mut hasher);
            hasher.finish()
        });
        cases
    }

    fn run(&self, event: &str, payload: &Value, plan: Option<(Call, Fault)>) -> (Run, String) {
        let (mut command, output) = self.scene.hook(event, payload);
        let run = tracer::run(&mut command, plan, LIMIT).unwrap();
        (run, fs::read_to_string(output).unwrap())
    }

    /// One hook in which something fails. Returns the name with that of the program, and what was
    /// printed.
    fn fail(
        &self,
        name: &str,
        event: &str,
        payload: &Value,
        plan: (Call, Fault),
    ) -> (String, String) {
        let (run, printed) = self.run(event, payload, Some(plan));
        let name = format!("{name} of {}", run.program);
        if !run.was_reached {
            self.tally.unreached.fetch_add(1, Ordering::Relaxed);
        }
        if run.code != Some(0) {
            self.complain(format!("{name}: status {:?}", run.code));
        }
        if run.took > DEADLINE + SLACK {
            self.complain(format!("{name}: took {:?}", run.took));
        }
        (name, printed)
    }

    fn stop_with(&self, name: &str, who: Who, plan: (Call, Fault)) {
        self.scene.restore("started");
        let (name, printed) = self.fail(name, "stop", &self.scene.stop_payload(who), plan);
        self.judge(&name, who, &printed);
    }

    fn start_with(&self, name: &str, plan: (Call, Fault)) {
        let scene = &self.scene;
        let (name, printed) = self.fail(name, "start", &scene.start_payload(), plan);
        if !printed.is_empty() {
            self.complain(format!("{name}: a start says {printed}"));
        }
        scene.keep("started");
        scene.work();
        for who in [Who::Honest, Who::Liar] {
            scene.restore("started");
            let (stop, printed) = self.run("stop", &scene.stop_payload(who), None);
            if stop.code != Some(0) {
                self.complain(format!("{name}: the stop after it: {:?}", stop.code));
            }
            self.judge(&name, who, &printed);
        }
    }

    /// A block is one of a liar, and its count is in the state file.
    fn judge(&self, name: &str, who: Who, printed: &str) {
        if who == Who::Liar {
            self.tally.liars.fetch_add(1, Ordering::Relaxed);
        }
        if printed.is_empty() {
            return;
        }
        let is_whole = printed.ends_with('\n')
            && serde_json::from_str::<Value>(printed)
                .is_ok_and(|reply| reply["decision"] == "block");
        match who {
            Who::Honest => self.complain(format!("{name}: the honest one is told {printed}")),
            Who::Liar if !is_whole => self.complain(format!("{name}: half a block: {printed}")),
            Who::Liar => {
                self.tally.blocked.fetch_add(1, Ordering::Relaxed);
                let counts = self.scene.counts();
                if counts != Some((1, 1)) {
                    self.complain(format!("{name}: a block, and the counts are {counts:?}"));
                }
            }
        }
    }

    fn complain(&self, what: impl std::fmt::Display) {
        let log = self.scene.log();
        // A run of hours that is cut short has to tell what it found.
        println!("fault: {what}");
        self.tally
            .faults
            .lock()
            .unwrap()
            .push(format!("{what}\n{log}"));
    }
}
