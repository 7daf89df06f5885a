//! Finding a program, and running one that may hang, may write much, and may not be there.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use attest_process::{Finished, Unfinished};
use attest_snapshot::Around;

use crate::env::{self, Env};
use crate::trusted;

/// The most of an output that is looked at.
const LARGEST_OUTPUT: usize = 64 * 1024;

/// A program with its arguments, for [`run`].
#[expect(clippy::disallowed_methods, reason = "it is run below")]
pub fn program(name: impl AsRef<OsStr>, arguments: &[&str]) -> Command {
    let mut program = Command::new(name);
    program.args(arguments);
    program
}

/// Runs the program with `input`, and ends it and all that it started after `limit`.
pub fn run(program: Command, input: &[u8], limit: Duration) -> Result<Finished, Unfinished> {
    attest_process::finish(program, input, limit, LARGEST_OUTPUT)
}

/// The program that the PATH has for a bare name: the first in an absolute entry that may be run, as
/// [`trusted`] says.
#[must_use]
pub fn find(name: &str, env: &Env) -> Option<PathBuf> {
    let around = around(env);
    entries(env)
        .map(|folder| {
            folder
                .join(name)
                .with_extension(std::env::consts::EXE_EXTENSION)
        })
        .filter(|candidate| trusted::check(candidate, &around).is_ok())
        .find(|candidate| !attest_snapshot::opens_a_dialog(candidate))
}

/// The work trees around this folder.
#[must_use]
pub fn around(env: &Env) -> [Around; 1] {
    // Without a folder there is nothing around it.
    let folder = std::env::current_dir().unwrap_or_default();
    [Around::person(&folder, env.home().as_deref())]
}

/// The PATH without what a work tree around this folder has in it, for a program that looks there itself.
#[must_use]
pub fn path(env: &Env) -> OsString {
    let around = around(env);
    let is_held = |entry: &PathBuf| around.iter().any(|around| around.holds(entry));
    let outside = entries(env).filter(|entry| entry.exists() && !is_held(entry));
    // Each of them was in one already.
    std::env::join_paths(outside).unwrap_or_default()
}

fn entries(env: &Env) -> impl Iterator<Item = PathBuf> {
    let folders = env.get(env::PATH).map(std::env::split_paths);
    let folders = folders.into_iter().flatten();
    folders.filter(|folder| folder.is_absolute())
}
