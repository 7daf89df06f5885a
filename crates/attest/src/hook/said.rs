//! Files that a message says to have changed outside of any list, and of which that was not seen: told, and no proof.

use std::collections::BTreeMap;

use attest_claim::{Operation, Said, Status, said};
use attest_snapshot::Snapshot;
use attest_state::{Agent, Store, load_baseline};
use attest_transcript::{CallKind, Outcome};
use attest_verdict::{ClaimFinding, EvidenceSource as _, Finding};

use super::context::HookError;
use super::transcript::{Transcript, only_reads};
use super::weighed::weighed;
use super::whereabouts::Search;
use super::{background, earlier};

/// What of the message is told, if it has no list of files that is. Whatever may have done it is silence.
pub(super) fn unseen(
    transcript: &Transcript<'_>,
    store: &Store,
    agent: &Agent,
) -> Result<Vec<ClaimFinding>, HookError> {
    let context = transcript.context;
    let claim = transcript.claim;
    let has_list = !claim.entries.is_empty()
        && (claim.says_what_was_done || claim.status == Some(Status::Done));
    if !context.config.deliverables || has_list {
        return Ok(Vec::new());
    }
    let said = said(transcript.message);
    let Some(claim) = Said::claim(&said, transcript.message) else {
        return Ok(Vec::new());
    };
    let Some(Snapshot::Readable(start)) = load_baseline(store, agent.id)? else {
        return Ok(Vec::new());
    };
    transcript.begin_in(&start);
    let Ok((comparison, mut verdict)) = weighed(transcript, &claim, &start)? else {
        return Ok(Vec::new());
    };
    if verdict.contradictions().next().is_none() {
        return Ok(Vec::new());
    }
    earlier::excuse(transcript, store, agent, &mut verdict, |start| {
        let weighed = weighed(transcript, &claim, start)?;
        Ok(weighed.ok().map(|(_, verdict)| verdict))
    })?;
    background::doubt(transcript, &mut verdict);
    let Some(session) = transcript.settled().filter(|_| transcript.has_all()) else {
        return Ok(Vec::new());
    };
    if only_reads(context, &session) {
        return Ok(Vec::new());
    }
    let calls = &session.tool_calls;
    let has_written = calls
        .calls
        .iter()
        .any(|call| call.kind == CallKind::Write && call.result == Outcome::Ok);
    let known = Search::new(store, agent, transcript, &comparison).of(&verdict);
    let by_name: BTreeMap<_, _> = said
        .iter()
        .filter_map(|said| Some((comparison.name(said.entry.file()?), said)))
        .collect();
    let is_told = |found: &&ClaimFinding| {
        by_name.get(&found.claimed).is_some_and(|said| {
            // That a file is there may be what an earlier run has made.
            let is_new = said.entry.operation == Operation::Created;
            (said.is_sentence || has_written)
                && !(is_new && found.finding == Finding::Untouched)
                && !known.contains_key(&found.claimed)
                && !calls.may_write(&found.claimed)
        })
    };
    Ok(verdict.contradictions().filter(is_told).cloned().collect())
}
