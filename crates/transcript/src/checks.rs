//! The checks that an agent's commands ran: tests, builds, lints and types, and how each ended as far as its host
//! shows that.

use attest_json::{self as json, Object};

use crate::server;
use crate::shell::checks::{self, Seen, Shell};

/// Where hosts put the folder that a command runs in.
const FOLDERS: [&str; 4] = ["workdir", "cwd", "working_directory", "directory"];
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
/// The exit statuses with which a check says that something failed: above are those of a time limit, of a program
/// that is not there, and of signals.
const FAILURES: std::ops::RangeInclusive<i32> = 1..=123;

/// What one call ran.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ran {
    /// The checks, in order.
    pub runs: Vec<Run>,
    /// What else it may have run.
    pub more: More,
    /// Whether part of it went on, or may have, behind the end of the call.
    pub is_left_running: bool,
}

/// What a call may have run beside the checks that are read from it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum More {
    /// No check.
    #[default]
    Nothing,
    /// Hooks of git.
    Hooks,
    /// Any check.
    Anything,
}

/// One run of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The program with what it is to do: "cargo test".
    pub family: String,
    /// The other words, as they are written.
    pub words: Vec<String>,
    /// The folder, as far as the commands name it.
    pub folder: String,
    /// What it checks.
    pub of: Of,
    /// Whether it is a task that somebody wrote, which may run others.
    pub is_task: bool,
    /// How it ended.
    pub ending: RunEnding,
}

/// What a check is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Tests.
    Tests,
    /// A build.
    Build,
    /// Style.
    Lint,
    /// Types.
    Types,
    /// It does not say.
    Anything,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RunEnding {
    /// That is not shown.
    #[default]
    Unknown,
    /// With status zero.
    Passed,
    /// With this status.
    Failed(i32),
}

impl Run {
    /// The command as it is told.
    #[must_use]
    pub fn shown(&self) -> String {
        let words = std::iter::once(&self.family).chain(&self.words);
        words.map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Whether it is a run of the same, of the same parts of the project.
    #[must_use]
    pub fn is_as(&self, other: &Self) -> bool {
        (&self.family, &self.words, &self.folder) == (&other.family, &other.words, &other.folder)
    }

    /// Whether it is what a report may mean that names it so: at least with these words.
    #[must_use]
    pub fn may_be_named(&self, named: &Self) -> bool {
        self.family == named.family && named.words.iter().all(|word| self.words.contains(word))
    }
}

/// The checks of a command as a report names it.
#[must_use]
pub fn checks_of(command: &str) -> Vec<Run> {
    checks::named(command).runs
}

/// What a call is expected to tell of its checks once it is answered.
#[derive(Debug)]
pub(crate) struct Asked {
    seen: Vec<Seen>,
    more: checks::Command,
}

/// Reads calls in their order.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    shell: Shell,
}

impl Reader {
    /// What a call of `tool` with `input`, which is JSON, runs; `None` if it can run nothing.
    pub(crate) fn call(
        &mut self,
        tool: &str,
        input: Option<&str>,
        only_reads: bool,
    ) -> Option<Asked> {
        let mut more = if only_reads {
            let shows = SHOW_RESULTS.iter().any(|part| tool.contains(part));
            shows.then(checks::anything)?
        } else if server::says(tool).is_some() || tool.contains("PowerShell") {
            checks::anything()
        } else {
            self.input(input.unwrap_or_default(), 2)
        };
        let seen = std::mem::take(&mut more.seen);
        Some(Asked { seen, more })
    }

    fn input(&mut self, input: &str, depth: usize) -> checks::Command {
        let Ok(object) = Object::parse(input) else {
            // The arguments of a call may be JSON in a string.
            let text = json::text(input).filter(|_| depth > 0);
            return text.map_or_else(checks::anything, |text| self.input(&text, depth - 1));
        };
        let folder = FOLDERS.iter().find_map(|field| object.text(field));
        let command = ["command", "cmd"].iter().find_map(|it| object.raw(it));
        let found = command.map(|command| self.command(command, folder.as_deref()));
        let mut found = found.unwrap_or_else(checks::anything);
        found.is_left_running |= object.is_true("run_in_background");
        found
    }

    /// A command that is given as one text, or word by word.
    fn command(&mut self, command: &str, folder: Option<&str>) -> checks::Command {
        if let Some(text) = json::text(command) {
            return self.shell.read(&text, folder);
        }
        let words = json::array(command).unwrap_or_default().into_iter();
        match words.map(json::text).collect::<Option<Vec<_>>>() {
            Some(words) if !words.is_empty() => self.shell.read_words(&words, folder),
            _ => checks::anything(),
        }
    }
}

impl Asked {
    /// A call of which nothing is known.
    pub(crate) fn anything() -> Self {
        let (seen, more) = (Vec::new(), checks::anything());
        Self { seen, more }
    }

    /// How many checks it runs.
    pub(crate) fn count(&self) -> usize {
        self.seen.len()
    }

    /// What it ran, once its host has answered with an exit status and the beginning of what was printed, as far
    /// as it tells of them.
    pub(crate) fn answered(&self, exit: Option<i32>, printed: Option<&str>) -> Ran {
        let printed = printed.unwrap_or_default();
        let has = |list: &[&str]| list.iter().any(|part| printed.contains(part));
        let is_left_running = self.more.is_left_running || exit.is_none() || has(&GOES_ON);
        let ended = |seen: &Seen| match exit {
            Some(0) if seen.sight.of_success && !is_left_running => RunEnding::Passed,
            Some(status)
                if seen.sight.of_failure && is_failure(&seen.run, status) && !has(&NOT_BEGUN) =>
            {
                RunEnding::Failed(status)
            }
            _ => RunEnding::Unknown,
        };
        let runs = self.seen.iter().map(|seen| Run {
            ending: ended(seen),
            ..seen.run.clone()
        });
        Ran {
            runs: runs.collect(),
            more: self.more.more,
            is_left_running,
        }
    }
}

/// Whether a check says with this status that something failed, rather than that it could not begin.
fn is_failure(run: &Run, status: i32) -> bool {
    match run.family.as_str() {
        // Three and more are its own faults, and that no test was found.
        "pytest" => matches!(status, 1 | 2),
        _ => FAILURES.contains(&status),
    }
}
