//! The agent that `doctor` plays, in the payload of a host.

use std::path::Path;

use serde_json::{Value, json};

/// An agent that `doctor` plays.
#[derive(Debug, Clone, Copy)]
pub struct SampleAgent<'a> {
    /// The session in which it runs.
    pub session: &'a str,
    /// Its id.
    pub id: &'a str,
    /// The folder in which it works.
    pub folder: &'a Path,
    /// Its final message if it stops; `None` if it starts.
    pub message: Option<&'a str>,
}

impl SampleAgent<'_> {
    /// The payload of a subagent that starts or stops, as Claude Code sends it.
    pub(crate) fn payload(&self) -> Value {
        let mut payload = json!({
            "session_id": self.session,
            "agent_id": self.id,
            "agent_type": "general-purpose",
            "cwd": self.folder.to_string_lossy(),
            "hook_event_name": if self.message.is_some() { "SubagentStop" } else { "SubagentStart" },
        });
        if let Some(message) = self.message {
            payload["stop_hook_active"] = false.into();
            payload["last_assistant_message"] = message.into();
        }
        payload
    }

    /// The payload of a main agent whose turn begins or ends, with the message under the name `said`.
    pub(crate) fn turn(&self, start: &str, stop: &str, said: &str) -> Value {
        json!({
            "session_id": format!("{}-{}", self.session, self.id),
            "cwd": self.folder.to_string_lossy(),
            "hook_event_name": if self.message.is_some() { stop } else { start },
            "prompt": "sample",
            said: self.message,
        })
    }
}
