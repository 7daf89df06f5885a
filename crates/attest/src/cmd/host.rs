//! The Claude Code on the PATH: which version it is, and what that version knows.
//!
//! The versions were found by running the hooks in them; see docs/VALIDATION.md for those that are
//! tested all the time.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use super::process;
use crate::env::Env;
use crate::settings::CallForm;

/// How long it may take to say its version.
const LIMIT: Duration = Duration::from_secs(10);

/// The first version that knows `args` in an entry. An earlier one runs the bare program.
pub(crate) const ARGS_SINCE: Version = Version(2, 1, 139);

/// The first version on npm that knows `SubagentStart`. An earlier one takes a settings file that
/// names the event for invalid, and runs none of the hooks in it, whosever they are.
const EVENTS_SINCE: Version = Version(2, 0, 44);

/// The first version in which an entry of this form works.
pub(crate) const fn least(form: CallForm) -> Version {
    match form {
        CallForm::Shell => EVENTS_SINCE,
        CallForm::Exec => ARGS_SINCE,
    }
}

/// A version of Claude Code: major, minor, patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(u64, u64, u64);

impl FromStr for Version {
    type Err = ();

    /// Reads what `claude --version` prints, such as `2.1.330 (Claude Code)`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let word = text.split_whitespace().next().unwrap_or_default();
        let mut numbers = word.splitn(3, '.').map(|part| {
            let end = part.find(|char: char| !char.is_ascii_digit());
            part.get(..end.unwrap_or(part.len()))?.parse().ok()
        });
        match [(); 3].map(|()| numbers.next().flatten()) {
            [Some(major), Some(minor), Some(patch)] => Ok(Self(major, minor, patch)),
            _ => Err(()),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// What was found on the PATH.
#[derive(Debug)]
pub(crate) enum Host {
    /// There is no `claude`.
    Absent,
    /// There is one whose version could not be read.
    Unreadable { program: PathBuf, why: String },
    /// There is one.
    Found { program: PathBuf, version: Version },
}

impl Host {
    /// Asks the `claude` on the PATH for its version.
    pub(crate) fn on_path(env: &Env) -> Self {
        match process::find("claude", env) {
            None => Self::Absent,
            Some(program) => match version_of(&program, LIMIT) {
                Ok(version) => Self::Found { program, version },
                Err(why) => Self::Unreadable { program, why },
            },
        }
    }

    /// Its version, as far as it is known.
    pub(crate) fn version(&self) -> Option<Version> {
        match self {
            Self::Found { version, .. } => Some(*version),
            Self::Absent | Self::Unreadable { .. } => None,
        }
    }
}

fn version_of(program: &Path, limit: Duration) -> Result<Version, String> {
    let output = process::run(process::program(program, &["--version"]), b"", limit)
        .map_err(|error| error.to_string())?;
    let first = output.stdout.trim().lines().next().unwrap_or_default();
    first.parse().map_err(|()| match first {
        "" => format!("`--version` printed nothing and ended with {}", output.end),
        _ => format!("`--version` printed {first:?}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared_by_number() {
        let version = |text: &str| text.parse::<Version>();
        assert_eq!(version("2.1.330 (Claude Code)\n"), Ok(Version(2, 1, 330)));
        assert_eq!(version("2.0.0-beta.1"), Ok(Version(2, 0, 0)));
        assert!(version("2.1.99").unwrap() < ARGS_SINCE);
        assert!(version("2.1.139").unwrap() >= ARGS_SINCE);
        assert!(version("10.0.0").unwrap() > ARGS_SINCE);
        for text in ["", "claude", "2.1", "v2.1.3", "2..3", "2.x.3"] {
            assert_eq!(version(text), Err(()), "{text:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_hangs_is_not_waited_for() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("claude");
        std::fs::write(&program, "#!/bin/sh\nexec sleep 600\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let why = version_of(&program, Duration::from_millis(100)).unwrap_err();
        assert!(why.contains("timed out after"), "{why}");
    }
}
