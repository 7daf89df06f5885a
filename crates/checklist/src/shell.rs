//! A command line as a program to run: the system's shell reads it.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use attest_process::MARK;

/// The shell with its line, in the given folder and environment.
pub(crate) fn shell(line: &str, folder: &Path, environment: &[(OsString, OsString)]) -> Command {
    let mut command = program(line);
    command
        .current_dir(folder)
        .env_clear()
        .envs(environment.iter().map(|(name, value)| (name, value)));
    command
}

/// The marks of this process itself, if attest runs as part of a criterion.
pub(crate) fn marks(environment: &[(OsString, OsString)]) -> String {
    let marks = environment.iter().find(|(name, _)| name == MARK);
    marks.map_or_else(String::new, |(_, marks)| {
        marks.to_string_lossy().into_owned()
    })
}

#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "it is run by attest_process")]
fn program(line: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(line);
    command
}

#[cfg(windows)]
#[expect(clippy::disallowed_methods, reason = "it is run by attest_process")]
fn program(line: &str) -> Command {
    use std::os::windows::process::CommandExt;
    let mut command = Command::new("cmd");
    // `cmd` has its own rules for quotes, so the line has to arrive as it was written.
    command.arg("/D").arg("/C").raw_arg(line);
    command
}
