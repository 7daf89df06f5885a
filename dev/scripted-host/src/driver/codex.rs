//! Codex, which speaks the Responses API.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Driver, call};
use crate::scenario::ToolCall;
use crate::workbench::Workbench;

#[derive(Debug)]
pub(super) struct Codex;

/// The namespace of the tools for subagents.
const AGENTS: &str = "multi_agent_v1";

impl Driver for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn program(&self, modules: &Path) -> Vec<PathBuf> {
        let vendor = "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl";
        vec![modules.join(vendor).join("bin/codex")]
    }

    fn configure(&self, bench: &Workbench, url: &str) -> std::io::Result<()> {
        let folder = bench.home().join(".codex");
        std::fs::create_dir_all(&folder)?;
        let text = format!(
            "model = \"scripted\"\nmodel_provider = \"scripted\"\n\n\
             [model_providers.scripted]\nname = \"scripted\"\nbase_url = \"{url}/v1\"\n\
             wire_api = \"responses\"\nrequest_max_retries = 0\nstream_max_retries = 0\n"
        );
        std::fs::write(folder.join("config.toml"), text)
    }

    fn environment(&self, bench: &Workbench, _url: &str) -> Vec<(&'static str, String)> {
        let home = bench.home().join(".codex").display().to_string();
        vec![("CODEX_HOME", home), ("SHELL", "/bin/sh".to_owned())]
    }

    /// A person trusts hooks in the host's window; this flag stands in for that.
    fn arguments(&self, prompt: &str) -> Vec<String> {
        [
            "exec",
            "--json",
            "--dangerously-bypass-approvals-and-sandbox",
            "--dangerously-bypass-hook-trust",
            prompt,
        ]
        .map(str::to_owned)
        .to_vec()
    }

    fn write(&self, path: &str, content: &str) -> ToolCall {
        let line = format!("printf '%s' '{content}' > {path}");
        call("exec_command", json!({ "cmd": line }))
    }

    fn agent(&self, prompt: &str) -> Vec<ToolCall> {
        let spawn = of_agents("spawn_agent", json!({ "message": prompt }));
        vec![spawn, wait("${agent_id}")]
    }

    fn agents(&self, prompts: &[&str]) -> Vec<Vec<ToolCall>> {
        let spawn = prompts.iter();
        let spawn = spawn.map(|prompt| of_agents("spawn_agent", json!({ "message": prompt })));
        let wait = (1..=prompts.len()).map(|number| {
            let targets = format!("${{agent_{number}}}");
            vec![wait(&targets)]
        });
        std::iter::once(spawn.collect()).chain(wait).collect()
    }

    fn again(&self, prompt: &str) -> Vec<ToolCall> {
        let input = json!({"target": "${agent_id}", "message": prompt});
        vec![of_agents("send_input", input), wait("${agent_id}")]
    }

    fn resume(&self, prompt: &str, _said: &str) -> Option<Vec<String>> {
        let mut words = self.arguments(prompt);
        words.pop();
        words.extend(["resume", "--last", prompt].map(str::to_owned));
        Some(words)
    }

    fn hears_at_start(&self) -> bool {
        true
    }

    /// Only its window does, and clients of its server.
    fn shows_notices(&self) -> bool {
        false
    }

    fn plugin(&self, folder: &str) -> Vec<Vec<String>> {
        [
            vec!["plugin", "marketplace", "add", folder],
            vec!["plugin", "add", "attest@attest"],
        ]
        .map(|words| words.into_iter().map(str::to_owned).collect())
        .to_vec()
    }
}

fn of_agents(name: &str, input: Value) -> ToolCall {
    ToolCall {
        namespace: Some(AGENTS.to_owned()),
        ..call(name, input)
    }
}

fn wait(target: &str) -> ToolCall {
    let input = json!({"targets": [target], "timeout_ms": 60_000});
    of_agents("wait_agent", input)
}
