//! One line on what an outcome rests on.

use attest_claim::Kind;
use attest_evidence::escaped;
use attest_verdict::{
    ClaimFinding, Criteria, Decision, Evidence, Finding, GateAnswer, Outcome, ReasonCode,
    StopOutcome,
};

/// Names that a summary lists at most.
const MOST_NAMED: usize = 5;
/// Characters of a summary at most.
const LONGEST_SUMMARY: usize = 400;

/// Before the criteria that are not met.
pub(super) const NOT_MET: &str = "criteria not met: ";
/// Before what was told of a stop whose outcome does not say it.
pub(super) const TO_LOOK_AT: &str = "to look at: ";

/// What of a stop says most about what it came to, the criteria that are not met, and what else was told.
pub(crate) fn summary(stop: &StopOutcome) -> String {
    let open = match &stop.criteria {
        Some(Criteria::Unmet(unmet)) => {
            let names = list(unmet.iter().map(|unmet| &unmet.name));
            format!("{NOT_MET}{names}")
        }
        Some(Criteria::NotChecked(why)) => format!("criteria not checked: {}", why.word()),
        _ => String::new(),
    };
    let mut parts = vec![rests_on(stop), open, to_look_at(stop)];
    parts.retain(|part| !part.is_empty());
    parts.join("; ")
}

fn to_look_at(stop: &StopOutcome) -> String {
    let says_nothing = matches!(stop.word(), Outcome::Ok | Outcome::NoClaim);
    if !says_nothing || stop.reason == ReasonCode::AllowDisputed {
        return String::new();
    }
    let warnings = stop.warnings.iter().map(ToString::to_string);
    let mut lines = warnings.chain(stop.beside());
    let Some(first) = lines.next() else {
        return String::new();
    };
    let more = match lines.count() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!("{TO_LOOK_AT}{}{more}", cut(first))
}

/// A text that is no longer than a summary may be.
fn cut(text: String) -> String {
    if text.chars().count() <= LONGEST_SUMMARY {
        return text;
    }
    text.chars().take(LONGEST_SUMMARY).chain(['…']).collect()
}

fn rests_on(stop: &StopOutcome) -> String {
    let verdict = match &stop.input.evidence {
        Evidence::Compared(compared) => &compared.verdict,
        Evidence::Unreadable(why) | Evidence::Failed(why) => return list([why]),
        Evidence::NoClaim if stop.word() == Outcome::SentBack => return gates_that_ask(stop),
        Evidence::NoSnapshot | Evidence::NoClaim => return String::new(),
    };
    let claimed = |found: &ClaimFinding| found.claimed.clone();
    match stop.word() {
        Outcome::SentBack => gates_that_ask(stop),
        Outcome::Mismatch | Outcome::Blocked => list(verdict.proofs().map(claimed)),
        Outcome::Warn => {
            let others = verdict.contradictions();
            let others = others.filter(|found| found.kind != Kind::Files);
            list(verdict.unchanged().chain(others).map(claimed))
        }
        Outcome::ScopeCreep => list(verdict.unclaimed.iter().map(ToString::to_string)),
        _ => {
            let claims = verdict.findings.iter();
            // What a claimed file holds is no claim of its own.
            let claims = claims.filter(|it| it.kind != Kind::Content);
            let (open, judged): (Vec<_>, Vec<_>) =
                claims.partition(|it| it.finding == Finding::NotJudged);
            if judged.is_empty() && !open.is_empty() {
                // Beside an OK they would read as if they had been seen.
                format!("not judged: {}", list(open.into_iter().map(claimed)))
            } else {
                list(judged.into_iter().map(claimed))
            }
        }
    }
}

/// The gates that sent the agent back.
fn gates_that_ask(stop: &StopOutcome) -> String {
    let asks = |gate: &&GateAnswer| matches!(gate.decision, Ok(Decision::Revise { .. }));
    list(stop.gates.iter().filter(asks).map(|gate| &gate.gate))
}

/// The first of some names on one line.
fn list(names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut text = String::new();
    let mut left_out = 0;
    for (number, name) in names.into_iter().enumerate() {
        if number >= MOST_NAMED {
            left_out += 1;
            continue;
        }
        if number > 0 {
            text.push_str(", ");
        }
        text.push_str(&escaped(name.as_ref().as_bytes()));
    }
    text = cut(text);
    if left_out > 0 {
        text.push_str(&format!(" and {left_out} more"));
    }
    text
}
