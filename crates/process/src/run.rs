//! Runs one program to its end, or ends it.

use std::io;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use crate::capture::{Capture, Kept, Window};
use crate::end::End;
use crate::stop::Stop;
use crate::tree::Tree;

/// How long to wait for the rest of the output once all processes are gone.
const OUTPUT_GRACE: Duration = Duration::from_millis(500);

/// The longest pause between two checks for whether the run was stopped.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// The variable that identifies a process that has left its group.
pub const MARK: &str = "ATTEST_CHECK_RUN";

/// What to run.
#[derive(Debug)]
pub struct Task<'a> {
    /// The program with its arguments, folder and environment. Its three streams are set by [`run`].
    pub program: Command,
    /// Its standard input; empty if this is `None`.
    pub input: Option<&'a [u8]>,
    /// How long it may take.
    pub limit: Duration,
    /// How much of standard output is kept.
    pub stdout: Window,
    /// How much of standard error is kept; `None` puts it where standard output goes.
    pub stderr: Option<Window>,
    /// What is ended with it.
    pub reach: Reach<'a>,
}

/// What is ended together with a program.
#[derive(Debug, Clone, Copy)]
pub enum Reach<'a> {
    /// Its process group.
    Group,
    /// Also whatever left the group or the session, or cleared its environment. For programs that
    /// somebody else chose. If such a program runs attest itself, what that attest starts carries
    /// the marks of both, so the marks of this process are handed on.
    All {
        /// The value of [`MARK`] in this process; empty if it is not set.
        marks: &'a str,
    },
}

/// What a run produced.
#[derive(Debug)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// Standard output, and standard error unless that is kept apart.
    pub stdout: Kept,
    /// Standard error, if it is kept apart.
    pub stderr: Kept,
}

impl Ran {
    fn nothing(end: End) -> Self {
        Self {
            end,
            stdout: Kept::default(),
            stderr: Kept::default(),
        }
    }
}

/// Runs the program to its end, or ends it together with everything that it has started.
#[must_use]
pub fn run(task: Task<'_>, stop: &Stop<'_>) -> Ran {
    let limit = task.limit;
    if let Err(stopped) = stop.check() {
        return Ran::nothing(End::Stopped(stopped));
    }
    let (mut tree, stdout, stderr) = match start(task) {
        Ok(started) => started,
        Err(error) => return Ran::nothing(End::Failed(error)),
    };
    let end = wait(&mut tree, limit, stop);
    tree.kill();
    let finish = |capture: Capture| capture.finish(OUTPUT_GRACE);
    Ran {
        end,
        stdout: finish(stdout),
        stderr: stderr.map(finish).unwrap_or_default(),
    }
}

fn start(task: Task<'_>) -> io::Result<(Tree, Capture, Option<Capture>)> {
    let Task {
        mut program,
        input,
        stdout,
        stderr,
        reach,
        ..
    } = task;
    let mark = match reach {
        Reach::Group => None,
        Reach::All { marks } => {
            let mark = mark();
            program.env(MARK, format!("{marks}{mark}"));
            Some(mark)
        }
    };
    program.stdin(match input {
        Some(input) => Stdio::from(crate::tree::file_of(input)?),
        None => Stdio::null(),
    });
    let (output, writer) = io::pipe()?;
    let errors = if let Some(window) = stderr {
        let (errors, writer) = io::pipe()?;
        program.stderr(writer);
        Some((errors, window))
    } else {
        program.stderr(writer.try_clone()?);
        None
    };
    program.stdout(writer);
    // Before the program is started, so that an error here cannot leave it running.
    let output = Capture::begin(output, stdout)?;
    let errors = match errors {
        Some((errors, window)) => Some(Capture::begin(errors, window)?),
        None => None,
    };
    // This consumes the command, and with it our ends of the pipes, which have to be closed here.
    let tree = Tree::start(program, mark)?;
    Ok((tree, output, errors))
}

fn wait(tree: &mut Tree, limit: Duration, stop: &Stop<'_>) -> End {
    let began = Instant::now();
    loop {
        match tree.try_wait() {
            Ok(Some(end)) => return end,
            Ok(None) => {}
            Err(error) => return End::Failed(error),
        }
        if let Err(stopped) = stop.check() {
            return End::Stopped(stopped);
        }
        let left = limit.saturating_sub(began.elapsed());
        if left.is_zero() {
            return End::TimedOut(limit);
        }
        tree.pause(
            left.min(LONGEST_PAUSE).min(stop.time_left()),
            began.elapsed(),
        );
    }
}

/// A text that no other run on this machine has.
fn mark() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let nanos = since_epoch.map_or(0, |time| time.as_nanos());
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    format!("[{}-{nanos}-{count}]", std::process::id())
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
