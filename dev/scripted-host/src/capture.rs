//! Fixtures: what the real host hands to hooks, and the transcripts it writes, without what is of
//! the machine.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::outcome::Outcome;
use crate::run::{Host, RunError};
use crate::sanitise::Sanitiser;
use crate::scenario::{Scenario, ScenarioError};
use crate::workbench::Workbench;

/// The records of a transcript that are the conversation. The others hold the host's own prompts.
const CONVERSATION: [&str; 2] = ["user", "assistant"];

/// What is captured, and from which host.
#[derive(Debug, clap::Args)]
pub struct Capture {
    /// The host's program.
    #[arg(long)]
    host: PathBuf,
    /// Where the fixtures go: a folder for the host's version, and in it one for each scenario.
    #[arg(long)]
    into: PathBuf,
    /// How long one run may take, in seconds.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Where to write what the host asked the model, one file for each scenario. Not for fixtures:
    /// it holds the host's own prompts.
    #[arg(long)]
    log: Option<PathBuf>,
    /// The scenario files.
    #[arg(required = true)]
    scenarios: Vec<PathBuf>,
}

/// Why there are no fixtures.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// The scenario is none.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// It was not run to its end.
    #[error("{0}: {1}")]
    Run(String, RunError),
    /// The host asked for more than the script says, so the fixtures would show something else.
    #[error("{0}: not played as written: {1}")]
    Strayed(String, String),
    /// The host asked for less: what the script is there for was not reached.
    #[error("{0}: not played to the end: {1:?}")]
    Unplayed(String, Vec<String>),
    /// An event that the scenario is there for did not happen.
    #[error("{0}: no {1}")]
    Missing(String, String),
    /// These scenarios gave none; the others did.
    #[error("{}", lines(.0))]
    Incomplete(Vec<CaptureError>),
    /// The file cannot be written.
    #[error("cannot write the fixtures: {0}")]
    Io(#[from] std::io::Error),
}

impl Capture {
    /// Plays every scenario and writes its fixtures. One that fails does not keep the others back.
    pub fn run(&self) -> Result<(), CaptureError> {
        let host = Host {
            program: self.host.clone(),
            probe: std::env::current_exe()?,
            limit: Duration::from_secs(self.limit),
        };
        let captured = self.scenarios.iter().map(|path| self.one(&host, path));
        let failed: Vec<_> = captured.filter_map(Result::err).collect();
        if failed.is_empty() {
            Ok(())
        } else {
            Err(CaptureError::Incomplete(failed))
        }
    }

    fn one(&self, host: &Host, path: &Path) -> Result<(), CaptureError> {
        let scenario = Scenario::load(path)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let run = |error| CaptureError::Run(name.to_string(), error);
        let bench = Workbench::new(&scenario.files).map_err(run)?;
        let version = host.version(&bench).map_err(run)?;
        let outcome = host.play(&scenario, bench).map_err(run)?;
        if let Some(log) = &self.log {
            std::fs::create_dir_all(log)?;
            let copy = log.join(format!("{name}.jsonl"));
            std::fs::copy(outcome.bench.log(), copy)?;
        }
        let folder = self.into.join(version).join(&*name);
        write(&name, &scenario, &outcome, &folder)
    }
}

fn write(
    name: &str,
    scenario: &Scenario,
    outcome: &Outcome,
    folder: &Path,
) -> Result<(), CaptureError> {
    if let Some(stray) = outcome.strays().next() {
        let text = format!(
            "{} {} ({:?}, turn {:?})",
            stray.method, stray.path, stray.script, stray.turn
        );
        return Err(CaptureError::Strayed(name.to_owned(), text));
    }
    let unplayed = outcome.unplayed(scenario);
    if !unplayed.is_empty() {
        let unplayed = unplayed.into_iter().map(str::to_owned).collect();
        return Err(CaptureError::Unplayed(name.to_owned(), unplayed));
    }
    let agents = outcome.events("SubagentStart");
    let agents = agents.filter_map(|payload| payload["agent_id"].as_str());
    let mut sanitiser = Sanitiser::new(outcome.bench.home(), agents);
    // What an older version of the scenario left must not be taken for this run's.
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    for event in &scenario.capture.events {
        let payloads: Vec<_> = outcome.events(event).collect();
        if payloads.is_empty() {
            return Err(CaptureError::Missing(name.to_owned(), event.clone()));
        }
        for (index, payload) in payloads.iter().enumerate() {
            let file = numbered(event, index, payloads.len(), "json");
            let text = format!("{:#}\n", sanitiser.value(payload));
            std::fs::write(folder.join(file), text)?;
        }
    }
    if scenario.capture.transcripts {
        let transcripts = outcome.transcripts();
        for (index, path) in transcripts.iter().enumerate() {
            let text = transcript(&std::fs::read_to_string(path)?, &mut sanitiser);
            let file = numbered("transcript", index, transcripts.len(), "jsonl");
            std::fs::write(folder.join(file), text)?;
        }
    }
    Ok(())
}

fn lines(errors: &[CaptureError]) -> String {
    let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// The only one of its kind has no number.
fn numbered(name: &str, index: usize, all: usize, extension: &str) -> String {
    if all == 1 {
        format!("{name}.{extension}")
    } else {
        format!("{name}-{}.{extension}", index + 1)
    }
}

fn transcript(text: &str, sanitiser: &mut Sanitiser) -> String {
    let mut kept = String::new();
    for line in text.lines() {
        let Ok(record) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        if CONVERSATION.iter().any(|kind| record["type"] == *kind) {
            kept.push_str(&sanitiser.value(&record).to_string());
            kept.push('\n');
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_conversation_of_a_transcript_is_kept() {
        let text = "{\"type\":\"attachment\",\"secret\":1}\n\
                    {\"type\":\"user\",\"cwd\":\"/scratch/project\"}\n\
                    {\"type\":\"api-request\",\"secret\":1}\n\
                    torn {\n\
                    {\"type\":\"assistant\"}\n";
        let mut sanitiser = Sanitiser::new(Path::new("/scratch"), []);
        assert_eq!(
            transcript(text, &mut sanitiser),
            "{\"cwd\":\"/home/user/project\",\"type\":\"user\"}\n{\"type\":\"assistant\"}\n"
        );
    }

    #[test]
    fn files_are_numbered_where_there_are_several() {
        assert_eq!(numbered("Stop", 0, 1, "json"), "Stop.json");
        assert_eq!(numbered("Stop", 1, 2, "json"), "Stop-2.json");
    }
}
