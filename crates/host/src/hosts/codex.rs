//! The hook protocol of Codex, run in 0.169.0 and 0.171.0.
//!
//! It takes Claude Code's replies, but none with a key that it does not know. It has no cap of its own for blocks.

mod features;
mod trust;

use std::path::Path;

use attest_evidence::Printable;
use attest_json::Object;
use attest_transcript::{Whose, forms};
use serde_json::json;

use super::common;
use crate::executable::{Executable, Support, Version};
use crate::fields;
use crate::host::{Host, Profile};
use crate::kept::{About, KeptSessions, Of};
use crate::payload::{AgentTranscript, Payload};
use crate::reply;
use crate::sample::SampleAgent;
use crate::settings::{JsonFile, PersonFile};

/// Codex.
pub(super) struct Codex;

static PROFILE: Profile = Profile {
    transcripts: &[&forms::Codex],
    kept: Some(&KEPT),
    left_to_do: Some(
        "start `codex`, open /hooks and trust them: until then Codex skips them and does not say so",
    ),
    ..Profile::of(
        "codex",
        Executable {
            title: "Codex",
            name: "codex",
            support: Support::tested(Version(0, 144, 0), Version(0, 171, 0)),
        },
        &SETTINGS,
    )
};

static SETTINGS: JsonFile = JsonFile {
    harness: Some("codex"),
    person: Some(PersonFile {
        variable: Some("CODEX_HOME"),
        folder: ".codex",
        file: "hooks.json",
    }),
    project: Some(".codex/hooks.json"),
    // No more than these two: what it trusts is a hash of all that an entry has.
    rules: &[common::IS_COMMAND, common::HAS_TIMEOUT],
    ..common::FILE
};

/// After some days it packs them.
static KEPT: KeptSessions = KeptSessions {
    folder: "sessions",
    of_file: |parts| match parts {
        [.., file] if file.starts_with("rollout-") => Some(Of::Session),
        _ => None,
    },
    of_line,
    folder_file: None,
    packed: Some(".jsonl.zst"),
};

/// The first line has the names. The rollout of a fork may begin with a copy of the conversation that it goes on from.
fn of_line(line: &Object<'_>, about: &mut About) -> Whose {
    let kind = line.text("type");
    let is_first = about.session.is_none();
    let payload = match kind.as_deref() {
        Some("session_meta" | "turn_context") => line.object("payload"),
        _ => None,
    };
    let Some(payload) = payload else {
        return Whose::Own;
    };
    about.add_folder(&payload, "cwd");
    if !is_first {
        return Whose::Own;
    }
    About::name(&mut about.session, &payload, "session_id");
    About::name(&mut about.session, &payload, "id");
    about.goes_on = payload.text("forked_from_id").is_some();
    let spawned = payload
        .object("source")
        .and_then(|source| source.object("subagent"));
    if let Some(spawned) = spawned {
        About::name(&mut about.agent, &payload, "id");
        let thread = spawned.object("thread_spawn").unwrap_or(spawned);
        About::name(&mut about.agent_type, &thread, "agent_role");
        About::name(&mut about.agent_type, &payload, "agent_role");
    }
    Whose::Own
}

impl Host for Codex {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn payload(&self, sent: &Object<'_>) -> Payload {
        let mut payload = common::payload(sent);
        payload.turn_id = fields::id(sent, &["turn_id"]);
        // At the start of a subagent, the transcript is its own; at its end, it is its parent's.
        if payload.event.as_deref() == Some("SubagentStart")
            && let Some(path) = payload.transcript_path.take()
        {
            payload.agent_transcript = AgentTranscript::Named(path);
        }
        payload
    }

    fn finalize(&self, _payload: &Payload, reason: &Printable) -> Option<String> {
        Some(reply::line(
            &json!({ "continue": false, "stopReason": &**reason }),
        ))
    }

    fn context(&self, payload: &Payload, text: &Printable) -> Option<String> {
        common::context(payload, text, &["SubagentStart"])
    }

    fn sample(&self, agent: &SampleAgent<'_>) -> String {
        let mut payload = agent.payload();
        payload["turn_id"] = agent.id.into();
        payload["model"] = "sample".into();
        payload.to_string()
    }

    /// It runs the plugins of Claude Code, which has a `prompt_id` and no `turn_id`.
    fn has_sent(&self, sent: &Object<'_>) -> bool {
        let has = |name| sent.text(name).is_some();
        has("turn_id") && has("model") && sent.raw("prompt_id").is_none()
    }

    fn untrusted(
        &self,
        file: &Path,
        content: &[u8],
        own: &dyn Fn(&str) -> Option<String>,
    ) -> Vec<String> {
        trust::untrusted(file, content, own("config.toml").as_deref())
    }

    fn turned_off(&self, own: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        features::hooks_are_off(&own("config.toml")?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn whose_transcript_it_is_depends_on_the_event() {
        let host: &dyn Host = &Codex;
        let parsed = |json: &str| host.parse(json.as_bytes()).unwrap();
        let start = parsed(
            r#"{"hook_event_name":"SubagentStart","agent_id":"a","transcript_path":"/child"}"#,
        );
        assert_eq!(
            start.agent_transcript,
            AgentTranscript::Named("/child".into())
        );
        assert_eq!(start.transcript_path, None);
        let stop = |own: &str| {
            parsed(&format!(
                r#"{{"hook_event_name":"SubagentStop","agent_id":"a","transcript_path":"/parent",
                "agent_transcript_path":{own}}}"#
            ))
        };
        let named = stop(r#""/child""#);
        assert_eq!(
            named.agent_transcript,
            AgentTranscript::Named("/child".into())
        );
        assert_eq!(stop("null").message_transcript(), None);
        let root = parsed(r#"{"hook_event_name":"Stop","transcript_path":"/root"}"#);
        assert_eq!(root.message_transcript(), Some("/root".as_ref()));
    }

    /// A reply with one more key would be a failed hook, and the agent would go.
    #[test]
    fn a_block_has_two_keys() {
        let reply = Codex.block(&Payload::default(), &Printable::new("no"));
        assert_eq!(reply, "{\"decision\":\"block\",\"reason\":\"no\"}\n");
        assert_eq!(Codex.allow(&Payload::default()), None);
    }

    #[test]
    fn only_its_own_payloads_have_a_turn_and_a_model_and_no_prompt() {
        let has_sent = |json: &str| Codex.has_sent(&Object::parse(json).unwrap());
        assert!(has_sent(r#"{"turn_id":"t","model":"m"}"#));
        for other in [
            r#"{"turn_id":"t","model":"m","prompt_id":"p"}"#,
            r#"{"turn_id":"t"}"#,
            r#"{"model":"m"}"#,
            r#"{"turn_id":7,"model":"m"}"#,
        ] {
            assert!(!has_sent(other), "{other}");
        }
    }
}
