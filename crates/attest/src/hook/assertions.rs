//! What a claim says beside its files, checked against the repository and the agent's tools.

use attest_claim::Kind;
use attest_snapshot::Comparison;
use attest_state::{Agent, Store};
use attest_verdict::{ClaimFinding, NoTranscript, Sources, TranscriptSource, Verdict};

use super::context::Context;
use super::others;
use super::shown::ShownTranscript;
use super::transcript::Transcript;

/// What is found of it, and of the content of the files that it claims. Nothing is looked at that the claim does not
/// ask for, and the transcript last: reading it costs, and what is not written yet is waited for while what is there
/// does not bear the claim out.
pub(super) fn judge(
    context: &Context,
    store: &Store,
    agent: &Agent,
    transcript: &Transcript<'_>,
    comparison: &mut Comparison<'_>,
    verdict: &Verdict,
) -> Vec<ClaimFinding> {
    let claim = transcript.claim;
    let message = transcript.message;
    let mut of_files = sources(comparison, &NoTranscript, message, true).content(verdict);
    if claim.assertions.is_empty() && of_files.is_empty() {
        return of_files;
    }
    // If that cannot be told, there may be some.
    let is_alone = others::at_work(context, store, agent) == Some(0);
    // What others may have taken away does not speak against this one.
    of_files.retain(|found| is_alone || !found.finding.contradicts());
    let mut found = sources(comparison, &NoTranscript, message, is_alone).judge(claim);
    let asks = |kind: Option<Kind>| {
        let mut found = found.iter().filter(|it| it.asks_for_transcript());
        found.any(|it| kind.is_none_or(|kind| it.kind == kind))
    };
    if asks(None) {
        if asks(Some(Kind::Commits)) {
            comparison.add_mentions(&transcript.mentions(comparison.start()));
        }
        let judge =
            |seen: &ShownTranscript<'_>| sources(comparison, seen, message, is_alone).judge(claim);
        let tree = comparison.start();
        let calls = transcript.calls(|calls| {
            let found = judge(&ShownTranscript::so_far(transcript, tree, calls));
            found.iter().any(|found| !found.finding.holds())
        });
        found = judge(&ShownTranscript::at_last(transcript, tree, calls));
    }
    of_files.extend(found);
    of_files
}

fn sources<'a>(
    comparison: &'a Comparison<'_>,
    transcript: &'a dyn TranscriptSource,
    message: &'a str,
    is_alone: bool,
) -> Sources<'a> {
    Sources {
        repository: comparison,
        transcript,
        message,
        is_alone,
    }
}
