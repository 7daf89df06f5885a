//! Runs a command line in the shell, and leaves nothing of it behind.

use std::ffi::OsString;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use crate::capture::{Capture, Kept, Window};
use crate::stop::{Stop, Stopped};
use crate::tree::Tree;

/// What a person is shown of an output.
pub(crate) const SHOWN: Window = Window {
    head: 2 * 1024,
    tail: 6 * 1024,
};

/// The longest pause between two looks at a command that runs.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// How long the last of an output is waited for once all processes are gone.
const PATIENCE: Duration = Duration::from_millis(500);

/// The variable by which a process is known that has left its group. Where a command runs attest
/// itself, what that one starts bears the marks of both.
pub(crate) const MARK: &str = "ATTEST_CHECK_RUN";

/// What to run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Task<'a> {
    /// For the shell, as written.
    pub(crate) line: &'a str,
    pub(crate) folder: &'a Path,
    pub(crate) environment: &'a [(OsString, OsString)],
    /// Nothing where this is `None`.
    pub(crate) input: Option<&'a [u8]>,
    pub(crate) timeout: Duration,
    /// How much of standard output is kept.
    pub(crate) window: Window,
    /// Keeps standard error apart.
    pub(crate) apart: bool,
}

/// How it ended.
#[derive(Debug)]
pub(crate) enum End {
    /// With this status.
    Exited(i32),
    /// By this signal, which was not ours.
    #[cfg(unix)]
    Signalled(i32),
    /// By us, since it took this long.
    TimedOut(Duration),
    /// By us.
    Stopped(Stopped),
    /// It never began, or was lost.
    Failed(io::Error),
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) end: End,
    /// Standard output, and standard error unless that is kept apart.
    pub(crate) output: Kept,
    pub(crate) errors: Kept,
}

/// Runs the command line to its end, or ends it with everything that it has started.
pub(crate) fn run(task: &Task<'_>, stop: &Stop<'_>) -> Ran {
    let failed = |error| Ran {
        end: End::Failed(error),
        output: Kept::default(),
        errors: Kept::default(),
    };
    let started = match start(task) {
        Ok(started) => started,
        Err(error) => return failed(error),
    };
    let (mut tree, output, errors) = started;
    let end = wait(&mut tree, task.timeout, stop);
    tree.kill();
    Ran {
        end,
        output: output.finish(PATIENCE),
        errors: errors
            .map(|errors| errors.finish(PATIENCE))
            .unwrap_or_default(),
    }
}

fn start(task: &Task<'_>) -> io::Result<(Tree, Capture, Option<Capture>)> {
    let mark = mark();
    let mut command = shell(task.line);
    command
        .current_dir(task.folder)
        .env_clear()
        .envs(task.environment.iter().map(|(name, value)| (name, value)))
        .env(MARK, inherited(task.environment) + &mark)
        .stdin(match task.input {
            Some(input) => Stdio::from(file_of(input)?),
            None => Stdio::null(),
        });
    let (output, writer) = io::pipe()?;
    let errors = if task.apart {
        let (errors, writer) = io::pipe()?;
        command.stderr(writer);
        Some(errors)
    } else {
        command.stderr(writer.try_clone()?);
        None
    };
    command.stdout(writer);
    // Moves the command, and with it our ends of the pipes, which have to be closed here.
    let tree = Tree::start(command, mark)?;
    let output = Capture::begin(output, task.window)?;
    let errors = match errors {
        Some(errors) => Some(Capture::begin(errors, SHOWN)?),
        None => None,
    };
    Ok((tree, output, errors))
}

fn wait(tree: &mut Tree, timeout: Duration, stop: &Stop<'_>) -> End {
    let began = Instant::now();
    let mut pause = Duration::from_micros(500);
    loop {
        match tree.try_wait() {
            Ok(Some(end)) => return end,
            Ok(None) => {}
            Err(error) => return End::Failed(error),
        }
        if let Err(stopped) = stop.check() {
            return End::Stopped(stopped);
        }
        if began.elapsed() >= timeout {
            return End::TimedOut(timeout);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Input is a file: a command that does not read a pipe would keep its writer waiting.
fn file_of(input: &[u8]) -> io::Result<std::fs::File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(input)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

#[cfg(unix)]
fn shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(line);
    command
}

#[cfg(windows)]
fn shell(line: &str) -> Command {
    use std::os::windows::process::CommandExt;
    let mut command = Command::new("cmd");
    // `cmd` has rules of its own for quotes: the line has to arrive as it was written.
    command.arg("/D").arg("/C").raw_arg(line);
    command
}

/// A text that no other run has, on this machine.
fn mark() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let nanos = since_epoch.map_or(0, |time| time.as_nanos());
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    format!("[{}-{nanos}-{count}]", std::process::id())
}

/// The marks that this process has itself.
fn inherited(environment: &[(OsString, OsString)]) -> String {
    let mut variables = environment.iter();
    let marks = variables.find(|(name, _)| name == MARK);
    marks.map_or_else(String::new, |(_, marks)| {
        marks.to_string_lossy().into_owned()
    })
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
