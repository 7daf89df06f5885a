//! One run of a host with attest as its hooks, and what must be true at the end.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use attest_process::Finished;
use serde::Deserialize;

use super::{Driver, in_words_of};
use crate::journal::{self, Entry, Journal};
use crate::run::{RunError, run};
use crate::scenario::Scenario;
use crate::server::Server;
use crate::trial::TrialError;
use crate::workbench::Workbench;

/// A scenario for any host, and what must be true at its end.
#[derive(Debug)]
pub struct Script {
    /// What is said.
    pub scenario: Scenario,
    /// What must be true.
    pub expect: Expect,
}

/// What must be true at the end of a scenario.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// attest's variables.
    pub env: BTreeMap<String, String>,
    /// What the person runs of attest's commands once the hooks are there, each as its words.
    #[serde(default)]
    pub commands: Vec<Vec<String>>,
    /// What the person runs at the end; `doctor` only if attest itself installed the hooks.
    #[serde(default)]
    pub afterwards: Vec<Vec<String>>,
    /// What attest's own commands printed, all together.
    #[serde(default)]
    pub printed: Vec<String>,
    /// What none of them printed, in whatever case.
    #[serde(default)]
    pub not_printed: Vec<String>,
    /// How many reports were sent back.
    pub revisions: usize,
    /// What attest's log holds, in this order.
    pub reports: Vec<String>,
    /// What it holds as well, wherever that is.
    #[serde(default)]
    pub reports_somewhere: Vec<String>,
    /// Files that are there.
    #[serde(default)]
    pub tree: Vec<String>,
    /// Files that are not there.
    #[serde(default)]
    pub no_tree: Vec<String>,
    /// What the conversation of a script was told.
    #[serde(default)]
    pub told: BTreeMap<String, Vec<String>>,
    /// What it was not told.
    #[serde(default)]
    pub not_told: BTreeMap<String, Vec<String>>,
    /// What the person was shown, if the host shows anything.
    #[serde(default)]
    pub person: Vec<String>,
    /// What the person was not shown, on any stream.
    #[serde(default)]
    pub not_person: Vec<String>,
}

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

/// How the hooks get into a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// By `attest install`.
    Settings,
    /// As the plugin of Claude Code, by the host's own commands.
    Plugin,
    /// As the host's own package, by the host's own commands.
    Package,
    /// By `attest install`, and then something becomes of the program.
    Broken(Broken),
}

/// What became of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// It was removed.
    Gone,
    /// Only a piece of it is left.
    Damaged,
    /// Another program has its name, and refuses what it is asked.
    Foreign,
    /// It never ends.
    Hanging,
}

impl Broken {
    /// Every one of them.
    pub const ALL: [Self; 4] = [Self::Gone, Self::Damaged, Self::Foreign, Self::Hanging];

    /// What a test is called by.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Damaged => "damaged",
            Self::Foreign => "foreign",
            Self::Hanging => "hanging",
        }
    }

    /// What is in the place of the program; `None` if nothing is.
    fn content(self) -> Option<&'static str> {
        match self {
            Self::Gone => None,
            Self::Damaged => Some("attest ( is no program\n"),
            Self::Foreign => Some("#!/bin/sh\necho 'attest: no such command: hook' >&2\nexit 2\n"),
            // Long enough for every host, and short enough to leave nothing behind.
            Self::Hanging => Some("#!/bin/sh\nexec sleep 200\n"),
        }
    }
}

/// What came of a run.
#[derive(Debug)]
pub struct Performance {
    /// How the host ended, and what it printed.
    pub ran: Finished,
    /// What attest's own commands printed.
    pub printed: String,
    /// The scratch home, which is gone.
    pub home: PathBuf,
    /// What it asked the model, and was told.
    pub requests: Vec<Entry>,
    /// attest's own log.
    pub log: String,
    /// The files of the work tree.
    pub tree: BTreeMap<String, Vec<u8>>,
}

impl Script {
    /// Reads a scenario file.
    pub fn load(path: &Path) -> Result<Self, TrialError> {
        Self::of(Scenario::load(path)?)
    }

    /// Reads the text of a scenario file.
    pub fn parse(text: &str) -> Result<Self, TrialError> {
        Self::of(Scenario::parse(text)?)
    }

    fn of(scenario: Scenario) -> Result<Self, TrialError> {
        let expect = Expect::deserialize(&scenario.expect)?;
        Ok(Self { scenario, expect })
    }
}

impl Broken {
    /// Lets that become of the program at `path`, which may be run as before.
    fn become_of(self, path: &Path) -> std::io::Result<()> {
        match self.content() {
            Some(content) => std::fs::write(path, content),
            None => std::fs::remove_file(path),
        }
    }
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
        let mut command = bench.command(self.attest);
        command
            .envs(self.driver.environment(bench, url))
            .args(words);
        let ran = run(command, self.limit)?;
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
        let mut command = bench.command(self.attest);
        command
            .envs(self.driver.environment(bench, url))
            .args(words);
        self.succeed(command)
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

impl Performance {
    /// What a text of attest stands between in what the conversation of a script was told: before the text that begins
    /// with `first`, and behind the one that ends with `last`.
    #[must_use]
    pub fn around(&self, script: &str, first: &str, last: &str) -> Option<(&str, &str)> {
        let mut told = journal::told(&self.requests, script).into_iter();
        told.find_map(|text| {
            let (before, rest) = text.split_once(first)?;
            Some((before, rest.split_once(last)?.1))
        })
    }

    /// What a line that the host printed has before a text of attest.
    #[must_use]
    pub fn before_notice(&self, text: &str) -> Option<&str> {
        let mut lines = self.lines();
        lines.find_map(|line| Some(line.split_once(text)?.0))
    }

    /// What is not as it must be, each in a sentence.
    fn faults(&self, driver: &dyn Driver, scenario: &Scenario, expect: &Expect) -> Vec<String> {
        let mut faults = Vec::new();
        let mut must = |holds: bool, what: String| {
            if !holds {
                faults.push(what);
            }
        };
        let end = &self.ran.end;
        must(
            end.is_success(),
            format!("the host did not end well ({end})"),
        );
        for (name, turns) in &scenario.scripts {
            let played = self.played(name);
            let what = format!("{name}: {played} of {} turns were played", turns.len());
            must(played >= turns.len(), what);
            let repeats = turns.last().is_some_and(|turn| turn.repeat);
            let last = journal::told(&self.requests, name);
            let last = last.last().copied().unwrap_or_default();
            let what = format!("{name}: asked for more than is written, told {last:?}");
            must(repeats || played == turns.len(), what);
        }
        let revisions = self.log.matches("BLOCKED false DONE: ").count();
        let what = format!("{revisions} revisions, expected {}", expect.revisions);
        must(revisions == expect.revisions, what);
        let mut rest = self.log.as_str();
        for report in &expect.reports {
            let at = rest.find(report.as_str());
            must(
                at.is_some(),
                format!("the log lacks {report:?}, or has it too early"),
            );
            rest = at.and_then(|at| rest.get(at..)).unwrap_or(rest);
        }
        for text in &expect.printed {
            let what = format!("attest did not print {text:?}: {}", self.printed);
            must(self.printed.contains(text.as_str()), what);
        }
        for text in &expect.not_printed {
            let printed = self.printed.lines();
            let found = printed.filter(|line| line.to_lowercase().contains(&text.to_lowercase()));
            let found: Vec<_> = found.collect();
            must(found.is_empty(), format!("attest printed {found:?}"));
        }
        for report in &expect.reports_somewhere {
            must(
                self.log.contains(report.as_str()),
                format!("the log lacks {report:?}"),
            );
        }
        must(
            !self.log.contains(" ERROR "),
            "the log has an error".to_owned(),
        );
        for (paths, is_there) in [(&expect.tree, true), (&expect.no_tree, false)] {
            for path in paths {
                let what = format!("{path} is there: {}", !is_there);
                must(self.tree.contains_key(path) == is_there, what);
            }
        }
        for (told, is_told) in [(&expect.told, true), (&expect.not_told, false)] {
            for (script, text) in told
                .iter()
                .flat_map(|(script, texts)| texts.iter().map(move |text| (script, text)))
            {
                let heard = journal::told(&self.requests, script).join("\n");
                let what = format!("{script} is told {text:?}: {}", !is_told);
                must(heard.contains(text) == is_told, what);
            }
        }
        let told: Vec<&str> = self
            .lines()
            .filter(|line| !driver.is_about_plugin(line))
            .collect();
        let shown = |text: &str| told.iter().any(|line| line.contains(text));
        for text in expect.person.iter().filter(|_| driver.shows_notices()) {
            must(shown(text), format!("the person is not shown {text:?}"));
        }
        for text in &expect.not_person {
            must(!shown(text), format!("the person is shown {text:?}"));
        }
        faults
    }

    /// What the host printed, on any stream.
    fn lines(&self) -> impl Iterator<Item = &str> {
        self.ran.stdout.lines().chain(self.ran.stderr.lines())
    }

    /// How many turns of a script the host asked for.
    fn played(&self, script: &str) -> usize {
        let entries = self.requests.iter();
        let own = entries.filter(|entry| entry.script.as_deref() == Some(script));
        own.filter_map(|entry| entry.turn)
            .max()
            .map_or(0, |last| last + 1)
    }
}
