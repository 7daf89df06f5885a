//! OpenClaw, which runs a plugin of ours, observed in 2026.9.6.
//!
//! The plugin is a page of JavaScript that hands each event on to `attest hook`, in a shape that is ours,
//! and what that prints to `OpenClaw`, in a shape that is the host's. The host's transcripts are in a database.

mod access;

use std::path::Path;

use attest_evidence::Printable;
use attest_json::Object;
use serde_json::json;

use super::common::{self, hook};
use crate::executable::{Executable, Fault, Support, Tried, Version};
use crate::fields;
use crate::host::{Host, Profile};
use crate::payload::{AgentTranscript, Payload};
use crate::reply;
use crate::sample::SampleAgent;
use crate::settings::{HookSpec, OwnedFile, OwnedFolder, Package};

/// `OpenClaw`. A subagent is a session of its own there, whose turn ends as any other.
pub(super) struct OpenClaw;

static PROFILE: Profile = Profile {
    package: Some(&PACKAGE),
    judges_turns: true,
    left_to_do: Some(
        "let the plugin see what agents say, then restart the gateway: \
         openclaw config set plugins.entries.attest \
         '{\"enabled\":true,\"hooks\":{\"allowConversationAccess\":true}}' --strict-json --merge",
    ),
    ..Profile::of(
        "openclaw",
        Executable {
            title: "OpenClaw",
            name: "openclaw",
            support: Support::Tested(Tried {
                least: Version(2026, 9, 6),
                newest: Version(2026, 9, 6),
                fault: Some(Fault {
                    until: Version(2026, 9, 5),
                    what: "ends every turn that is sent back with an error of its own",
                }),
            }),
        },
        &PLUGIN,
    )
};

const HOOKS: &[HookSpec] = &[
    hook("before_prompt_build", "prompt", 14, true),
    hook("before_agent_finalize", "session-stop", 14, true),
];

const INDEX: OwnedFile = OwnedFile {
    name: "index.js",
    template: concat!(
        include_str!("openclaw/index.js"),
        include_str!("program.js")
    ),
    head: "// attest's hooks for OpenClaw.",
    hooks: HOOKS,
};
const MANIFEST: OwnedFile = OwnedFile {
    name: "openclaw.plugin.json",
    template: include_str!("openclaw/openclaw.plugin.json"),
    head: "{\n  \"id\": \"attest\",",
    hooks: &[],
};
const OF_NPM: OwnedFile = OwnedFile {
    name: "package.json",
    template: include_str!("openclaw/package.json"),
    head: "{\n  \"name\": \"attest-openclaw\",",
    hooks: &[],
};

/// What the host's own command installs.
static PACKAGE: Package = Package {
    files: &[
        INDEX,
        MANIFEST,
        OF_NPM,
        OwnedFile {
            name: "README.md",
            template: include_str!("openclaw/README.md"),
            head: "# attest for OpenClaw\n",
            hooks: &[],
        },
    ],
    has_launcher: false,
};

static PLUGIN: OwnedFolder = OwnedFolder {
    harness: "openclaw",
    variable: Some("OPENCLAW_STATE_DIR"),
    folder: ".openclaw",
    inside: "extensions/attest",
    project: None,
    is_own: true,
    files: &[INDEX, MANIFEST, OF_NPM],
    hooks: HOOKS,
};

/// The most revisions of one run that the host grants. Ours are counted by attest.
const MOST_ATTEMPTS: u32 = 3;

impl Host for OpenClaw {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// What the plugin sends. The host's own `stopHookActive` is always false, which attest does not rely on.
    fn payload(&self, sent: &Object<'_>) -> Payload {
        Payload {
            agent_transcript: AgentTranscript::Absent,
            turn_id: fields::id(sent, &["turn_id"]),
            message: fields::text(sent, "message"),
            ..common::payload(sent)
        }
    }

    /// The host puts its own words before the instruction, and counts attempts by the key.
    fn block(&self, payload: &Payload, reason: &Printable) -> String {
        let turn = payload.turn_id.as_deref().or(payload.session_id.as_deref());
        let retry = json!({
            "instruction": &**reason,
            "idempotencyKey": format!("attest:{}", turn.unwrap_or_default()),
            "maxAttempts": MOST_ATTEMPTS,
        });
        reply::line(&json!({ "action": "revise", "retry": retry }))
    }

    /// The plugin writes it to the host's log, and hands it to the agent with its next prompt.
    fn notice(&self, _payload: &Payload, text: &Printable) -> Option<String> {
        Some(reply::line(&json!({ "notice": &**text })))
    }

    fn context(&self, _payload: &Payload, text: &Printable) -> Option<String> {
        Some(reply::line(&json!({ "prependContext": &**text })))
    }

    fn finalize(&self, _payload: &Payload, reason: &Printable) -> Option<String> {
        Some(reply::line(
            &json!({ "action": "finalize", "reason": &**reason }),
        ))
    }

    fn sample(&self, agent: &SampleAgent<'_>) -> String {
        let turn = agent.turn("before_prompt_build", "before_agent_finalize", "message");
        turn.to_string()
    }

    fn is_block(&self, reply: &str) -> bool {
        reply::says(reply, "action", "revise")
    }

    fn variable_of(&self, file: &str) -> Option<&'static str> {
        (file == access::FILE).then_some("OPENCLAW_CONFIG_PATH")
    }

    /// All of them, until the person lets the plugin see what agents say. Without the file, nobody has.
    fn untrusted(
        &self,
        _file: &Path,
        _content: &[u8],
        own: &dyn Fn(&str) -> Option<String>,
    ) -> Vec<String> {
        let is_refused = own(access::FILE).is_none_or(|config| access::is_refused(&config));
        let hooks = HOOKS.iter().filter(|_| is_refused);
        hooks.map(|hook| hook.event.to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const HOST: &dyn Host = &OpenClaw;

    #[test]
    fn a_revision_has_a_key_of_its_turn() {
        let payload = HOST
            .parse(br#"{"session_id": "s", "turn_id": "run-1"}"#)
            .unwrap();
        let reply = HOST.block(&payload, &Printable::new("there is no a.py"));
        assert!(HOST.is_block(&reply), "{reply}");
        let reply: Value = serde_json::from_str(&reply).unwrap();
        assert_eq!(reply["retry"]["idempotencyKey"], "attest:run-1");
        assert_eq!(reply["retry"]["instruction"], "there is no a.py");
        assert_eq!(reply["reason"], Value::Null);
    }

    #[test]
    fn what_is_no_revision_is_not_taken_for_one() {
        let payload = Payload::default();
        let text = Printable::new("there is no a.py");
        for reply in [
            HOST.notice(&payload, &text),
            HOST.context(&payload, &text),
            HOST.finalize(&payload, &text),
        ] {
            assert!(!HOST.is_block(&reply.unwrap()));
        }
    }

    #[test]
    fn the_plugin_and_its_manifest_agree() {
        let manifest = include_str!("openclaw/openclaw.plugin.json");
        let manifest: Value = serde_json::from_str(manifest).unwrap();
        assert_eq!(manifest["id"], "attest");
        let package: Value = serde_json::from_str(include_str!("openclaw/package.json")).unwrap();
        assert_eq!(package["openclaw"]["extensions"], json!(["./index.js"]));
        let plugin = include_str!("openclaw/index.js");
        for hook in HOOKS {
            assert!(plugin.contains(&format!("api.on(\"{}\"", hook.event)));
            assert!(plugin.contains(&format!("ask(\"{}\"", hook.verb)));
        }
    }
}
