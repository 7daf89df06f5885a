//! The hook protocol of Cursor, after the code of the npm package `@cursor/sdk` 1.0.32: nothing was run.
//!
//! Only subagents are judged, by the summary that their stop carries. Its transcripts put what the agent thought
//! behind what it said, as one text, so that a report cannot be told from a thought about it.
//!
//! A hook of the person runs in Cursor's own folder, so that the agent's is taken from the roots of the
//! workspace. Silence is logged as a failure. It also runs the settings of Claude Code, but not their hook for
//! the start of a subagent, without which a subagent is not judged.

use std::path::PathBuf;

use attest_evidence::Printable;
use attest_json::{self as json, Object};
use serde_json::{Value, json};

use super::common::{self, hook};
use crate::executable::{Executable, Support};
use crate::fields;
use crate::host::{Borrowed, Host, Profile};
use crate::payload::{AgentTranscript, Payload};
use crate::reply;
use crate::sample::SampleAgent;
use crate::settings::{JsonFile, PersonFile, Rule, Shape, Wanted};

/// Cursor.
pub(super) struct Cursor;

/// How often a loop may be before the host leaves the hook out. Our own budget ends it long before.
const LOOP_LIMIT: u32 = 10;

static PROFILE: Profile = Profile {
    borrows: &[Borrowed {
        host: "claude-code",
        is_of_person: true,
    }],
    ..Profile::of(
        "cursor",
        Executable {
            title: "Cursor",
            name: "cursor",
            support: Support::Read,
        },
        &SETTINGS,
    )
};

static SETTINGS: JsonFile = JsonFile {
    harness: Some("cursor"),
    person: Some(PersonFile {
        variable: None,
        folder: ".cursor",
        file: "hooks.json",
    }),
    project: Some(".cursor/hooks.json"),
    hooks: &[
        hook("subagentStart", "start", 15, true),
        hook("subagentStop", "stop", 30, true),
    ],
    shape: Shape::Flat,
    head: &[("version", 1)],
    rules: &[
        common::HAS_TIMEOUT,
        Rule {
            key: "loop_limit",
            wanted: Wanted::Count(LOOP_LIMIT),
            fault: None,
        },
    ],
    ..common::FILE
};

impl Host for Cursor {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// Whether a turn that goes on has a new `generation_id` is not known, so that turns have no id.
    fn payload(&self, sent: &Object<'_>) -> Payload {
        Payload {
            event: fields::name(sent, &["hook_event_name"]),
            session_id: fields::id(
                sent,
                &["parent_conversation_id", "conversation_id", "session_id"],
            ),
            agent_type: fields::name(sent, &["subagent_type"]),
            cwd: workspace(sent).or_else(|| fields::path(sent, "cwd")),
            agent_transcript: AgentTranscript::Unusable,
            prompt: fields::text(sent, "prompt"),
            stop_hook_active: has_looped(sent),
            message: fields::text(sent, "summary").filter(|_| !is_cut_off(sent)),
            agent_id: fields::id(sent, &["subagent_id"]),
            ..Payload::default()
        }
    }

    fn block(&self, _payload: &Payload, reason: &Printable) -> String {
        reply::line(&json!({ "followup_message": &**reason }))
    }

    /// A stop shows the person nothing.
    fn notice(&self, _payload: &Payload, _text: &Printable) -> Option<String> {
        None
    }

    fn context(&self, payload: &Payload, text: &Printable) -> Option<String> {
        (payload.event.as_deref() == Some("subagentStart"))
            .then(|| reply::line(&json!({ "additional_context": &**text })))
    }

    /// For every event: silence is a failed hook, and anything but JSON at the start of a subagent denies it.
    fn allow(&self, _payload: &Payload) -> Option<String> {
        Some("{}\n".to_owned())
    }

    fn sample(&self, agent: &SampleAgent<'_>) -> String {
        let is_stop = agent.message.is_some();
        json!({
            "conversation_id": agent.session,
            "parent_conversation_id": agent.session,
            "hook_event_name": if is_stop { "subagentStop" } else { "subagentStart" },
            "cursor_version": "sample",
            "workspace_roots": [agent.folder.to_string_lossy()],
            "subagent_id": agent.id,
            "subagent_type": "general-purpose",
            "status": is_stop.then_some("completed"),
            "summary": agent.message,
            "loop_count": 0,
        })
        .to_string()
    }

    fn is_block(&self, reply: &str) -> bool {
        let reply: Option<Value> = serde_json::from_str(reply).ok();
        reply.is_some_and(|reply| reply["followup_message"].is_string())
    }

    fn has_sent(&self, sent: &Object<'_>) -> bool {
        sent.text("cursor_version").is_some() && sent.raw("workspace_roots").is_some()
    }
}

/// The first of the folders that are open.
fn workspace(sent: &Object<'_>) -> Option<PathBuf> {
    let roots = json::array(sent.raw("workspace_roots")?)?;
    let first = format!(r#"{{"root":{}}}"#, roots.first()?);
    fields::path(&Object::parse(&first).ok()?, "root")
}

/// Whether the host continued the agent already because a hook asked it to.
fn has_looped(sent: &Object<'_>) -> bool {
    let count = sent.raw("loop_count").map(str::parse);
    matches!(count, Some(Ok(1..=u32::MAX)))
}

/// Whether the agent was stopped by a person or by a fault: what it said last is then no report.
fn is_cut_off(sent: &Object<'_>) -> bool {
    matches!(sent.text("status").as_deref(), Some("aborted" | "error"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(json: &str) -> Payload {
        let host: &dyn Host = &Cursor;
        host.parse(json.as_bytes()).unwrap()
    }

    #[cfg(unix)]
    #[test]
    fn the_folder_is_the_first_root_of_the_workspace() {
        let cwd = |roots: &str| parsed(&format!(r#"{{"workspace_roots":{roots}}}"#)).cwd;
        assert_eq!(cwd(r#"["/a b","/c"]"#), Some("/a b".into()));
        for odd in ["[]", r#"["a"]"#, "[7]", r#""/a""#, "null"] {
            assert_eq!(cwd(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_subagent_has_one_key_from_its_start_to_its_stop() {
        let start = parsed(
            r#"{"conversation_id":"c","parent_conversation_id":"p","subagent_id":"a","hook_event_name":"subagentStart"}"#,
        );
        let stop = parsed(
            r#"{"conversation_id":"d","parent_conversation_id":"p","subagent_id":"a","summary":"DONE","loop_count":0}"#,
        );
        assert_eq!(start.session_id, stop.session_id);
        assert_eq!(start.agent_id, stop.agent_id);
        assert_eq!(stop.message_transcript(), None);
    }

    #[test]
    fn a_loop_is_counted_by_the_host() {
        let active = |count: &str| parsed(&format!(r#"{{"loop_count":{count}}}"#)).stop_hook_active;
        assert!(active("1") && active("4"));
        for odd in ["0", "null", "true", "-1", r#""1""#] {
            assert!(!active(odd), "{odd}");
        }
    }

    #[test]
    fn what_was_said_before_a_person_stopped_the_agent_is_no_report() {
        let stop = |status: &str| {
            parsed(&format!(
                r#"{{"status":"{status}","summary":"DONE","agent_transcript_path":"/t"}}"#
            ))
        };
        assert_eq!(stop("completed").message.as_deref(), Some("DONE"));
        assert_eq!(stop("completed").message_transcript(), None);
        for status in ["aborted", "error"] {
            assert_eq!(stop(status).message, None);
        }
    }

    #[test]
    fn nothing_is_answered_with_an_empty_object() {
        let payload = Payload::default();
        assert_eq!(Cursor.allow(&payload).as_deref(), Some("{}\n"));
        let reply = Cursor.block(&payload, &Printable::new("no"));
        assert!(Cursor.is_block(&reply) && !Cursor.is_block("{}"));
    }
}
