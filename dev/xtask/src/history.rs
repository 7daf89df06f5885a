//! The commands that show the history, on a history of many verdicts.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::json;
use tempfile::TempDir;

use crate::bench::{build, git};

/// What a person waits without noticing.
const LONGEST: Duration = Duration::from_millis(300);

/// Measure the commands that show the history
#[derive(Debug, clap::Args)]
pub(crate) struct HistoryArgs {
    /// How many verdicts there are
    #[arg(long, default_value_t = 10_000)]
    verdicts: u32,
    /// How often each command is run
    #[arg(long, default_value_t = 11)]
    rounds: usize,
}

pub(crate) fn run(args: &HistoryArgs) -> io::Result<()> {
    let binary = build(false)?.attest;
    let folder = TempDir::new()?;
    let home = folder.path().join("home");
    fs::create_dir(&home)?;
    record_two(&binary, folder.path(), &home)?;
    multiply(&home.join(".attest/state.db"), args.verdicts).map_err(io::Error::other)?;
    let page = folder.path().join("report.html");
    let page = page.to_string_lossy();
    let commands: &[&[&str]] = &[
        &["log"],
        &["log", "--json"],
        &["log", "--outcome", "mismatch", "--since", "30d"],
        &["stats"],
        &["agents"],
        &["show"],
        &["report", "--html", &page],
    ];
    let mut slowest = Duration::ZERO;
    println!(
        "{:<48} {:>8}",
        format!("{} verdicts", args.verdicts),
        "median"
    );
    for arguments in commands {
        let median = median(&binary, &home, arguments, args.rounds.max(1))?;
        let shown = arguments.join(" ").replace(&*page, "FILE");
        println!(
            "attest {shown:<41} {:>5.1} ms",
            median.as_secs_f64() * 1000.0
        );
        slowest = slowest.max(median);
    }
    if slowest > LONGEST {
        return Err(io::Error::other(format!(
            "{slowest:?} is above {LONGEST:?}"
        )));
    }
    Ok(())
}

/// Lets the hooks record an honest agent and one that is not.
fn record_two(binary: &Path, folder: &Path, home: &Path) -> io::Result<()> {
    let repository = folder.join("repository");
    fs::create_dir(&repository)?;
    fs::write(repository.join("a.py"), "one\n")?;
    git(&repository, &["init", "--quiet"])?;
    for (agent, claim) in [("honest", "a.py"), ("liar", "a.py, ghost.py")] {
        for event in ["start", "stop"] {
            let message = format!("Status: DONE\nFiles changed: {claim}");
            let payload = json!({"session_id": "s", "agent_id": agent, "cwd": repository,
                "agent_type": agent, "last_assistant_message": message});
            hook(binary, home, event, &payload.to_string())?;
            fs::write(repository.join("a.py"), agent)?;
        }
    }
    Ok(())
}

fn hook(binary: &Path, home: &Path, event: &str, payload: &str) -> io::Result<()> {
    let mut child = Command::new(binary)
        .args(["hook", event])
        .env("HOME", home)
        .env_remove("ATTEST_STATE_DB")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(payload.as_bytes())?;
    }
    child.wait()?;
    Ok(())
}

/// Copies what was recorded, a minute apart and 20 to a session.
fn multiply(state: &PathBuf, verdicts: u32) -> Result<(), rusqlite::Error> {
    let state = Connection::open(state)?;
    let copies = verdicts / 2;
    let numbers = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {copies})"
    );
    let time = "strftime('%Y-%m-%dT%H:%M:%f000Z', 'now', '-' || i || ' minutes')";
    state.execute_batch(&format!(
        "BEGIN;
         {numbers} INSERT INTO verdicts (at, session, agent_id, agent_type, repository, outcome,
                                         reason, is_claim, blocks_before, summary, detail)
         SELECT {time}, 's' || (i / 20), agent_id || i, agent_type, repository, outcome,
                reason, is_claim, blocks_before, summary, detail
         FROM n, (SELECT * FROM verdicts);
         {numbers} INSERT INTO runs (session, agent_id, agent_type, harness, transcript, cwd,
                                     repository, started_at, stopped_at, outcome)
         SELECT 's' || (i / 20), agent_id || i, agent_type, harness, transcript, cwd,
                repository, {time}, {time}, outcome
         FROM n, (SELECT * FROM runs);
         COMMIT;"
    ))
}

fn median(binary: &Path, home: &Path, arguments: &[&str], rounds: usize) -> io::Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..rounds {
        let began = Instant::now();
        let output = Command::new(binary)
            .args(arguments)
            .env("HOME", home)
            .env_remove("ATTEST_STATE_DB")
            .output()?;
        times.push(began.elapsed());
        if !output.status.success() || output.stdout.is_empty() {
            return Err(io::Error::other(format!("{arguments:?} failed")));
        }
    }
    times.sort();
    Ok(times[times.len() / 2])
}
