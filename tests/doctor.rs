//! `attest doctor` through the binary.

#![allow(clippy::unwrap_used, reason = "a test")]

mod common;

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use common::{BINARY, Printed, TestContext};

/// The report of doctor, one status by check.
fn statuses(printed: &Printed) -> Vec<(String, String)> {
    let report: Value = serde_json::from_str(&printed.stdout).unwrap();
    let text = |check: &Value, key: &str| check[key].as_str().unwrap().to_owned();
    let checks = report["checks"].as_array().unwrap();
    checks
        .iter()
        .map(|check| (text(check, "name"), text(check, "status")))
        .collect()
}

/// A program that answers like attest, with the given answer to every stop.
fn stand_in(context: &TestContext, on_stop: &str) -> PathBuf {
    let path = context.folder().join("attest");
    let version = env!("CARGO_PKG_VERSION");
    let script = format!(
        "#!/bin/sh\ninput=$(cat)\ncase \"$1 $2\" in\n'--version ') echo 'attest {version}' ;;\n\
         'hook stop') {on_stop} ;;\nesac\n"
    );
    fs::write(&path, script).unwrap();
    let mut command = context.command("chmod");
    assert!(command.arg("755").arg(&path).status().unwrap().success());
    path
}

#[test]
fn doctor_is_content_after_an_installation() {
    let context = TestContext::with_home("my home");
    context.attest(["install"]).assert_success();
    let printed = context.attest(["doctor"]).assert_success();
    assert_eq!(
        printed
            .stdout
            .lines()
            .filter(|line| line.starts_with("pass  "))
            .count(),
        5,
        "{printed:?}"
    );
    assert!(
        !printed.stdout.contains('\u{1b}'),
        "colour belongs on a terminal"
    );
}

#[test]
fn doctor_says_what_is_wrong() {
    let mut context = TestContext::new();
    context.attest(["install"]).assert_success();
    let path = context.home().join(".claude/settings.json");
    let broken = fs::read_to_string(&path)
        .unwrap()
        .replace(BINARY, "/gone/attest")
        .replace("\"async\": false", "\"async\": true");
    fs::write(&path, broken).unwrap();
    let state = context.folder().join("state.db");
    fs::create_dir(&state).unwrap();
    context.set("ATTEST_STATE_DB", &state);
    let printed = context.attest(["doctor", "--json"]).assert_failure();
    let failed: Vec<String> = statuses(&printed)
        .into_iter()
        .filter(|(_, status)| status == "fail")
        .map(|(name, _)| name)
        .collect();
    assert_eq!(
        failed[..4],
        ["hooks", "hooks", "binary", "state"],
        "{printed:?}"
    );
}

#[test]
fn doctor_without_git_says_so() {
    let mut context = TestContext::new();
    context.attest(["install"]).assert_success();
    context.set("PATH", "/nowhere");
    let printed = context.attest(["doctor", "--json"]).assert_failure();
    assert!(
        statuses(&printed).contains(&("git".to_owned(), "fail".to_owned())),
        "{printed:?}"
    );
    assert!(
        statuses(&printed).contains(&("round trip".to_owned(), "warn".to_owned())),
        "{printed:?}"
    );
}

#[test]
fn doctor_touches_neither_the_state_nor_the_repository_of_the_person() {
    let mut context = TestContext::new();
    let repository = context.repository("project", &[("a.py", "1\n")]);
    context.attest(["install"]).assert_success();
    context.set("GIT_DIR", repository.join(".git"));
    context.set("ATTEST_ENFORCE_AGENTS", "nobody");
    context.attest(["doctor"]).assert_success();
    context.unset("GIT_DIR");
    assert_eq!(
        context
            .git(&repository, &["log", "--oneline"])
            .stdout
            .lines()
            .count(),
        1
    );
    assert_eq!(
        context.git(&repository, &["status", "--porcelain"]).stdout,
        ""
    );
    assert!(!context.home().join(".attest/attest.log").exists());
}

#[test]
fn doctor_tries_the_program_that_the_hooks_name() {
    const BLOCK: &str = r#"echo '{"decision":"block","reason":"x"}'"#;
    let judging = format!(r#"case "$input" in *ghost.py*) {BLOCK} ;; esac"#);
    for (on_stop, expected) in [
        (
            judging.as_str(),
            "pass  round trip  an honest DONE was allowed",
        ),
        (BLOCK, "FAIL  round trip  an honest DONE was not allowed"),
        (":", "FAIL  round trip  a false DONE was not blocked"),
        (
            "exit 3",
            "FAIL  round trip  `attest hook stop` ended with exit status: 3",
        ),
    ] {
        let context = TestContext::new();
        let program = stand_in(&context, on_stop);
        context
            .attest(["install", "--binary", program.to_str().unwrap()])
            .assert_success();
        let printed = context.attest(["doctor"]);
        assert!(printed.stdout.contains(expected), "{printed:?}");
        assert_eq!(printed.code == Some(0), expected.starts_with("pass"));
    }
}

#[test]
fn doctor_notices_a_program_of_another_version() {
    let context = TestContext::new();
    let program = stand_in(&context, ":");
    let other = fs::read_to_string(&program)
        .unwrap()
        .replace(env!("CARGO_PKG_VERSION"), "9.9.9");
    fs::write(&program, other).unwrap();
    context
        .attest(["install", "--binary", program.to_str().unwrap()])
        .assert_success();
    let printed = context.attest(["doctor"]).assert_failure();
    assert!(printed.stdout.contains("found attest 9.9.9"), "{printed:?}");
}
