//! The commands that show the history, on a history of many verdicts, and that history alone.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use attest_made_history::{Plan, make};
use jiff::Timestamp;
use tempfile::TempDir;

use crate::bench::build;

/// What a person waits without noticing.
const LONGEST: Duration = Duration::from_millis(60);
/// The same for the page, which a browser has still to open.
const LONGEST_PAGE: Duration = Duration::from_secs(1);
/// Bytes of a page that can be mailed.
const LARGEST_PAGE: u64 = 2 * 1024 * 1024;

/// Measure the commands that show the history, or only make one
#[derive(Debug, clap::Args)]
pub(crate) struct HistoryArgs {
    /// How many verdicts there are
    #[arg(long, default_value_t = 10_000)]
    verdicts: u32,
    /// How often each command is run
    #[arg(long, default_value_t = 11)]
    rounds: usize,
    /// What the agents are diced by
    #[arg(long, default_value_t = 31)]
    seed: u64,
    /// Only make `.attest/state.db` in this folder, as if it were somebody's home
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

pub(crate) fn run(args: &HistoryArgs) -> Result<(), Box<dyn Error>> {
    if let Some(home) = &args.into {
        return fill(home, args);
    }
    let binary = build(false)?.attest;
    let folder = TempDir::new()?;
    let home = folder.path();
    fill(home, args)?;
    let page = home.join("report.html");
    let shown = page.to_string_lossy();
    let commands: &[&[&str]] = &[
        &["log", "-n", "50"],
        &["log", "--outcome", "mismatch", "--since", "30d", "-n", "50"],
        &["log", "--agent", "a0"],
        &["stats"],
        &["stats", "--by", "repository", "--sort", "rate"],
        &["stats", "--by", "host"],
        &["stats", "--by", "day"],
        &["stats", "--by", "week"],
        &["stats", "--by", "reason"],
        &["stats", "--by", "claim"],
        &["stats", "--since", "7d"],
        &["agents"],
        &["show"],
        &["explain"],
        &["doctor"],
        &["report", "--html", &shown],
    ];
    println!(
        "{:<48} {:>8}",
        format!("{} verdicts", args.verdicts),
        "median"
    );
    let mut slow = Vec::new();
    for arguments in commands {
        let median = median(&binary, home, arguments, args.rounds.max(1))?;
        let shown = arguments.join(" ").replace(&*shown, "FILE");
        println!(
            "attest {shown:<41} {:>5.1} ms",
            median.as_secs_f64() * 1000.0
        );
        let is_page = arguments.first() == Some(&"report");
        if median > if is_page { LONGEST_PAGE } else { LONGEST } {
            slow.push(shown);
        }
    }
    let bytes = fs::metadata(&page)?.len();
    println!("the page has {} kB", bytes / 1024);
    if bytes > LARGEST_PAGE {
        slow.push("the page is too large".to_owned());
    }
    if slow.is_empty() {
        return Ok(());
    }
    Err(format!("above the limit: {}", slow.join(", ")).into())
}

fn fill(home: &Path, args: &HistoryArgs) -> Result<(), Box<dyn Error>> {
    let state = home.join(".attest/state.db");
    fs::create_dir_all(home)?;
    let plan = Plan {
        seed: args.seed,
        ..Plan::new(&state, args.verdicts, Timestamp::now())
    };
    make(&state, &plan)?;
    Ok(())
}

fn median(binary: &Path, home: &Path, arguments: &[&str], rounds: usize) -> io::Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..rounds {
        let began = Instant::now();
        let output = Command::new(binary)
            .args(arguments)
            .current_dir(home)
            .env("HOME", home)
            .env_remove("ATTEST_STATE_DB")
            .output()?;
        times.push(began.elapsed());
        // A doctor in a home without hooks finds that there are none.
        let is_well = output.status.success() || arguments == ["doctor"];
        if !is_well || output.stdout.is_empty() {
            return Err(io::Error::other(format!("{arguments:?} failed")));
        }
    }
    times.sort();
    Ok(times[times.len() / 2])
}
