//! What a start and a stop show together.

use attest_snapshot::{Comparison, Sighting, Snapshot, Unreadable, WorkTree};
use attest_state::{Agent, Store, load_baseline};
use attest_verdict::{self as verdict, Unmet, Verdict, statement, unmet_statement};

use super::record::Seen;
use super::witness::Witness;
use super::{Context, HookError};
use crate::advice::Advice;

/// What a start and a stop show together.
pub(super) enum Evidence {
    Judged {
        baseline: Box<WorkTree>,
        verdict: Verdict,
        seen: Box<Seen>,
    },
    Unreadable(Unreadable),
}

impl Evidence {
    pub(super) fn unreadable(witness: &Witness<'_>, why: Unreadable) -> (Self, Vec<Advice>) {
        let advice = witness.examine(None, |text| witness.name(text), |_| None);
        (Self::Unreadable(why), advice)
    }

    pub(super) fn gather(
        witness: &Witness<'_>,
        baseline: WorkTree,
    ) -> Result<(Self, Vec<Advice>), HookError> {
        let context = witness.context;
        let mut comparison = match Comparison::with(&baseline, &context.cwd()?, &context.limits) {
            Ok(comparison) => comparison,
            Err(why) => return Ok(Self::unreadable(witness, why)),
        };
        let strict = context.config.policy.strict;
        let judge = |comparison: &Comparison<'_>| {
            verdict::weigh(
                witness.claim,
                comparison.delta().paths(),
                strict,
                comparison,
            )
        };
        let mut verdict = judge(&comparison);
        if verdict.contradictions().next().is_some() {
            // Only now, because reading the transcript costs, and waits for what is not written yet.
            comparison.add_mentions(witness.mentions());
            verdict = judge(&comparison);
        }
        let advice = witness.examine(
            Some(&mut verdict),
            |text| comparison.name(text),
            |text| Some(comparison.sight(text)),
        );
        let seen = Box::new(Seen::of(&comparison));
        let judged = Self::Judged {
            baseline: Box::new(baseline),
            verdict,
            seen,
        };
        Ok((judged, advice))
    }

    /// What is to be told of a stop that was let through, one line each. `None` where there was
    /// nothing to hold the report against.
    pub(super) fn told(&self, advice: &[Advice], unmet: &[Unmet]) -> Option<Vec<String>> {
        let beside = lines(advice, unmet);
        let Self::Judged { verdict, .. } = self else {
            return (!beside.is_empty()).then_some(beside);
        };
        let is_told = |path: &str| advice.iter().any(|advice| advice.names(path));
        let findings = verdict.contradictions();
        let findings = findings.filter(|found| !is_told(&found.claimed));
        Some(findings.map(statement).chain(beside).collect())
    }
}

/// What is to be told beside the findings.
pub(super) fn lines(advice: &[Advice], unmet: &[Unmet]) -> Vec<String> {
    let unmet = unmet
        .iter()
        .map(|unmet| format!("criterion {}", unmet_statement(unmet)));
    advice
        .iter()
        .map(ToString::to_string)
        .chain(unmet)
        .collect()
}

/// What can be proven of a path where no claim asks for a comparison: rarely wanted, so made anew.
pub(super) fn sight(
    context: &Context,
    store: &Store,
    agent: &Agent,
    path: &str,
) -> Option<Sighting> {
    let baseline = load_baseline(store, agent.id).ok()??;
    let Snapshot::Readable(baseline) = baseline else {
        return None;
    };
    let cwd = context.cwd().ok()?;
    let comparison = Comparison::with(&baseline, &cwd, &context.limits).ok()?;
    Some(comparison.sight(path))
}
