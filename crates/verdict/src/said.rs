//! Files that a message says to have changed outside of its lists, and of which that was not seen: told, and no proof.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use attest_claim::{Operation, Said};

use crate::facts::{Facts, Since, Unseen};
use crate::missing::whereabouts;
use crate::weigh::weigh_since;
use crate::{ClaimFinding, Finding, Report, Strict};

/// What of the message is told beside what it claims. Whatever may have done it is silence. `since` is the agent's start,
/// if that was compared already.
pub(crate) fn unseen<'f>(
    report: &Report,
    facts: &'f dyn Facts,
    since: Option<Box<dyn Since + 'f>>,
    strict: Strict,
) -> Result<Vec<ClaimFinding>, Unseen> {
    let listed = &report.claim;
    if !facts.hears_sentences() {
        return Ok(Vec::new());
    }
    let said = Said::beside(listed, &report.message, || report.told());
    let Some(claim) = Said::claim(&said, &report.message) else {
        return Ok(Vec::new());
    };
    let mut since = match since {
        Some(since) => since,
        None => facts.since_start()?,
    };
    let verdict = weigh_since(&claim, strict, &mut *since, facts)?;
    if verdict.contradictions().next().is_none() {
        return Ok(Vec::new());
    }
    let Some(session) = facts.whole_session() else {
        return Ok(Vec::new());
    };
    if facts.only_reads(&session) {
        return Ok(Vec::new());
    }
    let calls = &session.tool_calls;
    let has_written = calls.has_written();
    // Who sums up a branch tells of what its commits did, and who describes a work tree of what was in it.
    let looks_back = OnceCell::new();
    let looks_back = || *looks_back.get_or_init(|| calls.look_back());
    let may_be_done = |found: &ClaimFinding| {
        let name = &found.claimed;
        // What a report tells of a change that others offer is there; what is not, they have not made either.
        let is_theirs = || listed.others.is_some() && found.finding == Finding::Untouched;
        let is_of_before = || since.paths().check_before(name).is_err();
        calls.may_write(name)
            || since.paths().differed_at_start(name)
            || (is_theirs() || is_of_before()) && looks_back()
    };
    let known = whereabouts(&*since, &verdict, &report.message);
    let by_name: BTreeMap<_, _> = said
        .iter()
        .filter_map(|said| Some((since.paths().name(said.entry.file()?), said)))
        .collect();
    let is_told = |found: &&ClaimFinding| {
        by_name.get(&found.claimed).is_some_and(|said| {
            // That a file is there may be what an earlier run has made.
            let is_new = said.entry.operation == Operation::Created;
            (said.is_sentence || has_written)
                && !(is_new && found.finding == Finding::Untouched)
                && !known.contains_key(&found.claimed)
                && !may_be_done(found)
        })
    };
    Ok(verdict.contradictions().filter(is_told).cloned().collect())
}
