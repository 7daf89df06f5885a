//! The host on the PATH, and which version it is.

use std::path::{Path, PathBuf};
use std::time::Duration;

use attest_host::{Host, Version};
use attest_process::Unfinished;

use crate::env::Env;
use crate::process;

/// How long it may take to say its version: some start slowly on a machine that is busy.
const LIMIT: Duration = Duration::from_secs(15);

/// What was found on the PATH.
#[expect(missing_docs, reason = "each says in its message what it is")]
#[derive(Debug)]
pub enum OnPath {
    /// There is none.
    Absent,
    /// There is one whose version could not be read.
    Unreadable { program: PathBuf, why: String },
    /// There is one that had not said its version when its time was over.
    Late { program: PathBuf, why: String },
    /// There is one.
    Found { program: PathBuf, version: Version },
}

impl OnPath {
    /// Asks the program of `host` for its version.
    pub fn find(host: &dyn Host, env: &Env) -> Self {
        match process::find(host.profile().executable.name, env) {
            None => Self::Absent,
            Some(program) => match version_of(&program, LIMIT) {
                Ok(version) => Self::Found { program, version },
                Err(Unknown::Late(why)) => Self::Late { program, why },
                Err(Unknown::Said(why)) => Self::Unreadable { program, why },
            },
        }
    }

    /// Its version, as far as it is known.
    #[must_use]
    pub fn version(&self) -> Option<Version> {
        match self {
            Self::Found { version, .. } => Some(*version),
            Self::Absent | Self::Unreadable { .. } | Self::Late { .. } => None,
        }
    }
}

/// Why a version is not known, in words.
#[derive(Debug)]
enum Unknown {
    /// What was said instead.
    Said(String),
    /// Nothing was, in this time.
    Late(String),
}

fn version_of(program: &Path, limit: Duration) -> Result<Version, Unknown> {
    let output = process::run(process::program(program, &["--version"]), b"", limit);
    let output = output.map_err(|error| match error {
        Unfinished::TimedOut(_) => Unknown::Late(format!("`--version` {error}")),
        Unfinished::Failed(_) => Unknown::Said(error.to_string()),
    })?;
    let first = output.stdout.trim().lines().next().unwrap_or_default();
    first.parse().map_err(|()| {
        Unknown::Said(match first {
            "" => format!("`--version` printed nothing and ended with {}", output.end),
            _ => format!("`--version` printed {first:?}"),
        })
    })
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_hangs_is_not_waited_for() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("claude");
        std::fs::write(&program, "#!/bin/sh\nexec sleep 600\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let why = version_of(&program, Duration::from_millis(100)).unwrap_err();
        assert!(matches!(why, Unknown::Late(why) if why.contains("timed out after")));
    }
}
