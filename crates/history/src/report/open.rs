//! Showing a file in the person's browser.

use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use attest_process::End;

use attest_base::env::Env;
use attest_base::error::{CommandError, Hint as _};
use attest_base::process::{find, program};

#[derive(Debug, thiserror::Error)]
#[error("cannot show the page: there is no `{OPENER}` on the PATH")]
struct NoOpener;

#[derive(Debug, thiserror::Error)]
#[error("cannot run `{OPENER}`")]
struct NotStarted(#[source] std::io::Error);

#[derive(Debug, thiserror::Error)]
#[error("cannot show the page: `{OPENER}` found no browser ({0})")]
struct NotShown(End);

/// What opens a file with the program that the person has chosen for its kind.
const OPENER: &str = if cfg!(windows) {
    "explorer"
} else if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

/// How long the opener may take to say that it cannot. It stays as long as the browser if that was not
/// running before.
const PATIENCE: Duration = Duration::from_secs(1);

/// Starts the browser and leaves it alone: it is the person's.
pub(super) fn in_browser(page: &Path, env: &Env) -> Result<(), CommandError> {
    const HINT: &str = "open the file that was written by hand, or name a browser in BROWSER";
    let opener = find(OPENER, env).ok_or(NoOpener).hint(HINT)?;
    let page = std::path::absolute(page).unwrap_or_else(|_| page.to_owned());
    let mut command = program(opener, &[]);
    command.arg(page);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let child = command.spawn().map_err(NotStarted).hint(HINT)?;
    match early_end(child) {
        // That of Windows ends with a failure whatever it did.
        Some(end) if !end.is_success() && !cfg!(windows) => Err(NotShown(end)).hint(HINT),
        _ => Ok(()),
    }
}

/// How it ended, if it did so soon.
fn early_end(mut child: Child) -> Option<End> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(end) = child.try_wait().ok()? {
            // Without a code it was ended by the person, or by the system.
            return end.code().map(End::Exited);
        }
        sleep(Duration::from_millis(10));
    }
    None
}
