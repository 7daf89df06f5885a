//! Finding a program, and running one that may hang, may write much, and may not be there.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use attest_process::{End, Reach, Stop, Task, Window};
use thiserror::Error;

use crate::env::{self, Env};

/// The most of an output that is looked at.
const LARGEST_OUTPUT: Window = Window {
    head: 64 * 1024,
    tail: 0,
};

/// What a program printed before it ended.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) end: End,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

#[derive(Debug, Error)]
pub(super) enum RunError {
    #[error("cannot run: {0}")]
    Io(#[from] io::Error),
    #[error("no end after {} s", .0.as_secs())]
    Timeout(Duration),
}

/// A program with its arguments, for [`run`].
#[expect(clippy::disallowed_methods, reason = "it is run below")]
pub(super) fn program(name: impl AsRef<OsStr>, arguments: &[&str]) -> Command {
    let mut program = Command::new(name);
    program.args(arguments);
    program
}

/// Runs the program with `input`, and ends it and all that it started after `limit`.
pub(super) fn run(program: Command, input: &[u8], limit: Duration) -> Result<Output, RunError> {
    let task = Task {
        program,
        input: Some(input),
        limit,
        stdout: LARGEST_OUTPUT,
        stderr: Some(LARGEST_OUTPUT),
        reach: Reach::Group,
    };
    let ran = attest_process::run(task, &Stop::at(None));
    match ran.end {
        End::Failed(error) => Err(error.into()),
        End::TimedOut(limit) => Err(RunError::Timeout(limit)),
        end => Ok(Output {
            end,
            stdout: ran.stdout.beginning(),
            stderr: ran.stderr.beginning(),
        }),
    }
}

/// The file that `program` names, by the PATH if it is a bare name.
pub(super) fn find(program: &str, env: &Env) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return path.is_file().then(|| path.to_owned());
    }
    let folders = env.get(env::PATH)?;
    std::env::split_paths(folders)
        .map(|folder| {
            folder
                .join(program)
                .with_extension(std::env::consts::EXE_EXTENSION)
        })
        .find(|candidate| candidate.is_file())
}
