//! Showing a file in the person's browser.

use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::cmd::process::{find, program};
use crate::env::Env;
use crate::error::{CommandError, Hint as _};

#[derive(Debug, thiserror::Error)]
#[error("cannot show the page: there is no `{OPENER}` on the PATH")]
struct NoOpener;

#[derive(Debug, thiserror::Error)]
#[error("cannot run `{OPENER}`")]
struct NotStarted(#[source] std::io::Error);

#[derive(Debug, thiserror::Error)]
#[error("cannot show the page: `{OPENER}` ended with {0}")]
struct NotShown(ExitStatus);

/// How long one that cannot show the page takes to say so, about.
const SOON: Duration = Duration::from_millis(700);
const PAUSE: Duration = Duration::from_millis(10);

/// What opens a file with the program that the person has chosen for its kind.
const OPENER: &str = if cfg!(windows) {
    "explorer"
} else if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

/// Starts the browser and leaves it alone: it is the person's.
pub(super) fn in_browser(page: &Path, env: &Env) -> Result<(), CommandError> {
    const HINT: &str = "open the file that was written by hand";
    let opener = find(OPENER, env).ok_or(NoOpener).hint(HINT)?;
    let page = std::path::absolute(page).unwrap_or_else(|_| page.to_owned());
    let mut command = program(opener, &[]);
    command.arg(page);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let opener = command.spawn().map_err(NotStarted).hint(HINT)?;
    if cfg!(windows) {
        // It says that it failed whatever it did.
        return Ok(());
    }
    match end_of(opener) {
        Some(status) if !status.success() => Err(NotShown(status)).hint(HINT),
        _ => Ok(()),
    }
}

/// How it ended, if it did so at once, as one does that finds no browser.
fn end_of(mut opener: Child) -> Option<ExitStatus> {
    let began = Instant::now();
    while began.elapsed() < SOON {
        if let Some(status) = opener.try_wait().ok()? {
            return Some(status);
        }
        thread::sleep(PAUSE);
    }
    None
}
