//! The commands that show the history, on histories of many verdicts, and such a history alone.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use attest_made_history::{Plan, make};
use jiff::Timestamp;
use tempfile::TempDir;

use crate::bench::{build, machine, page};

/// Milliseconds that a person waits without noticing.
const COMMAND: u64 = 60;
/// The same for the page, which a browser has still to open.
const PAGE: u64 = 1000;
/// The same for what is asked for at each key or each prompt, with no more than [`USUAL`] verdicts.
const COMPLETION: u64 = 20;
const STATUS_LINE: u64 = 15;
const USUAL: u32 = 10_000;
/// Bytes of a page that can be mailed.
const LARGEST_PAGE: u64 = 2 * 1024 * 1024;

/// What is run, each with its limit and that with no more verdicts than is usual.
const COMMANDS: [(&str, u64, u64); 30] = [
    ("log", COMMAND, COMMAND),
    ("log --json -n 1000", COMMAND, COMMAND),
    ("log --outcome mismatch,blocked -n 50", COMMAND, COMMAND),
    ("log --agent-type nobody", COMMAND, COMMAND),
    ("log --agent a0000", COMMAND, COMMAND),
    ("log --session e2 -n 50", COMMAND, COMMAND),
    ("agents", COMMAND, COMMAND),
    ("show", COMMAND, COMMAND),
    ("show a00", COMMAND, COMMAND),
    ("explain", COMMAND, COMMAND),
    ("explain ALLOW_AMBIGUOUS", COMMAND, COMMAND),
    ("stats", COMMAND, COMMAND),
    ("stats --since 7d", COMMAND, COMMAND),
    ("stats --by repository --sort rate", COMMAND, COMMAND),
    ("stats --by host", COMMAND, COMMAND),
    ("stats --by day", COMMAND, COMMAND),
    ("stats --by week", COMMAND, COMMAND),
    ("stats --by reason", COMMAND, COMMAND),
    ("stats --by claim", COMMAND, COMMAND),
    ("stats --session e2", COMMAND, COMMAND),
    ("stats --format markdown --since 7d", COMMAND, COMMAND),
    ("report -", PAGE, PAGE),
    ("statusline", COMMAND, STATUS_LINE),
    ("__complete words attest show :", COMMAND, COMPLETION),
    ("__complete words attest log --agent :", COMMAND, COMPLETION),
    (
        "__complete words attest log --agent :a",
        COMMAND,
        COMPLETION,
    ),
    (
        "__complete words attest log --agent-type :",
        COMMAND,
        COMPLETION,
    ),
    (
        "__complete words attest log --agent-type :t",
        COMMAND,
        COMPLETION,
    ),
    (
        "__complete words attest log --session :",
        COMMAND,
        COMPLETION,
    ),
    (
        "__complete words attest log --session :e",
        COMMAND,
        COMPLETION,
    ),
];

/// Measure the commands that show the history, or only make one
#[derive(Debug, clap::Args)]
pub(crate) struct HistoryArgs {
    /// How many verdicts there are, in each of the histories
    #[arg(long, value_delimiter = ',', default_values_t = [USUAL, 100_000])]
    verdicts: Vec<u32>,
    /// How often each command is run
    #[arg(long, default_value_t = 11)]
    rounds: usize,
    /// What the agents are diced by
    #[arg(long, default_value_t = 31)]
    seed: u64,
    /// Build the program as install.sh does where the C library has a static form
    #[arg(long)]
    as_installed: bool,
    /// Write the table to docs/PERFORMANCE.md
    #[arg(long)]
    write: bool,
    /// Only make `.attest/state.db` in this folder, as if it were somebody's home
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

pub(crate) fn run(args: &HistoryArgs) -> Result<(), Box<dyn Error>> {
    let first = args.verdicts.first().copied().unwrap_or(USUAL);
    if let Some(home) = &args.into {
        return fill(home, first, args.seed);
    }
    let binary = build(args.as_installed)?.attest;
    let mut homes = Vec::new();
    for verdicts in &args.verdicts {
        let home = TempDir::new()?;
        fill(home.path(), *verdicts, args.seed)?;
        homes.push((*verdicts, home));
    }
    let (mut text, mut slow) = (head(&args.verdicts), Vec::new());
    for (words, most, most_usual) in COMMANDS {
        let shown = words
            .replace("__complete words attest", "completion of")
            .replace(':', "");
        let _ = write!(text, "| `{}` |", shown.trim());
        for (verdicts, home) in &homes {
            let limit = if *verdicts > USUAL { most } else { most_usual };
            let took = median(&binary, home.path(), words, args.rounds.max(1))?;
            let is_slow = took > Duration::from_millis(limit);
            let mark = if is_slow { "**" } else { "" };
            let took = took.as_secs_f64() * 1000.0;
            let _ = write!(text, " {mark}{took:.1}{mark} | {limit} |");
            if is_slow {
                slow.push(format!("{shown} with {verdicts}"));
            }
        }
        text.push('\n');
    }
    for (verdicts, home) in &homes {
        let bytes = output(&binary, home.path(), "report -")?.len();
        let kilobytes = bytes / 1024;
        let _ = writeln!(
            text,
            "\nThe page of {verdicts} verdicts has {kilobytes} kB."
        );
        if bytes as u64 > LARGEST_PAGE {
            slow.push("the page is too large".to_owned());
        }
    }
    println!("{text}");
    if args.write {
        page::replace(page::HISTORY, &about(&text, args)?)?;
    }
    if slow.is_empty() {
        return Ok(());
    }
    Err(format!("above the limit: {}", slow.join(", ")).into())
}

fn head(verdicts: &[u32]) -> String {
    let columns = verdicts
        .iter()
        .map(|count| format!(" {count} verdicts, ms | limit |"));
    let rules = verdicts.iter().map(|_| "---:|---:|");
    format!(
        "| command |{}\n|---|{}\n",
        columns.collect::<String>(),
        rules.collect::<String>()
    )
}

/// The table with how it was measured.
fn about(table: &str, args: &HistoryArgs) -> io::Result<String> {
    let option = if args.as_installed {
        " --as-installed"
    } else {
        ""
    };
    let (rounds, machine) = (args.rounds, machine()?);
    Ok(format!(
        "`cargo xtask history{option} --write` measured this and wrote it: the median of {rounds} whole processes, after\n\
         one that fills the caches and folds what is counted, {machine}. The histories are of 30 days and five\n\
         repositories. What is above its limit is bold, and makes the command fail. Completions and the status line,\n\
         which are asked for at each key, have a limit of their own with 10,000 verdicts.\n\n{table}"
    ))
}

fn fill(home: &Path, verdicts: u32, seed: u64) -> Result<(), Box<dyn Error>> {
    let state = home.join(".attest/state.db");
    fs::create_dir_all(home)?;
    let plan = Plan {
        seed,
        ..Plan::new(&state, verdicts, Timestamp::now())
    };
    make(&state, &plan)?;
    Ok(())
}

fn median(binary: &Path, home: &Path, words: &str, rounds: usize) -> io::Result<Duration> {
    output(binary, home, words)?;
    let mut times = Vec::new();
    for _ in 0..rounds {
        let began = Instant::now();
        output(binary, home, words)?;
        times.push(began.elapsed());
    }
    times.sort();
    Ok(times[times.len() / 2])
}

fn output(binary: &Path, home: &Path, words: &str) -> io::Result<Vec<u8>> {
    let output = Command::new(binary)
        .args(words.split_whitespace())
        .current_dir(home)
        .env_clear()
        .env("HOME", home)
        .stdin(Stdio::null())
        .output()?;
    // Several agents may begin so.
    if output.status.success() || words == "show a00" {
        return Ok(output.stdout);
    }
    Err(io::Error::other(format!("attest {words} failed")))
}
