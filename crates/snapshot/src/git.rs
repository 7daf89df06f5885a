//! The `git` program, asked without letting it write, wait, or run anything for the repository.

mod program;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use attest_process::{End, Reach, Stop, Task, Window};

use crate::Limits;

/// Longest time for one call where the caller has no deadline of its own.
const PATIENCE: Duration = Duration::from_mins(1);
/// Where no repository is.
const NO_REPOSITORY: &str = "/dev/null";
/// The longest answer, in bytes: the names of some millions of files.
const ANSWER: Window = Window {
    head: 256 * 1024 * 1024,
    tail: 0,
};
/// What is kept of git's own words, in bytes.
const WORDS: Window = Window {
    head: 16 * 1024,
    tail: 0,
};
/// Longest piece of them that goes into an error, in bytes.
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
    // An empty list allows no transport at all, also in a git that does not know the line above.
    ("GIT_ALLOW_PROTOCOL", ""),
    ("GIT_TRACE2", "0"),
    ("GIT_TRACE2_EVENT", "0"),
    ("GIT_TRACE2_PERF", "0"),
    ("LC_ALL", "C"),
];

/// Why `git` gave no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GitError {
    /// The program could not be started.
    #[error("cannot run git: {0}")]
    Start(#[source] io::Error),
    /// It took too long and was ended.
    #[error("git {command} took too long")]
    TooSlow {
        /// The subcommand.
        command: String,
    },
    /// It reported a failure.
    #[error("git {command} failed ({status}): {message}")]
    Failed {
        /// The subcommand.
        command: String,
        /// Its exit status.
        status: String,
        /// The beginning of what it said.
        message: String,
    },
    /// A program would run that a repository names.
    #[error("git would run the filter that {name:?} names")]
    Filter {
        /// The setting.
        name: String,
    },
    /// Its answer was too long, or its end was not seen.
    #[error("git {command} gave no whole answer of at most 256 MiB")]
    Incomplete {
        /// The subcommand.
        command: String,
    },
    /// Its answer has not the documented form.
    #[error("git {command} gave an answer of unknown form")]
    Answer {
        /// The subcommand.
        command: &'static str,
    },
}

/// Runs git in one folder.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_field_names,
    reason = "`git_dir` is git's own name for it"
)]
pub(crate) struct Git<'a> {
    folder: &'a Path,
    /// The repository, so that git need not look for one and cannot find another. `None` for none.
    git_dir: Option<&'a Path>,
    deadline: Option<Instant>,
    options: Vec<OsString>,
    /// The index that it reads, if not the repository's own.
    index: Option<PathBuf>,
    /// What wins over every configuration: names, and values.
    settings: Vec<(OsString, &'static str)>,
}

impl<'a> Git<'a> {
    /// For the repository of `git_dir`, with the work tree at `folder` unless it names another.
    pub(crate) fn new(folder: &'a Path, git_dir: &'a Path, limits: &Limits) -> Self {
        Self {
            git_dir: Some(git_dir),
            ..Self::nowhere(folder, limits)
        }
    }

    /// For no repository at all: only the configuration of the system and of the person counts.
    pub(crate) fn nowhere(folder: &'a Path, limits: &Limits) -> Self {
        Self {
            folder,
            git_dir: None,
            deadline: limits.deadline,
            options: QUIET.iter().map(OsString::from).collect(),
            index: None,
            settings: Vec::new(),
        }
    }

    /// Gives git another index than that of the repository: a command that only looks at objects
    /// reads the index too, and may write when it does.
    pub(crate) fn with_index(mut self, index: PathBuf) -> Self {
        self.index = Some(index);
        self
    }

    /// The values of `safe.directory`, each with a NUL behind it. The weakest is the first.
    #[cfg(unix)]
    pub(crate) fn safe_directories(&self) -> Result<Vec<u8>, GitError> {
        // 1: there are none.
        let arguments = ["config", "-z", "--type=path", "--get-all", "safe.directory"];
        self.run_with(&arguments, &[], &[0, 1])
    }

    /// Switches every configured content filter off, so that no filter program runs when git has
    /// to look into a file. Their names are bytes, in which there may be anything but a NUL.
    pub(crate) fn without_filters(mut self) -> Result<Self, GitError> {
        let filters = self.filters()?;
        if filters.is_empty() {
            return Ok(self);
        }
        for name in filters.into_keys() {
            let value = if name.ends_with(b".required") {
                "false"
            } else {
                ""
            };
            self.settings.push((os_string(&name), value));
        }
        // A git that does not know these variables, or a configuration that has changed since.
        match self.filters()?.into_iter().find(|(_, is_off)| !is_off) {
            Some((name, _)) => Err(GitError::Filter {
                name: crate::escaped(&name),
            }),
            None => Ok(self),
        }
    }

    /// The name of each setting that makes a program filter contents, and whether it is switched
    /// off. One that is set more than once is said as often, and the last counts.
    fn filters(&self) -> Result<BTreeMap<Vec<u8>, bool>, GitError> {
        let arguments = ["config", "-z", "--get-regexp", r"^filter\."];
        // 1: there are none.
        let output = self.run_with(&arguments, &[], &[0, 1])?;
        let mut filters = BTreeMap::new();
        for record in output.split(|byte| *byte == 0) {
            // Without a value there is no newline.
            let end = record.iter().position(|byte| *byte == b'\n');
            let (name, value) = match end {
                Some(end) => (&record[..end], Some(&record[end + 1..])),
                None => (record, None),
            };
            let off: &[u8] = match name.rsplit(|byte| *byte == b'.').next() {
                Some(b"clean" | b"smudge" | b"process") => b"",
                Some(b"required") => b"false",
                _ => continue,
            };
            filters.insert(name.to_vec(), value == Some(off));
        }
        Ok(filters)
    }

    /// Takes paths as they are, not as patterns.
    #[cfg(unix)]
    pub(crate) fn literally(mut self) -> Self {
        self.options.push("--literal-pathspecs".into());
        self
    }

    /// Runs a subcommand and returns its standard output; a non-zero exit status is an error.
    pub(crate) fn run(&self, arguments: &[impl AsRef<OsStr>]) -> Result<Vec<u8>, GitError> {
        self.run_with(arguments, &[], &[0])
    }

    /// The same with `input` on standard input, for exit statuses in `accepted`.
    pub(crate) fn run_with(
        &self,
        arguments: &[impl AsRef<OsStr>],
        input: &[u8],
        accepted: &[i32],
    ) -> Result<Vec<u8>, GitError> {
        let name = || {
            let first = arguments.first().map(AsRef::as_ref);
            first.unwrap_or_default().to_string_lossy().into_owned()
        };
        let task = Task {
            program: self.command(arguments).map_err(GitError::Start)?,
            input: Some(input).filter(|input| !input.is_empty()),
            limit: self.deadline.map_or(PATIENCE, |_| Duration::MAX),
            stdout: ANSWER,
            stderr: Some(WORDS),
            reach: Reach::Group,
        };
        let ran = attest_process::run(task, &Stop::at(self.deadline));
        match ran.end {
            End::Exited(code) if accepted.contains(&code) => {
                let answer = ran.stdout.into_whole();
                answer.ok_or_else(|| GitError::Incomplete { command: name() })
            }
            End::TimedOut(_) | End::Stopped(_) => Err(GitError::TooSlow { command: name() }),
            End::Failed(error) => Err(GitError::Start(error)),
            end => Err(GitError::Failed {
                command: name(),
                status: end.to_string(),
                message: message(ran.stderr.beginning().as_bytes()),
            }),
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "it is built here and run by attest_process"
    )]
    fn command(&self, arguments: &[impl AsRef<OsStr>]) -> io::Result<Command> {
        let program = program::of(self.folder).ok_or(ErrorKind::NotFound)?;
        let mut command = Command::new(program);
        for name in inherited_git_variables() {
            command.env_remove(name);
        }
        command
            .envs(VARIABLES.iter().copied())
            .env("GIT_DIR", self.git_dir.unwrap_or(Path::new(NO_REPOSITORY)))
            .envs(self.index.iter().map(|index| ("GIT_INDEX_FILE", index)))
            .env("GIT_CONFIG_COUNT", self.settings.len().to_string())
            .args(&self.options)
            .args(arguments)
            .current_dir(self.folder);
        for (number, (name, value)) in self.settings.iter().enumerate() {
            command.env(format!("GIT_CONFIG_KEY_{number}"), name);
            command.env(format!("GIT_CONFIG_VALUE_{number}"), value);
        }
        Ok(command)
    }
}

#[cfg(unix)]
fn os_string(name: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStringExt;
    OsString::from_vec(name.to_vec())
}

/// What is no UTF-8 is seen not to be switched off.
#[cfg(not(unix))]
fn os_string(name: &[u8]) -> OsString {
    String::from_utf8_lossy(name).into_owned().into()
}

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

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    /// Runs a line of the shell as if git did what it does.
    fn ask(line: &str, input: &[u8]) -> Result<Vec<u8>, GitError> {
        let scratch = Scratch::new(&[]);
        let limits = Limits::default();
        let alias = format!("alias.ask=!{line}");
        Git::nowhere(&scratch.root, &limits).run_with(&["-c", &alias, "ask"], input, &[0])
    }

    /// git takes a reading of a pipe that is broken off for the end of its input, and ends with 0.
    #[test]
    fn git_reads_a_file() {
        let input = b"a name\n".repeat(100_000);
        let answer = ask("test -f /dev/stdin && cat", &input).unwrap();
        assert!(answer == input, "{} bytes", answer.len());
        assert_eq!(ask("cat; echo end", b"").unwrap(), b"end\n");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_not_a_whole_answer_is_none() {
        for line in [
            "head -c 300000000 /dev/zero",
            "sh -c 'setsid sleep 3 & echo a'",
        ] {
            let answer = ask(line, b"");
            assert!(matches!(answer, Err(GitError::Incomplete { .. })), "{line}");
        }
        let failed = ask("echo a; echo why >&2; exit 3 #", b"").unwrap_err();
        assert_eq!(failed.to_string(), "git -c failed (exit status 3): why");
    }

    #[test]
    fn a_git_that_hangs_is_ended_with_what_it_started() {
        let scratch = Scratch::new(&[]);
        let limits = Limits {
            deadline: Some(Instant::now() + Duration::from_millis(300)),
            ..Limits::default()
        };
        let git = Git::nowhere(&scratch.root, &limits);
        let answer = git.run(&["-c", "alias.ask=!sleep 300 & sleep 300", "ask"]);
        assert!(
            matches!(answer, Err(GitError::TooSlow { .. })),
            "{answer:?}"
        );
        assert!(Instant::now() < limits.deadline.unwrap() + Duration::from_secs(2));
    }
}
