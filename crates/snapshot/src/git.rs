//! The `git` program, kept from writing, waiting, or running anything for the repository.

#[cfg(any(target_os = "macos", test))]
pub(crate) mod apple;
mod conversation;
mod error;
#[cfg(not(unix))]
mod filters;
mod program;
mod question;

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use attest_process::{End, Reach, Stop, Task, Window};

pub(crate) use conversation::Conversation;
use conversation::Patience;
pub use error::GitError;
#[cfg(target_os = "macos")]
pub(crate) use program::of as program_of;
pub use program::opens_a_dialog;
pub(crate) use question::Ask;

use crate::{Budget, Limits, bounds};

/// Longest time for one call if the caller has no deadline of its own.
const PATIENCE: Duration = Duration::from_mins(1);
/// A path that holds no repository.
const NO_REPOSITORY: &str = "/dev/null";
/// How much of an answer is read.
const ANSWER: Window = Window {
    head: bounds::ANSWER,
    tail: 0,
};
/// How much of a failure's message is read.
const WORDS: Window = Window {
    head: MESSAGE,
    tail: 0,
};
/// Longest part of git's own message that goes into an error.
const MESSAGE: usize = 400;

/// Options that keep programs named in a configuration from running.
const QUIET: &[&str] = &[
    "--no-optional-locks",
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "log.showSignature=false",
    "-c",
    "submodule.recurse=false",
];

/// Variables that keep git from writing, prompting and fetching.
const VARIABLES: &[(&str, &str)] = &[
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    // An empty list allows no transport at all, even to a git that does not know the line above.
    ("GIT_ALLOW_PROTOCOL", ""),
    // Replacement refs are ignored: an object is what its name says.
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_TRACE2", "0"),
    ("GIT_TRACE2_EVENT", "0"),
    ("GIT_TRACE2_PERF", "0"),
    ("LC_ALL", "C"),
];

/// Runs git in one folder.
#[derive(Debug, Clone)]
pub(crate) struct Git<'a> {
    folder: &'a Path,
    /// The repository, so that git need not look for one and cannot find another. `None` for no
    /// repository.
    repository: Option<&'a Path>,
    budget: Budget,
    /// The index that it reads, if not the repository's own.
    index: Option<PathBuf>,
    /// Settings that override every configuration: names and values.
    #[cfg(not(unix))]
    settings: Vec<(OsString, &'static str)>,
}

impl<'a> Git<'a> {
    /// For the repository of `git_dir`, with the work tree at `folder` unless it names another.
    pub(crate) fn new(folder: &'a Path, git_dir: &'a Path, limits: &Limits) -> Self {
        Self {
            repository: Some(git_dir),
            ..Self::nowhere(folder, limits)
        }
    }

    /// For no repository: only the configuration of the system and of the person counts.
    pub(crate) fn nowhere(folder: &'a Path, limits: &Limits) -> Self {
        Self {
            folder,
            repository: None,
            budget: limits.budget.clone(),
            index: None,
            #[cfg(not(unix))]
            settings: Vec::new(),
        }
    }

    /// Gives git an index other than the repository's: even a command that only looks at objects
    /// reads the index, and may write when it does.
    pub(crate) fn with_index(mut self, index: PathBuf) -> Self {
        self.index = Some(index);
        self
    }

    /// Asks once. For questions whose failure is always visible.
    #[cfg_attr(
        not(unix),
        expect(
            clippy::match_wildcard_for_single_variants,
            reason = "other systems have more"
        )
    )]
    pub(crate) fn ask(
        &self,
        ask: Ask,
        arguments: &[impl AsRef<OsStr>],
    ) -> Result<Vec<u8>, GitError> {
        let command = || ask.command().to_owned();
        let task = Task {
            program: self.command(ask, arguments).map_err(GitError::Start)?,
            input: None,
            limit: self.budget.deadline.map_or(PATIENCE, |_| Duration::MAX),
            stdout: ANSWER,
            stderr: Some(WORDS),
            reach: Reach::Group,
        };
        let stop = Stop {
            deadline: self.budget.deadline,
            cancelled: self.budget.cancelled(),
        };
        let ran = attest_process::run(task, &stop);
        match ran.end {
            End::Exited(code) if ask.accepted().contains(&code) => {
                ran.stdout.into_whole().ok_or(GitError::TooLong {
                    command: ask.command(),
                    most: bounds::ANSWER,
                })
            }
            End::TimedOut(_) | End::Stopped(_) => Err(GitError::TooSlow { command: command() }),
            End::Failed(error) => Err(GitError::Start(error)),
            end => Err(GitError::Failed {
                command: command(),
                status: end.to_string(),
                message: message(ran.stderr.beginning().as_bytes()),
            }),
        }
    }

    /// Asks two processes at once, which have to agree. For questions where a git that failed to
    /// read something would leave it out and still report success.
    pub(crate) fn ask_twice(
        &self,
        ask: Ask,
        arguments: &[impl AsRef<OsStr> + Sync],
    ) -> Result<Vec<u8>, GitError> {
        let (one, other) = thread::scope(|scope| {
            let other = thread::Builder::new().spawn_scoped(scope, || self.ask(ask, arguments));
            let one = self.ask(ask, arguments);
            let other = match other.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(other)) => other,
                _ => self.ask(ask, arguments),
            };
            (one, other)
        });
        let (one, other) = (one?, other?);
        let command = ask.command();
        if one == other {
            Ok(one)
        } else {
            Err(GitError::Unsteady { command })
        }
    }

    /// Starts a process that answers one question after another.
    pub(crate) fn converse(&self, ask: Ask) -> Result<Conversation, GitError> {
        let nothing: [&str; 0] = [];
        let child = self.command(ask, &nothing).and_then(|mut command| {
            command
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null());
            without_window(&mut command);
            command.spawn()
        });
        let child = child.map_err(GitError::Start)?;
        limit_memory(&child);
        let patience = match self.budget.deadline {
            Some(deadline) => Patience::Until(deadline),
            None => Patience::Each(PATIENCE),
        };
        Ok(Conversation::with(child, ask.command(), patience))
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "it is built here; one that is asked once is run by attest_process"
    )]
    fn command(&self, ask: Ask, arguments: &[impl AsRef<OsStr>]) -> io::Result<Command> {
        let program = program::of(self.folder).ok_or(ErrorKind::NotFound)?;
        let mut command = Command::new(program);
        for name in inherited_git_variables() {
            command.env_remove(name);
        }
        command
            .envs(VARIABLES.iter().copied())
            .env(
                "GIT_DIR",
                self.repository.unwrap_or(Path::new(NO_REPOSITORY)),
            )
            .envs(self.index.iter().map(|index| ("GIT_INDEX_FILE", index)))
            .args(QUIET)
            .args(ask.words())
            .args(arguments)
            .current_dir(self.folder);
        #[cfg(not(unix))]
        command.env("GIT_CONFIG_COUNT", self.settings.len().to_string());
        #[cfg(not(unix))]
        for (number, (name, value)) in self.settings.iter().enumerate() {
            command.env(format!("GIT_CONFIG_KEY_{number}"), name);
            command.env(format!("GIT_CONFIG_VALUE_{number}"), value);
        }
        Ok(command)
    }
}

/// Windows would open a console for it.
fn without_window(command: &mut Command) {
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;
        const CREATE_NO_WINDOW: u32 = 0x0800_0000;
        command.creation_flags(CREATE_NO_WINDOW);
    }
    #[cfg(not(windows))]
    let _ = command;
}

/// Keeps git from using up the machine's memory on something that a repository made large: git then
/// ends with an error. Mapped files do not count.
#[cfg(target_os = "linux")]
fn limit_memory(child: &Child) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let limit = Rlimit {
        current: Some(bounds::MEMORY_OF_GIT),
        maximum: Some(bounds::MEMORY_OF_GIT),
    };
    // Best effort: if the limit cannot be set, the deadline ends the process.
    let _ = prlimit(Some(Pid::from_child(child)), Resource::Data, limit);
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_child: &Child) {}

/// Names of variables that could point git at another repository or configuration.
#[expect(
    clippy::disallowed_methods,
    reason = "the names are removed from a child's environment, no value is read"
)]
fn inherited_git_variables() -> impl Iterator<Item = OsString> {
    std::env::vars_os()
        .map(|(name, _)| name)
        .filter(|name| starts_with_git(name))
}

fn starts_with_git(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    bytes.len() >= 4 && bytes[..4].eq_ignore_ascii_case(b"GIT_")
}

fn message(errors: &[u8]) -> String {
    let line = errors
        .split(|byte| *byte == b'\n')
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    crate::escaped(&line[..line.len().min(MESSAGE)])
}
