//! Qwen Code, which speaks chat completions.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Driver, call, put, whole};
use crate::scenario::ToolCall;
use crate::workbench::Workbench;

#[derive(Debug)]
pub(super) struct Qwen;

impl Driver for Qwen {
    fn name(&self) -> &'static str {
        "qwen"
    }

    fn program(&self, modules: &Path) -> Vec<PathBuf> {
        vec!["node".into(), modules.join("@qwen-code/qwen-code/cli.js")]
    }

    fn configure(&self, bench: &Workbench, _url: &str) -> std::io::Result<()> {
        let settings = json!({
            "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": false}},
            "privacy": {"usageStatisticsEnabled": false},
            "telemetry": {"enabled": false},
            "general": {"disableAutoUpdate": true},
            // It would ask its model what to remember.
            "memory": {"enableManagedAutoMemory": false},
        });
        put(bench, ".qwen/settings.json", &settings)
    }

    fn environment(&self, _bench: &Workbench, url: &str) -> Vec<(&'static str, String)> {
        vec![
            ("OPENAI_API_KEY", "scripted".to_owned()),
            ("OPENAI_BASE_URL", format!("{url}/v1")),
            ("OPENAI_MODEL", "scripted".to_owned()),
        ]
    }

    fn arguments(&self, prompt: &str) -> Vec<String> {
        ["--yolo", "--output-format", "text", "--prompt", prompt]
            .map(str::to_owned)
            .to_vec()
    }

    fn write(&self, path: &str, content: &str) -> ToolCall {
        let input = json!({"file_path": whole(path), "content": content});
        call("write_file", input)
    }

    fn agent(&self, prompt: &str) -> Vec<ToolCall> {
        let input = json!({
            "description": "work",
            "subagent_type": "general-purpose",
            "run_in_background": false,
            "prompt": prompt,
        });
        vec![call("agent", input)]
    }

    fn resume(&self, prompt: &str, _said: &str) -> Option<Vec<String>> {
        let mut words = self.arguments(prompt);
        words.push("--continue".to_owned());
        Some(words)
    }

    fn shows_notices(&self) -> bool {
        true
    }

    /// It makes an extension of its own of a plugin, which is named behind the folder of its marketplace.
    fn plugin(&self, folder: &str) -> Vec<Vec<String>> {
        let source = format!("{folder}:attest");
        super::owned(&[&["extensions", "install", &source, "--consent"]])
    }
}
