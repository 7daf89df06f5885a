//! `OpenCode`, which speaks chat completions to a model of the person's own.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Driver, call, put, whole};
use crate::scenario::ToolCall;
use crate::workbench::Workbench;

#[derive(Debug)]
pub(super) struct OpenCode;

impl Driver for OpenCode {
    fn name(&self) -> &'static str {
        "opencode"
    }

    fn program(&self, modules: &Path) -> Vec<PathBuf> {
        vec![modules.join("opencode-linux-x64/bin/opencode")]
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
        put(bench, ".config/opencode/opencode.json", &configuration)
    }

    fn environment(&self, _bench: &Workbench, _url: &str) -> Vec<(&'static str, String)> {
        [
            "OPENCODE_DISABLE_AUTOUPDATE",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS",
            "OPENCODE_DISABLE_LSP_DOWNLOAD",
            "OPENCODE_DISABLE_MODELS_FETCH",
        ]
        .map(|name| (name, "1".to_owned()))
        .to_vec()
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

    fn shows_notices(&self) -> bool {
        true
    }
}
