//! `OpenCode` and Kilo, which began as that; they speak chat completions to a model of the person's own.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Driver, call, put, whole};
use crate::scenario::ToolCall;
use crate::workbench::Workbench;

/// What is peculiar to one of them.
#[derive(Debug)]
pub(super) struct OpenCode {
    name: &'static str,
    /// Below the folder of npm.
    program: &'static str,
    /// Below the home folder.
    configuration: &'static str,
    variables: [&'static str; 4],
}

pub(super) const OPENCODE: OpenCode = OpenCode {
    name: "opencode",
    program: "opencode-linux-x64/bin/opencode",
    configuration: ".config/opencode/opencode.json",
    variables: [
        "OPENCODE_DISABLE_AUTOUPDATE",
        "OPENCODE_DISABLE_DEFAULT_PLUGINS",
        "OPENCODE_DISABLE_LSP_DOWNLOAD",
        "OPENCODE_DISABLE_MODELS_FETCH",
    ],
};

pub(super) const KILO: OpenCode = OpenCode {
    name: "kilo",
    program: "@kilocode/cli-linux-x64/bin/kilo",
    configuration: ".config/kilo/kilo.json",
    variables: [
        "KILO_DISABLE_AUTOUPDATE",
        "KILO_DISABLE_DEFAULT_PLUGINS",
        "KILO_DISABLE_LSP_DOWNLOAD",
        "KILO_DISABLE_MODELS_FETCH",
    ],
};

impl Driver for OpenCode {
    fn name(&self) -> &'static str {
        self.name
    }

    fn like(&self) -> &'static str {
        OPENCODE.name
    }

    fn program(&self, modules: &Path) -> Vec<PathBuf> {
        vec![modules.join(self.program)]
    }

    fn configure(&self, bench: &Workbench, url: &str) -> std::io::Result<()> {
        let limit = json!({"context": 200_000, "output": 8192});
        let models = json!({"scripted": {"name": "scripted", "tool_call": true, "limit": limit}});
        let provider = json!({
            "npm": "@ai-sdk/openai-compatible",
            "name": "scripted",
            "options": {"baseURL": format!("{url}/v1"), "apiKey": "scripted"},
            "models": models,
        });
        let configuration = json!({
            "autoupdate": false,
            "share": "disabled",
            "model": "scripted/scripted",
            "small_model": "scripted/scripted",
            "provider": {"scripted": provider},
        });
        put(bench, self.configuration, &configuration)
    }

    fn environment(&self, _bench: &Workbench, _url: &str) -> Vec<(&'static str, String)> {
        let variables = self.variables.iter();
        variables.map(|name| (*name, "1".to_owned())).collect()
    }

    fn arguments(&self, prompt: &str) -> Vec<String> {
        ["run", "--format", "json", prompt]
            .map(str::to_owned)
            .to_vec()
    }

    fn write(&self, path: &str, content: &str) -> ToolCall {
        let input = json!({"filePath": whole(path), "content": content});
        call("write", input)
    }

    fn agent(&self, prompt: &str) -> Vec<ToolCall> {
        let input = json!({
            "description": "work",
            "subagent_type": "general",
            "prompt": prompt,
        });
        vec![call("task", input)]
    }

    /// `opencode run` ends before the answer to a text that a plugin sends to its session.
    fn revises_turns(&self) -> bool {
        false
    }

    fn again(&self, prompt: &str) -> Vec<ToolCall> {
        let mut calls = self.agent(prompt);
        for call in &mut calls {
            call.input["task_id"] = json!("${agent_id}");
        }
        calls
    }

    fn hears_at_start(&self) -> bool {
        true
    }

    fn package(&self, source: &str) -> Vec<Vec<String>> {
        let source = format!("file:{source}");
        super::owned(&[&["plugin", "--global", &source]])
    }

    /// It was seen in the first of the two alone.
    fn ends_what_hangs(&self, _version: &str) -> bool {
        self.name == OPENCODE.name
    }

    fn shows_notices(&self) -> bool {
        true
    }
}
