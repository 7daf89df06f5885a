//! The checks that an agent's commands ran: tests, builds, lints and types, and how each ended as far as its host
//! shows that.

use attest_json::{self as json, Object};

use crate::input::FOLDERS;
use crate::input::given;
use crate::ran::{More, Of, Ran, Run, RunEnding};
use crate::record::{Printed, goes_on};
use crate::server::{self, Says};
use crate::shell::checks::{Command, SeenCheck, Shell, anything};
use crate::summary;

/// What the names of tools have that only look, and may be shown how a check went that ran elsewhere.
const SHOW_RESULTS: [&str; 4] = ["Output", "Web", "Mcp", "web_"];
/// What a command prints first if its check did not begin.
const NOT_BEGUN: [&str; 12] = [
    "cd:",
    "not found",
    "No such file",
    "no such file",
    "issing script",
    "could not find",
    "No module named",
    "ermission denied",
    "annot find",
    "no such command",
    "No rule to make target",
    "not recognized",
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
                    && !has(&NOT_BEGUN)
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
            changes: self.changes.clone(),
        }
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
