//! Whose the files of a list may be, by what is known of the agent's calls.

use std::collections::BTreeSet;

use attest_claim::{Claim, Operation, asks_for_text};
use attest_evidence::EvidenceSource;
use attest_shell::Place;
use attest_transcript::{CallKind, Session, ToolCalls, Written};

use super::Verdict;
use crate::facts::Facts;
use crate::{Doubt, Finding};

/// Why the list of an agent that wrote nothing may be of what others did: it only reads, or looked at what was done
/// before, and its report names that; or its prompt asks for a text about it.
pub(super) fn of_others(claim: &Claim, facts: &dyn Facts) -> Option<Doubt> {
    let session = facts.whole_session()?;
    let calls = &session.tool_calls;
    // Who called a tool that writes did more than look, also where the call failed.
    if has_called_a_writer(facts) || has_written(calls) {
        return None;
    }
    let has_looked = || calls.look_back() || facts.only_reads(&session);
    let named = claim.others.clone().filter(|_| has_looked());
    let asked = || asked_text(&session).map(str::to_owned);
    named.or_else(asked).map(Doubt::WorkOfOthers)
}

/// The words with which all that the agent was asked is a text.
pub(crate) fn asked_text(session: &Session) -> Option<&str> {
    let prompt = session.first_prompt().filter(|_| session.has_one_prompt());
    asks_for_text(prompt?)
}

/// Whether a call wrote a file, or may have where that is not known. What a program of the project does is not read, and
/// no report of it names what tests leave behind.
fn has_written(calls: &ToolCalls) -> bool {
    let written = calls.written();
    let wrote = |it: &Written<'_>| match it {
        Written::File(_) | Written::Elsewhere(_) => true,
        Written::Place(place) => matches!(
            place,
            Place::Exact(_) | Place::Around(_) | Place::Moved { .. }
        ),
    };
    written.complete().is_err() || written.found().iter().any(wrote)
}

/// The listed files that the claim puts beside one which changed and for which the agent called a tool that writes: all,
/// or those that are said to be created, if that one is. Who saves a review creates it, and what was reviewed may have
/// been changed.
pub(super) fn beside_own_work(
    claim: &Claim,
    verdict: &Verdict,
    paths: &dyn EvidenceSource,
    facts: &dyn Facts,
) -> BTreeSet<String> {
    let Some(session) = facts.whole_session() else {
        return BTreeSet::new();
    };
    let calls = session.tool_calls.calls.iter();
    let writes = calls.filter(|call| call.kind == CallKind::Write);
    let called: BTreeSet<_> = writes
        .filter_map(|call| Some(paths.name(call.path.as_deref()?)))
        .collect();
    let changed = verdict.findings.iter();
    let changed = changed.filter(|found| found.finding == Finding::Changed);
    let written: BTreeSet<_> = changed
        .map(|found| &found.claimed)
        .filter(|name| called.contains(*name))
        .collect();
    let listed = claim.entries.iter();
    let listed: Vec<_> = listed
        .filter_map(|entry| Some((paths.name(entry.file()?), entry.operation)))
        .collect();
    let own = listed.iter().filter(|(name, _)| written.contains(name));
    let own: Vec<_> = own.map(|(_, operation)| *operation).collect();
    let beside = listed.into_iter();
    let is_beside = |it: &Operation| own.contains(it) || own.contains(&Operation::Changed);
    let beside = beside.filter(|(_, operation)| is_beside(operation));
    beside.map(|(name, _)| name).collect()
}

pub(super) fn has_called_a_writer(facts: &dyn Facts) -> bool {
    facts.whole_session().is_some_and(|session| {
        let mut calls = session.tool_calls.calls.iter();
        calls.any(|call| call.kind == CallKind::Write)
    })
}
