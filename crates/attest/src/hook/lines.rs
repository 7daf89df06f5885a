//! What a stop says: every line, in one order. Their form is a contract; see docs/DESIGN.md.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{stderr, stdout};

use attest_claim::{Kind, Meaning, Target};
use attest_host::Text;
use attest_snapshot::{Printable, Untrusted};
use attest_verdict::{
    ClaimFinding, Compared, Criteria, Decision, Evidence, GateAnswer, Outcome, ReasonCode,
    StopOutcome, Unmet, Verdict, quoted, statement,
};

use super::context::{Context, print};
use attest_base::log::Level;

/// Says what a stop came to. Detect mode speaks on standard output, if the host takes text there; enforce mode
/// leaves that to the block. A host that shows standard error hears nothing here: what did not hold has its own
/// ways to the person and to the agents, and the log has every line.
pub(super) fn write(context: &Context, outcome: &StopOutcome) {
    if let Evidence::Compared(_) | Evidence::Unreadable(_) = outcome.input.evidence {
        context.log.write(Level::Info, "DECISION", outcome.reason);
    }
    let enforces = context.config.policy.enforce;
    let host = context.harness;
    let takes_text = host.profile().text == Text::Taken && context.turn.is_none();
    for (level, text) in of(outcome, &context.key.agent) {
        let text = format!("{}\n", Printable::new(&text));
        let level = if enforces {
            level.min(Level::Warn)
        } else {
            level
        };
        if takes_text && !enforces {
            print(stdout().lock(), &text);
        } else if host.profile().text != Text::Shown {
            print(stderr().lock(), &text);
        }
        for line in text.lines() {
            context.log.write(level, "REPORT", line);
        }
    }
}

/// Everything that is said of a stop, a line each, in its order.
fn of(outcome: &StopOutcome, agent: &str) -> Vec<(Level, String)> {
    let key = Untrusted::new(agent);
    let input = &outcome.input;
    let criteria = outcome.criteria.as_ref().map(criteria);
    let (level, told) = match &input.evidence {
        Evidence::Failed(_) => return Vec::new(),
        Evidence::NoSnapshot => {
            let text = format!(
                "attest: stop: no snapshot found for {key} (start event may have been missed) — \
                 skipping verification"
            );
            return vec![(Level::Info, text)];
        }
        Evidence::NoClaim => {
            let text = "claim source=none — cannot verify (never treating as false DONE)";
            (Level::Info, vec![text.to_owned()])
        }
        Evidence::Unreadable(why) => (Level::Info, vec![unverifiable(outcome, why)]),
        Evidence::Compared(compared) => told(outcome, compared),
    };
    let running = input.left_running.iter();
    let running = running.map(|it| (Level::Info, format!("RUNNING: {}", Untrusted::new(it))));
    let warnings = outcome.warnings.iter();
    let warnings = warnings.map(|warning| (Level::Warn, format!("ADVICE: {warning}")));
    let beside = outcome.beside().into_iter();
    criteria
        .into_iter()
        .chain(told.into_iter().map(|text| (level, text)))
        .chain(running)
        .chain(warnings)
        .chain(beside.map(|text| (Level::Warn, format!("BESIDE: {text}"))))
        .chain(outcome.gates.iter().map(gate))
        .map(|(level, text)| (level, format!("attest: stop: {key}: {text}")))
        .collect()
}

/// What came of the completion criteria.
fn criteria(criteria: &Criteria) -> (Level, String) {
    let (level, text) = match criteria {
        Criteria::Met(evidence) => (Level::Info, format!("passed: {evidence}")),
        Criteria::Unmet(unmet) => {
            let whose = |it: &Unmet| {
                if it.is_of_prompt {
                    "of the prompt: "
                } else {
                    ""
                }
            };
            let unmet = unmet
                .iter()
                .map(|it| format!("{}{} ({})", whose(it), it.name, it.why));
            let unmet = unmet.collect::<Vec<_>>().join(", ");
            (Level::Warn, format!("not met: {unmet}"))
        }
        Criteria::NotChecked(why) => {
            let mend = why.mend().map(|mend| format!("; {mend}"));
            let (word, mend) = (why.word(), mend.unwrap_or_default());
            (Level::Warn, format!("{why} ({word}){mend}"))
        }
        Criteria::Skipped(why) => (Level::Info, why.clone()),
    };
    (level, format!("CRITERIA {}", Untrusted::new(&text)))
}

/// What a gate said.
fn gate(answer: &GateAnswer) -> (Level, String) {
    let name = quoted(&answer.gate);
    let decision = match &answer.decision {
        Ok(decision) => decision,
        Err(none) => {
            return (
                Level::Warn,
                format!("GATE {name}: no answer ({})", Untrusted::new(&none.why)),
            );
        }
    };
    let word = decision.as_str();
    let text = decision.reason().map(|reason| quoted(&reason.text()));
    let text = text.map_or_else(String::new, |text| format!(" ({text})"));
    let level = match decision {
        Decision::Revise { .. } | Decision::Finalize { reason: Some(_) } => Level::Warn,
        Decision::Continue | Decision::Finalize { reason: None } => Level::Info,
    };
    (level, format!("GATE {name}: {word}{text}"))
}

fn unverifiable(outcome: &StopOutcome, why: &str) -> String {
    let claimed = list(outcome.input.report.claim.entries.iter().map(|entry| {
        match &entry.meaning {
            Meaning::Paths(readings) => readings
                .first()
                .map_or_else(|| Untrusted::new(""), |reading| name(&reading.target)),
            Meaning::Unresolvable(_) => Untrusted::new(&entry.raw),
        }
    }));
    let why = Untrusted::new(why);
    let source = outcome.input.report.source.as_str();
    format!("CLAIMED [{claimed}] OBSERVED [(none)] -> UNVERIFIABLE: {why} [source={source}]")
}

/// What is said of a claim that was compared with the work tree: the verdict, and what the agent's tools say
/// of the paths without a change.
fn told(outcome: &StopOutcome, compared: &Compared) -> (Level, Vec<String>) {
    let verdict = &compared.verdict;
    let level = if verdict.is_false_done() {
        Level::Warn
    } else {
        Level::Info
    };
    let mut lines = match (verdict.is_false_done(), outcome.reason) {
        (true, ReasonCode::BlockFalseDone) => {
            vec![format!("BLOCKED false DONE: {}", proofs(verdict))]
        }
        (true, ReasonCode::AllowCounterNotDurable) => {
            vec!["would block but counter persist failed — failing open (no block)".to_owned()]
        }
        (false, _) | (true, ReasonCode::AllowNotEnforcing | ReasonCode::BlockGate) => {
            comparison(outcome, compared)
        }
        (true, code) => vec![format!(
            "detected false DONE but NOT blocking (decision={code})"
        )],
    };
    let explained = verdict.unchanged();
    let explained = explained.filter(|found| found.testimony.is_some());
    lines.extend(explained.map(|found| format!("TOOLS: {}", statement(found))));
    lines.extend(verdict.lost().map(fact));
    lines.extend(verdict.unchanged().filter_map(doubt));
    let others = verdict.findings.iter();
    let others = others.filter(|found| found.kind != Kind::Files);
    lines.extend(others.map(fact));
    (level, lines)
}

/// What was found of a claim that is not about a file.
fn fact(found: &ClaimFinding) -> String {
    format!("{}: {}", found.finding, statement(found))
}

/// Why a path without a change proves nothing.
fn doubt(found: &ClaimFinding) -> Option<String> {
    let doubt = found.doubt.as_ref()?;
    let why = doubt.to_string();
    let name = quoted(&found.claimed);
    Some(format!(
        "DOUBT: {name}: {} ({})",
        Untrusted::new(&why),
        doubt.word()
    ))
}

/// What was claimed, what was seen, and what follows.
fn comparison(outcome: &StopOutcome, compared: &Compared) -> Vec<String> {
    let verdict = &compared.verdict;
    let claimed = list(
        verdict
            .findings
            .iter()
            .map(|found| Untrusted::new(&found.claimed)),
    );
    let observed = list(verdict.observed.iter().map(|(path, _)| path));
    let finding = finding(verdict, outcome.if_enforced);
    let source = outcome.input.report.source.as_str();
    let mut lines = vec![format!(
        "CLAIMED [{claimed}] OBSERVED [{observed}] -> {finding} [source={source}]"
    )];
    if compared.start.is_dirty() {
        lines.push("WARNING: the work tree had uncommitted changes at the start".to_owned());
    }
    lines
}

/// The gravest thing to say.
fn finding(verdict: &Verdict, would_block: Result<(), ReasonCode>) -> String {
    match verdict.outcome() {
        Outcome::Mismatch => {
            let would = match would_block {
                Ok(()) => "would block in enforce mode".to_owned(),
                Err(code) => format!("would not block in enforce mode: {code}"),
            };
            let disproved = proofs(verdict);
            format!("MISMATCH: {disproved} claimed-but-unchanged ({would})")
        }
        Outcome::Warn => {
            let unchanged = verdict.unchanged();
            let unchanged = list(unchanged.map(|found| Untrusted::new(&found.claimed)));
            if unchanged == NONE {
                return "WARN: not all of the claim is borne out".to_owned();
            }
            let status = verdict.status.map_or("?", |status| status.as_str());
            format!("WARN: {unchanged} claimed but not in delta (status={status})")
        }
        Outcome::ScopeCreep => {
            let unclaimed = list(&verdict.unclaimed);
            format!("SCOPE_CREEP: {unclaimed} observed-but-unclaimed")
        }
        other => other.to_string(),
    }
}

/// What is claimed and disproved.
fn proofs(verdict: &Verdict) -> String {
    list(verdict.proofs().map(|found| Untrusted::new(&found.claimed)))
}

fn name(target: &Target) -> Untrusted<'_> {
    match target {
        Target::File(text) | Target::Dir(text) => Untrusted::new(text),
        Target::Rename { from, to } => Untrusted::shown(format_args!("{from} -> {to}")),
    }
}

const NONE: &str = "(none)";

fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    let sorted: BTreeSet<String> = items.into_iter().map(|item| item.to_string()).collect();
    if sorted.is_empty() {
        return NONE.to_owned();
    }
    sorted.into_iter().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
