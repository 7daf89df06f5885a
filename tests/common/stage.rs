//! A session with subagents and all transcripts, as Claude Code lays them out.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::TestContext;
use super::agent::{Agent, hook};
use super::lines::Lines;
use super::scene::{Scene, write};

/// The transcript of the main agent.
const MAIN: &str = "session-1.jsonl";

pub struct Stage {
    pub scene: Scene,
    pub main: Lines,
}

impl Stage {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let scene = Scene::of(TestContext::new(), files);
        let mut stage = Self {
            scene,
            main: Lines::default(),
        };
        stage.asked("Add a lexer.");
        stage
    }

    /// Something that the person says.
    pub fn asked(&mut self, prompt: &str) {
        self.main.asked(prompt);
        self.keep_main();
    }

    pub fn keep_main(&self) {
        write(&self.scene.path(MAIN), &self.main.0);
    }

    pub fn main_transcript(&self) -> PathBuf {
        self.scene.path(MAIN)
    }

    pub fn transcript_of(&self, agent: &str) -> PathBuf {
        self.scene
            .path(&format!("session-1/subagents/agent-{agent}.jsonl"))
    }

    pub fn keep(&self, agent: &str, lines: &Lines) {
        write(&self.transcript_of(agent), &lines.0);
    }

    /// Starts an agent, which is asked this.
    pub fn begin(&self, id: &str, prompt: &str) -> Lines {
        let mut payload = Agent::new(id, &self.scene.repo).start_payload();
        payload["transcript_path"] = json!(self.main_transcript());
        hook(&self.scene.context, "start", &payload);
        let mut lines = Lines::default();
        lines.asked(prompt);
        lines
    }

    /// A command that nobody is seen to run.
    #[cfg(unix)]
    pub fn sh(&self, command: &str) {
        assert!(self.try_sh(command), "{command}");
    }

    /// The same, which may fail.
    #[cfg(unix)]
    pub fn try_sh(&self, command: &str) -> bool {
        let mut shell = self.scene.context.command("sh");
        let ended = shell
            .args(["-c", command])
            .current_dir(&self.scene.repo)
            .output();
        ended.unwrap().status.success()
    }

    /// Stops an agent, and what its parent is told.
    pub fn stop(&self, id: &str, lines: Lines, report: &str) -> String {
        self.stop_with(id, lines, report, json!({}))
    }

    /// The same with more in the payload.
    pub fn stop_with(&self, id: &str, mut lines: Lines, report: &str, more: Value) -> String {
        lines.end(report);
        self.keep(id, &lines);
        self.stop_as_kept(id, report, more);
        self.told_parent(id)
    }

    /// Stops an agent whose transcript is as it was kept.
    pub fn stop_as_kept(&self, id: &str, report: &str, more: Value) {
        let mut fields = more;
        fields["transcript_path"] = json!(self.main_transcript());
        fields["agent_transcript_path"] = json!(self.transcript_of(id));
        let agent = Agent::new(id, &self.scene.repo);
        agent.stop_with(&self.scene.context, report, &fields);
    }

    /// What the parent is told where it is given the report of an agent in the foreground.
    pub fn told_parent(&self, id: &str) -> String {
        let payload = json!({"session_id": "session-1", "cwd": "/", "hook_event_name": "PostToolUse",
            "tool_name": "Agent", "tool_response": {"agentId": id}});
        said(&hook(&self.scene.context, "post-tool-use", &payload).stdout)
    }

    /// The same of one in the background, of which the host says this.
    pub fn told_later(&self, id: &str, status: &str) -> String {
        let prompt = format!(
            "<task-notification>\n<task-id>{id}</task-id>\n<status>{status}</status>\n</task-notification>"
        );
        let payload = json!({"session_id": "session-1", "cwd": "/", "prompt": prompt,
            "hook_event_name": "UserPromptSubmit"});
        said(&hook(&self.scene.context, "prompt", &payload).stdout)
    }
}

fn said(reply: &str) -> String {
    let reply: Value = serde_json::from_str(reply).unwrap_or_default();
    let said = reply["hookSpecificOutput"]["additionalContext"].as_str();
    said.unwrap_or_default().to_owned()
}
