//! What a claim says beside its files, held against the repository and the agent's tools.

use attest_claim::Kind;
use attest_snapshot::Comparison;
use attest_state::{Agent, Store};
use attest_verdict::{ClaimFinding, Finding, NoTranscript, Sources, TranscriptSource};

use super::context::Context;
use super::others;
use super::transcript::Transcript;

/// What is found of it. Nothing is looked at that the claim does not ask for.
pub(super) fn judge(
    context: &Context,
    store: &Store,
    agent: &Agent,
    transcript: &Transcript<'_>,
    comparison: &mut Comparison<'_>,
) -> Vec<ClaimFinding> {
    let claim = transcript.claim;
    if claim.assertions.is_empty() {
        return Vec::new();
    }
    // If that cannot be told, there may be some.
    let is_alone = others::at_work(context, store, agent) == Some(0);
    let judge = |comparison: &Comparison<'_>, shown: &dyn TranscriptSource| {
        let sources = Sources {
            repository: comparison,
            calls: None,
            transcript: shown,
            message: transcript.message,
            is_alone,
        };
        sources.judge(claim)
    };
    let found = judge(comparison, &NoTranscript);
    if !found.iter().any(asks_for_more) {
        return found;
    }
    // Only now, because reading the transcript costs, and waits for what is not written yet.
    let root = comparison.start().root.clone();
    comparison.add_mentions(&transcript.mentions(&root));
    judge(comparison, transcript)
}

/// Whether a transcript can say more of what was not found.
fn asks_for_more(found: &ClaimFinding) -> bool {
    found.kind == Kind::Commits && found.finding == Finding::NotJudged
}
