//! `OpenCode`, which runs a plugin of ours, observed in 1.18.33.
//!
//! The plugin is a page of JavaScript. It hands each event on to `attest hook`, and does itself what the
//! host has no hook for: it sends a subagent back, and gives the parent the report that came of that.

use attest_evidence::Printable;
use attest_json::Object;
use attest_transcript::{Form, forms};
use serde_json::{Value, json};

use super::common;
use crate::fields;
use crate::host::{Executable, Host, SampleAgent, Support, Tried, Version};
use crate::payload::{AgentTranscript, Payload};
use crate::settings::{HookSpec, OwnedFile, OwnedFolder, Package, Wiring};

/// A host that runs the plugin: `OpenCode`, or one that began as it and differs in what it is called and where its
/// folders are.
pub(super) struct OpenCode {
    pub(super) executable: &'static Executable,
    pub(super) plugin: &'static OwnedFolder,
    /// What the host's own command installs.
    pub(super) package: &'static Package,
}

/// `OpenCode` itself.
pub(super) static OPENCODE: OpenCode = OpenCode {
    executable: &EXECUTABLE,
    plugin: &PLUGIN,
    package: &PACKAGE,
};

static EXECUTABLE: Executable = Executable {
    title: "OpenCode",
    name: "opencode",
    support: Support::Tested(Tried {
        least: Version(1, 18, 32),
        newest: Version(1, 18, 33),
        fault: None,
    }),
};

pub(super) const HOOKS: &[HookSpec] = &[
    hook("chat.message", "prompt"),
    hook("chat.message", "start"),
    hook("tool.execute.after", "stop"),
    hook("tool.execute.after", "post-tool-use"),
    hook("session.idle", "session-stop"),
];

const fn hook(event: &'static str, verb: &'static str) -> HookSpec {
    HookSpec {
        event,
        matcher: None,
        verb,
        timeout: 30,
        since: None,
        is_core: true,
    }
}

const PAGE: OwnedFile = OwnedFile {
    name: "attest.js",
    template: concat!(
        include_str!("opencode/head.js"),
        include_str!("opencode/attest.js"),
        include_str!("program.js")
    ),
    head: "// attest's hooks for OpenCode.",
    hooks: HOOKS,
};

static PACKAGE: Package = Package {
    files: &[
        PAGE,
        OwnedFile {
            name: "package.json",
            template: include_str!("opencode/package.json"),
            head: "{\n  \"name\": \"attest-opencode\",",
            hooks: &[],
        },
        OwnedFile {
            name: "README.md",
            template: include_str!("opencode/README.md"),
            head: "# attest for OpenCode\n",
            hooks: &[],
        },
    ],
    has_launcher: false,
};

static PLUGIN: OwnedFolder = OwnedFolder {
    harness: "opencode",
    variable: Some("OPENCODE_CONFIG_DIR"),
    folder: ".config/opencode",
    inside: "plugin",
    project: Some(".opencode/plugin"),
    is_own: false,
    files: &[PAGE],
    hooks: HOOKS,
};

impl Host for OpenCode {
    fn name(&self) -> &'static str {
        self.executable.name
    }

    fn executable(&self) -> &'static Executable {
        self.executable
    }

    fn wiring(&self) -> &'static dyn Wiring {
        self.plugin
    }

    fn package(&self) -> Option<&'static Package> {
        Some(self.package)
    }

    fn payload(&self, sent: &Object<'_>) -> Payload {
        Payload {
            event: fields::name(sent, &["hook_event_name"]),
            session_id: fields::id(sent, &["session_id"]),
            agent_id: fields::id(sent, &["agent_id"]),
            agent_type: fields::name(sent, &["agent_type"]),
            cwd: fields::path(sent, "cwd"),
            agent_transcript: transcript(sent),
            prompt: fields::text(sent, "prompt"),
            stop_hook_active: sent.is_true("stop_hook_active"),
            message: fields::text(sent, "message"),
            failure: None,
            reported: Vec::from_iter(fields::id(sent, &["reported"])),
            background: None,
            ..Payload::default()
        }
    }

    /// The host's own are in a database. The plugin writes one for a hook, and removes it behind that.
    fn transcripts(&self) -> &'static [&'static dyn Form] {
        &[&forms::OpenCode]
    }

    /// The plugin sends the instruction to the session itself.
    fn block(&self, _payload: &Payload, reason: &Printable) -> String {
        line(&json!({ "action": "revise", "instruction": &**reason }))
    }

    /// The plugin shows it as a toast.
    fn notice(&self, _payload: &Payload, text: &Printable) -> Option<String> {
        Some(line(&json!({ "notice": &**text })))
    }

    /// The plugin puts it before the prompt, or behind the result of the tool.
    fn context(&self, _payload: &Payload, text: &Printable) -> Option<String> {
        Some(line(&json!({ "context": &**text })))
    }

    fn judges_turns(&self) -> bool {
        true
    }

    fn sample(&self, agent: &SampleAgent<'_>) -> String {
        json!({
            "hook_event_name": match agent.message {
                Some(_) => "session.idle",
                None => "chat.message",
            },
            "session_id": common::sample_session(agent),
            "cwd": agent.folder.to_string_lossy(),
            "message": agent.message,
        })
        .to_string()
    }

    fn is_block(&self, reply: &str) -> bool {
        let reply: Option<Value> = serde_json::from_str(reply).ok();
        reply.is_some_and(|reply| reply["action"] == "revise")
    }
}

fn transcript(sent: &Object<'_>) -> AgentTranscript {
    let path = fields::path(sent, "transcript_path");
    path.map_or(AgentTranscript::Absent, AgentTranscript::Named)
}

fn line(reply: &Value) -> String {
    format!("{reply}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: &dyn Host = &OPENCODE;

    #[test]
    fn only_a_revision_is_one() {
        let (payload, text) = (Payload::default(), Printable::new("there is no a.py"));
        assert!(HOST.is_block(&HOST.block(&payload, &text)));
        assert!(!HOST.is_block(&HOST.notice(&payload, &text).unwrap()));
        assert!(!HOST.is_block(&HOST.context(&payload, &text).unwrap()));
    }

    #[test]
    fn the_plugin_calls_every_hook() {
        let plugin = include_str!("opencode/attest.js");
        for hook in HOOKS {
            assert!(plugin.contains(hook.event), "{}", hook.event);
            assert!(
                plugin.contains(&format!("\"{}\"", hook.verb)),
                "{}",
                hook.verb
            );
        }
    }

    #[test]
    fn what_the_plugin_wrote_is_the_transcript() {
        let sent = br#"{"agent_id": "ses_2", "transcript_path": "/tmp/a/transcript.jsonl"}"#;
        let named = AgentTranscript::Named("/tmp/a/transcript.jsonl".into());
        assert_eq!(HOST.parse(sent).unwrap().agent_transcript, named);
    }

    #[test]
    fn a_report_is_handed_over_by_the_tool() {
        let sent = br#"{"session_id": "ses_1", "reported": "ses_2"}"#;
        assert_eq!(HOST.parse(sent).unwrap().reported, ["ses_2"]);
        let sent = br#"{"session_id": "ses_1"}"#;
        assert_eq!(HOST.parse(sent).unwrap().reported, [""; 0]);
    }
}
