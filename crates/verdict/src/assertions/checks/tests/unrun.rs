//! Checks that nothing ran, as far as all that ran is known.

use super::*;

/// What is found of the tests of an agent that did this, with what it was shown and told.
fn found_of(all: &[Did], change: impl FnOnce(&mut Seen), is_alone: bool) -> Finding {
    let mut seen = Seen {
        calls: Some(calls_of(all)),
        transcript: Some(false),
        ..Seen::default()
    };
    change(&mut seen);
    judge_report("Status: DONE\nTests: 12 passed\n", &seen, is_alone)[0].finding
}

#[test]
fn an_agent_that_only_looked_and_committed_ran_no_check() {
    let looked = [
        ran("git status --short", 0),
        Did::Wrote("a.py"),
        ran("cd src && grep -rn x . | head -5; cat a.py", 0),
        ran("black . && ruff check .", 0),
        ran("python --version", 0),
        ran("git add -A && git commit -qm one", 0),
    ];
    assert_eq!(found_of(&looked, |_| (), true), Finding::CheckNotRun);
    for other in [
        ran("mise run test", 0),
        ran("make", 0),
        ran("./run.sh", 0),
        ran("npm install", 0),
        ran("npm run lint", 0),
        Did::Called("mcp__ci__run"),
        Did::Called("Task"),
        Did::Left("tail -f log".to_owned()),
    ] {
        let all = [Did::Wrote("a.py"), other.clone()];
        assert_ne!(
            found_of(&all, |_| (), true),
            Finding::CheckNotRun,
            "{other:?}"
        );
        let all = [&looked[..], std::slice::from_ref(&other)].concat();
        assert_eq!(
            found_of(&all, |_| (), true),
            Finding::NotJudged,
            "{other:?}"
        );
    }
}

#[test]
fn who_only_looked_may_know_of_a_run_of_others() {
    let looked = [ran("git status", 0)];
    let of = |change: fn(&mut Seen)| found_of(&looked, change, true);
    assert_eq!(of(|_| ()), Finding::CheckNotRun);
    assert_eq!(found_of(&looked, |_| (), false), Finding::NotJudged);
    assert_eq!(of(|seen| seen.transcript = Some(true)), Finding::NotJudged);
    assert_eq!(of(|seen| seen.own_from = Some(0)), Finding::NotJudged);
    assert_eq!(of(|seen| seen.lacks_shell = true), Finding::NotJudged);
    assert_eq!(of(|seen| seen.is_told_of_a_run = true), Finding::NotJudged);
}

#[test]
fn who_says_that_others_ran_it_need_not_have_run_it() {
    let seen = Seen {
        calls: Some(calls_of(&[ran("git status", 0)])),
        transcript: Some(false),
        ..Seen::default()
    };
    for (said, expected) in [
        ("The tests were run by the lead.", Finding::NotJudged),
        ("According to your message they pass.", Finding::NotJudged),
        ("The tests were run by hand.", Finding::CheckNotRun),
        ("The loop is shorter by merging both.", Finding::CheckNotRun),
    ] {
        let report = format!("{said}\n\nStatus: DONE\nTests: 12 passed\n");
        let found = judge_report(&report, &seen, true)[0].finding;
        assert_eq!(found, expected, "{said}");
    }
}

#[test]
fn what_is_no_known_check_may_be_among_the_commands_that_looked() {
    let seen = Seen {
        calls: Some(calls_of(&[ran("grep -c x a.md", 0)])),
        transcript: Some(false),
        ..Seen::default()
    };
    for (check, expected) in [
        ("Checks: `grep -c x a.md` passes", Finding::NotJudged),
        ("Lint: `ruff check .` clean", Finding::CheckNotRun),
        ("Build: ok", Finding::CheckNotRun),
    ] {
        let report = format!("Status: DONE\n{check}\n");
        assert_eq!(
            judge_report(&report, &seen, true)[0].finding,
            expected,
            "{check}"
        );
    }
}

const NOT_FOUND: &str = "/bin/bash: line 1: pytest: command not found";
const NO_MODULE: &str = "/usr/bin/python: No module named pytest";

#[test]
fn a_check_that_could_not_begin_did_not_pass() {
    let report = "Tests: `pytest` (5 passed)";
    let failed = Finding::CheckFailed;
    for (did, expected, ended) in [
        (
            Did::Failed("pytest -q", NOT_FOUND),
            failed,
            "the last try to run `pytest -q` ended with status 2",
        ),
        (
            Did::Answered(
                "pytest -q",
                "Command timed out after 2m 0.0s\ncollected 50 items",
            ),
            failed,
            "the last run of `pytest -q` ran out of time",
        ),
        (
            Did::Printed("python -m pytest -q 2>&1 | tail -3", NO_MODULE),
            Finding::CheckSaysFailed,
            "the last try to run `python -m pytest -q` printed that it could not run",
        ),
    ] {
        assert_eq!(
            found(report, std::slice::from_ref(&did)),
            Some(expected),
            "{did:?}"
        );
        let seen = Seen {
            calls: Some(calls_of(std::slice::from_ref(&did))),
            ..Seen::default()
        };
        assert_eq!(why(report, &seen), format!("{ended} at 14:00:00"));
        let told = format!("{report}\n\nAt first it could not be run.");
        assert_eq!(found(&told, &[did]), Some(Finding::NotJudged));
    }
    // It has run, and what could not begin is of what it tried.
    let ran = Did::Failed("pytest -q", "sh: foo: command not found\n5 passed");
    assert_eq!(found(report, &[ran]), Some(Finding::NotJudged));
    let none = Did::Printed("pytest -q 2>&1 | tail -1", "no tests ran in 0.01s");
    let seen = Seen {
        calls: Some(calls_of(&[none])),
        ..Seen::default()
    };
    assert_eq!(
        why(report, &seen),
        "its last run says that there was nothing to check"
    );
}

#[test]
fn what_could_not_begin_may_have_run_in_another_way() {
    let not_begun = || Did::Failed("pytest -q", NOT_FOUND);
    for report in ["Tests: `pytest` (5 passed)", "Tests: 5 passed"] {
        let alone = found(report, &[ran("ls", 0), not_begun()]);
        assert_eq!(alone, Some(Finding::CheckFailed), "{report}");
        for other in [
            Did::Printed("python -m pytest -q", "5 passed in 0.1s"),
            Did::Printed("uv run pytest -q | tail -1", "5 passed in 0.1s"),
            ran(".venv/bin/pytest", 0),
            ran("make test", 0),
            ran("docker run x pytest", 0),
            ran("./run.sh", 0),
        ] {
            for all in [[not_begun(), other.clone()], [other.clone(), not_begun()]] {
                let seen = found(report, &all);
                assert_ne!(seen, Some(Finding::CheckFailed), "{report}: {all:?}");
            }
        }
    }
}

#[test]
fn a_call_that_was_not_allowed_is_no_run() {
    for answer in [
        "The user doesn't want to proceed with this tool use. The tool use was rejected",
        "Permission to use Bash with command pytest -q has been denied.",
    ] {
        let rejected = Did::Answered("pytest -q", answer);
        let alone = [ran("git status", 0), rejected.clone()];
        assert_eq!(found_of(&alone, |_| (), true), Finding::CheckNotRun);
        let other = [ran("./run.sh", 0), rejected];
        assert_eq!(found_of(&other, |_| (), true), Finding::NotJudged);
    }
    let unknown = Did::Answered("pytest -q", "Something went wrong");
    assert_eq!(found_of(&[unknown], |_| (), true), Finding::NotJudged);
}
