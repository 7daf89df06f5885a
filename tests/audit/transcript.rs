//! Sessions as hosts keep them: what an agent was asked, what it did and what it said, in the form and at the place
//! of each host.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

/// A host, and in Claude Code whose session it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    ClaudeSubagent,
    ClaudeMain,
    Codex,
    Copilot,
    Droid,
    Gemini,
}

pub const KINDS: [Kind; 6] = [
    Kind::ClaudeSubagent,
    Kind::ClaudeMain,
    Kind::Codex,
    Kind::Copilot,
    Kind::Droid,
    Kind::Gemini,
];

/// What stands in a transcript.
#[derive(Debug, Clone)]
pub enum Step {
    Prompt(String),
    /// A tool of the host writes a file, or refuses to.
    Write(PathBuf, bool),
    Read(PathBuf),
    Shell(String),
    /// A tool of a server, with the path that it is given.
    Server(&'static str, Option<PathBuf>),
    /// Another agent is set to work.
    Agent,
    /// What was said before is in no transcript but for this.
    Summary,
    /// A hook sends the agent back.
    SentBack,
    Say(String),
}

impl Kind {
    pub fn is_claude(self) -> bool {
        matches!(self, Self::ClaudeSubagent | Self::ClaudeMain)
    }

    /// Whether its sessions are told apart by name in the findings.
    fn place(self, home: &Path, folder: &Path, session: &str) -> PathBuf {
        let slug: String = folder.to_str().unwrap().replace(['/', '\\', ':'], "-");
        match self {
            Self::ClaudeSubagent => home
                .join(".claude/projects")
                .join(slug)
                .join(session)
                .join("subagents/agent-a1.jsonl"),
            Self::ClaudeMain => home
                .join(".claude/projects")
                .join(slug)
                .join(format!("{session}.jsonl")),
            Self::Codex => home
                .join(".codex/sessions/2026/01/02")
                .join(format!("rollout-{session}.jsonl")),
            Self::Copilot => home
                .join(".copilot/session-state")
                .join(session)
                .join("events.jsonl"),
            Self::Droid => home
                .join(".factory/sessions")
                .join(slug)
                .join(format!("{session}.jsonl")),
            Self::Gemini => {
                let tmp = home.join(".gemini/tmp").join(slug);
                fs::create_dir_all(&tmp).unwrap();
                fs::write(tmp.join(".project_root"), folder.to_str().unwrap()).unwrap();
                tmp.join("chats").join(format!("session-{session}.jsonl"))
            }
        }
    }

    /// Writes the session, and returns its place.
    pub fn keep(self, home: &Path, folder: &Path, session: &str, steps: &[Step]) -> PathBuf {
        let place = self.place(home, folder, session);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        let mut lines = Lines {
            kind: self,
            folder,
            session,
            at: Timestamp::now() - SignedDuration::from_hours(1),
            written: Vec::new(),
        };
        lines.begin();
        for (number, step) in steps.iter().enumerate() {
            lines.at += SignedDuration::from_secs(1);
            lines.step(number, step);
        }
        let lines: Vec<_> = lines.written.iter().map(Value::to_string).collect();
        let text = lines.join("\n") + "\n";
        fs::write(&place, text).unwrap();
        place
    }
}

struct Lines<'a> {
    kind: Kind,
    folder: &'a Path,
    session: &'a str,
    at: Timestamp,
    written: Vec<Value>,
}

impl Lines<'_> {
    fn push(&mut self, mut line: Value) {
        line["timestamp"] = json!(self.at.to_string());
        if self.kind.is_claude() {
            line["cwd"] = json!(self.folder);
            line["sessionId"] = json!(self.session);
            line["isSidechain"] = json!(self.kind == Kind::ClaudeSubagent);
            if self.kind == Kind::ClaudeSubagent {
                line["agentId"] = json!("a1");
                line["attributionAgent"] = json!("general-purpose");
            }
        }
        self.written.push(line);
    }

    fn begin(&mut self) {
        let (session, folder) = (self.session, self.folder);
        match self.kind {
            Kind::Codex => self.push(
                json!({"type": "session_meta", "payload": {"id": session, "cwd": folder, "source": "cli"}}),
            ),
            Kind::Copilot => self.push(
                json!({"type": "session.start", "data": {"sessionId": session, "context": {"cwd": folder}}}),
            ),
            Kind::Droid => self.push(json!({"type": "session_start", "id": session, "cwd": folder})),
            Kind::Gemini => self.push(json!({"sessionId": session, "kind": "main"})),
            Kind::ClaudeSubagent | Kind::ClaudeMain => {}
        }
    }

    fn step(&mut self, number: usize, step: &Step) {
        let id = format!("call-{number}");
        match step {
            Step::Prompt(text) => self.prompt(text),
            Step::Say(text) => self.say(number, text),
            Step::Summary => self.push(
                json!({"type": "user", "isCompactSummary": true, "message": {"content": "Before this, much was done."}}),
            ),
            Step::SentBack => self.push(
                json!({"type": "user", "isMeta": true, "message": {"content": "Stop hook feedback:\nno"}}),
            ),
            Step::Write(path, is_done) => {
                let path = path.to_str().unwrap();
                let (tool, input) = match self.kind {
                    Kind::ClaudeSubagent | Kind::ClaudeMain => ("Write", json!({"file_path": path})),
                    Kind::Codex => ("apply_patch", json!(format!("*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch"))),
                    Kind::Copilot => ("create", json!({"path": path})),
                    Kind::Droid => ("Create", json!({"file_path": path})),
                    Kind::Gemini => ("write_file", json!({"file_path": path})),
                };
                self.call(&id, tool, &input, *is_done);
            }
            Step::Read(path) => {
                let tool = match self.kind {
                    Kind::ClaudeSubagent | Kind::ClaudeMain | Kind::Droid => "Read",
                    Kind::Codex | Kind::Gemini => "read_file",
                    Kind::Copilot => "view",
                };
                self.call(&id, tool, &json!({"path": path, "file_path": path}), true);
            }
            Step::Shell(command) => {
                let (tool, input) = match self.kind {
                    Kind::ClaudeSubagent | Kind::ClaudeMain => ("Bash", json!({"command": command})),
                    Kind::Codex => ("exec_command", json!(json!({"cmd": command}).to_string())),
                    Kind::Copilot => ("bash", json!({"command": command})),
                    Kind::Droid => ("Execute", json!({"command": command})),
                    Kind::Gemini => ("run_shell_command", json!({"command": command})),
                };
                self.call(&id, tool, &input, true);
            }
            Step::Server(tool, path) => self.call(&id, tool, &json!({"path": path}), true),
            Step::Agent => self.call(&id, "Task", &json!({"prompt": "go"}), true),
        }
    }

    fn prompt(&mut self, text: &str) {
        let content = json!([{"type": "text", "text": text}]);
        self.push(match self.kind {
            Kind::ClaudeSubagent | Kind::ClaudeMain => json!({"type": "user", "message": {"content": text}}),
            Kind::Codex => json!({"type": "response_item", "payload": {"type": "message", "role": "user",
                "content": [{"type": "input_text", "text": text}]}}),
            Kind::Copilot => json!({"type": "user.message", "data": {"content": text}}),
            Kind::Droid => json!({"type": "message", "id": "p", "message": {"role": "user", "content": content}}),
            Kind::Gemini => json!({"type": "user", "id": "p", "content": content}),
        });
    }

    fn say(&mut self, number: usize, text: &str) {
        let id = format!("said-{number}");
        let content = json!([{"type": "text", "text": text}]);
        self.push(match self.kind {
            Kind::ClaudeSubagent | Kind::ClaudeMain => json!({"type": "assistant",
                "message": {"id": id, "stop_reason": "end_turn", "content": content}}),
            Kind::Codex => json!({"type": "response_item", "payload": {"type": "message", "role": "assistant",
                "content": [{"type": "output_text", "text": text}]}}),
            Kind::Copilot => json!({"type": "assistant.message",
                "data": {"messageId": id, "content": text, "toolRequests": []}}),
            Kind::Droid => json!({"type": "message", "id": id, "message": {"role": "assistant", "content": content}}),
            Kind::Gemini => json!({"type": "gemini", "id": id, "content": text}),
        });
    }

    fn call(&mut self, id: &str, tool: &str, input: &Value, is_done: bool) {
        let use_ = json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]);
        let result = json!([{"type": "tool_result", "tool_use_id": id, "content": "x", "is_error": !is_done}]);
        let (asked, answered) = match self.kind {
            Kind::ClaudeSubagent | Kind::ClaudeMain => (
                json!({"type": "assistant", "message": {"id": id, "stop_reason": "tool_use", "content": use_}}),
                json!({"type": "user", "message": {"content": result}}),
            ),
            Kind::Codex => {
                let is_patch = tool == "apply_patch";
                let kind = if is_patch {
                    "custom_tool_call"
                } else {
                    "function_call"
                };
                let field = if is_patch { "input" } else { "arguments" };
                let mut asked = json!({"type": kind, "name": tool, "call_id": id});
                asked[field] = match input {
                    Value::String(_) => input.clone(),
                    other => json!(other.to_string()),
                };
                let output = if is_done {
                    "Success. Updated the following files:"
                } else {
                    "apply_patch verification failed"
                };
                let answered =
                    json!({"type": format!("{kind}_output"), "call_id": id, "output": output});
                (
                    json!({"type": "response_item", "payload": asked}),
                    json!({"type": "response_item", "payload": answered}),
                )
            }
            Kind::Copilot => (
                json!({"type": "assistant.message", "data": {"messageId": id, "content": "",
                    "toolRequests": [{"toolCallId": id, "name": tool, "arguments": input}]}}),
                json!({"type": "tool.execution_complete", "data": {"toolCallId": id, "success": is_done}}),
            ),
            Kind::Droid => (
                json!({"type": "message", "id": id, "message": {"role": "assistant", "content": use_}}),
                json!({"type": "message", "id": "r", "message": {"role": "user", "content": result}}),
            ),
            Kind::Gemini => {
                let field = if is_done { "output" } else { "error" };
                (
                    json!({"type": "gemini", "id": id, "content": "",
                        "toolCalls": [{"id": id, "name": tool, "args": input}]}),
                    json!({"type": "user", "id": "r", "content":
                        [{"functionResponse": {"id": id, "response": {field: "x"}}}]}),
                )
            }
        };
        self.push(asked);
        self.push(answered);
    }
}
