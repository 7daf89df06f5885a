//! Which hooks Codex leaves out because the person has not trusted them. Reproduced from its own list of hooks in
//! 0.169.0. Nothing here writes: trust is the person's to give.
//!
//! Codex keeps a hash of each hook that was trusted, under the file, the event and the place in the file. The
//! hash is of the hook as Codex understands it, so that one that was changed since is not trusted.

use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Seconds that Codex gives a hook that names none.
const USUAL_TIMEOUT: u64 = 600;

/// The events of the hooks in the settings `content` of `file` that run attest and are not trusted as they are;
/// `config` is the text of Codex's own configuration.
pub(super) fn untrusted(file: &Path, content: &[u8], config: Option<&str>) -> Vec<String> {
    let Ok(settings) = serde_json::from_slice::<Value>(content) else {
        return Vec::new();
    };
    let config: toml::Table = config
        .and_then(|config| config.parse().ok())
        .unwrap_or_default();
    let trusted = |key: &str| {
        let state = config.get("hooks")?.get("state")?.get(key)?;
        state.get("trusted_hash")?.as_str()
    };
    let events = settings["hooks"].as_object().into_iter().flatten();
    let mut found = Vec::new();
    for (event, groups) in events {
        for (group_index, group) in items(groups).enumerate() {
            for (index, handler) in items(&group["hooks"]).enumerate() {
                let name = snake(event);
                let key = format!("{}:{name}:{group_index}:{index}", file.display());
                let hash = hash(&name, group, handler);
                if is_ours(handler) && trusted(&key) != Some(hash.as_str()) {
                    found.push(event.clone());
                }
            }
        }
    }
    found.dedup();
    found
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn is_ours(handler: &Value) -> bool {
    let command = handler["command"].as_str().unwrap_or_default();
    command.contains("attest") && command.contains(" hook ")
}

/// What Codex keeps of a hook: its fields with what they are if they are left out, sorted by name.
fn hash(event: &str, group: &Value, handler: &Value) -> String {
    let mut hook = handler.clone();
    hook["async"] = handler["async"].as_bool().unwrap_or(false).into();
    hook["timeout"] = handler["timeout"].as_u64().unwrap_or(USUAL_TIMEOUT).into();
    let mut hooks = json!({ "event_name": event, "hooks": [hook] });
    if let Some(matcher) = group.get("matcher").filter(|matcher| !matcher.is_null()) {
        hooks["matcher"] = matcher.clone();
    }
    let digest = Sha256::digest(hooks.to_string());
    let digits = digest.iter().map(|byte| format!("{byte:02x}"));
    format!("sha256:{}", digits.collect::<String>())
}

/// `SubagentStop` as `subagent_stop`.
fn snake(event: &str) -> String {
    let mut name = String::new();
    for (index, char) in event.char_indices() {
        if char.is_ascii_uppercase() && index > 0 {
            name.push('_');
        }
        name.push(char.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "/home/user/.codex/hooks.json";
    /// What Codex 0.169.0 says of this hook.
    const HASH: &str = "sha256:c2090d45c6f3c8781d5cb2db22efb1fddb348918e223327401784213decabc88";

    fn settings(timeout: u32) -> String {
        let command = "'/home/user/bin/attest' hook session-stop --harness codex";
        let handler = json!({ "type": "command", "command": command, "timeout": timeout });
        json!({ "hooks": { "Stop": [{ "hooks": [handler] }] } }).to_string()
    }

    fn of(settings: &str, config: &str) -> Vec<String> {
        untrusted(Path::new(FILE), settings.as_bytes(), Some(config))
    }

    #[test]
    fn a_hook_is_trusted_as_it_is_and_in_its_place() {
        let config = format!("[hooks.state.\"{FILE}:stop:0:0\"]\ntrusted_hash = \"{HASH}\"\n");
        assert_eq!(of(&settings(30), &config), [""; 0]);
        // Any change of it is another hook.
        assert_eq!(of(&settings(31), &config), ["Stop"]);
        assert_eq!(of(&settings(30), &config.replace(":0:0", ":1:0")), ["Stop"]);
        for config in ["", "not = [toml", "hooks = 5"] {
            assert_eq!(of(&settings(30), config), ["Stop"], "{config}");
        }
    }

    #[test]
    fn what_is_not_ours_does_not_matter() {
        let theirs = settings(30).replace("attest", "other");
        assert_eq!(of(&theirs, ""), [""; 0]);
        assert_eq!(of("[]", ""), [""; 0]);
        assert_eq!(of("{", ""), [""; 0]);
    }

    #[test]
    fn events_have_the_names_of_codex() {
        assert_eq!(snake("UserPromptSubmit"), "user_prompt_submit");
        assert_eq!(snake("Stop"), "stop");
    }
}
