//! The person's own Claude Code, driven by a scripted model: does it still treat hooks as attest
//! needs it to?
//!
//! Nothing of the person is used but the program and the PATH: home, settings, key and repository
//! are made for it, and the only server that it is told of is ours, on loopback.

use std::path::{Path, PathBuf};
use std::time::Duration;

use attest_scripted_model::run::RunError;
use attest_scripted_model::{Host, Trial, TrialError, Workbench};
use thiserror::Error;

use super::report::Check;
use crate::cmd::process::find;
use crate::env::{self, Env};

const NAME: &str = "live";
/// How long the host may take to say its version, and how long to play.
const LIMIT: Duration = Duration::from_secs(45);
/// An agent reports a file that it did not make, is sent back, makes it, and may stop.
const SCENARIO: &str = include_str!("../../../../../tests/claude_code/false_done_fixed.toml");

#[derive(Debug, Error)]
enum LiveError {
    #[error(transparent)]
    Trial(#[from] TrialError),
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Plays the scenario with `attest` as the hooks.
pub(super) fn check(attest: &Path, env: &Env) -> Check {
    match find("claude", env) {
        Some(program) => check_program(program, attest, env, LIMIT),
        None => Check::fail(
            NAME,
            "there is no `claude` on the PATH, so nothing was tried",
            "install Claude Code, or leave out --live",
        ),
    }
}

fn check_program(program: PathBuf, attest: &Path, env: &Env, limit: Duration) -> Check {
    let host = Host {
        program: std::path::absolute(&program).unwrap_or(program),
        probe: None,
        limit,
    };
    let name = host.program.display();
    let advice = "the versions that were tried are in docs/VALIDATION.md; report this one";
    match play(&host, attest, env) {
        Ok((version, faults)) if faults.is_empty() => Check::pass(
            NAME,
            format!(
                "Claude Code {version} sent a false DONE back to its agent and let the mended one \
                 through; the model was scripted"
            ),
        ),
        Ok((version, faults)) => {
            let detail = format!("{name} {version}: {}", faults.join("; "));
            Check::fail(NAME, detail, advice)
        }
        Err(error) => {
            let detail = format!("{name}: {}", crate::log::chain(&error));
            Check::fail(NAME, detail, advice)
        }
    }
}

/// The host's version, and what did not come out as it must.
fn play(host: &Host, attest: &Path, env: &Env) -> Result<(String, Vec<String>), LiveError> {
    let trial = Trial::parse(SCENARIO)?;
    let path = env.get(env::PATH).unwrap_or_default();
    let bench = Workbench::searching(&trial.scenario.files, path)?;
    let version = host.version(&bench)?;
    let played = trial.play(host, bench, attest)?;
    Ok((version, played.faults()?))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::time::Instant;

    #[test]
    fn a_host_that_hangs_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("claude");
        let script = "#!/bin/sh\n[ \"$1\" = --version ] && exec echo 1.0\nsleep 600 & sleep 600\n";
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let begun = Instant::now();
        let env = Env::from([("PATH", "/usr/local/bin:/usr/bin:/bin")]);
        let check = check_program(program, Path::new("true"), &env, Duration::from_secs(1));
        assert!(check.has_failed());
        assert!(
            check.to_string().contains("still running after 1s"),
            "{check}"
        );
        assert!(begun.elapsed() < Duration::from_mins(1));
    }
}
