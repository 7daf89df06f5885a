//! What was done before a turn began, which a report of a conversation may sum up.

use std::path::{Path, PathBuf};

use attest_host::AgentTranscript;
use attest_snapshot::{Snapshot, WorkTree};
use attest_state::{Agent, Store, first_baselines, load_baseline, transcripts_of_others};
use attest_transcript::{TranscriptError, first_record, has_record};
use attest_verdict::Verdict;

use super::context::{Context, HookError};
use super::transcript::reading_deadline;

/// Excuses what stands against a report in `verdict` by what earlier starts show: the first of the session, the
/// first in this work tree, and those of the session that this one was forked from. `since` weighs the report by
/// what one of them found.
pub(super) fn excuse(
    context: &Context,
    store: &Store,
    agent: &Agent,
    verdict: &mut Verdict,
    since: impl Fn(&WorkTree) -> Result<Option<Verdict>, HookError>,
) -> Result<(), HookError> {
    if context.turn.is_none() {
        return Ok(());
    }
    let is_clear = |verdict: &Verdict| verdict.contradictions().next().is_none();
    let mut ask = |session: &str| -> Result<bool, HookError> {
        for first in first_baselines(store, session, agent)? {
            if let Some(Snapshot::Readable(start)) = load_baseline(store, first)?
                && let Some(earlier) = since(&start)?
            {
                verdict.excuse(&earlier);
            }
            if is_clear(verdict) {
                return Ok(true);
            }
        }
        Ok(is_clear(verdict))
    };
    if ask(&context.key.session)? {
        return Ok(());
    }
    for session in forked_from(context, store)? {
        if ask(&session)? {
            return Ok(());
        }
    }
    Ok(())
}

/// The sessions whose records the transcript begins with, the newest first. The host gives the copy of a record a
/// new session, so that only the ids of the records tell.
fn forked_from(context: &Context, store: &Store) -> Result<Vec<String>, HookError> {
    let AgentTranscript::Named(path) = &context.payload.agent_transcript else {
        return Ok(Vec::new());
    };
    let mut others = transcripts_of_others(store, &context.key.session)?;
    others.retain(|(_, other)| other.parent() == path.parent() && other != path);
    if others.is_empty() {
        return Ok(Vec::new());
    }
    Ok(
        those_with_its_records(context, path, others).unwrap_or_else(|error| {
            context.shrug("TRANSCRIPT_UNREADABLE", &error);
            Vec::new()
        }),
    )
}

fn those_with_its_records(
    context: &Context,
    path: &Path,
    others: Vec<(String, PathBuf)>,
) -> Result<Vec<String>, TranscriptError> {
    let (forms, deadline) = (context.harness.transcripts(), reading_deadline(context));
    let Some((id, _)) = first_record(path, forms, deadline)? else {
        return Ok(Vec::new());
    };
    // One that is gone meanwhile says nothing of the rest.
    let is_origin = |other: &Path| has_record(other, forms, &id, deadline).unwrap_or(false);
    let origins = others.into_iter().filter(|(_, other)| is_origin(other));
    Ok(origins.map(|(session, _)| session).collect())
}
