//! How long the commands that show the history take with 10,000 verdicts, as a person runs them: the
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

use attest_claim::Kind;
use attest_state::Store;
use attest_state::history::{Change, Detail, Judged, Listed};
use attest_verdict::Finding;
use rusqlite::{Connection, params};

const VERDICTS: u32 = 10_000;
const RUNS: usize = 9;
/// Longer than this and a person waits.
const NOTICED: Duration = Duration::from_millis(50);

const COMMANDS: [&[&str]; 11] = [
    &["log"],
    &["log", "--json"],
    &["log", "--outcome", "mismatch,blocked", "-n", "50"],
    &["log", "--agent-type", "nobody"],
    &["agents"],
    &["show"],
    &["show", "verifier-77"],
    &["explain"],
    &["explain", "ALLOW_AMBIGUOUS"],
    &["stats"],
    &["report", "-"],
];

fn main() -> ExitCode {
    // `cargo test --benches` wants to know only whether it can be started.
    if std::env::args().any(|word| word == "--test") {
        return ExitCode::SUCCESS;
    }
    let home = tempfile::tempdir().unwrap();
    fill(&home.path().join(".attest/state.db"));
    let mut is_slow = false;
    for words in COMMANDS {
        let took = median(home.path(), words);
        is_slow |= took > NOTICED;
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
            assert!(command.status().unwrap().success(), "{words:?}");
            began.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[RUNS / 2]
}

/// Verdicts of a month, a third of them false, each with what a usual one rests on.
fn fill(path: &Path) {
    drop(Store::open(path).unwrap());
    let mut state = Connection::open(path).unwrap();
    let transaction = state.transaction().unwrap();
    for number in 0..VERDICTS {
        let outcome = ["OK", "OK", "MISMATCH"][number as usize % 3];
        let minutes = number * 4;
        let at = format!(
            "2026-03-{:02}T{:02}:{:02}:00.000000Z",
            1 + minutes / 1440,
            minutes / 60 % 24,
            minutes % 60
        );
        let (session, agent) = (
            format!("session-{}", number / 50),
            format!("verifier-{number}"),
        );
        let kind = ["general-purpose", "Explore", "reviewer"][number as usize % 3];
        let detail = serde_json::to_string(&detail(outcome == "MISMATCH")).unwrap();
        let verdict =
            "INSERT INTO verdicts (at, session, agent_id, agent_type, repository, outcome,
                           reason, is_claim, blocks_before, summary, detail)
                       VALUES (?1, ?2, ?3, ?4, x'2f61', ?5, 'ALLOW_NOT_ENFORCING', 1, 0,
                               'src/parser.py, tests/test_parser.py', ?6)";
        let row = params![at, session, agent, kind, outcome, detail];
        transaction.execute(verdict, row).unwrap();
        let run = "INSERT INTO runs (session, agent_id, agent_type, harness, cwd, repository,
                       started_at, stopped_at, outcome)
                   VALUES (?1, ?2, ?3, 'claude-code', x'2f61', x'2f61', ?4, ?4, ?5)";
        let row = params![session, agent, kind, at, outcome];
        transaction.execute(run, row).unwrap();
    }
    transaction.commit().unwrap();
}

fn detail(is_false: bool) -> Detail {
    let paths: Vec<_> = (0..8)
        .map(|n| format!("services/payments/module_{n}.py"))
        .collect();
    let claim = format!("Status: DONE\nFiles changed: {}", paths.join(", "));
    Detail {
        claim: Some(attest_claim::parse(&claim)),
        findings: paths
            .iter()
            .map(|path| Judged {
                kind: Kind::Files,
                claimed: path.clone(),
                finding: if is_false {
                    Finding::Absent
                } else {
                    Finding::Changed
                },
                why: None,
                doubt: None,
                testimony: None,
                is_proof: is_false,
            })
            .collect(),
        delta: Listed::of(paths.iter(), |path| Change {
            path: path.clone(),
            is_deleted: false,
        }),
        ..Detail::default()
    }
}
