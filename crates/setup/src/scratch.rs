//! A scratch repository, in which the real hooks run as a host would run them.
//!
//! Nothing of the person is touched: the repository, the home folder and the state file are all in
//! one temporary folder, and every variable of attest and of git is taken out of the environment.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use attest_host::{Host, SampleAgent};
use attest_process::{Finished, Unfinished};
use tempfile::TempDir;

use attest_base::env::{self, Env};
use attest_base::process;

const LIMIT: Duration = Duration::from_secs(30);

/// Variables that would lead a hook or git out of the scratch folder.
const PREFIXES: [&str; 2] = ["ATTEST_", "GIT_"];

/// Why something did not end as it should.
#[derive(Debug)]
pub(super) struct Fault {
    text: String,
    /// Nothing was tried, for want of a place.
    pub(super) has_no_place: bool,
}

impl<E: Into<Unfinished>> From<E> for Fault {
    fn from(error: E) -> Self {
        Self::because(error.into().to_string())
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.text)
    }
}

impl Fault {
    /// What went wrong, and what the program said.
    pub(super) fn of(what: &str, output: &Finished) -> Self {
        let said = [&output.stdout, &output.stderr].map(|text| text.trim());
        Self::because(format!("{what} (it said: {})", said.join(" ").trim()))
    }

    fn because(text: String) -> Self {
        Self {
            text,
            has_no_place: false,
        }
    }

    fn no_place(error: &io::Error) -> Self {
        let folder = std::env::temp_dir();
        let why = io::Error::from(error.kind());
        Self {
            text: format!("cannot make a folder in {}: {why}", folder.display()),
            has_no_place: true,
        }
    }
}

/// A repository with one commit, which has the file `a.py`.
pub(super) struct Scratch<'a> {
    host: &'a dyn Host,
    program: &'a Path,
    env: &'a Env,
    folder: TempDir,
}

impl<'a> Scratch<'a> {
    pub(super) fn new(host: &'a dyn Host, program: &'a Path, env: &'a Env) -> Result<Self, Fault> {
        let folder = tempfile::Builder::new()
            .prefix("attest-scratch-")
            .tempdir()
            .map_err(|error| Fault::no_place(&error))?;
        let scratch = Self {
            host,
            program,
            env,
            folder,
        };
        fs::create_dir(scratch.repository())?;
        fs::create_dir(scratch.home())?;
        scratch.write("a.py", "print('a')\n")?;
        for args in [
            // Neither what is not needed nor a hook of the person's own.
            &["init", "--quiet", "--template="] as &[&str],
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

    /// Does the work of an agent.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), Fault> {
        Ok(fs::write(self.repository().join(name), text)?)
    }

    /// Lets an agent start.
    pub(super) fn start(&self, agent: &str) -> Result<Finished, Fault> {
        let [start, _] = self.verbs();
        self.hook(start, agent, None, true)
    }

    /// Lets it stop with a message, and gives what the hook printed.
    pub(super) fn stop(
        &self,
        agent: &str,
        message: &str,
        enforces: bool,
    ) -> Result<Finished, Fault> {
        let [_, stop] = self.verbs();
        self.hook(stop, agent, Some(message), enforces)
    }

    /// Whether the host would send the agent back to work.
    pub(super) fn is_block(&self, output: &Finished) -> bool {
        self.host.is_block(&output.stdout)
    }

    /// The words of what begins and of what ends: a subagent, or in a host without those a turn.
    fn verbs(&self) -> [&'static str; 2] {
        if self.host.profile().judges_turns {
            ["prompt", "session-stop"]
        } else {
            ["start", "stop"]
        }
    }

    /// Runs one hook with the payload that the host would send.
    fn hook(
        &self,
        verb: &str,
        agent: &str,
        message: Option<&str>,
        enforces: bool,
    ) -> Result<Finished, Fault> {
        let payload = self.host.sample(&SampleAgent {
            session: "attest-scratch",
            id: agent,
            folder: &self.repository(),
            message,
        });
        let mut command = self.command(self.program.as_os_str());
        command.args(self.host.wiring().words(verb));
        command.env(env::ENFORCE, if enforces { "1" } else { "0" });
        command.env(env::STATE_DB, self.home().join(".attest").join("state.db"));
        let output = process::run(command, payload.as_bytes(), LIMIT)
            .map_err(|error| Fault::because(format!("`attest hook {verb}`: {error}")))?;
        if output.end.is_success() {
            return Ok(output);
        }
        let why = output.stderr.lines().next().unwrap_or_default();
        Err(Fault::because(format!(
            "`attest hook {verb}` ended with {}: {why}",
            output.end
        )))
    }

    /// Runs git, which has to succeed.
    pub(super) fn git(&self, args: &[&str]) -> Result<(), Fault> {
        let git = process::find("git", self.env);
        let git = git.ok_or_else(|| Fault::because("there is no git on the PATH".to_owned()))?;
        let mut command = self.command(git.as_os_str());
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
        Err(Fault::because(format!(
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
            .env(env::PATH, process::path(self.env))
            .env(env::HOME, self.home())
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
