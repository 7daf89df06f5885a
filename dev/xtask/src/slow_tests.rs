//! How much of a processor each test takes, with everything that it starts.

use std::error::Error;
use std::process::Stdio;
use std::time::Duration;

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike as _};

use crate::programs;

/// Run every test of `cargo test --workspace` alone, and list what takes most of a processor
#[derive(Debug, clap::Args)]
pub(crate) struct SlowTestsArgs {
    /// How many to list
    #[arg(long, default_value_t = 30)]
    count: usize,
    /// How many seconds of processor time a test may take
    #[arg(long, default_value_t = 5)]
    limit: u64,
    /// Only tests whose program and name, as in `attest/it hooks::`, have this text in them
    filter: Option<String>,
}

struct Measured {
    took: Duration,
    name: String,
    is_well: bool,
}

pub(crate) fn run(args: &SlowTestsArgs) -> Result<(), Box<dyn Error>> {
    let mut all = Vec::new();
    for program in programs::build()? {
        for test in program.tests()? {
            let name = format!("{} {test}", program.name);
            let filter = args.filter.as_deref();
            if filter.is_some_and(|part| !name.contains(part)) {
                continue;
            }
            let before = spent()?;
            let mut command = program.command();
            let status = command
                .args(["--exact", &test])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()?;
            all.push(Measured {
                took: spent()?.saturating_sub(before),
                name,
                is_well: status.success(),
            });
        }
    }
    all.sort_by_key(|test| std::cmp::Reverse(test.took));
    for test in all.iter().take(args.count) {
        println!("{:8.2} s  {}", test.took.as_secs_f64(), test.name);
    }
    let sum: Duration = all.iter().map(|test| test.took).sum();
    println!("{:8.2} s  {} tests", sum.as_secs_f64(), all.len());
    let failed: Vec<_> = all.iter().filter(|test| !test.is_well).collect();
    for test in &failed {
        println!("FAILED: {}", test.name);
    }
    let limit = Duration::from_secs(args.limit);
    let over = all.iter().filter(|test| test.took > limit).count();
    match (failed.len(), over) {
        (0, 0) => Ok(()),
        (0, over) => Err(format!("{over} take longer than {} s", args.limit).into()),
        (failed, _) => Err(format!("{failed} failed").into()),
    }
}

/// The processor time of everything that was started and has ended.
fn spent() -> Result<Duration, nix::Error> {
    let usage: Usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let time = |it: TimeVal| {
        let micros = u64::try_from(it.num_microseconds());
        Duration::from_micros(micros.unwrap_or_default())
    };
    Ok(time(usage.user_time()) + time(usage.system_time()))
}
