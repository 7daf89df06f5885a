//! `~/.attest/off`: while it is there, no hook of any host does anything, in sessions that run, too.
//!
//! Whatever is in that place turns attest off, so that `touch` does as well.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use attest_snapshot::{escaped, read_regular_whole};
use attest_state::{WhileOff, private};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::env::{self, Env};
use crate::time;
use crate::ui::counted;

/// What the file is called in the folder of attest.
pub const NAME: &str = "off";
/// More is of somebody else.
const MOST: u64 = 64 * 1024;

/// That attest is off, as far as the file tells.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Off {
    /// Since when.
    pub since: Option<Timestamp>,
    /// Where `attest off` was run.
    folder: Option<String>,
    /// The session of the agent that ran it.
    pub session: Option<String>,
}

/// Where the file is.
#[must_use]
pub fn path(env: &Env) -> Option<PathBuf> {
    Some(env.home()?.join(".attest").join(NAME))
}

/// Whether attest is off. A place that cannot be looked at has no file.
#[must_use]
pub fn is_off(env: &Env) -> bool {
    path(env).is_some_and(|path| path.symlink_metadata().is_ok())
}

impl Off {
    /// What the file says, if it is there.
    #[must_use]
    pub fn read(env: &Env) -> Option<Self> {
        let path = path(env)?;
        let metadata = path.symlink_metadata().ok()?;
        let content = read_regular_whole(&path, MOST).ok().flatten();
        let said = content.and_then(|(content, _)| serde_json::from_slice::<Self>(&content).ok());
        let mut off = said.unwrap_or_default();
        let made = metadata.modified().ok();
        let made = made.and_then(|made| made.duration_since(UNIX_EPOCH).ok());
        let made =
            made.and_then(|made| Timestamp::from_second(made.as_secs().try_into().ok()?).ok());
        off.since = off.since.or(made);
        Some(off)
    }

    /// What `attest off` says of itself.
    pub fn now(env: &Env) -> Self {
        let folder = std::env::current_dir().ok();
        Self {
            since: Some(Timestamp::now()),
            folder: Some(folder.map_or_else(
                || "a folder that is gone".to_owned(),
                |folder| folder.to_string_lossy().into_owned(),
            )),
            session: env.text(env::SESSION).map(str::to_owned),
        }
    }

    /// Makes the file.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            private::make_folder(folder)?;
        }
        let mut file = private::make_file(path, OpenOptions::new().write(true))?;
        let said = serde_json::to_string(self).map_err(io::Error::other)?;
        file.write_all(format!("{said}\n").as_bytes())
    }

    /// Since when and by whom, in words that are safe to print.
    pub fn phrase(&self) -> String {
        let since = self.since.map_or_else(String::new, |since| {
            format!("since {}, ", time::second(since))
        });
        let by = match (&self.folder, &self.session) {
            (None, _) => "by a file that somebody put there".to_owned(),
            (Some(folder), None) => format!("by `attest off` in {folder}"),
            (Some(folder), Some(session)) => {
                format!("by `attest off`, run by an agent of session {session} in {folder}")
            }
        };
        escaped(format!("{since}{by}").as_bytes())
    }

    /// Nanoseconds since the epoch.
    pub fn since_ns(&self) -> i64 {
        let since = self.since.map(Timestamp::as_nanosecond);
        since.and_then(|ns| ns.try_into().ok()).unwrap_or_default()
    }
}

/// What came to pass, in a sentence.
#[must_use]
pub fn in_words(passed: WhileOff) -> String {
    let number = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let stops = counted(number(passed.stops), "stop");
    let was = if passed.stops == 1 { "was" } else { "were" };
    match number(passed.starts) {
        0 => format!("{stops} {was} not judged."),
        starts => format!(
            "{stops} {was} not judged, nor will be the {} that began meanwhile.",
            counted(starts, "agent")
        ),
    }
}

/// Removes the file. Nothing but a regular one or a link is: a folder in its place is no file of attest's.
pub fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}
