//! What was done before an agent began and its report may sum up: in its conversation, or by one whose work it went on
//! with.

use std::path::PathBuf;

use attest_host::AgentTranscript;
use attest_snapshot::{Snapshot, WorkTree};
use attest_state::{
    Agent, Store, first_baselines, first_subagent, load_baseline, transcripts_of_others,
};
use attest_transcript::has_record;
use attest_verdict::Earlier;

use super::context::HookError;
use super::reading::reading;
use super::transcript::Transcript;

/// Calls `wants_more` with each earlier start until that is enough. Of a turn: those of the session, which are its first
/// one and the first in this work tree, and those of the sessions that this one was forked from. Of a subagent: that of
/// the first of the session in its work tree, and false if that cannot be read.
pub(super) fn each_start(
    transcript: &Transcript<'_>,
    store: &Store,
    agent: &Agent,
    wants_more: &mut dyn FnMut(Earlier, &WorkTree) -> bool,
) -> Result<bool, HookError> {
    let context = transcript.context;
    let mut ask_of = |whose, first: i64| -> Result<bool, HookError> {
        let start = load_baseline(store, first)?;
        Ok(!matches!(start, Some(Snapshot::Readable(start)) if !wants_more(whose, &start)))
    };
    if context.turn.is_none() {
        let Some(first) = first_subagent(store, &context.key.session, agent)? else {
            return Ok(true);
        };
        // What another agent's start cannot tell takes nothing from what this one's does.
        let asked = ask_of(Earlier::OfAnother, first);
        if let Err(error) = &asked {
            context.shrug(error.code(), error);
        }
        return Ok(asked.is_ok());
    }
    let mut ask = |session: &str| -> Result<bool, HookError> {
        for first in first_baselines(store, session, agent)? {
            if !ask_of(Earlier::Own, first)? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    if !ask(&context.key.session)? {
        return Ok(true);
    }
    for session in forked_from(transcript, store)? {
        if !ask(&session)? {
            return Ok(true);
        }
    }
    Ok(true)
}

/// The sessions whose records the transcript begins with, the newest first. The host gives the copy of a record a
/// new session, so that only the ids of the records tell.
fn forked_from(transcript: &Transcript<'_>, store: &Store) -> Result<Vec<String>, HookError> {
    let context = transcript.context;
    let AgentTranscript::Named(path) = &context.payload.agent_transcript else {
        return Ok(Vec::new());
    };
    let mut others = transcripts_of_others(store, &context.key.session)?;
    others.retain(|(_, other)| other.parent() == path.parent() && other != path);
    if others.is_empty() {
        return Ok(Vec::new());
    }
    let session = transcript.as_it_is();
    let Some(id) = session.as_ref().and_then(|it| it.first_record.as_ref()) else {
        return Ok(Vec::new());
    };
    let (forms, budget) = (context.harness.profile().transcripts, reading(context));
    // One that is gone meanwhile says nothing of the rest.
    let is_origin = |other: &PathBuf| has_record(other, forms, id, &budget).unwrap_or(false);
    others.retain(|(_, other)| is_origin(other));
    Ok(others.into_iter().map(|(session, _)| session).collect())
}
