//! A claim, checked against a start.

use attest_claim::Claim;
use attest_snapshot::{Comparison, Unreadable, WorkTree};
use attest_verdict::{Verdict, weigh};

use super::context::HookError;
use super::transcript::Transcript;

/// What the claim is worth by what was found at `start`.
pub(super) fn weighed<'s>(
    transcript: &Transcript<'_>,
    claim: &Claim,
    start: &'s WorkTree,
) -> Result<Result<(Comparison<'s>, Verdict), Unreadable>, HookError> {
    let context = transcript.context;
    let mut comparison = match Comparison::with(start, &context.cwd()?, &context.limits) {
        Ok(comparison) => comparison,
        Err(why) => return Ok(Err(why)),
    };
    let strict = context.config.policy.strict;
    let weighed = |comparison: &Comparison<'_>| {
        weigh(claim, comparison.delta().changes(), strict, comparison)
    };
    let mut verdict = weighed(&comparison);
    if verdict.contradictions().next().is_some() || comparison.has_left_out() {
        // Only now, because reading the transcript costs, and waits for what is not written yet.
        comparison.add_mentions(&transcript.mentions(start));
        verdict = weighed(&comparison);
    }
    Ok(Ok((comparison, verdict)))
}
