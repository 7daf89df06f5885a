//! The hook protocol of GitHub Copilot CLI, run in 1.0.102.
//!
//! It has two dialects, and the spelling of an event in the settings chooses one; both are read, since it also
//! runs the settings that a repository has for Claude Code. The stop of the main agent carries no message, and
//! the events of the session are written some 50 ms later, so that they are waited for. Within a subagent, both
//! its own stop and that of the main agent fire; the latter carries the id of the subagent.

use attest_evidence::Printable;
use attest_json::Object;
use attest_transcript::{Whose, forms};
use serde_json::json;

use super::common::{self, hook};
use crate::executable::{Executable, Fault, Support, Tried, Version};
use crate::fields;
use crate::host::{Borrowed, Host, Profile};
use crate::kept::{About, KeptSessions, Of};
use crate::payload::{AgentTranscript, Payload};
use crate::reply;
use crate::sample::SampleAgent;
use crate::settings::{JsonFile, PersonFile, Rule, Shape, Wanted};

/// GitHub Copilot CLI.
pub(super) struct Copilot;

static PROFILE: Profile = Profile {
    transcripts: &[&forms::Copilot],
    transcripts_of_agents: &[&forms::CopilotAgent],
    kept: Some(&KEPT),
    borrows: &[
        Borrowed {
            host: "claude-code",
            is_of_person: false,
        },
        Borrowed {
            host: "vscode",
            is_of_person: false,
        },
    ],
    ..Profile::of(
        "copilot",
        Executable {
            title: "Copilot CLI",
            name: "copilot",
            support: Support::Tested(Tried {
                least: Version(1, 0, 102),
                newest: Version(1, 0, 102),
                fault: Some(Fault {
                    until: Version(1, 0, 92),
                    what: "does not name a subagent that starts, so that none of their reports can be judged",
                }),
            }),
        },
        &SETTINGS,
    )
};

static SETTINGS: JsonFile = JsonFile {
    harness: Some("copilot"),
    // It reads every file of that folder; this one is attest's own.
    person: Some(PersonFile {
        variable: Some("COPILOT_HOME"),
        folder: ".copilot",
        file: "hooks/attest.json",
    }),
    project: Some(".github/hooks/attest-copilot.json"),
    hooks: &[
        hook("subagentStart", "start", 15, true),
        hook("subagentStop", "stop", 30, true),
        hook("agentStop", "session-stop", 30, false),
        hook("userPromptSubmitted", "prompt", 15, false),
    ],
    shape: Shape::Flat,
    head: &[("version", 1)],
    command: if cfg!(windows) { "powershell" } else { "bash" },
    has_powershell: true,
    rules: &[
        common::IS_COMMAND,
        Rule {
            key: "timeoutSec",
            wanted: Wanted::Timeout,
            fault: Some("it has no timeout"),
        },
    ],
    ..common::FILE
};

/// The events of a subagent stand among those of its session.
static KEPT: KeptSessions = KeptSessions {
    folder: "session-state",
    of_file: |parts| matches!(parts, [_, "events.jsonl"]).then_some(Of::Session),
    of_line: |line, about: &mut About| {
        let data = || {
            let kind = line.text("type")?;
            matches!(&*kind, "session.start" | "session.resume").then(|| line.object("data"))?
        };
        if let Some(data) = data() {
            About::name(&mut about.session, &data, "sessionId");
            if let Some(context) = data.object("context") {
                about.add_folder(&context, "cwd");
            }
        }
        Whose::Own
    },
    folder_file: None,
    packed: None,
};

impl Host for Copilot {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn payload(&self, sent: &Object<'_>) -> Payload {
        let agent_id = fields::id(sent, &["agent_id", "agentId"]);
        let text = |names: [&str; 2]| names.iter().find_map(|name| fields::text(sent, name));
        let path = |names: [&str; 2]| names.iter().find_map(|name| fields::path(sent, name));
        let transcript_path = path(["transcript_path", "transcriptPath"]);
        Payload {
            event: fields::name(sent, &["hook_event_name"]),
            session_id: fields::id(sent, &["session_id", "sessionId"]),
            agent_type: fields::name(
                sent,
                &["agent_type", "agentType", "agent_name", "agentName"],
            ),
            cwd: fields::path(sent, "cwd"),
            agent_transcript: match (&agent_id, &transcript_path) {
                (None, _) => AgentTranscript::Absent,
                (Some(_), Some(path)) => AgentTranscript::Among(path.clone()),
                (Some(_), None) => AgentTranscript::Unusable,
            },
            transcript_path,
            prompt: fields::text(sent, "prompt"),
            stop_hook_active: sent.is_true("stop_hook_active"),
            message: text(["last_assistant_message", "response"]),
            agent_id,
            ..Payload::default()
        }
    }

    /// In the dialect of the plugin of Claude Code, where the start of a subagent has no name.
    fn verb_of(&self, payload: &Payload) -> Option<&'static str> {
        match payload.event.as_deref() {
            Some("SubagentStart") => Some("start"),
            Some("SubagentStop") => Some("stop"),
            Some("Stop") => Some("session-stop"),
            Some("UserPromptSubmit") => Some("prompt"),
            Some(_) => None,
            None => (payload.agent_id.is_some() && payload.message.is_none()).then_some("start"),
        }
    }

    /// It shows the person nothing of what a hook says.
    fn notice(&self, _payload: &Payload, _text: &Printable) -> Option<String> {
        None
    }

    /// Only for a subagent that starts, and not in the object that other hosts read it from. The start has no
    /// name of an event in one dialect, and none in the other.
    fn context(&self, payload: &Payload, text: &Printable) -> Option<String> {
        let is_start =
            payload.agent_id.is_some() && payload.event.is_none() && payload.message.is_none();
        is_start.then(|| reply::line(&json!({ "additionalContext": &**text })))
    }

    fn sample(&self, agent: &SampleAgent<'_>) -> String {
        let mut payload = json!({
            "sessionId": agent.session,
            "timestamp": 0,
            "cwd": agent.folder.to_string_lossy(),
            "agentId": agent.id,
            "agentName": "general-purpose",
        });
        if let Some(message) = agent.message {
            payload["stop_hook_active"] = false.into();
            payload["stopReason"] = "end_turn".into();
            payload["response"] = message.into();
        }
        payload.to_string()
    }

    /// In one dialect, and at the start of a subagent in both, the session is in `sessionId`, with names in the
    /// same spelling beside it. In the other, a stop has a reason and a time; Claude Code says neither, and has
    /// a mode of permissions in every payload.
    fn has_sent(&self, sent: &Object<'_>) -> bool {
        let has = |name| sent.raw(name).is_some();
        let is_camel = has("sessionId")
            && !has("session_id")
            && !has("hookEventName")
            && ["transcriptPath", "agentName", "stopReason"]
                .into_iter()
                .any(has);
        let is_stop = has("stop_reason") && has("timestamp") && !has("permission_mode");
        is_camel || is_stop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(json: &str) -> Payload {
        let host: &dyn Host = &Copilot;
        host.parse(json.as_bytes()).unwrap()
    }

    #[test]
    fn both_dialects_say_the_same() {
        let camel = parsed(
            r#"{"sessionId":"s","timestamp":1,"cwd":"/w","transcriptPath":"/e","agentId":"a",
            "agentType":"task","agentName":"task","parentAgentId":"p","response":"DONE",
            "stopReason":"end_turn","stop_hook_active":true}"#,
        );
        let pascal = parsed(
            r#"{"hook_event_name":"SubagentStop","session_id":"s","timestamp":"t","cwd":"/w",
            "transcript_path":"/e","agent_id":"a","agent_type":"task","agent_name":"task",
            "parent_agent_id":"p","last_assistant_message":"DONE","stop_reason":"end_turn",
            "stop_hook_active":true}"#,
        );
        assert_eq!(
            pascal,
            Payload {
                event: Some("SubagentStop".into()),
                ..camel
            }
        );
        assert_eq!(pascal.message.as_deref(), Some("DONE"));
        assert_eq!(pascal.agent_transcript, AgentTranscript::Among("/e".into()));
    }

    #[test]
    fn a_start_without_a_name_is_given_its_context_at_the_top() {
        let start = parsed(r#"{"sessionId":"s","agentName":"task","agent_id":"a"}"#);
        let told = Copilot.context(&start, &Printable::new("x"));
        assert_eq!(told.as_deref(), Some("{\"additionalContext\":\"x\"}\n"));
        let stop = parsed(r#"{"sessionId":"s","agentId":"a","response":"DONE"}"#);
        assert_eq!(Copilot.context(&stop, &Printable::new("x")), None);
    }

    #[test]
    fn its_payloads_are_told_from_those_of_others() {
        let has_sent = |json: &str| Copilot.has_sent(&Object::parse(json).unwrap());
        for own in [
            r#"{"sessionId":"s","timestamp":1,"cwd":"/w","transcriptPath":"/e","stopReason":"end_turn"}"#,
            r#"{"sessionId":"s","timestamp":1,"cwd":"/w","agentName":"task","agent_id":"a"}"#,
            r#"{"hook_event_name":"Stop","session_id":"s","timestamp":"t","stop_reason":"end_turn"}"#,
        ] {
            assert!(has_sent(own), "{own}");
        }
        for other in [
            r#"{"hook_event_name":"Stop","session_id":"s","stop_hook_active":false}"#,
            r#"{"session_id":"s","timestamp":"t","stop_reason":"x","permission_mode":"default"}"#,
            r#"{"hookEventName":"Stop","sessionId":"s","timestamp":"t","transcript_path":"/e"}"#,
            r#"{"sessionId":"s","session_id":"s","agentName":"x"}"#,
        ] {
            assert!(!has_sent(other), "{other}");
        }
    }
}
