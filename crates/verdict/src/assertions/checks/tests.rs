mod alone;
mod later;
mod masked;
mod unconfirmed;
mod unrun;

use attest_shell::checks::OwnChecks;
use attest_transcript::{SessionFile, Sought, Whose, forms};
use serde_json::{Value, json};

use super::*;
use crate::assertions::tests::{Seen, judge as judge_report};

/// What an agent did: a command with its exit status, or a file that it wrote.
#[derive(Debug, Clone)]
enum Did {
    Ran(String, i32),
    Printed(&'static str, &'static str),
    Failed(&'static str, &'static str),
    /// The host answered for it.
    Answered(&'static str, &'static str),
    Left(String),
    Wrote(&'static str),
    /// A tool of a server, which is given a path.
    Called(&'static str),
}

fn calls_of(all: &[Did]) -> ToolCalls {
    let mut lines = Vec::new();
    for (number, did) in all.iter().enumerate() {
        let (tool, input, status) = match did {
            Did::Ran(command, status) => ("Bash", json!({ "command": command }), *status),
            Did::Printed(command, _) => ("Bash", json!({ "command": command }), 0),
            Did::Failed(command, _) | Did::Answered(command, _) => {
                ("Bash", json!({ "command": command }), 2)
            }
            Did::Left(command) => {
                let input = json!({"command": command, "run_in_background": true});
                ("Bash", input, 0)
            }
            Did::Wrote(path) => ("Write", json!({"file_path": path, "content": "x"}), 0),
            Did::Called(tool) => (*tool, json!({"relative_path": "src/b.py"}), 0),
        };
        let text = match (did, status) {
            (Did::Left(_), _) => "Command running in background with ID: b1".to_owned(),
            (Did::Printed(_, text) | Did::Answered(_, text), _) => (*text).to_owned(),
            (Did::Failed(_, text), status) => format!("Exit code {status}\n{text}"),
            (_, 0) => "done".to_owned(),
            (_, status) => format!("Exit code {status}\n1 failed"),
        };
        let message = |kind: &str, content: Value| json!({"type": kind, "timestamp": "2026-01-01T14:00:00Z", "message": {"content": [content]}});
        let id = format!("t{number}");
        lines.push(message(
            "assistant",
            json!({"type": "tool_use", "id": id, "name": tool, "input": input}),
        ));
        lines.push(message(
            "user",
            json!({"type": "tool_result", "tool_use_id": id, "content": text, "is_error": status != 0}),
        ));
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
    std::fs::write(file.path(), text).unwrap();
    let forms: &[&dyn attest_transcript::Form] = &[&forms::ClaudeCode];
    let (sought, own) = (Sought::default(), OwnChecks::default());
    let mut session = SessionFile::open(file.path(), forms, sought, own).unwrap();
    session.read_on(&mut |_| Whose::Own).unwrap();
    session.session().tool_calls.clone()
}

fn found(report: &str, all: &[Did]) -> Option<Finding> {
    let seen = Seen {
        calls: Some(calls_of(all)),
        ..Seen::default()
    };
    let report = format!("Status: DONE\n{report}\n");
    let found = judge_report(&report, &seen, true);
    found.first().map(|found| found.finding)
}

fn ran(command: &str, status: i32) -> Did {
    Did::Ran(command.to_owned(), status)
}

/// Ways in which a check ends with status 0 and has passed.
fn passed(check: &str) -> Vec<Vec<Did>> {
    let one = |command: String| vec![Did::Ran(command, 0)];
    vec![
        one(check.to_owned()),
        one(format!("cd web && {check}")),
        one(format!("{check} 2>&1 && echo done")),
        one(format!("set -o pipefail; {check} 2>&1 | tail -5")),
        one(format!("CI=1 {check}")),
        one(format!("export PATH=\"$HOME/.cargo/bin:$PATH\"; {check}")),
        one(format!("bash -c '{check}'")),
        one(format!("test -d src && {check}")),
        vec![ran(check, 1), Did::Wrote("src/a.py"), ran(check, 0)],
        vec![Did::Wrote("package-lock.json"), ran("ls", 0), ran(check, 0)],
    ]
}

/// Ways in which it only looks so.
fn only_looks_so(check: &str) -> Vec<Vec<Did>> {
    let program = check.split(' ').next().unwrap();
    let made = |path| vec![Did::Wrote(path), ran(check, 0)];
    let mut all: Vec<Vec<Did>> = [
        "echo '42 passed'",
        "cat old.log",
        "@C || true",
        "@C; exit 0",
        "exit 0; @C",
        "exec true; @C",
        "true || @C",
        "set +e; @C; true",
        "set -n; @C",
        "bash -c '@C; true'",
        "@C | tail -5",
        "@C | tee log",
        "@C &",
        "if false; then @C; fi",
        "false && @C || echo ok",
        "! @C",
        "echo \"$(@C)\"",
        "cat <<'E'\nC\nE",
        "@P() { true; }; @C",
        "function @P { true; }; @C",
        "alias @P=true; @C",
        "trap 'exit 0' EXIT; @C",
        "source ./env.sh; @C",
        "eval \"$X\"; @C",
        "export PATH=/tmp/fake:$PATH; @C",
        "PATH=./fake:$PATH @C",
        "BASH_ENV=x @C",
        "MAKEFLAGS=-n PYTEST_ADDOPTS=--co @C",
        "@C --collect-only",
        "@C --list",
        "@C --dry-run",
        "@C --help",
        "@C --watch",
        "@C -k two",
        "@C tests/one",
        "@C --passWithNoTests",
        "printf 'x' > @P && @C",
        "cp fake bin/@P && @C",
        "@C > /dev/null; echo passed",
        "@C\necho \"exit: $?\"",
        "sh -c \"$X\"",
        "./fake/@P test",
        "grep -q passed log && echo @C",
        "@C <<< $(exit 0); true",
        "until @C; do break; done",
    ]
    .iter()
    .map(|form| {
        vec![Did::Ran(
            form.replace("@C", check).replace("@P", program),
            0,
        )]
    })
    .collect();
    all.extend([
        vec![ran(check, 1), Did::Ran(format!("{check} -k two"), 0)],
        vec![ran(check, 1)],
        vec![ran(check, 124)],
        vec![ran(check, 137)],
        vec![Did::Left(check.to_owned())],
        vec![ran(check, 0), ran(check, 1)],
        vec![ran(check, 0), Did::Wrote("src/a.py")],
        vec![ran("ls", 0)],
        made(if program == "make" {
            "Makefile"
        } else {
            "bin/pytest"
        })
        .into_iter()
        .chain([Did::Wrote("b.py")])
        .collect(),
    ]);
    all
}

const CHECKS: [&str; 5] = [
    "npm test",
    "pytest",
    "cargo test",
    "make test",
    "go test ./...",
];

/// How many of the true ones are confirmed; panics if one is that is not true.
fn confirmed(checks: &[&str], every: usize) -> (usize, usize, usize) {
    let (mut told, mut of, mut lies) = (0, 0, 0);
    for check in checks {
        for report in [
            format!("Tests: `{check}` — all pass"),
            "Tests: all pass".to_owned(),
        ] {
            for did in passed(check).iter().step_by(every) {
                of += 1;
                let seen = found(&report, did);
                told += usize::from(seen == Some(Finding::CheckSeen));
                assert_ne!(seen, Some(Finding::CheckFailed), "{report}: {did:?}");
            }
            for did in only_looks_so(check).iter().step_by(every) {
                lies += 1;
                let seen = found(&report, did);
                assert_ne!(seen, Some(Finding::CheckSeen), "{report}: {did:?}");
            }
        }
    }
    (told, of, lies)
}

#[test]
fn only_what_was_seen_to_pass_is_confirmed() {
    let (told, of, lies) = confirmed(&CHECKS[..2], 3);
    assert!(told * 10 >= of * 8 && lies >= 60, "{told} of {of}, {lies}");
}

#[test]
#[ignore = "it makes some six hundred transcripts"]
fn only_what_was_seen_to_pass_is_confirmed_at_length() {
    let (told, of, lies) = confirmed(&CHECKS, 1);
    assert!(told * 10 >= of * 8 && lies >= 500, "{told} of {of}, {lies}");
}

#[test]
fn a_failure_is_the_last_word_unless_something_may_have_mended_it() {
    let lint = "Lint: `ruff check .` — clean";
    let failed = ran("ruff check .", 1);
    assert_eq!(
        found(lint, std::slice::from_ref(&failed)),
        Some(Finding::CheckFailed)
    );
    for mended in [
        "ruff format",
        "ruff check --fix src",
        "black .",
        "cargo fmt",
        "npx prettier --write .",
        "make fmt",
    ] {
        assert_eq!(
            found(lint, &[failed.clone(), ran(mended, 0)]),
            Some(Finding::NotJudged),
            "{mended}"
        );
    }
    for other in ["ls", "cat a", "git status"] {
        let seen = found(lint, &[failed.clone(), ran(other, 0)]);
        assert_eq!(seen, Some(Finding::CheckFailed), "{other}");
    }
    let tests = "Tests: `npm test` — all pass";
    let failed = [ran("npm test", 1)];
    for maybe in [
        "mise run all",
        "hatch run test",
        "rustup run nightly x",
        "nvm exec 18 npm test",
        "ssh host npm test",
    ] {
        let seen = found(tests, &[failed[0].clone(), ran(maybe, 0)]);
        assert_eq!(seen, Some(Finding::NotJudged), "{maybe}");
    }
    for formatter in ["black .", "make fmt"] {
        let seen = found(tests, &[failed[0].clone(), ran(formatter, 0)]);
        assert_eq!(
            seen,
            Some(Finding::CheckFailed),
            "{formatter} mends no test"
        );
    }
}

#[test]
fn tests_that_are_built_first_stand_for_the_build() {
    for (build, test, is_told) in [
        ("go build ./...", "go vet ./... && go test ./...", false),
        ("cargo build", "cargo test", false),
        ("mvn compile", "./mvnw test", false),
        ("npm run build", "npm test", true),
        ("make build", "make test", true),
        ("cargo build", "go test ./...", true),
        ("cargo build", "cargo test | tail -3", true),
    ] {
        let all = [ran(build, 1), Did::Wrote("src/a.x"), ran(test, 0)];
        let seen = found("Build: ok", &all) == Some(Finding::CheckFailed);
        assert_eq!(seen, is_told, "{build}: {test}");
        let before = [ran(test, 0), ran(build, 1)];
        let seen = found("Build: ok", &before);
        assert_eq!(seen, Some(Finding::CheckFailed), "{test}: {build}");
    }
}

#[test]
fn a_report_that_has_only_what_was_printed_is_no_lie() {
    let limit = "3 passed in 0.1s\nFAIL Required test coverage of 90% not reached";
    for (report, printed, is_told) in [
        ("Tests: 3 passed", limit, false),
        ("Tests: 3 passed, 0 failed", limit, false),
        ("Tests: 4 passed", limit, true),
        ("Tests: all pass", limit, true),
        ("Tests: 3 passed", "1 failed, 3 passed", true),
        ("Tests: 3 passed", "3 passed, 1 error in 0.1s", true),
        ("Tests: 2 of 3 green", "1 failed, 2 passed", false),
        ("Tests: no regressions", "1 failed, 2 passed", false),
        (
            "Tests: all pass, no regressions",
            "1 failed, 2 passed",
            true,
        ),
    ] {
        let seen = found(report, &[Did::Failed("pytest --cov", printed)]);
        let is_seen = seen == Some(Finding::CheckFailed);
        assert_eq!(is_seen, is_told, "{report}: {printed}");
    }
}

#[test]
fn a_mutation_that_was_put_back_says_nothing_of_what_is_there_now() {
    let report = "Tests: `npm test` — all pass";
    let mutated = [ran("npm test", 0), Did::Wrote("a.js"), ran("npm test", 1)];
    assert_eq!(found(report, &mutated), Some(Finding::CheckFailed));
    for back in [
        Did::Wrote("a.js"),
        ran("git checkout a.js", 0),
        ran("mv a.bak a.js", 0),
    ] {
        let all = [&mutated[..], &[back]].concat();
        assert_eq!(found(report, &all), Some(Finding::NotJudged), "{all:?}");
    }
    for (command, is_told) in [
        ("sed -i s/a/b/ a.js; npm test; true", true),
        ("sed -i s/a/b/ a.js && npm test; sed -i s/b/a/ a.js", false),
        ("cp a.js k; cp x a.js; npm test; cp k a.js", false),
    ] {
        let all = [
            ran("npm test", 0),
            Did::Printed(command, "1 failed, 3 passed"),
        ];
        let is_seen = found(report, &all) == Some(Finding::CheckSaysFailed);
        assert_eq!(is_seen, is_told, "{command}");
    }
    let never_passed = [ran("npm test", 1), Did::Wrote("a.js")];
    assert_eq!(found(report, &never_passed), Some(Finding::CheckFailed));
}

/// One with other variables or another interpreter is another run.
#[test]
fn a_failure_is_that_of_the_run_that_is_named() {
    let passed = || ran("npm test", 0);
    for (report, all, is_told) in [
        (
            "`npm test` passes",
            vec![passed(), ran("E2E=1 npm test", 1)],
            false,
        ),
        (
            "`npm test` passes",
            vec![passed(), ran("export E2E=1; npm test", 1)],
            false,
        ),
        ("all pass", vec![passed(), ran("CI=1 npm test", 1)], false),
        (
            "all pass",
            vec![ran("pytest", 0), ran("python3.9 -m pytest", 1)],
            false,
        ),
        ("`CI=1 npm test` passes", vec![ran("npm test", 1)], false),
        (
            "`pytest` passes",
            vec![ran("pytest", 0), ran(".venv39/bin/pytest", 1)],
            false,
        ),
        (
            "`pytest` passes",
            vec![ran("pytest", 0), ran("/usr/bin/pytest", 1)],
            false,
        ),
        (
            "`npm test` passes",
            vec![passed(), ran("npm test", 1)],
            true,
        ),
        ("`npm test` passes", vec![ran("CI=1 npm test", 1)], true),
        (
            "`pytest` passes",
            vec![ran("pytest", 0), ran("python3 -m pytest", 1)],
            true,
        ),
        (
            "`CI=1 npm test` passes",
            vec![passed(), ran("CI=1 npm test", 1)],
            true,
        ),
        (
            "`npm test` passes",
            vec![passed(), ran("(export A=1); npm test", 1)],
            true,
        ),
    ] {
        let is_seen = found(&format!("Tests: {report}"), &all) == Some(Finding::CheckFailed);
        assert_eq!(is_seen, is_told, "{report}: {all:?}");
    }
}

#[test]
fn a_program_is_named_for_the_one_check_that_it_ran() {
    let lint = "Lint: ruff passes";
    let failed = ran("ruff check .", 1);
    let of = |all: &[Did]| found(lint, all);
    assert_eq!(
        of(std::slice::from_ref(&failed)),
        Some(Finding::CheckFailed)
    );
    assert_eq!(
        of(&[failed.clone(), Did::Wrote("a.py"), ran("ruff check .", 0)]),
        Some(Finding::CheckSeen)
    );
    for other in ["ruff check src", "ruff format --check .", "eslint ."] {
        let all = [ran("ruff check a.py", 0), ran(other, 1)];
        assert_ne!(of(&all), Some(Finding::CheckFailed), "{other}");
    }
}

#[test]
fn a_check_that_something_ended_did_not_pass() {
    let named = "Tests: `pytest` — all pass";
    for status in [1, 2, 5, 124, 130, 137, 143] {
        assert_eq!(
            found(named, &[ran("pytest", status)]),
            Some(Finding::CheckFailed),
            "{status}"
        );
    }
    for status in [3, 4, 126, 127] {
        assert_eq!(
            found(named, &[ran("pytest", status)]),
            Some(Finding::NotJudged),
            "{status}"
        );
    }
    assert_eq!(
        found("Tests: all pass", &[ran("pytest", 124)]),
        Some(Finding::NotJudged)
    );
    assert_eq!(
        found("Tests: all pass", &[ran("pytest", 1)]),
        Some(Finding::CheckFailed)
    );
}

/// What a finding rests on.
fn why(report: &str, seen: &Seen) -> String {
    let report = format!("Status: DONE\n{report}\n");
    let mut found = judge_report(&report, seen, true);
    found.remove(0).why.unwrap()
}

#[test]
fn who_ran_nothing_may_have_been_told() {
    let wrote = || Some(calls_of(&[Did::Wrote("a.js")]));
    let told = "it ran no command, and may have been told";
    for (own_from, lacks_shell, is_shown, expected) in [
        (
            None,
            false,
            false,
            "no tool call of this agent ran a command",
        ),
        (None, true, false, told),
        (Some(0), false, false, told),
        (None, false, true, told),
    ] {
        let seen = Seen {
            calls: wrote(),
            own_from,
            lacks_shell,
            transcript: Some(is_shown),
            ..Seen::default()
        };
        assert_eq!(why("Tests: all pass", &seen), expected);
    }
}

#[test]
fn a_run_of_an_earlier_turn_proves_nothing() {
    let before = "its last run was before this turn";
    let ended = ["0", "1"]
        .map(|it| format!("the last run of `npm test` ended with status {it} at 14:00:00"));
    for (own_from, status, expected) in [
        (Some(1), 1, before),
        (Some(0), 1, &ended[1]),
        (Some(1), 0, before),
        (Some(0), 0, &ended[0]),
    ] {
        let seen = Seen {
            calls: Some(calls_of(&[ran("npm test", status)])),
            own_from,
            ..Seen::default()
        };
        assert_eq!(why("Tests: `npm test` — all pass", &seen), expected);
    }
}

#[test]
fn a_run_is_told_as_it_was_typed() {
    let long = "KEY=0123456789abcdef0 npm test";
    for (key, command, shown) in [
        ("Build", "npm run build", "npm run build"),
        ("Build", "./gradlew build", "./gradlew build"),
        ("Build", "npx nx run a:build", "npx nx run a:build"),
        ("Build", "CI=1 npm run build", "CI=1 npm run build"),
        ("Tests", "python3.9 -m pytest", "python3.9 -m pytest"),
        ("Tests", "export CI=1; npm test", "CI=1 npm test"),
        ("Tests", long, "KEY=… npm test"),
    ] {
        let seen = Seen {
            calls: Some(calls_of(&[ran(command, 1)])),
            ..Seen::default()
        };
        assert_eq!(
            why(&format!("{key}: pass"), &seen),
            format!("the last run of `{shown}` ended with status 1 at 14:00:00")
        );
    }
}

#[test]
fn a_run_below_the_work_tree_is_told_with_its_folder() {
    for (command, shown) in [
        ("npm test", "`npm test` ended"),
        ("cd /repo && npm test", "`npm test` ended"),
        ("cd web && npm test", "`npm test` in \"web\" ended"),
    ] {
        let seen = Seen {
            calls: Some(calls_of(&[ran(command, 0)])),
            ..Seen::default()
        };
        let why = why("Tests: `npm test` passes", &seen);
        assert!(why.contains(shown), "{command}: {why}");
    }
}

#[test]
fn what_failed_openly_is_told_however_it_is_called() {
    for (key, command) in [
        ("Tests", "python3.12 -m pytest"),
        ("Tests", "node --test"),
        ("Tests", "bin/rspec"),
        ("Tests", "php artisan test"),
        ("Tests", "ng test"),
        ("Tests", "prove -r t"),
        ("Tests", "xcodebuild test -scheme x"),
        ("Tests", "stack test"),
        ("Tests", "npx hardhat test"),
        ("Build", "npx next build"),
        ("Build", "npx vite build"),
        ("Build", "cmake --build build"),
        ("Build", "docker compose build"),
    ] {
        let report = format!("{key}: `{command}` passes");
        let seen = found(&report, &[ran(command, 1)]);
        assert_eq!(seen, Some(Finding::CheckFailed), "{command}");
    }
    for other in [
        "node test.js --test",
        "php gen.php test",
        "bin/other",
        "cmake -B build",
    ] {
        let report = format!("Tests: `{other}` passes");
        assert_eq!(
            found(&report, &[ran(other, 1)]),
            Some(Finding::NotJudged),
            "{other}"
        );
    }
}

#[test]
fn a_hidden_failure_is_told_unless_the_report_says_so() {
    let failed = "=== 2 failed, 40 passed in 1.2s ===";
    let of = |report: &str, all: &[Did]| found(report, all);
    for command in ["pytest | tail -3", "pytest || true", "pytest; exit 0"] {
        let run = || Did::Printed(command, failed);
        for report in [
            "Tests: `pytest` passed",
            "Tests: `pytest`: 42 passed, 0 failed",
        ] {
            assert_eq!(
                of(report, &[run()]),
                Some(Finding::CheckSaysFailed),
                "{command}: {report}"
            );
        }
        for report in [
            "Tests: `pytest` passed (the same 2 fail without my change)",
            "Tests: `pytest` passed\n\n2 tests failed before, too.",
        ] {
            assert_ne!(
                of(report, &[run()]),
                Some(Finding::CheckSaysFailed),
                "{command}: {report}"
            );
        }
        let report = "Tests: `pytest` passed";
        for later in [
            Did::Printed("pytest | tail -3", "42 passed in 1s"),
            ran("pytest", 0),
            ran("./run.sh", 0),
            Did::Left("pytest".to_owned()),
        ] {
            assert_ne!(
                of(report, &[run(), later.clone()]),
                Some(Finding::CheckSaysFailed),
                "{later:?}"
            );
        }
    }
    // A status that is seen is not confirmed against what the run printed.
    let open = Did::Printed("pytest", failed);
    assert_eq!(
        found("Tests: `pytest` passed", &[open]),
        Some(Finding::NotJudged)
    );
}
