//! One run of the real host on a scripted model: what is set up for it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use attest_process::{Finished, Unfinished};
use serde_json::{Value, json};

use crate::journal::Journal;
use crate::outcome::Outcome;
use crate::scenario::Scenario;
use crate::server::{Server, ServerError};
use crate::workbench::Workbench;

/// The most that is kept of what a host prints, which is one line for each message.
const LARGEST_OUTPUT: usize = 64 * 1024 * 1024;
/// The tools that the host may use without asking, in the spellings of all its versions.
const TOOLS: &str = "Agent,Task,Bash,Write,Edit,Read,SendMessage,EnterWorktree";
/// The events that the probe is told of. `PostToolUse` is narrowed to the Agent tool.
const EVENTS: [&str; 6] = [
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "StopFailure",
    "PostToolUse",
    "UserPromptSubmit",
];
/// Switches off whatever the host does besides talking to the model.
const QUIET: [&str; 9] = [
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL",
    "CLAUDE_CODE_IDE_SKIP_AUTO_INSTALL",
    "DISABLE_AUTOUPDATER",
    "DISABLE_BUG_COMMAND",
    "DISABLE_ERROR_REPORTING",
    "DISABLE_FEEDBACK_COMMAND",
    "DISABLE_GROWTHBOOK",
    "DISABLE_TELEMETRY",
];

/// Why a run did not come about, or did not end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file could not be used.
    #[error("cannot set up the scenario: {0}")]
    Io(#[from] std::io::Error),
    /// A program did not begin, or gave no end of itself in time.
    #[error("{program}: {source}")]
    Unfinished {
        /// The program.
        program: String,
        /// What became of it.
        source: Unfinished,
    },
    /// git refused.
    #[error("git failed: {0}")]
    Git(String),
    /// The model's server did not start.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// The hooks under test did not get into the host's settings.
    #[error("cannot install the hooks: {0}")]
    Install(String),
    /// The host printed something else than its report.
    #[error("the host printed no JSON: {0:?}")]
    Output(String),
    /// A payload is not what it was taken for.
    #[error("cannot read what the host left: {0}")]
    Json(#[from] serde_json::Error),
}

/// What is needed for a run besides the scenario.
#[derive(Debug, Clone)]
pub struct Host {
    /// The host's own program.
    pub program: PathBuf,
    /// This crate's program, which is put beside the hooks under test to see what they are given.
    pub probe: PathBuf,
    /// How long a run may take.
    pub limit: Duration,
}

impl Host {
    /// The version that the host reports, such as `2.1.329`.
    pub fn version(&self, bench: &Workbench) -> Result<String, RunError> {
        let mut command = bench.command(&self.program);
        command.arg("--version");
        let text = run(command, self.limit)?.stdout;
        Ok(text
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned())
    }

    /// Plays `scenario` on `bench`, whose settings may already hold the hooks under test.
    pub fn play(&self, scenario: &Scenario, bench: Workbench) -> Result<Outcome, RunError> {
        let settings = bench.home().join(".probe.json");
        let hooks = probes(&self.probe, scenario, &bench);
        std::fs::write(&settings, json!({ "hooks": hooks }).to_string())?;
        let variables = BTreeMap::from([
            ("repo".to_owned(), text(&bench.repository())),
            ("home".to_owned(), text(bench.home())),
        ]);
        let server = Server::start(
            ([127, 0, 0, 1], 0).into(),
            scenario.clone(),
            variables,
            Journal::new(Some(&bench.log()))?,
        )?;
        let known = self.known(&bench, &["--include-hook-events"])?;
        let ask = |prompt: &str| {
            let mut command = self.command(&bench, &server);
            command
                .envs(&scenario.environment)
                .args(["-p", prompt, "--model", "sonnet"])
                .args(["--permission-mode", "acceptEdits", "--allowedTools", TOOLS])
                .args(["--output-format", "stream-json", "--verbose"])
                .arg("--strict-mcp-config")
                .args(&known)
                .arg("--settings")
                .arg(&settings);
            command
        };
        let mut ran = run(ask(&scenario.prompt), self.limit)?;
        for prompt in &scenario.then {
            let mut command = ask(&prompt.text);
            let session =
                session(&ran.stdout).ok_or_else(|| RunError::Output(ran.stdout.clone()))?;
            command.args(["--resume", &session]);
            if prompt.fork {
                command.arg("--fork-session");
            }
            let next = run(command, self.limit)?;
            ran = Finished {
                end: next.end,
                stdout: ran.stdout + &next.stdout,
                stderr: ran.stderr + &next.stderr,
            };
        }
        Outcome::collect(bench, ran, server.journal().entries())
    }

    /// Those of `options` that this version knows: an older one ends at a single one that it does not.
    fn known<'o>(&self, bench: &Workbench, options: &[&'o str]) -> Result<Vec<&'o str>, RunError> {
        let mut command = bench.command(&self.program);
        command.arg("--help");
        let help = run(command, self.limit)?.stdout;
        let words: Vec<_> = help.split([' ', ',', '\n']).collect();
        let options = options.iter().copied();
        Ok(options.filter(|option| words.contains(option)).collect())
    }

    /// Whatever the host might ask of anybody else goes to the server too, which writes it down and
    /// refuses it.
    fn command(&self, bench: &Workbench, server: &Server) -> Command {
        let mut command = bench.command(&self.program);
        command
            .env("CLAUDE_CONFIG_DIR", bench.configuration())
            .env("CLAUDE_CODE_TMPDIR", bench.temporary())
            .env("ANTHROPIC_BASE_URL", server.url())
            .env("ANTHROPIC_API_KEY", "scripted")
            .env("HTTP_PROXY", server.proxy())
            .env("HTTPS_PROXY", server.proxy())
            .env("NO_PROXY", "127.0.0.1")
            .envs(QUIET.map(|name| (name, "1")));
        command
    }
}

/// The session that the last line of a report belongs to.
fn session(report: &str) -> Option<String> {
    report.lines().rev().find_map(|line| {
        let line: Value = serde_json::from_str(line).ok()?;
        line["session_id"].as_str().map(str::to_owned)
    })
}

/// Runs a program to its end, with what it started.
pub(crate) fn run(program: Command, limit: Duration) -> Result<Finished, RunError> {
    let name = program.get_program().to_string_lossy().into_owned();
    attest_process::finish(program, b"", limit, LARGEST_OUTPUT).map_err(|source| {
        RunError::Unfinished {
            program: name,
            source,
        }
    })
}

/// The hooks that write down what the host hands to each event, in the form that every version of
/// it knows.
fn probes(probe: &Path, scenario: &Scenario, bench: &Workbench) -> Value {
    let payloads = text(&bench.payloads());
    let mut hooks = serde_json::Map::new();
    for event in EVENTS {
        let mut command = format!("{} probe {}", quoted(&text(probe)), quoted(&payloads));
        if let (Some(reason), "SubagentStop") = (&scenario.block, event) {
            command.push_str(&format!(" --block {}", quoted(reason)));
        }
        let mut entry = json!({"hooks": [{
            "type": "command",
            "command": command,
            "timeout": 15,
            "statusMessage": "probe",
        }]});
        if event == "PostToolUse" {
            entry["matcher"] = json!("Agent|Task");
        }
        hooks.insert(event.to_owned(), json!([entry]));
    }
    hooks.into()
}

/// `word` as one word for a POSIX shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Scratch paths are made of names that we chose, so nothing is lost.
fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
