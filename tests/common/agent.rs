//! An agent as its host shows it to the hooks: a start payload and stop payloads.

use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};

use serde_json::{Value, json};

use super::{Printed, TestContext};

/// One agent in one folder.
#[derive(Debug, Clone)]
pub struct Agent {
    pub session: String,
    pub id: String,
    pub kind: String,
    pub cwd: PathBuf,
}

impl Agent {
    pub fn new(id: &str, cwd: &Path) -> Self {
        Self {
            session: "session-1".into(),
            id: id.into(),
            kind: "general-purpose".into(),
            cwd: cwd.into(),
        }
    }

    pub fn start_payload(&self) -> Value {
        self.payload("SubagentStart")
    }

    fn payload(&self, event: &str) -> Value {
        json!({
            "session_id": self.session,
            "transcript_path": null,
            "cwd": self.cwd,
            "agent_id": self.id,
            "agent_type": self.kind,
            "hook_event_name": event,
        })
    }

    pub fn start(&self, context: &TestContext) {
        let printed = hook(context, "start", &self.start_payload());
        assert_eq!(printed.stdout, "", "a start says nothing");
    }

    /// Stops with `message` as the final report.
    pub fn stop(&self, context: &TestContext, message: &str) -> Stop {
        self.stop_with(context, message, &json!({}))
    }

    /// The same with more fields, which win over the usual ones.
    pub fn stop_with(&self, context: &TestContext, message: &str, fields: &Value) -> Stop {
        Stop(hook(context, "stop", &self.stop_payload(message, fields)))
    }

    pub fn stop_payload(&self, message: &str, fields: &Value) -> Value {
        let mut payload = self.payload("SubagentStop");
        payload["stop_hook_active"] = json!(false);
        payload["last_assistant_message"] = json!(message);
        for (name, value) in fields.as_object().unwrap() {
            payload[name] = value.clone();
        }
        payload
    }

    /// A stop hook whose payload has been written, with its output still to come.
    pub fn spawn_stop(&self, context: &TestContext, message: &str, stdout: Stdio) -> Child {
        let mut command = context.hook_command(["hook", "stop"]);
        command
            .stdin(Stdio::piped())
            .stdout(stdout)
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let payload = self.stop_payload(message, &json!({}));
        serde_json::to_writer(child.stdin.take().unwrap(), &payload).unwrap();
        child
    }
}

/// Starts agents in `repo`, all at once, and stops them with `message`, all at once. Returns what
/// each stop left.
pub fn all_at_once(context: &TestContext, repo: &Path, count: usize, message: &str) -> Vec<Output> {
    let agents: Vec<_> = (0..count)
        .map(|n| Agent::new(&format!("a{n}"), repo))
        .collect();
    std::thread::scope(|scope| {
        for agent in &agents {
            scope.spawn(|| agent.start(context));
        }
    });
    let stops: Vec<_> = agents
        .iter()
        .map(|agent| agent.spawn_stop(context, message, Stdio::piped()))
        .collect();
    stops
        .into_iter()
        .map(|stop| stop.wait_with_output().unwrap())
        .collect()
}

pub fn hook(context: &TestContext, event: &str, payload: &Value) -> Printed {
    let payload = payload.to_string();
    context
        .attest_with_input(["hook", event], payload.as_bytes())
        .assert_success()
}

/// What the person is told at the end of the session's turn.
pub fn told_person(context: &TestContext) -> Option<String> {
    let payload = json!({"session_id": "session-1", "cwd": "/", "hook_event_name": "Stop"});
    let printed = hook(context, "session-stop", &payload);
    let reply: Value = serde_json::from_str(&printed.stdout).ok()?;
    reply["systemMessage"].as_str().map(str::to_owned)
}

/// A report in the usual form.
pub fn done(files: &str) -> String {
    format!("All done.\n\nStatus: DONE\nFiles changed: {files}\n")
}

/// What a stop hook printed.
#[derive(Debug)]
pub struct Stop(pub Printed);

impl Stop {
    /// The reason, where the agent was sent back.
    pub fn block(&self) -> Option<String> {
        let line = self.0.stdout.strip_suffix('\n')?;
        let reply: Value = serde_json::from_str(line).ok()?;
        assert_eq!(reply["decision"], "block", "{self:?}");
        assert_eq!(
            reply.as_object().unwrap().len(),
            2,
            "nothing else: {self:?}"
        );
        Some(reply["reason"].as_str().unwrap().to_owned())
    }

    #[track_caller]
    pub fn assert_blocked(&self) -> String {
        self.block()
            .unwrap_or_else(|| panic!("not blocked: {self:#?}"))
    }

    /// Allowed in enforce mode: nothing at all on standard output, and `report` on the other one.
    #[track_caller]
    pub fn assert_allowed(&self, report: &str) {
        assert_eq!(self.0.stdout, "", "{self:#?}");
        assert!(
            self.0.stderr.contains(report),
            "expected {report:?} in {self:#?}"
        );
    }

    /// The report of detect mode.
    #[track_caller]
    pub fn assert_reported(&self, report: &str) {
        assert!(
            self.0.stdout.contains(report),
            "expected {report:?} in {self:#?}"
        );
    }
}
