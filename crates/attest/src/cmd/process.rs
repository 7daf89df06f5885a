//! Finding a program, and running one that may hang, may write much, and may not be there.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use thiserror::Error;
use wait_timeout::ChildExt as _;

use crate::env::{self, Env};

/// The most of an output that is looked at, in bytes.
const LARGEST_OUTPUT: u64 = 64 * 1024;

/// What a program printed before it ended.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) status: ExitStatus,
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

/// Runs `command` with `input`, and ends it after `limit`.
///
/// Input and output are files: a pipe that fills up, or that a grandchild keeps open, would make
/// both sides wait.
pub(super) fn run(
    command: &mut Command,
    input: &[u8],
    limit: Duration,
) -> Result<Output, RunError> {
    let mut stdin = tempfile::tempfile()?;
    stdin.write_all(input)?;
    stdin.seek(SeekFrom::Start(0))?;
    let mut stdout = tempfile::tempfile()?;
    let mut stderr = tempfile::tempfile()?;
    let mut child = command
        .stdin(Stdio::from(stdin))
        .stdout(Stdio::from(stdout.try_clone()?))
        .stderr(Stdio::from(stderr.try_clone()?))
        .spawn()?;
    let Some(status) = child.wait_timeout(limit)? else {
        // It may have ended just now; either way it is waited for.
        let _ = child.kill();
        child.wait()?;
        return Err(RunError::Timeout(limit));
    };
    let text = |file: &mut File| -> io::Result<String> {
        file.seek(SeekFrom::Start(0))?;
        let mut bytes = Vec::new();
        file.take(LARGEST_OUTPUT).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    Ok(Output {
        status,
        stdout: text(&mut stdout)?,
        stderr: text(&mut stderr)?,
    })
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
