//! Factory's droid, which speaks chat completions to a model of the person's own.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Driver, call, put, whole};
use crate::scenario::ToolCall;
use crate::workbench::Workbench;

#[derive(Debug)]
pub(super) struct Droid;

impl Driver for Droid {
    fn name(&self) -> &'static str {
        "droid"
    }

    fn program(&self, modules: &Path) -> Vec<PathBuf> {
        vec![modules.join("@factory/cli-linux-x64/bin/droid")]
    }

    fn configure(&self, bench: &Workbench, url: &str) -> std::io::Result<()> {
        let settings = json!({"customModels": [{
            "model": "scripted",
            "displayName": "scripted",
            "baseUrl": format!("{url}/v1"),
            "apiKey": "scripted",
            "provider": "generic-chat-completion-api",
            "maxOutputTokens": 4096,
        }]});
        put(bench, ".factory/settings.json", &settings)
    }

    fn environment(&self, _bench: &Workbench, _url: &str) -> Vec<(&'static str, String)> {
        vec![
            ("FACTORY_AIRGAP_ENABLED", "true".to_owned()),
            ("FACTORY_API_KEY", "scripted".to_owned()),
            ("FACTORY_DISABLE_KEYRING", "true".to_owned()),
            ("FACTORY_DROID_AUTO_UPDATE_ENABLED", "false".to_owned()),
        ]
    }

    fn arguments(&self, prompt: &str) -> Vec<String> {
        [
            "exec",
            "--skip-permissions-unsafe",
            "--model",
            "custom:scripted-0",
            prompt,
        ]
        .map(str::to_owned)
        .to_vec()
    }

    fn write(&self, path: &str, content: &str) -> ToolCall {
        let input = json!({"file_path": whole(path), "content": content});
        call("Create", input)
    }

    /// A subagent can be sent back, but its parent keeps the first report.
    fn agent(&self, _prompt: &str) -> Vec<ToolCall> {
        Vec::new()
    }

    /// Only its window does.
    fn shows_notices(&self) -> bool {
        false
    }

    /// 0.117.0 ends the shell of the hook, and waits for what that started.
    fn ends_what_hangs(&self, version: &str) -> bool {
        version != "0.117.0"
    }

    /// It calls a marketplace by the name of its folder.
    fn plugin(&self, folder: &str) -> Vec<Vec<String>> {
        let commands: [&[&str]; 2] = [
            &["plugin", "marketplace", "add", folder],
            &["plugin", "install", "attest@plugin"],
        ];
        super::owned(&commands)
    }
}
