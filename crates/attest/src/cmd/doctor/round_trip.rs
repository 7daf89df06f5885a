//! The real thing in small: an agent starts, claims and stops in a scratch repository.
//!
//! Nothing of the person is touched: the repository, the home folder and the state file are all in
//! one temporary folder, and every variable of attest and of git is taken out of the environment.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use attest_host::{Host, SampleAgent};
use attest_process::{Finished, Unfinished};
use tempfile::TempDir;

use super::report::Check;
use crate::cmd::process;
use crate::env::{self, Env};

const NAME: &str = "round trip";
const LIMIT: Duration = Duration::from_secs(30);

/// Variables that would lead a hook or git out of the scratch folder.
const PREFIXES: [&str; 2] = ["ATTEST_", "GIT_"];

/// Why the round trip did not end as it should.
struct Fault(String);

impl<E: Into<Unfinished>> From<E> for Fault {
    fn from(error: E) -> Self {
        Self(error.into().to_string())
    }
}

impl Fault {
    fn of(what: &str, output: &Finished) -> Self {
        let said = [&output.stdout, &output.stderr].map(|text| text.trim());
        Self(format!("{what} (it said: {})", said.join(" ").trim()))
    }
}

/// Lets `program` judge an honest and a false DONE.
pub(super) fn check(host: &dyn Host, program: &Path, env: &Env) -> Check {
    let result = Scratch::new(host, program, env).and_then(|scratch| {
        scratch.honest_done_is_allowed()?;
        scratch.false_done_is_blocked()
    });
    match result {
        Ok(()) => Check::pass(
            NAME,
            "an honest DONE was allowed and a false DONE was blocked",
        ),
        Err(Fault(why)) => {
            let advice = format!(
                "report this with the output of `{} --version`",
                program.display()
            );
            Check::fail(NAME, why, advice)
        }
    }
}

struct Scratch<'a> {
    host: &'a dyn Host,
    program: &'a Path,
    env: &'a Env,
    folder: TempDir,
}

impl<'a> Scratch<'a> {
    fn new(host: &'a dyn Host, program: &'a Path, env: &'a Env) -> Result<Self, Fault> {
        let folder = tempfile::Builder::new()
            .prefix("attest-doctor-")
            .tempdir()?;
        let scratch = Self {
            host,
            program,
            env,
            folder,
        };
        fs::create_dir(scratch.repository())?;
        fs::create_dir(scratch.home())?;
        fs::write(scratch.repository().join("a.py"), "print('a')\n")?;
        for args in [
            &["init", "--quiet"] as &[&str],
            &["add", "a.py"],
            &[
                "-c",
                "user.name=attest",
                "-c",
                "user.email=attest@localhost",
                "commit",
                "--quiet",
                "-m",
                "scratch",
            ],
        ] {
            scratch.git(args)?;
        }
        Ok(scratch)
    }

    /// The words of what begins and of what ends: a subagent, or in a host without those a turn.
    fn verbs(&self) -> [&'static str; 2] {
        if self.host.judges_turns() {
            ["prompt", "session-stop"]
        } else {
            ["start", "stop"]
        }
    }

    fn honest_done_is_allowed(&self) -> Result<(), Fault> {
        let [start, stop] = self.verbs();
        self.hook(start, "honest", None)?;
        fs::write(self.repository().join("a.py"), "print('changed')\n")?;
        let output = self.hook(stop, "honest", Some("a.py"))?;
        if self.host.is_block(&output.stdout) {
            return Err(Fault::of("an honest DONE was not allowed", &output));
        }
        self.git(&["checkout", "--quiet", "--", "a.py"])
    }

    fn false_done_is_blocked(&self) -> Result<(), Fault> {
        let [start, stop] = self.verbs();
        self.hook(start, "false", None)?;
        let output = self.hook(stop, "false", Some("ghost.py"))?;
        if self.host.is_block(&output.stdout) {
            return Ok(());
        }
        Err(Fault::of("a false DONE was not blocked", &output))
    }

    /// Runs one hook with the payload that the host would send, and gives what it printed.
    fn hook(&self, verb: &str, agent: &str, claimed: Option<&str>) -> Result<Finished, Fault> {
        let message =
            claimed.map(|path| format!("## Handoff\n\nStatus: DONE\nFiles changed: {path}\n"));
        let payload = self.host.sample(&SampleAgent {
            session: "attest-doctor",
            id: agent,
            folder: &self.repository(),
            message: message.as_deref(),
        });
        let mut command = self.command(self.program.as_os_str());
        command.args(self.host.wiring().words(verb));
        command.env(env::ENFORCE, "1");
        command.env(env::STATE_DB, self.home().join(".attest").join("state.db"));
        let output = process::run(command, payload.as_bytes(), LIMIT)
            .map_err(|error| Fault(format!("`attest hook {verb}`: {error}")))?;
        if output.end.is_success() {
            return Ok(output);
        }
        let why = output.stderr.lines().next().unwrap_or_default();
        Err(Fault(format!(
            "`attest hook {verb}` ended with {}: {why}",
            output.end
        )))
    }

    fn git(&self, args: &[&str]) -> Result<(), Fault> {
        let mut command = self.command(OsStr::new("git"));
        command
            .args([
                "-c",
                "core.hooksPath=/dev/null",
                "-c",
                "commit.gpgSign=false",
            ])
            .args(args);
        let output = process::run(command, b"", LIMIT)?;
        if output.end.is_success() {
            return Ok(());
        }
        let why = output.stderr.lines().next().unwrap_or_default();
        Err(Fault(format!(
            "git could not make the scratch repository: {why}"
        )))
    }

    fn command(&self, program: &OsStr) -> Command {
        let mut command = process::program(program, &[]);
        for name in self.env.names() {
            let text = name.to_string_lossy();
            if PREFIXES.iter().any(|prefix| text.starts_with(prefix)) {
                command.env_remove(name);
            }
        }
        command
            .current_dir(self.repository())
            .env(
                if cfg!(windows) { "USERPROFILE" } else { "HOME" },
                self.home(),
            )
            .env("XDG_CONFIG_HOME", self.home())
            .env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }

    fn repository(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }
}
