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
        ran("git add -A && git commit -qm one", 0),
    ];
    assert_eq!(found_of(&looked, |_| (), true), Finding::CheckNotRun);
    for other in [
        ran("mise run test", 0),
        ran("make", 0),
        ran("./run.sh", 0),
        ran("npm install", 0),
        ran("ruff check .", 0),
        ran("black .", 0),
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
