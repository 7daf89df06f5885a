//! Finding a program, and running one that may hang, may write much, and may not be there.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use attest_process::{Finished, Unfinished};

use crate::env::{self, Env};

/// The most of an output that is looked at.
const LARGEST_OUTPUT: usize = 64 * 1024;

/// A program with its arguments, for [`run`].
#[expect(clippy::disallowed_methods, reason = "it is run below")]
pub(super) fn program(name: impl AsRef<OsStr>, arguments: &[&str]) -> Command {
    let mut program = Command::new(name);
    program.args(arguments);
    program
}

/// Runs the program with `input`, and ends it and all that it started after `limit`.
pub(super) fn run(program: Command, input: &[u8], limit: Duration) -> Result<Finished, Unfinished> {
    attest_process::finish(program, input, limit, LARGEST_OUTPUT)
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
