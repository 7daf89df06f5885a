//! The person's own Claude Code, driven by a scripted model: does it still treat hooks as attest
//! needs it to?
//!
//! The model is served over HTTP by a program of its own, so that the one that is a hook cannot
//! open a connection.

use std::path::{Path, PathBuf};
use std::time::Duration;

use attest_json::Fault;
use serde::Deserialize;

use super::report::Check;
use attest_base::env::Env;
use attest_base::process::{self, find};

const NAME: &str = "live";
/// The program that plays the model and drives the host.
const PROGRAM: &str = "attest-scripted-host";
/// It ends whatever it runs after 45 seconds; this is for itself.
const LIMIT: Duration = Duration::from_mins(4);

/// What the program found.
#[derive(Debug, Deserialize)]
struct Tried {
    version: String,
    faults: Vec<String>,
}

/// Tries the `claude` on the PATH with `hooks` as its hooks; `this` is the running program.
pub(super) fn check(hooks: &Path, this: &Path, env: &Env) -> Check {
    let Some(claude) = find("claude", env) else {
        return Check::fail(
            NAME,
            "there is no `claude` on the PATH, so nothing was tried",
            "install Claude Code, or leave out --live",
        );
    };
    let Some(program) = beside(this).or_else(|| find(PROGRAM, env)) else {
        return Check::fail(
            NAME,
            format!("there is no {PROGRAM} beside attest or on the PATH, so nothing was tried"),
            "run `./install.sh --live` in a clone of attest",
        );
    };
    let claude = std::path::absolute(&claude).unwrap_or(claude);
    let name = claude.display();
    let advice = "the versions that were tried are in docs/VALIDATION.md; report this one";
    match play(&program, &claude, hooks, env) {
        Ok(Tried { version, faults }) if faults.is_empty() => Check::pass(
            NAME,
            format!(
                "Claude Code {version} sent a false DONE back to its agent and let the mended one \
                 through; the model was scripted"
            ),
        ),
        Ok(Tried { version, faults }) => {
            let detail = format!("{name} {version}: {}", faults.join("; "));
            Check::fail(NAME, detail, advice)
        }
        Err(why) => Check::fail(
            NAME,
            format!("{name}: {why}"),
            "run `claude --version`; if that works, report this",
        ),
    }
}

fn beside(this: &Path) -> Option<PathBuf> {
    let program = this
        .with_file_name(PROGRAM)
        .with_extension(std::env::consts::EXE_EXTENSION);
    program.is_file().then_some(program)
}

fn play(program: &Path, claude: &Path, hooks: &Path, env: &Env) -> Result<Tried, String> {
    let mut command = process::program(program, &["live"]);
    command
        .arg("--host")
        .arg(claude)
        .arg("--attest")
        .arg(hooks)
        .arg("--path")
        .arg(process::path(env));
    let output =
        process::run(command, b"", LIMIT).map_err(|error| format!("{PROGRAM}: {error}"))?;
    if !output.end.is_success() {
        let why = output.stderr.lines().next().unwrap_or_default();
        return Err(format!("{PROGRAM} ended with {}: {why}", output.end));
    }
    serde_json::from_str(&output.stdout)
        .map_err(Fault::from)
        .map_err(|why| format!("{} does not say what it found: {why}", program.display()))
}
