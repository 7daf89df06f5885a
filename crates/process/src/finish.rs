//! Runs a program that is expected to end by itself.

use std::io;
use std::process::Command;
use std::time::Duration;

use thiserror::Error;

use crate::capture::Window;
use crate::end::End;
use crate::run::{Reach, Task, run};
use crate::stop::Stop;

/// A program that ended by itself, and the beginning of its output.
#[derive(Debug)]
pub struct Finished {
    /// How it ended.
    pub end: End,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Why a program did not end by itself.
#[derive(Debug, Error)]
pub enum Unfinished {
    /// It never started, or was lost.
    #[error("cannot run: {0}")]
    Failed(#[from] io::Error),
    /// It was ended because it took this long.
    #[error("timed out after {} s", .0.as_secs())]
    TimedOut(Duration),
}

/// Runs the program with `input`, and ends it and its process group after `limit`. The first `kept`
/// bytes of each output stream are kept.
pub fn finish(
    program: Command,
    input: &[u8],
    limit: Duration,
    kept: usize,
) -> Result<Finished, Unfinished> {
    let beginning = Window {
        head: kept,
        tail: 0,
    };
    let task = Task {
        program,
        input: Some(input),
        limit,
        stdout: beginning,
        stderr: Some(beginning),
        reach: Reach::Group,
    };
    let ran = run(task, &Stop::at(None));
    match ran.end {
        End::Failed(error) => Err(error.into()),
        End::TimedOut(limit) => Err(Unfinished::TimedOut(limit)),
        end => Ok(Finished {
            end,
            stdout: ran.stdout.beginning(),
            stderr: ran.stderr.beginning(),
        }),
    }
}
