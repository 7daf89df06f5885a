//! Whether a test depends on how fast the machine is.

use std::error::Error;
use std::hint::spin_loop;
use std::io;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::Instant;

use crate::programs::{self, Program};

/// Run all tests three times, and each test of a deadline fifty times, beside eight threads that do nothing but run
#[derive(Debug, clap::Args)]
pub(crate) struct StressTestsArgs {
    /// How often to run all tests
    #[arg(long, default_value_t = 3)]
    suite: u32,
    /// How often to run each test of a deadline
    #[arg(long, default_value_t = 50)]
    deadlines: u32,
    /// How many of these run at once: most of their time they wait
    #[arg(long, default_value_t = 4)]
    at_once: u32,
    /// How many threads take the processors away
    #[arg(long, default_value_t = 8)]
    busy: u32,
}

/// The tests of a deadline: each sets one, and looks whether it is kept.
const DEADLINES: &str = include_str!("stress_tests/deadlines.txt");

pub(crate) fn run(args: &StressTestsArgs) -> Result<(), Box<dyn Error>> {
    let programs = programs::build()?;
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..args.busy {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    spin_loop();
                }
            });
        }
        let result = stress(args, &programs);
        is_over.store(true, Ordering::Relaxed);
        result
    })
}

fn stress(args: &StressTestsArgs, programs: &[Program]) -> Result<(), Box<dyn Error>> {
    let mut failed = 0;
    for round in 1..=args.suite {
        let began = Instant::now();
        let mut cargo = Command::new("cargo");
        cargo.args(["test", "--workspace", "--locked", "--no-fail-fast"]);
        let status = cargo.stdin(Stdio::null()).status()?;
        failed += u32::from(!status.success());
        println!(
            "all tests, round {round}: {status}, {:.0?}",
            began.elapsed()
        );
    }
    for (name, test) in deadlines().filter(|_| args.deadlines > 0) {
        let program = programs.iter().find(|program| program.name == name);
        let program = program.ok_or_else(|| format!("there is no program {name}"))?;
        if !program.tests()?.iter().any(|it| it == test) {
            return Err(format!("{name} has no {test}, or it needs what is not here").into());
        }
        let began = Instant::now();
        let bad = failures(program, test, args)?;
        failed += bad;
        println!(
            "{name} {test}: {bad} of {} failed, {:.0?}",
            args.deadlines,
            began.elapsed()
        );
    }
    if failed == 0 {
        Ok(())
    } else {
        Err(format!("{failed} runs failed").into())
    }
}

/// How many runs of a test of a deadline failed, each of which is printed.
fn failures(program: &Program, test: &str, args: &StressTestsArgs) -> io::Result<u32> {
    let begun = AtomicU32::new(0);
    let run_some = || {
        let mut bad = 0;
        while begun.fetch_add(1, Ordering::Relaxed) < args.deadlines {
            let output = program.command().args(["--exact", test]).output()?;
            if !output.status.success() {
                bad += 1;
                print!("{}", String::from_utf8_lossy(&output.stdout));
            }
        }
        Ok(bad)
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..args.at_once).map(|_| scope.spawn(run_some)).collect();
        let ended = threads.into_iter().map(ScopedJoinHandle::join);
        ended
            .map(|bad| bad.unwrap_or_else(|_| Err(io::Error::other("a thread panicked"))))
            .sum()
    })
}

/// The program and the name of each test of a deadline.
fn deadlines() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = DEADLINES.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' '))
}
