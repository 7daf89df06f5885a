//! The way from a report to all that is found of it: each fact is asked for in its place, and weighed here.

use std::cell::LazyCell;

use attest_claim::Status;

use crate::again;
use crate::aside;
use crate::asked;
use crate::assertions;
use crate::conclusion::conclude;
use crate::facts::{Facts, Purpose, Since, Unseen};
use crate::missing::{self, leave_out_temporary};
use crate::said;
use crate::said_gone::SaidGone;
use crate::taken_back::taken_back;
use crate::weigh::{asked_text, weigh_since};
use crate::{
    Compared, Evidence, Policy, Report, StopInput, StopOutcome, Strict, Tools, Unmet, Warning,
};

/// Judges a stop by what is known of the agent, of which there are no facts if its start was not seen. If the outcome
/// asks for a revision, that still has to be recorded, and what comes of it is for [`StopOutcome::refused`].
#[must_use]
pub fn judge(report: Report, facts: Option<&dyn Facts>, policy: &Policy) -> StopOutcome {
    let input = match facts {
        None => StopInput::of(report, Evidence::NoSnapshot),
        Some(facts) => look_into(report, facts, policy),
    };
    conclude(input, policy)
}

/// Finds out what there is to a report, in the order of what it costs.
fn look_into(report: Report, facts: &dyn Facts, policy: &Policy) -> StopInput {
    let has_subagent_at_work = facts.has_subagent_at_work();
    let (mut since, mut found) = match look_at_claim(&report, facts, policy.strict) {
        Ok(found) => found,
        // Of a report that nothing is known of nothing is said either.
        Err(unseen) => {
            return StopInput {
                has_subagent_at_work,
                ..StopInput::of(report.unread(), unseen.into())
            };
        }
    };
    if let Some(tools) = &mut found.tools {
        leave_out_asked(tools, &report, facts);
    }
    let again = again::still_claimed(&report, facts, &mut since, policy.strict).unwrap_or_default();
    let tools = found.tools.as_ref();
    let verdict = match &found.evidence {
        Evidence::Compared(it) => Some(&it.verdict),
        _ => None,
    };
    let untrue = aside::untrue(&report, facts, tools, verdict, &mut since).unwrap_or_default();
    let mut said = said::unseen(&report, facts, since, policy.strict).unwrap_or_default();
    said.extend(untrue);
    let left_running = match report.claim.status {
        Some(Status::Done) => facts.left_running(),
        _ => Vec::new(),
    };
    let others_at_work = match &found.evidence {
        Evidence::Compared(it) if policy.enforce && it.verdict.is_false_done() => {
            facts.others_at_work().unwrap_or_default()
        }
        _ => 0,
    };
    StopInput {
        said,
        again,
        beside: facts.beside(),
        tools: found.tools,
        asked: found.asked,
        others_at_work,
        has_subagent_at_work,
        left_running,
        ..StopInput::of(report, found.evidence)
    }
}

/// What is found of a claim.
struct OfClaim {
    evidence: Evidence,
    tools: Option<Tools>,
    asked: Vec<Unmet>,
}

impl OfClaim {
    fn of(evidence: Evidence, tools: Option<Tools>) -> Self {
        Self {
            evidence,
            tools,
            asked: Vec::new(),
        }
    }
}

/// Whoever was asked for a text needs no call for it, and need not have done what it tells of.
fn leave_out_asked(tools: &mut Tools, report: &Report, facts: &dyn Facts) {
    let session = tools.warns.then(|| facts.whole_session()).flatten();
    if session.is_some_and(|session| asked_text(&session).is_some()) {
        let warnings = tools.warnings(&report.message, &report.claim);
        let is_of_work = |it: &Warning| {
            matches!(
                it,
                Warning::NoToolCall | Warning::NoWrite | Warning::WritesFailed
            )
        };
        tools.warns = !matches!(&warnings[..], [only] if is_of_work(only));
    }
}

/// What the tools did, where nothing is compared.
fn tools_alone(facts: &dyn Facts) -> Option<Tools> {
    let mut tools = facts.tools()?;
    leave_out_temporary(&mut tools);
    Some(tools)
}

/// The agent's start, if it was compared with what there is now, and what is found of the claim by that.
type Looked<'f> = (Option<Box<dyn Since + 'f>>, OfClaim);

fn look_at_claim<'f>(
    report: &Report,
    facts: &'f dyn Facts,
    strict: Strict,
) -> Result<Looked<'f>, Unseen> {
    if !report.claim.is_claim() {
        return Ok((None, OfClaim::of(Evidence::NoClaim, tools_alone(facts))));
    }
    let mut since = match facts.since_start() {
        Ok(since) => since,
        Err(Unseen::Unreadable(why)) => {
            return Ok((
                None,
                OfClaim::of(Evidence::Unreadable(why), tools_alone(facts)),
            ));
        }
        Err(unseen) => return Err(unseen),
    };
    let mut verdict = weigh_since(&report.claim, strict, &mut *since, facts)?;
    let of_other_kinds = assertions::find_all(report, &verdict, &mut *since, facts);
    verdict.add(of_other_kinds);
    let asked = asked::unmet(report, &mut *since, facts);
    let whereabouts = missing::whereabouts(&*since, &verdict, &report.message);
    let mut tools = since.tools(Purpose::by(&verdict));
    if let Some(tools) = &mut tools {
        missing::explain(&*since, &verdict, tools);
    }
    verdict.locate(&whereabouts);
    verdict.take_back(&taken_back(&*since, &verdict, &report.message));
    let said = LazyCell::new(|| SaidGone::of(&report.message));
    verdict.believe_of_lost(|claimed| said.is_of(claimed));
    let (repository, [start, stop]) = since.sides();
    let compared = Compared {
        repository,
        start,
        stop,
        verdict,
    };
    let found = OfClaim {
        evidence: Evidence::Compared(Box::new(compared)),
        tools,
        asked,
    };
    Ok((Some(since), found))
}

#[cfg(test)]
mod tests;
