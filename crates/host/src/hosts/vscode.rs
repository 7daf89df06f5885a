//! The hook protocol of the agents in VS Code, after its documentation (`microsoft/vscode-docs`, approved on
//! 2026-07-29): nothing was run.
//!
//! It reads the hooks of a project only, and those of its settings for Claude Code. A stop carries no message. The
//! spelling of the common fields differs between pages, so that both are read.

use attest_evidence::Printable;
use attest_json::Object;
use attest_transcript::forms;
use serde_json::json;

use super::common;
use crate::executable::{Executable, Support};
use crate::fields;
use crate::host::{Borrowed, Host, Profile};
use crate::payload::Payload;
use crate::reply;
use crate::settings::{JsonFile, Shape};

/// The agents in VS Code.
pub(super) struct VsCode;

static PROFILE: Profile = Profile {
    // Its extension writes the events of Copilot CLI, after its source.
    transcripts: &[&forms::Copilot],
    borrows: &[
        Borrowed {
            host: "claude-code",
            is_of_person: false,
        },
        Borrowed {
            host: "copilot",
            is_of_person: false,
        },
    ],
    ..Profile::of(
        "vscode",
        Executable {
            title: "VS Code",
            name: "code",
            support: Support::Read,
        },
        &SETTINGS,
    )
};

static SETTINGS: JsonFile = JsonFile {
    harness: Some("vscode"),
    person: None,
    project: Some(".github/hooks/attest.json"),
    shape: Shape::Flat,
    // Copilot CLI reads the files of that folder too, and wants the version.
    head: &[("version", 1)],
    ..common::FILE
};

impl Host for VsCode {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn payload(&self, sent: &Object<'_>) -> Payload {
        Payload {
            event: fields::name(sent, &["hook_event_name", "hookEventName"]),
            session_id: fields::id(sent, &["session_id", "sessionId"]),
            ..common::payload(sent)
        }
    }

    /// The documentation has the decision at the top for a subagent, and in an object of the event for the main
    /// agent; the source reads the top for both.
    fn block(&self, payload: &Payload, reason: &Printable) -> String {
        let mut reply = json!({ "decision": "block", "reason": &**reason });
        if payload.agent_id.is_none() {
            let mut output = reply.clone();
            output["hookEventName"] = "Stop".into();
            reply["hookSpecificOutput"] = output;
        }
        reply::line(&reply)
    }

    fn context(&self, payload: &Payload, text: &Printable) -> Option<String> {
        common::context(payload, text, &["SubagentStart"])
    }

    /// Two spellings in one payload.
    fn has_sent(&self, sent: &Object<'_>) -> bool {
        let has = |name| sent.text(name).is_some();
        has("hookEventName") && has("timestamp") && has("transcript_path")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_of_the_common_fields_are_read() {
        let host: &dyn Host = &VsCode;
        let camel = host
            .parse(br#"{"hookEventName":"Stop","sessionId":"s"}"#)
            .unwrap();
        let snake = host
            .parse(br#"{"hook_event_name":"Stop","session_id":"s"}"#)
            .unwrap();
        assert_eq!(camel, snake);
        assert_eq!(camel.session_id.as_deref(), Some("s"));
    }

    #[test]
    fn a_block_of_the_main_agent_is_said_in_both_places() {
        let reply = VsCode.block(&Payload::default(), &Printable::new("no"));
        let reply: serde_json::Value = serde_json::from_str(&reply).unwrap();
        assert_eq!(reply["decision"], "block");
        assert_eq!(reply["hookSpecificOutput"]["decision"], "block");
        assert_eq!(reply["hookSpecificOutput"]["hookEventName"], "Stop");
        let of_subagent = Payload {
            agent_id: Some("a".into()),
            ..Payload::default()
        };
        let reply = VsCode.block(&of_subagent, &Printable::new("no"));
        assert_eq!(reply, "{\"decision\":\"block\",\"reason\":\"no\"}\n");
    }
}
