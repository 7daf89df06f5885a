//! How long the commands that show the history take with 100,000 verdicts, as a person runs them: the
//! whole program, from its start to its end.
//!
//! `cargo bench -p attest --bench commands` prints the median of each, and fails if one takes longer than
//! a person notices.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "it runs the program and prints what it measures"
)]

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use attest_made_history::{Plan, make};
use jiff::Timestamp;

const VERDICTS: u32 = 100_000;
const RUNS: usize = 9;
/// Longer than this and a person waits.
const NOTICED: Duration = Duration::from_millis(60);
/// The same for the page, which a browser has still to open.
const NOTICED_PAGE: Duration = Duration::from_secs(1);

const COMMANDS: [&[&str]; 22] = [
    &["log"],
    &["log", "--json", "-n", "1000"],
    &["log", "--outcome", "mismatch,blocked", "-n", "50"],
    &["log", "--agent-type", "nobody"],
    &["log", "--agent", "a0000"],
    &["agents"],
    &["show"],
    &["show", "a00"],
    &["explain"],
    &["explain", "ALLOW_AMBIGUOUS"],
    &["stats"],
    &["stats", "--since", "7d"],
    &["stats", "--by", "repository", "--sort", "rate"],
    &["stats", "--by", "host"],
    &["stats", "--by", "day"],
    &["stats", "--by", "week"],
    &["stats", "--by", "reason"],
    &["stats", "--by", "claim"],
    &["__complete", "words", "attest", "show", ":"],
    &["__complete", "words", "attest", "log", "--agent", ":a"],
    &["__complete", "words", "attest", "log", "--agent-type", ":"],
    &["report", "-"],
];

fn main() -> ExitCode {
    // `cargo test --benches` wants to know only whether it can be started.
    if std::env::args().any(|word| word == "--test") {
        return ExitCode::SUCCESS;
    }
    let home = tempfile::tempdir().unwrap();
    let state = home.path().join(".attest/state.db");
    make(&state, &Plan::new(&state, VERDICTS, Timestamp::now())).unwrap();
    let mut is_slow = false;
    for words in COMMANDS {
        let took = median(home.path(), words);
        let is_page = words.first() == Some(&"report");
        let noticed = if is_page { NOTICED_PAGE } else { NOTICED };
        is_slow |= took > noticed;
        let words = words.join(" ");
        println!("{:>8.1} ms  attest {words}", took.as_secs_f64() * 1000.0);
    }
    ExitCode::from(u8::from(is_slow))
}

fn median(home: &Path, words: &[&str]) -> Duration {
    let mut times: Vec<_> = (0..RUNS)
        .map(|_| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_attest"));
            command.args(words).env_clear().env("HOME", home);
            command.current_dir(home).stdout(Stdio::null());
            let began = Instant::now();
            let status = command.status().unwrap();
            // Several agents may begin so.
            assert!(status.success() || words.contains(&"a00"), "{words:?}");
            began.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[RUNS / 2]
}
