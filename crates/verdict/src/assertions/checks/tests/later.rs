//! Runs that passed, and what came of them: calls that failed behind them, and files that others changed.

use attest_evidence::RepoPath;

use super::{Did, Seen, calls_of, found, judge_report, ran};
use crate::Finding;

/// When all calls end.
const ENDED_NS: i128 = 1_767_276_000_000_000_000;
const SECOND_NS: i128 = 1_000_000_000;

#[test]
fn a_call_that_failed_behind_a_run_may_have_run_it_too() {
    let tests = "Tests: all pass";
    let behind = |command: &str, status| found(tests, &[ran("pytest", 0), ran(command, status)]);
    for command in [
        "git commit -qm x",
        "git push",
        "make all",
        "npm run ci",
        "npm run build",
        "docker build .",
        "gh pr checks",
        "./check.sh",
    ] {
        assert_eq!(behind(command, 1), Some(Finding::NotJudged), "{command}");
    }
    for (command, status) in [
        ("git commit -qm x", 0),
        ("git push", 0),
        ("gh pr checks", 0),
        ("grep -rn x src", 1),
        ("cat nothing.py", 1),
        ("git diff --exit-code", 1),
        ("ruff check", 1),
    ] {
        assert_eq!(
            behind(command, status),
            Some(Finding::CheckSeen),
            "{command}"
        );
    }
    let before = [ran("git commit -qm x", 1), ran("pytest", 0)];
    assert_eq!(found(tests, &before), Some(Finding::CheckSeen));
}

/// What is found where a file differs from the start: what it held then and holds now, and when it was changed, in
/// seconds behind the calls.
fn found_with(
    did: &[Did],
    (path, second): (&str, Option<i128>),
    (before, now): (Option<&str>, Option<&str>),
) -> Finding {
    let path = RepoPath::from_git(path.as_bytes()).unwrap();
    let bytes = |text: &str| text.as_bytes().to_vec();
    let held = now.map(|now| (path.clone(), (before.map(bytes), bytes(now))));
    let seen = Seen {
        calls: Some(calls_of(did)),
        files: held.into_iter().collect(),
        changed: vec![(path, second.map(|second| ENDED_NS + second * SECOND_NS))],
        ..Seen::default()
    };
    let found = judge_report("Status: DONE\nTests: all pass\n", &seen, true);
    found[0].finding
}

#[test]
fn a_file_that_anybody_changed_later_is_another_one() {
    let at = |path, second| found_with(&[ran("pytest", 0)], (path, second), (None, Some("x")));
    for (path, second, is_seen) in [
        ("src/a.py", Some(-5), true),
        ("src/a.py", Some(0), true),
        ("docs/guide.md", Some(5), true),
        ("requirements.txt", Some(5), false),
        ("tests/fixtures/a.md", Some(5), false),
        ("src/a.py", Some(5), false),
        ("src/a.py", None, false),
        ("Makefile.am", Some(5), false),
    ] {
        let found = at(path, second);
        assert_eq!(found == Finding::CheckSeen, is_seen, "{path} {second:?}");
    }
}

#[test]
fn what_says_what_runs_is_that_of_the_start() {
    let run = |command: &str, path| {
        let did = [ran("python -c 'open(x).write(y)'", 0), ran(command, 0)];
        found_with(&did, (path, Some(-5)), (Some("x"), Some("y")))
    };
    for (command, path, is_seen) in [
        ("pytest", "pytest.ini", false),
        ("pytest", "conftest.py", false),
        ("make test", "Makefile", false),
        ("npm test", "package.json", false),
        ("pytest", "src/a.py", true),
        ("pytest", ".gitignore", true),
        ("pytest", ".coverage", true),
    ] {
        let found = run(command, path);
        assert_eq!(found == Finding::CheckSeen, is_seen, "{command}: {path}");
    }
}

#[test]
fn tests_of_the_start_are_still_there() {
    let tests = "def test_a():\n    assert a()\n";
    let more = "import b\n\ndef test_a():\n    assert a()\n\ndef test_b():\n    assert b()\n";
    for (path, before, now, is_seen) in [
        ("tests/test_a.py", Some(tests), Some(more), true),
        ("tests/test_a.py", None, Some(tests), true),
        ("tests/test_a.py", Some(tests), None, false),
        ("tests/test_a.py", Some(tests), Some(""), false),
        ("tests/test_a.py", Some(more), Some(tests), false),
        ("src/ATest.java", Some(more), Some(tests), false),
        ("src/a.spec.ts", Some(more), Some(tests), false),
        ("src/a.py", Some(more), Some(tests), true),
        ("src/latest.py", Some(more), Some(tests), true),
    ] {
        let found = found_with(&[ran("pytest", 0)], (path, Some(-5)), (before, now));
        assert_eq!(found == Finding::CheckSeen, is_seen, "{path}: {now:?}");
    }
}

#[test]
fn a_command_is_named_with_its_folder_its_variables_and_its_interpreter() {
    for (named, command, is_seen) in [
        ("cd lib && pytest", "cd lib && pytest", true),
        ("cd lib && pytest", "pytest", false),
        ("(cd lib; pytest)", "cd other && pytest", false),
        ("cd /repo && pytest", "pytest", true),
        ("NODE_ENV=test npm test", "NODE_ENV=test npm test", true),
        ("NODE_ENV=test npm test", "npm test", false),
        ("npm test", "NODE_ENV=test npm test", true),
        ("GOOS=windows go test ./...", "go test ./...", false),
        ("python3 -m pytest", "pytest", true),
        ("python -m pytest", "python3.12 -m pytest", true),
        ("python3.9 -m pytest", "python3 -m pytest", false),
        ("python3.9 -m pytest", "python3.9 -m pytest", true),
        ("uv run -p 3.9 pytest", "uv run -p 3.9 pytest", true),
        ("uv run -p 3.9 pytest", "uv run pytest", false),
        ("timeout 10 pytest", "pytest", false),
        ("pytest", "timeout 10 pytest", true),
    ] {
        let report = format!("Tests: `{named}` passes");
        let seen = found(&report, &[ran(command, 0)]) == Some(Finding::CheckSeen);
        assert_eq!(seen, is_seen, "{named}: {command}");
    }
    let both = [ran("cd a && npm test", 0), ran("cd b && npm test", 0)];
    let report = "Tests: `cd a && npm test` passes";
    assert_eq!(found(report, &both), Some(Finding::CheckSeen));
    let one = [ran("cd a && npm test", 1), ran("cd b && npm test", 0)];
    assert_eq!(found(report, &one), Some(Finding::NotJudged));
}

#[test]
fn a_linter_that_mends_says_itself_what_is_left() {
    let report = "Lint: clean";
    let mends = || ran("ruff check --fix .", 1);
    assert_eq!(found(report, &[mends()]), Some(Finding::CheckFailed));
    for later in ["ruff check --fix .", "ruff check .", "black ."] {
        let seen = found(report, &[mends(), ran(later, 0)]);
        assert_ne!(seen, Some(Finding::CheckFailed), "{later}");
    }
}
