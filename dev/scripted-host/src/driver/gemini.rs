//! Gemini CLI, which speaks its own API.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Driver, call, put, whole};
use crate::scenario::ToolCall;
use crate::workbench::Workbench;

#[derive(Debug)]
pub(super) struct Gemini;

impl Driver for Gemini {
    fn name(&self) -> &'static str {
        "gemini"
    }

    fn program(&self, modules: &Path) -> Vec<PathBuf> {
        let bundle = "@google/gemini-cli/bundle/gemini.js";
        vec!["node".into(), modules.join(bundle)]
    }

    fn configure(&self, bench: &Workbench, _url: &str) -> std::io::Result<()> {
        let settings = json!({
            "security": {
                "auth": {"selectedType": "gemini-api-key"},
                "folderTrust": {"enabled": false},
            },
            "privacy": {"usageStatisticsEnabled": false},
            "telemetry": {"enabled": false},
            "general": {"enableAutoUpdate": false},
        });
        put(bench, ".gemini/settings.json", &settings)
    }

    fn environment(&self, _bench: &Workbench, url: &str) -> Vec<(&'static str, String)> {
        vec![
            ("GEMINI_API_KEY", "scripted".to_owned()),
            ("GOOGLE_GEMINI_BASE_URL", url.to_owned()),
            ("GEMINI_CLI_NO_RELAUNCH", "true".to_owned()),
        ]
    }

    /// The model is named so that the host does not ask another one which to take.
    fn arguments(&self, prompt: &str) -> Vec<String> {
        ["--yolo", "--model", "gemini-2.5-flash", "--prompt", prompt]
            .map(str::to_owned)
            .to_vec()
    }

    fn write(&self, path: &str, content: &str) -> ToolCall {
        let input = json!({"file_path": whole(path), "content": content});
        call("write_file", input)
    }

    /// Its subagents have no events.
    fn agent(&self, _prompt: &str) -> Vec<ToolCall> {
        Vec::new()
    }

    fn resume(&self, prompt: &str, _said: &str) -> Option<Vec<String>> {
        let mut words = self.arguments(prompt);
        words.extend(["--resume", "latest"].map(str::to_owned));
        Some(words)
    }

    fn package(&self, source: &str) -> Vec<Vec<String>> {
        super::owned(&[
            &["extensions", "validate", source],
            &["extensions", "install", source, "--consent"],
        ])
    }

    /// It ends the shell of the hook, waits for what that started, and says so.
    fn ends_what_hangs(&self, _version: &str) -> bool {
        false
    }

    fn shows_notices(&self) -> bool {
        true
    }
}
