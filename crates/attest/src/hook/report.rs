//! What an agent says in the end: from the payload of its stop, or from its transcript.

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use attest_state::{Agent, Store, last_block_at};
use attest_transcript::{ReadLimits, TranscriptError, final_message};
use attest_verdict::{Report, Source};

use super::context::{Context, HookError};
use super::reading::{is_earlier, reading_deadline};

/// How long a transcript that lags behind the hook is waited for. Hosts were measured to write
/// the last message up to 65 ms after the hook begins.
const TRANSCRIPT_WAIT: Duration = Duration::from_millis(300);

/// The report of the agent that stops, whose start is known.
pub(super) fn read(context: &Context, store: &Store, agent: &Agent) -> Report {
    let (message, source) = message(context, store, agent);
    let spawned = context.task().spawned_type.clone();
    let recorded = || agent.agent_type.clone();
    let unread = unread(context);
    Report {
        agent_type: spawned.or(unread.agent_type).or_else(recorded),
        claim: attest_claim::parse(&message),
        message,
        source,
        ..unread
    }
}

/// A report of which nothing is read.
pub(super) fn unread(context: &Context) -> Report {
    Report {
        agent_type: context.payload.agent_type.clone(),
        has_agent_id: context.has_agent_id,
        // Where turns are all there is, a subagent's is one too.
        is_main: context.turn.is_some() && !context.harness.profile().judges_turns,
        message: String::new(),
        source: Source::Payload,
        claim: attest_claim::parse(""),
        told: Rc::default(),
    }
}

/// The report that an agent ends with, and where it was found.
fn message(context: &Context, store: &Store, agent: &Agent) -> (String, Source) {
    let payload = &context.payload;
    if let Some(message) = &payload.message {
        let last = last_of(context, store, agent, message);
        return (last.unwrap_or_else(|| message.clone()), Source::Payload);
    }
    let Some(path) = payload.message_transcript() else {
        return (String::new(), Source::Payload);
    };
    let message = said_last(context, store, agent, path).unwrap_or_else(|error| {
        context.shrug("TRANSCRIPT_UNREADABLE", &error);
        None
    });
    (message.unwrap_or_default(), Source::Transcript)
}

/// The last message of an agent that was sent back, if the host sends it with all that was said before: what the
/// agent was sent back for is no longer its report.
fn last_of(context: &Context, store: &Store, agent: &Agent, all: &str) -> Option<String> {
    if agent.block_count == 0 || !context.harness.profile().sends_all_that_was_said {
        return None;
    }
    let path = context.payload.transcript_path.as_deref()?;
    let last = said_last(context, store, agent, path).ok()??;
    all.trim_end().ends_with(&last).then_some(last)
}

/// What the transcript has as the last message since the agent was asked, or sent back. Hosts write late: one
/// was seen to end its file with the report of before, although the agent had gone on.
fn said_last(
    context: &Context,
    store: &Store,
    agent: &Agent,
    path: &Path,
) -> Result<Option<String>, TranscriptError> {
    let sent_back = sent_back_at(context, store, agent);
    let asked = sent_back.unwrap_or_default().max(agent.started_at);
    let forms = context.harness.profile().transcripts;
    let is_old = |at: &str| is_earlier(at, asked);
    let limits = ReadLimits {
        wait: TRANSCRIPT_WAIT,
        deadline: reading_deadline(context),
    };
    final_message(path, forms, limits, &is_old)
}

/// When somebody of the session was sent back, the last time, if this agent was.
pub(super) fn sent_back_at(context: &Context, store: &Store, agent: &Agent) -> Option<i64> {
    let sent_back = (agent.block_count > 0).then(|| last_block_at(store, &context.key.session));
    let sent_back = sent_back.transpose().unwrap_or_else(|error| {
        let error = HookError::from(error);
        context.shrug(error.code(), &error);
        None
    });
    sent_back.flatten()
}
