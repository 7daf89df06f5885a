//! What a claim says beside its files, held against the repository and the agent's tools.

use attest_claim::{Claim, Kind};
use attest_snapshot::Comparison;
use attest_state::{Agent, Store};
use attest_verdict::{ClaimFinding, Sources, Verdict};

use super::context::Context;
use super::transcript::Transcript;
use super::{known, others};

/// What is found of it. Nothing is looked at that the claim does not ask for.
pub(super) fn judge(
    context: &Context,
    store: &Store,
    agent: &Agent,
    transcript: &Transcript<'_>,
    comparison: &Comparison<'_>,
    verdict: &Verdict,
) -> Vec<ClaimFinding> {
    let claim = transcript.claim;
    // If that cannot be told, there may be some.
    let is_alone = || others::at_work(context, store, agent) == Some(0);
    let known = |file: &str| known::may_be_known(context, comparison.start(), file);
    let mut sources = Sources {
        repository: comparison,
        calls: None,
        message: transcript.message,
        is_alone: true,
        may_be_known: &known,
    };
    let mut found = sources.content(verdict);
    if claim.assertions.is_empty() && found.is_empty() {
        return found;
    }
    sources.is_alone = is_alone();
    sources.calls = wants_calls(claim).then(|| transcript.calls()).flatten();
    // What others may have taken away is not held against this one.
    found.retain(|found| sources.is_alone || !found.finding.contradicts());
    found.extend(sources.judge(claim));
    found
}

/// Whether the claim says what only the agent's tool calls tell of.
fn wants_calls(claim: &Claim) -> bool {
    let mut kinds = claim.assertions.iter().map(|it| it.says.kind());
    kinds.any(|kind| kind == Kind::Reads)
}
