//! What a claim says beside its files, held against the repository and the agent's tools.

use attest_snapshot::Comparison;
use attest_state::{Agent, Store};
use attest_verdict::{ClaimFinding, Sources};

use super::context::Context;
use super::others;
use super::transcript::Transcript;

/// What is found of it. Nothing is looked at that the claim does not ask for.
pub(super) fn judge(
    context: &Context,
    store: &Store,
    agent: &Agent,
    transcript: &Transcript<'_>,
    comparison: &Comparison<'_>,
) -> Vec<ClaimFinding> {
    let claim = transcript.claim;
    if claim.assertions.is_empty() {
        return Vec::new();
    }
    let sources = Sources {
        repository: comparison,
        calls: None,
        message: transcript.message,
        // If that cannot be told, there may be some.
        is_alone: others::at_work(context, store, agent) == Some(0),
    };
    sources.judge(claim)
}
