//! The hosts that attest speaks to. A new one is a module here and a line of [`ALL`].

mod claude_code;
mod codex;
mod common;
mod copilot;
mod cursor;
mod droid;
mod gemini;
mod kilo;
mod openclaw;
mod opencode;
mod qwen;
mod vscode;

use crate::host::Host;
use crate::payload::{self, Payload, PayloadError};

/// Every host, in the order in which help texts list them. The first is meant if none is named.
pub const ALL: &[&dyn Host] = &[
    &claude_code::ClaudeCode,
    &codex::Codex,
    &qwen::Qwen,
    &gemini::Gemini,
    &copilot::Copilot,
    &droid::Droid,
    &cursor::Cursor,
    &vscode::VsCode,
    &openclaw::OpenClaw,
    &opencode::OPENCODE,
    &kilo::KILO,
];

/// Files of a project that hosts give to every agent, each host some of them. They may take others in.
pub const INSTRUCTIONS: [&str; 6] = [
    "CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    "GEMINI.md",
    ".claude/CLAUDE.md",
    ".github/copilot-instructions.md",
];

/// A `--harness` value that names no host known here.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown harness {name:?}, known: {}", known_names())]
pub struct UnknownHost {
    /// The value as it was given.
    pub name: String,
}

/// The host that is meant if none is named.
#[must_use]
pub fn usual() -> &'static dyn Host {
    ALL[0]
}

/// The host of this name.
pub fn named(name: &str) -> Result<&'static dyn Host, UnknownHost> {
    let mut all = ALL.iter().copied();
    all.find(|host| host.name() == name)
        .ok_or_else(|| UnknownHost {
            name: name.to_owned(),
        })
}

/// Reads a payload that came to an entry for `named`, and says which host sent it: several hosts run what is in
/// the settings of others, and want to be answered in their own words.
pub fn receive(
    named: &'static dyn Host,
    bytes: &[u8],
) -> Result<(&'static dyn Host, Payload), PayloadError> {
    payload::with_object(bytes, |sent| {
        let others = ALL.iter().filter(|_| !named.has_sent(sent));
        let sender = others.copied().find(|host| host.has_sent(sent));
        let sender = sender.unwrap_or(named);
        (sender, sender.payload(sent))
    })
}

fn known_names() -> String {
    let names: Vec<_> = ALL.iter().map(|host| host.name()).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_its_host() {
        for host in ALL {
            assert_eq!(named(host.name()).map(<dyn Host>::name), Ok(host.name()));
        }
    }

    #[test]
    fn an_unknown_name_is_told_the_known_ones() {
        let error = named("claude code\u{1b}")
            .map(<dyn Host>::name)
            .unwrap_err();
        let start = r#"unknown harness "claude code\u{1b}", known: claude-code, codex, "#;
        assert!(error.to_string().starts_with(start), "{error}");
    }

    fn sender(named_as: &str, sent: &str) -> &'static str {
        let named = named(named_as).unwrap();
        receive(named, sent.as_bytes()).unwrap().0.name()
    }

    #[test]
    fn a_host_that_runs_the_entry_of_another_is_recognised() {
        let copilot = r#"{"hook_event_name":"Stop","session_id":"s","timestamp":"t","stop_reason":"end_turn"}"#;
        let cursor = r#"{"hook_event_name":"stop","cursor_version":"1","workspace_roots":["/w"]}"#;
        let codex = r#"{"hook_event_name":"Stop","turn_id":"t","model":"m","session_id":"s"}"#;
        let gemini = r#"{"hook_event_name":"AfterAgent","session_id":"s"}"#;
        for entry in ["claude-code", "vscode"] {
            assert_eq!(sender(entry, copilot), "copilot");
            assert_eq!(sender(entry, cursor), "cursor");
            assert_eq!(sender(entry, codex), "codex");
            assert_eq!(sender(entry, gemini), "gemini");
        }
        assert_eq!(sender("copilot", copilot), "copilot");
    }

    /// An entry that names its host is believed unless the payload says otherwise beyond doubt.
    #[test]
    fn what_could_be_of_several_hosts_is_of_the_one_that_the_entry_names() {
        let plain = r#"{"hook_event_name":"Stop","session_id":"s","stop_hook_active":false}"#;
        for host in ALL {
            assert_eq!(sender(host.name(), plain), host.name());
        }
    }

    #[test]
    fn no_two_hosts_claim_the_same_payload() {
        let agent = crate::SampleAgent {
            session: "s",
            id: "a",
            folder: std::path::Path::new("/w"),
            message: Some("DONE"),
        };
        for host in ALL {
            let sample = host.sample(&agent);
            assert_eq!(sender(host.name(), &sample), host.name(), "{sample}");
        }
    }
}
