//! One run of the real host on a scripted model: what came of it.

use std::path::{Path, PathBuf};

use attest_process::{End, Finished};
use serde_json::Value;

use crate::installed;
use crate::journal::{self, Entry};
use crate::run::RunError;
use crate::scenario::Scenario;
use crate::workbench::Workbench;

/// Everything that can be asked about a run.
#[derive(Debug)]
pub struct Outcome {
    /// How the host ended.
    pub end: End,
    /// The payloads of the hook events, in the order in which the hooks were started.
    pub payloads: Vec<Value>,
    /// What each hook answered, the hooks under test and the probe alike, as the host saw it.
    pub replies: Vec<HookReply>,
    /// What the host asked the model, and was told.
    pub requests: Vec<Entry>,
    /// The lines of the host's own report.
    pub report: Vec<Value>,
    /// What the host wrote to its standard error.
    pub errors: String,
    /// The scratch home as the run left it.
    pub bench: Workbench,
}

/// What one hook answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookReply {
    /// The event.
    pub event: String,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// Its exit status, if it got so far.
    pub exit_code: Option<i64>,
}

impl Outcome {
    pub(crate) fn collect(
        bench: Workbench,
        ran: Finished,
        requests: Vec<Entry>,
    ) -> Result<Self, RunError> {
        let report: Vec<Value> = ran
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).map_err(|_| RunError::Output(line.to_owned())))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            end: ran.end,
            payloads: payloads(&bench.payloads())?,
            replies: report.iter().filter_map(HookReply::read).collect(),
            requests,
            report,
            errors: ran.stderr,
            bench,
        })
    }

    /// The payloads of one event, in order.
    pub fn events<'a>(&'a self, event: &'a str) -> impl Iterator<Item = &'a Value> {
        self.payloads
            .iter()
            .filter(move |payload| payload["hook_event_name"] == event)
    }

    /// The names of the events, in order.
    #[must_use]
    pub fn order(&self) -> Vec<&str> {
        let names = self.payloads.iter();
        names
            .filter_map(|payload| payload["hook_event_name"].as_str())
            .collect()
    }

    /// Everything that the conversation of `script` was told by others than its model, in order:
    /// the texts and tool results of its longest request.
    #[must_use]
    pub fn told(&self, script: &str) -> Vec<&str> {
        journal::told(&self.requests, script)
    }

    /// What the hooks gave the host for the person at the end of the session's turns.
    #[must_use]
    pub fn notices(&self) -> Vec<String> {
        let replies = self.replies.iter().filter(|reply| reply.event == "Stop");
        replies
            .filter_map(|reply| {
                let reply: Value = serde_json::from_str(&reply.stdout).ok()?;
                reply["systemMessage"].as_str().map(str::to_owned)
            })
            .collect()
    }

    /// Whether the host shows notices in print mode. Before 2.1.227 it does so only in its window.
    #[must_use]
    pub fn shows_notices(&self) -> bool {
        let mut versions = self.report.iter();
        let version = versions.find_map(|line| line["claude_code_version"].as_str());
        version.is_none_or(|version| installed::is_since(version, "2.1.227"))
    }

    /// What the host showed to the person beside the conversation, in order.
    #[must_use]
    pub fn screen(&self) -> Vec<&str> {
        let shown = self
            .report
            .iter()
            .filter(|line| line["type"] == "system" && line["subtype"] == "informational");
        shown.filter_map(|line| line["content"].as_str()).collect()
    }

    /// The requests that the script had no answer for, and those to anybody but the model. A run
    /// that was played as written has none.
    pub fn strays(&self) -> impl Iterator<Item = &Entry> {
        self.requests
            .iter()
            .filter(|entry| entry.exhausted || entry.status == 404)
    }

    /// The scripts of `scenario` that the host left before their end.
    #[must_use]
    pub fn unplayed<'s>(&self, scenario: &'s Scenario) -> Vec<&'s str> {
        let played = |name: &str| {
            self.requests
                .iter()
                .filter(|entry| entry.script.as_deref() == Some(name))
                .filter_map(|entry| entry.turn)
                .max()
                .map_or(0, |last| last + 1)
        };
        let scripts = scenario.scripts.iter();
        scripts
            .filter(|(name, turns)| played(name) < turns.len())
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// The transcripts of the subagents, in the order in which the agents were started.
    ///
    /// By the host's rule for where they are, since an agent that fails has no stop that names one.
    #[must_use]
    pub fn transcripts(&self) -> Vec<PathBuf> {
        let mut paths = Vec::new();
        for payload in self.events("SubagentStart") {
            let field = |name: &str| payload[name].as_str().unwrap_or_default();
            let path = Path::new(field("transcript_path"))
                .with_extension("")
                .join("subagents")
                .join(format!("agent-{}.jsonl", field("agent_id")));
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        paths
    }
}

impl HookReply {
    fn read(line: &Value) -> Option<Self> {
        if line["subtype"] != "hook_response" {
            return None;
        }
        let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        Some(Self {
            event: text("hook_event"),
            stdout: text("stdout"),
            stderr: text("stderr"),
            exit_code: line["exit_code"].as_i64(),
        })
    }
}

/// The probe names its files so that they sort in the order of the events. A hook under test may
/// leave transcripts beside them.
fn payloads(folder: &Path) -> Result<Vec<Value>, RunError> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.sort();
    let paths = paths.iter();
    paths
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .map(|path| Ok(serde_json::from_slice(&std::fs::read(path)?)?))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_a_hook_answered_is_read_from_the_hosts_report() {
        let line = json!({"type": "system", "subtype": "hook_response", "hook_event": "Stop",
            "stdout": "{}\n", "stderr": "", "exit_code": 0});
        let reply = HookReply::read(&line).unwrap();
        assert_eq!((reply.event.as_str(), reply.exit_code), ("Stop", Some(0)));
        assert_eq!(
            HookReply::read(&json!({"type": "system", "subtype": "init"})),
            None
        );
    }

    #[test]
    fn payloads_come_in_the_order_of_their_names() {
        let folder = tempfile::tempdir().unwrap();
        for (name, number) in [("2.json", 2), ("1.json", 1), ("1.jsonl", 3)] {
            std::fs::write(folder.path().join(name), number.to_string()).unwrap();
        }
        assert_eq!(payloads(folder.path()).unwrap(), [1, 2]);
    }
}
