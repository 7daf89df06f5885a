//! The checks that an agent's commands ran: tests, builds, lints and types, and how each ended as far as its host
//! shows that.

mod not_begun;

use attest_json::{self as json, Object};
use attest_shell::checks::{Command, SeenCheck, Shell, anything};
use attest_shell::programs::Of;
use attest_shell::{Run, RunEnding};

use crate::input::{FOLDERS, given};
use crate::printed::Printed;
use crate::ran::Ran;
use crate::record::goes_on;
use crate::server::{self, Says};
use crate::summary;
use not_begun::{is_not_begun, prints_that_it_has_not_begun};

/// What the names of tools have that only look, and may be shown how a check went that ran elsewhere.
const SHOW_RESULTS: [&str; 4] = ["Output", "Web", "Mcp", "web_"];
/// What a host answers whose command goes on.
const GOES_ON: [&str; 3] = [
    "running in background with ID",
    "moved to the background",
    "running with session ID",
];
/// The exit statuses with which a check says that something failed, or that it was ended before it could pass: by a
/// time limit, an interrupt, the system, or whoever asked it to. Between them are those of a program that is not there.
const FAILURES: [std::ops::RangeInclusive<i32>; 4] = [1..=124, 130..=130, 137..=137, 143..=143];
/// What a linter prints that complains of nothing that it calls an error.
const NO_ERRORS: [&str; 2] = ["(0 errors,", " 0 errors,"];

/// What a call of `tool` with `input`, which is JSON, runs; `None` if it can run nothing.
pub(crate) fn of_call(
    shell: &mut Shell,
    tool: &str,
    input: Option<&str>,
    only_reads: bool,
) -> Option<Command> {
    let mut command = if only_reads {
        let shows = SHOW_RESULTS.iter().any(|part| tool.contains(part));
        shows.then(anything)?
    } else if server::says(tool).is_some() || tool.contains("PowerShell") {
        anything()
    } else {
        let command = given(input.unwrap_or_default(), |input| {
            of_input(shell, tool, input)
        });
        command.unwrap_or_else(anything)
    };
    let writes_nothing = only_reads || server::says(tool) == Some(Says::NoFiles);
    command.changes.code &= !writes_nothing;
    Some(command)
}

fn of_input(shell: &mut Shell, tool: &str, input: &Object<'_>) -> Command {
    let folder = FOLDERS.iter().find_map(|field| input.text(field));
    let command = ["command", "cmd"].iter().find_map(|it| input.raw(it));
    let found = command.map(|command| of_command(shell, command, folder.as_deref()));
    let mut found = found.unwrap_or_else(anything);
    found.is_left_running |= goes_on(tool, input);
    found
}

/// A command that is given as one text, or word by word.
fn of_command(shell: &mut Shell, command: &str, folder: Option<&str>) -> Command {
    if let Some(text) = json::text(command) {
        return shell.read(&text, folder);
    }
    let words = json::array(command).unwrap_or_default().into_iter();
    match words.map(json::text).collect::<Option<Vec<_>>>() {
        Some(words) if !words.is_empty() => shell.read_words(&words, folder),
        _ => anything(),
    }
}

/// What it ran, once its host has answered with an exit status and what was printed, as far as it tells of
/// them.
pub(crate) fn answered(command: &Command, exit: Option<i32>, printed: Option<&Printed>) -> Ran {
    let first = printed.map_or("", |it| it.first.as_str());
    let has = |list: &[&str]| list.iter().any(|part| first.contains(part));
    let is_left_running = command.is_left_running || exit.is_none() || has(&GOES_ON);
    let of = command.alone().filter(|_| !is_left_running);
    let failed = of
        .zip(printed)
        .and_then(|(run, it)| failed(run, it.ending()));
    let whole = printed.and_then(Printed::whole).unwrap_or_default();
    let ended = |seen: &SeenCheck| match exit {
        Some(0) if seen.sight.of_success && !is_left_running && failed.is_none() => {
            if is_of_none(&seen.run, whole) {
                RunEnding::Empty
            } else {
                RunEnding::Passed
            }
        }
        Some(status) if seen.sight.of_failure && status != 0 => {
            let is_lint = seen.run.of == Of::Lint;
            if failed.is_none() && is_not_begun(&seen.run, status, first) {
                RunEnding::NotBegun(status)
            } else if is_failure(&seen.run, status) && !(is_lint && has(&NO_ERRORS)) {
                RunEnding::Failed(status)
            } else {
                RunEnding::Unknown
            }
        }
        // Its own word, where the status of something else hides its own.
        Some(_) if !seen.sight.of_success => match failed {
            Some(count) => RunEnding::Says(count),
            None if of.is_none() => RunEnding::Unknown,
            None if prints_that_it_has_not_begun(&seen.run, whole) => RunEnding::NotBegun(0),
            None if is_of_none(&seen.run, whole) => RunEnding::Empty,
            None => RunEnding::Unknown,
        },
        _ => RunEnding::Unknown,
    };
    let runs = command.seen.iter().map(|seen| Run {
        ending: ended(seen),
        ..seen.run.clone()
    });
    Ran {
        runs: runs.collect(),
        more: command.more,
        is_left_running,
        has_failed: exit.is_some_and(|status| status != 0),
        changes: command.changes.clone(),
    }
}

/// How many failed by what the run says of itself in the end; zero if it does not say how many.
fn failed(run: &Run, ending: &str) -> Option<u32> {
    match run.of {
        Of::Tests => summary::failed(ending),
        Of::Anything => None,
        Of::Build | Of::Lint | Of::Types => summary::ends_in_errors(ending).then_some(0),
    }
}

/// Whether a run says that there was nothing to check.
fn is_of_none(run: &Run, whole: &str) -> bool {
    match run.of {
        Of::Tests | Of::Anything => summary::is_of_none(whole),
        _ => summary::says_nothing(whole),
    }
}

/// Whether a check says with this status that something failed, rather than that it could not begin.
fn is_failure(run: &Run, status: i32) -> bool {
    match run.family.as_str() {
        // Three and four are its own faults.
        "pytest" if matches!(status, 3 | 4) => false,
        _ => FAILURES.iter().any(|range| range.contains(&status)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(command: &str, status: i32, printed: &str) -> RunEnding {
        let command = Shell::default().read(command, None);
        let ran = answered(&command, Some(status), Printed::of(printed).as_ref());
        ran.runs[0].ending
    }

    #[test]
    fn what_a_check_found_missing_failed() {
        for (command, status, printed) in [
            (
                "cargo test",
                101,
                "error[E0425]: cannot find function `f` in this scope",
            ),
            (
                "cargo test",
                101,
                "error: cannot find macro `v` in this scope",
            ),
            ("swift test", 1, "error: cannot find 'foo' in scope"),
            (
                "mvn -q test",
                1,
                "[ERROR] /w/A.java:[3,5] cannot find symbol",
            ),
            (
                "npx tsc --noEmit",
                2,
                "src/a.ts(1,5): error TS2304: Cannot find name 'Foo'.",
            ),
            (
                "npx jest",
                1,
                "FAIL src/a.test.js\n    Cannot find module './x' from 'src/a.test.js'",
            ),
            (
                "go test ./...",
                1,
                "--- FAIL: TestA (0.00s)\n    a_test.go:5: record not found\nFAIL",
            ),
            (
                "pytest -q",
                1,
                "E   ModuleNotFoundError: No module named 'shop'\n1 error in 0.1s",
            ),
            (
                "pytest -q",
                1,
                "E   FileNotFoundError: [Errno 2] No such file or directory: 'x'",
            ),
            (
                "make test",
                2,
                "a.c:3:1: fatal error: foo.h: No such file or directory",
            ),
            (
                "pytest -q",
                1,
                "sh: 1: convert: not found\n1 failed, 2 passed in 0.1s",
            ),
        ] {
            assert_eq!(
                ending(command, status, printed),
                RunEnding::Failed(status),
                "{printed}"
            );
        }
    }

    #[test]
    fn where_the_status_is_hidden_what_was_printed_tells() {
        let none = "no tests ran in 0.01s";
        let missing = "npm error Missing script: \"test\"";
        for (command, printed, expected) in [
            (
                "mypy src | tail -1",
                "Found 3 errors in 1 file",
                RunEnding::Says(0),
            ),
            (
                "mypy src | tail -1",
                "Success: no issues found",
                RunEnding::Unknown,
            ),
            ("npm test 2>&1 | tail -5", missing, RunEnding::NotBegun(0)),
            ("pytest -q | tail -1", none, RunEnding::Empty),
            // What has run may print the same of what it tries.
            (
                "npm test 2>&1 | tail -2",
                "  ✓ reports a missing script (3 ms)\nTests: 12 passed, 12 total",
                RunEnding::Unknown,
            ),
            (
                "pytest -q 2>&1 | tail -2",
                "sh: foo: command not found\n12 passed in 0.1s",
                RunEnding::Unknown,
            ),
            // It may be of something else.
            ("./a.sh; npm test | tail -5", missing, RunEnding::Unknown),
            (
                "ruff check .; mypy src | tail -1",
                "Found 3 errors in 1 file",
                RunEnding::Unknown,
            ),
        ] {
            assert_eq!(
                ending(command, 0, printed),
                expected,
                "{command}: {printed}"
            );
        }
    }

    #[test]
    fn what_could_not_begin_is_no_failure_of_what_it_found() {
        for (command, status, printed) in [
            (
                "cd web && npm test",
                1,
                "/bin/bash: line 1: cd: web: No such file or directory",
            ),
            (
                "cd web && npm test",
                1,
                "(eval):cd:1: no such file or directory: web",
            ),
            ("cd web && npm test", 2, "/bin/sh: 1: cd: can't cd to web"),
            ("npm test", 1, "npm error Missing script: \"test\""),
            (
                "pnpm test",
                1,
                "\u{2009}ERR_PNPM_NO_SCRIPT\u{2009} Missing script: test",
            ),
            ("yarn test", 1, "error Command \"test\" not found."),
            (
                "python3 -m pytest",
                1,
                "/usr/bin/python3.12: No module named pytest",
            ),
            (
                "make test",
                2,
                "make: *** No rule to make target 'test'.  Stop.",
            ),
            (
                "make test",
                2,
                "pytest -q\n/bin/sh: 1: pytest: not found\nmake: *** [test] Error 127",
            ),
            ("make test", 2, "make[1]: pytest: No such file or directory"),
            (
                "cargo nextest run",
                101,
                "error: no such command: `nextest`",
            ),
            ("pytest -q", 127, "bash: line 1: pytest: command not found"),
            ("./gradlew test", 126, "it says nothing that is known"),
            (
                "cargo test",
                101,
                "error: could not find `Cargo.toml` in `/w` or any parent directory",
            ),
            (
                "go test ./...",
                1,
                "go: cannot find main module, but found .git/config in /w",
            ),
        ] {
            assert_eq!(
                ending(command, status, printed),
                RunEnding::NotBegun(status),
                "{printed}"
            );
        }
    }
}
