//! GitHub Copilot CLI, which speaks chat completions to a model of the person's own.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Driver, call, whole};
use crate::scenario::ToolCall;
use crate::workbench::Workbench;

#[derive(Debug)]
pub(super) struct Copilot;

impl Driver for Copilot {
    fn name(&self) -> &'static str {
        "copilot"
    }

    fn program(&self, modules: &Path) -> Vec<PathBuf> {
        vec![modules.join("@github/copilot-linux-x64/copilot")]
    }

    fn configure(&self, bench: &Workbench, _url: &str) -> std::io::Result<()> {
        std::fs::create_dir_all(bench.home().join(".copilot"))
    }

    fn environment(&self, bench: &Workbench, url: &str) -> Vec<(&'static str, String)> {
        let home = bench.home().join(".copilot").display().to_string();
        vec![
            ("COPILOT_HOME", home),
            ("COPILOT_OFFLINE", "true".to_owned()),
            ("COPILOT_AUTO_UPDATE", "false".to_owned()),
            ("COPILOT_PROVIDER_TYPE", "openai".to_owned()),
            ("COPILOT_PROVIDER_BASE_URL", format!("{url}/v1")),
            ("COPILOT_PROVIDER_API_KEY", "scripted".to_owned()),
            ("COPILOT_MODEL", "scripted".to_owned()),
        ]
    }

    fn arguments(&self, prompt: &str) -> Vec<String> {
        ["--allow-all-tools", "--no-color", "-p", prompt]
            .map(str::to_owned)
            .to_vec()
    }

    fn write(&self, path: &str, content: &str) -> ToolCall {
        let input = json!({"path": whole(path), "file_text": content});
        call("create", input)
    }

    fn agent(&self, prompt: &str) -> Vec<ToolCall> {
        let input = json!({
            "description": "work",
            "name": "worker",
            "agent_type": "general-purpose",
            "mode": "sync",
            "prompt": prompt,
        });
        vec![call("task", input)]
    }

    fn agents(&self, prompts: &[&str]) -> Vec<Vec<ToolCall>> {
        let calls = prompts.iter().enumerate().flat_map(|(index, prompt)| {
            let mut calls = self.agent(prompt);
            for call in &mut calls {
                call.input["name"] = json!(format!("worker-{index}"));
            }
            calls
        });
        vec![calls.collect()]
    }

    fn resume(&self, prompt: &str, _said: &str) -> Option<Vec<String>> {
        let mut words = self.arguments(prompt);
        words.push("--continue".to_owned());
        Some(words)
    }

    fn hears_at_start(&self) -> bool {
        true
    }

    /// It ignores what a hook has for the person.
    fn shows_notices(&self) -> bool {
        false
    }

    /// It loads the folder as it is, without a copy.
    fn plugin(&self, folder: &str) -> Vec<Vec<String>> {
        let commands: [&[&str]; 2] = [
            &["plugin", "marketplace", "add", folder],
            &["plugin", "install", "attest@attest"],
        ];
        super::owned(&commands)
    }
}
