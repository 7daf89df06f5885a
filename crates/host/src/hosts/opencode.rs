//! `OpenCode`, which runs a plugin of ours, observed in 1.18.33.
//!
//! The plugin is a page of JavaScript. It hands each event on to `attest hook`, and does itself what the
//! host has no hook for: it sends a subagent back, and gives the parent the report that came of that.

use attest_evidence::Printable;
use attest_json::Object;
use attest_transcript::forms;
use serde_json::json;

use super::common::{self, hook};
use crate::executable::{Executable, Support, Version};
use crate::fields;
use crate::host::{Host, Profile};
use crate::payload::{AgentTranscript, Payload};
use crate::reply;
use crate::sample::SampleAgent;
use crate::settings::{HookSpec, OwnedFile, OwnedFolder, Package};

/// A host that runs the plugin: `OpenCode`, or one that began as it and differs in what it is called and where its
/// folders are.
pub(super) struct OpenCode {
    pub(super) profile: &'static Profile,
}

/// `OpenCode` itself.
pub(super) static OPENCODE: OpenCode = OpenCode {
    profile: &profile(
        Executable {
            title: "OpenCode",
            name: "opencode",
            support: Support::tested(Version(1, 18, 32), Version(1, 18, 33)),
        },
        &PLUGIN,
        &PACKAGE,
    ),
};

/// What such a host is. Its transcripts are in a database; the plugin writes one for a hook, and removes it behind
/// that.
pub(super) const fn profile(
    executable: Executable,
    plugin: &'static OwnedFolder,
    package: &'static Package,
) -> Profile {
    Profile {
        package: Some(package),
        transcripts: &[&forms::OpenCode],
        judges_turns: true,
        ..Profile::of(executable.name, executable, plugin)
    }
}

pub(super) const HOOKS: &[HookSpec] = &[
    hook("chat.message", "prompt", 30, true),
    hook("chat.message", "start", 30, true),
    hook("tool.execute.after", "stop", 30, true),
    hook("tool.execute.after", "post-tool-use", 30, true),
    hook("session.idle", "session-stop", 30, true),
];

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
    fn profile(&self) -> &'static Profile {
        self.profile
    }

    fn payload(&self, sent: &Object<'_>) -> Payload {
        let mut payload = common::payload(sent);
        // The one that the plugin writes is the agent's own.
        let own = payload.transcript_path.take();
        Payload {
            agent_transcript: own.map_or(AgentTranscript::Absent, AgentTranscript::Named),
            message: fields::text(sent, "message"),
            reported: Vec::from_iter(fields::id(sent, &["reported"])),
            ..payload
        }
    }

    /// The plugin sends the instruction to the session itself.
    fn block(&self, _payload: &Payload, reason: &Printable) -> String {
        reply::line(&json!({ "action": "revise", "instruction": &**reason }))
    }

    /// The plugin shows it as a toast.
    fn notice(&self, _payload: &Payload, text: &Printable) -> Option<String> {
        Some(reply::line(&json!({ "notice": &**text })))
    }

    /// The plugin puts it before the prompt, or behind the result of the tool.
    fn context(&self, _payload: &Payload, text: &Printable) -> Option<String> {
        Some(reply::line(&json!({ "context": &**text })))
    }

    fn sample(&self, agent: &SampleAgent<'_>) -> String {
        let turn = agent.turn("chat.message", "session.idle", "message");
        turn.to_string()
    }

    fn is_block(&self, reply: &str) -> bool {
        reply::says(reply, "action", "revise")
    }
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
