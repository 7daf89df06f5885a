//! What follows from all that was found of a stop: the decision, and what to say to whom.

use std::cell::LazyCell;

use attest_claim::{Kind, Status};
use attest_evidence::Printable;

use crate::criteria::{self, with_asked};
use crate::decision::{disproves, may_send_back};
use crate::reason::{Addressee, block_reason};
use crate::said_gone::SaidGone;
use crate::{
    ClaimFinding, Compared, Criteria, Decision, Doubt, Evidence, GateAnswer, Outcome, Policy,
    Reason, ReasonCode, StopInput, Strict, Unmet, Verdict, Warning, quoted, statement,
};

/// All that a stop came to, which only [`conclude`] makes. What is printed, sent, told and recorded is read from
/// this and nothing else.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct StopOutcome {
    /// What was found of it; the findings say by now what the agent's tools say of them.
    pub input: StopInput,
    /// What else does not fit together.
    pub warnings: Vec<Warning>,
    /// The row of the decision table that decided.
    pub reason: ReasonCode,
    /// The same if enforcement were on as `attest enforce on` sets it, as far as that needs no counter.
    pub if_enforced: Result<(), ReasonCode>,
    /// What the host is asked for: a revision only with a reason code that [is a block](ReasonCode::is_block).
    pub decision: Decision,
    /// What came of the completion criteria, if there are any: the gate that is built in.
    pub criteria: Option<Criteria>,
    /// What the gates answered that the person named.
    pub gates: Vec<GateAnswer>,
    /// Whether the agent may be sent back at all, as far as that needs no counter.
    may_send_back: Result<(), ReasonCode>,
}

/// What follows from all that was found of a stop.
#[must_use]
pub fn conclude(mut input: StopInput, policy: &Policy) -> StopOutcome {
    if let (Evidence::Compared(compared), Some(tools)) = (&mut input.evidence, &input.tools) {
        let said = tools.testimonies(&input.report.message);
        let verdict = &mut compared.verdict;
        verdict.testify(|claimed| said.find(claimed.trim_start_matches("./")));
    }
    let warnings = warnings(&input);
    let screened = screen(&input, policy);
    let decision = match (&screened, &input.evidence) {
        (Ok(()), Evidence::Compared(it)) => revise(block_reason(&it.verdict, addressee(&input))),
        _ => Decision::Continue,
    };
    // What `attest enforce on` sets beside enforcement.
    let strict = Strict {
        dirty: policy.strict.dirty || !policy.enforce,
        ..policy.strict
    };
    let enforcing = Policy {
        enforce: true,
        strict,
        ..policy.clone()
    };
    StopOutcome {
        warnings,
        reason: screened.err().unwrap_or(ReasonCode::BlockFalseDone),
        if_enforced: screen(&input, &enforcing),
        decision,
        criteria: None,
        gates: Vec::new(),
        may_send_back: may_revise(&input, policy),
        input,
    }
}

/// Who is sent back.
fn addressee(input: &StopInput) -> Addressee {
    Addressee {
        is_main: input.report.is_main,
        others_at_work: input.others_at_work,
    }
}

fn revise(reason: Printable) -> Decision {
    let reason = Reason::new(reason);
    reason.map_or(Decision::Continue, |reason| Decision::Revise { reason })
}

/// What else does not fit together. What is found of a claimed path is not said twice.
fn warnings(input: &StopInput) -> Vec<Warning> {
    let tools = input.tools.as_ref();
    let mut warnings = tools.map_or_else(Vec::new, |tools| {
        tools.warnings(&input.report.message, &input.report.claim)
    });
    if input.said.iter().any(|said| said.kind == Kind::Files) {
        // That nothing was written at all is said by each of them.
        warnings.retain(|warning| !matches!(warning, Warning::NoWrite | Warning::WritesFailed));
    }
    warnings.extend(input.said.iter().cloned().map(Warning::Said));
    let is_said = |path: &String| input.said.iter().any(|said| said.claimed == *path);
    let again = input.again.iter().filter(|again| !is_said(&again.path));
    warnings.extend(again.cloned().map(Warning::Again));
    if let Evidence::Compared(compared) = &input.evidence {
        let findings = &compared.verdict.findings;
        warnings.retain(|warning| !findings.iter().any(|it| warning.names(&it.claimed)));
        let is_told = |path: &str| {
            let mut told = compared.verdict.contradictions();
            told.any(|it| it.claimed == path)
        };
        warnings.retain(|warning| match warning {
            Warning::Said(said) => !is_told(&said.claimed),
            Warning::Again(again) => !is_told(&again.path),
            _ => true,
        });
    }
    warnings
}

/// Applies the rows of the decision table that need no counter.
fn screen(input: &StopInput, policy: &Policy) -> Result<(), ReasonCode> {
    let (is_false_done, was_dirty) = match &input.evidence {
        Evidence::Compared(it) => (Some(it.verdict.is_false_done()), it.start.is_dirty()),
        Evidence::NoSnapshot | Evidence::NoClaim => (Some(false), false),
        Evidence::Unreadable(_) | Evidence::Failed(_) => (None, false),
    };
    let agent_type = input.report.agent_type.as_deref();
    may_send_back(policy, agent_type, input.report.has_agent_id)?;
    disproves(policy.strict, is_false_done, was_dirty)?;
    rests(input)
}

/// The same for a revision that has nothing to do with the claim.
fn may_revise(input: &StopInput, policy: &Policy) -> Result<(), ReasonCode> {
    may_send_back(
        policy,
        input.report.agent_type.as_deref(),
        input.report.has_agent_id,
    )?;
    rests(input)
}

/// Whether all that the agent started has ended: until then more may come.
fn rests(input: &StopInput) -> Result<(), ReasonCode> {
    if input.has_subagent_at_work {
        return Err(ReasonCode::AllowSubagentAtWork);
    }
    Ok(())
}

impl StopOutcome {
    /// The same with what came of the completion criteria of a file, and of what the prompt asks for: the first gate
    /// below the verdict.
    #[must_use]
    pub fn checked(mut self, of_file: Option<Criteria>, policy: &Policy) -> Self {
        self.criteria = with_asked(of_file, std::mem::take(&mut self.input.asked));
        // An agent that does not say that it is done may leave some open.
        let is_done = self.input.report.claim.status == Some(Status::Done);
        let unmet = self.unmet();
        if !policy.criteria_send_back || !is_done || unmet.is_empty() {
            return self;
        }
        let decision = revise(criteria::revision(unmet, addressee(&self.input)));
        self.merged(decision)
    }

    /// The same with what a gate says that a person named, below those before it.
    #[must_use]
    pub fn heard(mut self, gate: GateAnswer) -> Self {
        let decision = gate.decision.clone().unwrap_or_default();
        self.gates.push(gate);
        self.merged(decision)
    }

    /// The same with the decision of a gate below what was decided so far.
    fn merged(mut self, lower: Decision) -> Self {
        match self.may_send_back {
            Ok(()) => {
                if lower.is_revise() && !self.is_block() {
                    self.reason = ReasonCode::BlockGate;
                }
                self.decision = self.decision.then(lower);
            }
            Err(code) if lower.is_revise() => self.reason = code,
            Err(_) => {}
        }
        self
    }

    /// The same, if the revision that it asks for may not be sent.
    #[must_use]
    pub fn refused(self, reason: ReasonCode) -> Self {
        Self {
            reason,
            decision: Decision::Continue,
            ..self
        }
    }

    /// Whether the agent is sent back.
    #[must_use]
    pub fn is_block(&self) -> bool {
        self.decision.is_revise()
    }

    /// Whether the agent ends here. It does not if it is sent back, by this hook or by another one of the same
    /// stop, nor if it is still to hear of a subagent.
    #[must_use]
    pub fn is_end(&self) -> bool {
        !self.is_block()
            && self.reason != ReasonCode::AllowAlreadySent
            && !self.input.has_subagent_at_work
    }

    /// What it came to, in one word.
    #[must_use]
    pub fn word(&self) -> Outcome {
        match &self.input.evidence {
            Evidence::NoSnapshot => Outcome::NoSnapshot,
            _ if self.reason == ReasonCode::BlockGate && !self.is_false_done() => Outcome::SentBack,
            Evidence::NoClaim => Outcome::NoClaim,
            Evidence::Unreadable(_) | Evidence::Failed(_) => Outcome::Unverifiable,
            Evidence::Compared(_) if self.reason == ReasonCode::BlockFalseDone => Outcome::Blocked,
            Evidence::Compared(compared) => compared.verdict.outcome(),
        }
    }

    /// The start and the stop, if they were compared.
    #[must_use]
    pub fn compared(&self) -> Option<&Compared> {
        match &self.input.evidence {
            Evidence::Compared(compared) => Some(compared),
            _ => None,
        }
    }

    /// What person and parent are to hear of a stop that is let through, one line each. `None` if nothing
    /// was checked; nothing is told of an agent of which all holds, or that a person called honest.
    #[must_use]
    pub fn told(&self) -> Option<Vec<String>> {
        let verdict = self.compared().map(|compared| &compared.verdict);
        if self.reason == ReasonCode::AllowDisputed {
            return verdict.map(|_| Vec::new());
        }
        let findings = verdict.into_iter().flat_map(Verdict::contradictions);
        let said = LazyCell::new(|| SaidGone::of(&self.input.report.message));
        let is_said = |found: &&ClaimFinding| {
            found.doubt == Some(Doubt::SaidGone) || said.is_of(&found.claimed)
        };
        let lost = verdict.into_iter().flat_map(Verdict::lost);
        let findings = findings.chain(lost.filter(|found| !is_said(found)));
        let unmet = self.unmet().iter();
        let gates = self.gates.iter().filter_map(revision);
        let lines: Vec<_> = findings
            .map(statement)
            .chain(self.warnings.iter().map(ToString::to_string))
            .chain(unmet.map(Unmet::told))
            .chain(gates)
            .collect();
        (verdict.is_some() || !lines.is_empty()).then_some(lines)
    }

    /// What both are to hear that is not about the report, one line each.
    #[must_use]
    pub fn beside(&self) -> Vec<String> {
        self.input.beside.iter().map(ToString::to_string).collect()
    }

    fn is_false_done(&self) -> bool {
        let verdict = self.compared().map(|compared| &compared.verdict);
        verdict.is_some_and(Verdict::is_false_done)
    }

    /// What kept the hook from its own work, for the person alone: once in a session, since it is not about the
    /// one report.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let late = self.gates.iter().filter(|gate| gate.is_late());
        let late = late.map(|gate| {
            let name = quoted(&gate.gate);
            format!("the gate {name} gave no answer in time, so it has no say (GATE_LATE)")
        });
        self.unchecked().into_iter().chain(late).collect()
    }

    /// What gates say to the end of the agent, where they decide that it ends.
    #[must_use]
    pub fn endings(&self) -> Vec<String> {
        if !matches!(self.decision, Decision::Finalize { .. }) {
            return Vec::new();
        }
        let endings = self.gates.iter().filter_map(|gate| match &gate.decision {
            Ok(Decision::Finalize {
                reason: Some(reason),
            }) => Some(format!(
                "gate {}: {}",
                quoted(&gate.gate),
                quoted(&reason.text())
            )),
            _ => None,
        });
        endings.collect()
    }

    /// Why a report that may say DONE was not checked against its criteria.
    fn unchecked(&self) -> Option<String> {
        let (Some(Criteria::NotChecked(why)), None | Some(Status::Done)) =
            (&self.criteria, self.input.report.claim.status)
        else {
            return None;
        };
        let mend = why.mend().map(|mend| format!("; {mend}"));
        let (word, mend) = (why.word(), mend.unwrap_or_default());
        Some(format!("completion criteria were {why} ({word}){mend}"))
    }

    /// The criteria that should be met and are not. An agent that says it is not done may leave some open.
    #[must_use]
    pub fn unmet(&self) -> &[Unmet] {
        match (&self.criteria, self.input.report.claim.status) {
            (Some(Criteria::Unmet(unmet)), None | Some(Status::Done)) => unmet,
            _ => &[],
        }
    }
}

/// What a gate asks for, in one line.
fn revision(gate: &GateAnswer) -> Option<String> {
    let Ok(Decision::Revise { reason }) = &gate.decision else {
        return None;
    };
    let text = reason.text();
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    Some(format!("gate {}: {}", quoted(&gate.gate), quoted(first)))
}

#[cfg(test)]
pub(crate) mod tests;
