//! The checks that an agent's commands ran: tests, builds, lints and types, and how each ended as far as its host
//! shows that.

use attest_json::{self as json, Object};

use crate::input::FOLDERS;
use crate::input::given;
use crate::printed::Printed;
use crate::ran::{More, Of, Ran, Run, RunEnding};
use crate::record::goes_on;
use crate::server::{self, Says};
use crate::shell::checks::{Command, SeenCheck, Shell, anything};
use crate::summary;
use crate::text::{is_one_of, last_part};

/// What the names of tools have that only look, and may be shown how a check went that ran elsewhere.
const SHOW_RESULTS: [&str; 4] = ["Output", "Web", "Mcp", "web_"];
/// Who says, as the first word of a line, that what was to be run is not there: a shell, or what begins other programs.
const STARTERS: &str =
    "sh bash dash ash zsh ksh fish (eval) cd env timeout python command script task";
/// What they say of it, as does the program of the check itself.
const NOT_THERE: [&str; 6] = [
    "not found",
    "o such file",
    "annot find",
    "No module named",
    "ermission denied",
    "can't cd to",
];
/// What is said of nothing else, whoever says it.
const NOTHING_TO_RUN: [&str; 7] = [
    "issing script",
    "no such command",
    "No rule to make target",
    "could not find `Cargo.toml`",
    "Failed to spawn",
    "is not recognized as",
    "The system cannot find",
];
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

impl Shell {
    /// What a call of `tool` with `input`, which is JSON, runs; `None` if it can run nothing.
    pub(crate) fn call(
        &mut self,
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
            let command = given(input.unwrap_or_default(), |input| self.input(tool, input));
            command.unwrap_or_else(anything)
        };
        let writes_nothing = only_reads || server::says(tool) == Some(Says::NoFiles);
        command.changes.code &= !writes_nothing;
        Some(command)
    }

    fn input(&mut self, tool: &str, input: &Object<'_>) -> Command {
        let folder = FOLDERS.iter().find_map(|field| input.text(field));
        let command = ["command", "cmd"].iter().find_map(|it| input.raw(it));
        let found = command.map(|command| self.command(command, folder.as_deref()));
        let mut found = found.unwrap_or_else(anything);
        found.is_left_running |= goes_on(tool, input);
        found
    }

    /// A command that is given as one text, or word by word.
    fn command(&mut self, command: &str, folder: Option<&str>) -> Command {
        if let Some(text) = json::text(command) {
            return self.read(&text, folder);
        }
        let words = json::array(command).unwrap_or_default().into_iter();
        match words.map(json::text).collect::<Option<Vec<_>>>() {
            Some(words) if !words.is_empty() => self.read_words(&words, folder),
            _ => anything(),
        }
    }
}

impl Command {
    /// Whether what is printed is of one run of tests.
    fn is_alone(&self) -> bool {
        let is_one = matches!(self.seen.as_slice(), [seen] if seen.run.of == Of::Tests);
        is_one && !self.prints && self.more != More::Anything
    }

    /// What it ran, once its host has answered with an exit status and what was printed, as far as it tells of
    /// them.
    pub(crate) fn answered(&self, exit: Option<i32>, printed: Option<&Printed>) -> Ran {
        let first = printed.map_or("", |it| it.first.as_str());
        let has = |list: &[&str]| list.iter().any(|part| first.contains(part));
        let is_left_running = self.is_left_running || exit.is_none() || has(&GOES_ON);
        let failed = printed.filter(|_| self.is_alone() && !is_left_running);
        let failed = failed.and_then(|it| summary::failed(it.ending()));
        let whole = printed.and_then(Printed::whole).unwrap_or_default();
        let ended = |seen: &SeenCheck| match exit {
            Some(0) if seen.sight.of_success && !is_left_running && failed.is_none() => {
                let is_empty = match seen.run.of {
                    Of::Tests | Of::Anything => summary::is_of_none(whole),
                    _ => summary::says_nothing(whole),
                };
                if is_empty {
                    RunEnding::Empty
                } else {
                    RunEnding::Passed
                }
            }
            Some(status)
                if seen.sight.of_failure
                    && is_failure(&seen.run, status)
                    && (failed.is_some()
                        || !first.lines().any(|line| is_not_begun(line, &seen.run)))
                    && !(seen.run.of == Of::Lint && has(&NO_ERRORS)) =>
            {
                RunEnding::Failed(status)
            }
            // Its own word, where the status of something else hides its own.
            Some(_) if !seen.sight.of_success => failed.map_or(RunEnding::Unknown, RunEnding::Says),
            _ => RunEnding::Unknown,
        };
        let runs = self.seen.iter().map(|seen| Run {
            ending: ended(seen),
            ..seen.run.clone()
        });
        Ran {
            runs: runs.collect(),
            more: self.more,
            is_left_running,
            has_failed: exit.is_some_and(|status| status != 0),
            changes: self.changes.clone(),
        }
    }
}

/// Whether a line says that what was to be run could not begin, rather than what a check found: that files or names are
/// missing is what checks find every day.
fn is_not_begun(line: &str, run: &Run) -> bool {
    let line = line.trim_start();
    let bare = ["error: ", "error "].iter();
    let mut bare = bare.filter_map(|it| line.strip_prefix(it));
    let mut words = bare.next().unwrap_or(line).split([':', '[', ' ']);
    let who = last_part(words.next().unwrap_or_default()).to_lowercase();
    // "python3.12"
    let who = who.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_starter = is_one_of(STARTERS, who.trim_start_matches('-')) || who == run.program();
    let has = |list: &[&str]| list.iter().any(|part| line.contains(part));
    is_starter && has(&NOT_THERE) || has(&NOTHING_TO_RUN)
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
        let ran = command.answered(Some(status), Printed::of(printed).as_ref());
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
    fn what_could_not_begin_has_not_failed() {
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
                RunEnding::Unknown,
                "{printed}"
            );
        }
    }
}
