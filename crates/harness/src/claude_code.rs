//! Claude Code's hook protocol, observed in 2.1.138, 2.1.170, 2.1.329 and 2.1.330 unless a comment says
//! otherwise. 2.0.44 to 2.1.30 have no `last_assistant_message`, so that the transcript is read; 2.1.47 has.

mod message;
mod reported;

use std::path::PathBuf;

use attest_evidence::Printable;
use serde_json::{Value, json};

use crate::fields;
use crate::payload::{AgentTranscript, Payload, PayloadError};
use attest_json::Object;

/// Names of the agent's id, the current one first.
const AGENT_ID: &[&str] = &["agent_id", "subagent_id"];
/// Names of the agent's kind, the current one first.
const AGENT_TYPE: &[&str] = &["agent_type", "subagent_type", "agent_name", "subagent_name"];
const OWN_TRANSCRIPT: &str = "agent_transcript_path";

/// Reads the payload of any of the host's hook events.
///
/// Any bytes may come in. Bytes that are not UTF-8 read as U+FFFD, in texts only; a byte-order
/// mark, white space and NUL bytes around the object are ignored.
pub fn parse(bytes: &[u8]) -> Result<Payload, PayloadError> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\0'));
    if text.is_empty() {
        return Err(PayloadError::Empty);
    }
    if !text.starts_with('{') {
        return Err(PayloadError::NotAnObject);
    }
    Ok(read(&Object::parse(text)?))
}

fn read(payload: &Object<'_>) -> Payload {
    Payload {
        event: fields::name(payload, &["hook_event_name"]),
        session_id: fields::id(payload, &["session_id"]),
        agent_id: fields::id(payload, AGENT_ID),
        agent_type: fields::name(payload, AGENT_TYPE),
        cwd: fields::path(payload, "cwd"),
        transcript_path: fields::path(payload, "transcript_path"),
        agent_transcript: own_transcript(payload),
        stop_hook_active: payload.is_true("stop_hook_active"),
        message: message::of(payload),
        reported: reported::of(payload),
    }
}

fn own_transcript(payload: &Object<'_>) -> AgentTranscript {
    match fields::path(payload, OWN_TRANSCRIPT) {
        Some(path) => AgentTranscript::Named(path),
        None if fields::is_present(payload, OWN_TRANSCRIPT) => AgentTranscript::Unusable,
        None => AgentTranscript::Absent,
    }
}

/// Beside the transcript of the session, in a folder of the session's name. Workflows keep theirs
/// one folder further down.
pub(crate) fn likely_transcript(payload: &Payload) -> Option<PathBuf> {
    let (session, agent) = (
        payload.transcript_path.as_ref()?,
        payload.agent_id.as_ref()?,
    );
    let is_plain = agent
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let name = format!("agent-{agent}.jsonl");
    is_plain.then(|| session.with_extension("").join("subagents").join(name))
}

/// The reply to `SubagentStop` and `Stop` that sends the agent back to work: one JSON object and a
/// newline.
///
/// The host honours it only if standard output holds nothing else, and hands `reason` to the agent
/// whole and twice, so it has to be short. Who prints it needs leave for that, of which nothing is known here.
#[must_use]
pub fn render_revise(reason: &Printable) -> String {
    line(&json!({ "decision": "block", "reason": &**reason }))
}

fn line(reply: &Value) -> String {
    format!("{reply}\n")
}

/// The reply to `Stop` that shows `text` to the person, and to nobody else.
#[must_use]
pub fn render_notice(text: &Printable) -> String {
    line(&json!({ "systemMessage": &**text }))
}

/// The reply to `PostToolUse` or `UserPromptSubmit` that puts `text` before the agent. On the events
/// of a stop the host would take it for a block.
#[must_use]
pub fn render_context(event: &str, text: &Printable) -> String {
    let output = json!({ "hookEventName": event, "additionalContext": &**text });
    line(&json!({ "hookSpecificOutput": output }))
}

#[cfg(test)]
mod tests;
