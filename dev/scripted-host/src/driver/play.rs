//! One run of a host with attest as its hooks.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use attest_process::Finished;

use super::performance::Performance;
use super::script::Script;
use super::way::Way;
use super::{Driver, in_words_of};
use crate::journal::Journal;
use crate::run::{RunError, run};
use crate::server::Server;
use crate::workbench::Workbench;

/// What is needed for a run besides the script.
#[derive(Debug)]
pub struct Player<'a> {
    /// The host.
    pub driver: &'a dyn Driver,
    /// Where npm put it.
    pub modules: PathBuf,
    /// The program that is its hooks.
    pub attest: &'a Path,
    /// How long a run may take.
    pub limit: Duration,
    /// How the hooks get there.
    pub way: Way,
}

impl Player<'_> {
    /// Plays the script, and says what is not as it must be.
    pub fn play(&self, script: &Script) -> Result<(Performance, Vec<String>), RunError> {
        let scenario = in_words_of(self.driver, &script.scenario);
        let bench = Workbench::new(&scenario.files)?;
        let variables = [
            ("repo", bench.repository()),
            ("home", bench.home().to_owned()),
        ];
        let variables = variables.map(|(name, path)| (name.to_owned(), path.display().to_string()));
        let server = Server::start(
            ([127, 0, 0, 1], 0).into(),
            scenario.clone(),
            variables.into(),
            Journal::new(Some(&bench.log()))?,
        )?;
        self.driver.configure(&bench, &server.url())?;
        let mut printed = self.install(&bench, &server.url())?;
        for words in &script.expect.commands {
            printed += &self.attest(&bench, &server.url(), words)?;
        }
        let ran = self.start(&bench, &server, script)?;
        for words in &script.expect.afterwards {
            printed += &self.said(&bench, &server.url(), words)?;
        }
        let log = std::fs::read_to_string(bench.home().join(".attest/attest.log"));
        let performance = Performance {
            ran,
            printed,
            home: bench.home().to_owned(),
            requests: server.journal().entries(),
            log: log.unwrap_or_default(),
            tree: bench.tree()?,
        };
        let mut faults = performance.faults(self.driver, &scenario, &script.expect);
        if self.way == Way::Package {
            let doubts = performance
                .lines()
                .find(|line| self.driver.doubts_source(line));
            faults.extend(doubts.map(str::to_owned));
        }
        Ok((performance, faults))
    }

    /// As a person does who has the host installed. What attest printed.
    fn install(&self, bench: &Workbench, url: &str) -> Result<String, RunError> {
        let attest = |words: &[&str]| self.attest(bench, url, words);
        // What an agent is asked for is no part of most trials, and those that it is part of say so in the environment.
        let install = ["install", "--no-ask", "--host", self.driver.name()];
        if self.way == Way::Settings {
            return attest(&install);
        }
        if let Way::Broken(how) = self.way {
            let program = bench.programs().join("attest");
            std::fs::copy(self.attest, &program)?;
            let path = program.display().to_string();
            let printed = attest(&[&install[..], &["--binary", &path]].concat())?;
            how.become_of(&program)?;
            return Ok(printed);
        }
        let printed;
        let commands = if self.way == Way::Package {
            // The package names no path, so the program is where the person's programs are.
            std::fs::copy(self.attest, bench.programs().join("attest"))?;
            printed = attest(&["plugin-dir", "--host", self.driver.name()])?;
            self.driver.package(&self.packed(bench, printed.trim())?)
        } else {
            printed = attest(&["plugin-dir"])?;
            self.driver.plugin(printed.trim())
        };
        for words in commands {
            let mut command = self.host(bench);
            command
                .args(words)
                .envs(self.driver.environment(bench, url));
            self.succeed(command)?;
        }
        Ok(printed)
    }

    /// What a command of attest prints at the end, whether it finds a fault or not.
    fn said(&self, bench: &Workbench, url: &str, words: &[String]) -> Result<String, RunError> {
        let is_for = self.way == Way::Settings || words.first().is_none_or(|it| it != "doctor");
        if !is_for {
            return Ok(String::new());
        }
        let ran = run(self.of_attest(bench, url, words), self.limit)?;
        Ok(ran.stdout + &ran.stderr)
    }

    /// The archive that npm makes of the folder, if that is one of npm's; else the folder.
    fn packed(&self, bench: &Workbench, folder: &str) -> Result<String, RunError> {
        if !Path::new(folder).join("package.json").is_file() {
            return Ok(folder.to_owned());
        }
        let mut npm = bench.command("npm");
        npm.args(["pack", "--silent"]).current_dir(folder);
        let name = self.succeed(npm)?;
        Ok(format!("{folder}/{}", name.trim()))
    }

    /// Runs a command of attest, and gives what it printed.
    fn attest<W: AsRef<OsStr>>(
        &self,
        bench: &Workbench,
        url: &str,
        words: &[W],
    ) -> Result<String, RunError> {
        self.succeed(self.of_attest(bench, url, words))
    }

    fn of_attest<W: AsRef<OsStr>>(&self, bench: &Workbench, url: &str, words: &[W]) -> Command {
        let mut command = bench.command(self.attest);
        command
            .envs(self.driver.environment(bench, url))
            .args(words);
        command
    }

    fn succeed(&self, command: Command) -> Result<String, RunError> {
        let ran = run(command, self.limit)?;
        if ran.end.is_success() {
            Ok(ran.stdout)
        } else {
            Err(RunError::Install(ran.stderr))
        }
    }

    /// The host, without what it is to do.
    fn host(&self, bench: &Workbench) -> Command {
        let mut words = self.driver.program(&self.modules).into_iter();
        let mut command = bench.command(words.next().unwrap_or_default());
        command.args(words);
        command
    }

    fn start(
        &self,
        bench: &Workbench,
        server: &Server,
        script: &Script,
    ) -> Result<Finished, RunError> {
        let mut ran = run(
            self.asked(
                bench,
                server,
                script,
                self.driver.arguments(&script.scenario.prompt),
            ),
            self.limit,
        )?;
        for prompt in &script.scenario.then {
            let words = self.driver.resume(&prompt.text, &ran.stdout);
            let words = words.ok_or_else(|| RunError::Output(ran.stdout.clone()))?;
            let next = run(self.asked(bench, server, script, words), self.limit)?;
            ran = Finished {
                end: next.end,
                stdout: ran.stdout + &next.stdout,
                stderr: ran.stderr + &next.stderr,
            };
        }
        Ok(ran)
    }

    /// The host, asked something.
    fn asked(
        &self,
        bench: &Workbench,
        server: &Server,
        script: &Script,
        words: Vec<String>,
    ) -> Command {
        let mut command = self.host(bench);
        command
            .args(words)
            .envs(self.driver.environment(bench, &server.url()))
            .envs(&script.scenario.environment)
            .envs(&script.expect.env)
            .env("ATTEST_LOG", "info")
            // Whatever it might ask of anybody else is written down and refused.
            .env("HTTP_PROXY", server.proxy())
            .env("HTTPS_PROXY", server.proxy())
            .env("NO_PROXY", "127.0.0.1,localhost");
        command
    }
}
