//! What the hooks leave for the person, and the commands that show it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

mod common;

use std::fs;
use std::process::Stdio;

use common::TestContext;
use common::agent::{Agent, done};
use rusqlite::Connection;

const FILES: &[(&str, &str)] = &[("a.py", "1\n"), ("b.py", "1\n")];

fn state(context: &TestContext) -> Connection {
    Connection::open(context.home().join(".attest/state.db")).unwrap()
}

fn count(context: &TestContext, what: &str) -> u32 {
    let sql = format!("SELECT count(*) FROM {what}");
    state(context)
        .query_row(&sql, [], |row| row.get(0))
        .unwrap()
}

fn log(context: &TestContext) -> String {
    fs::read_to_string(context.home().join(".attest/attest.log")).unwrap_or_default()
}

#[test]
fn fifty_starts_and_stops_at_once_lose_no_record() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_SESSION_BLOCK_CEILING", "7");
    let repo = context.repository("repo", FILES);
    let agents: Vec<_> = (0..50)
        .map(|n| Agent::new(&format!("a{n}"), &repo))
        .collect();
    std::thread::scope(|scope| {
        for agent in &agents {
            scope.spawn(|| agent.start(&context));
        }
    });
    let stops: Vec<_> = agents
        .iter()
        .map(|agent| agent.spawn_stop(&context, &done("ghost.py"), Stdio::piped()))
        .collect();
    for stop in stops {
        assert!(stop.wait_with_output().unwrap().status.success());
    }
    assert_eq!(count(&context, "runs"), 50, "{}", log(&context));
    assert_eq!(count(&context, "verdicts"), 50, "{}", log(&context));
    assert_eq!(count(&context, "verdicts WHERE outcome = 'BLOCKED'"), 7);
    assert_eq!(
        count(&context, "verdicts WHERE reason = 'ALLOW_SESSION_CEILING'"),
        43
    );
    assert_eq!(count(&context, "runs WHERE stopped_at IS NULL"), 7);
}

#[test]
fn a_record_that_cannot_be_written_changes_no_decision() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let (liar, honest) = (Agent::new("liar", &repo), Agent::new("honest", &repo));
    liar.start(&context);
    honest.start(&context);
    state(&context)
        .execute_batch(
            "CREATE TRIGGER refuse BEFORE INSERT ON verdicts
             BEGIN SELECT raise(FAIL, 'the history is full'); END;",
        )
        .unwrap();
    liar.stop(&context, &done("ghost.py")).assert_blocked();
    honest.stop(&context, &done("a.py")).assert_allowed("WARN");
    assert_eq!(count(&context, "verdicts"), 0);
    assert_eq!(
        count(&context, "agents WHERE agent = 'liar' AND block_count = 1"),
        1
    );
    assert_eq!(
        count(&context, "agents WHERE agent = 'honest' AND open = 0"),
        1
    );
    let refused = log(&context);
    let lines = refused
        .lines()
        .filter(|line| line.contains("HISTORY_NOT_RECORDED") && line.contains("is full"));
    assert_eq!(lines.count(), 2, "{refused}");
}

#[test]
fn a_start_whose_record_fails_has_its_baseline_all_the_same() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    Agent::new("first", &repo).start(&context);
    state(&context)
        .execute_batch("DROP TABLE verdicts; DROP TABLE runs;")
        .unwrap();
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py")).assert_blocked();
}
