//! One line on what an outcome rests on.

use attest_evidence::escaped;
use attest_verdict::{Criteria, Evidence, Outcome, PathFinding, StopOutcome};

/// Names that a summary lists at most.
const MOST_NAMED: usize = 5;
/// Characters of a summary at most.
const LONGEST_SUMMARY: usize = 400;

/// Before the criteria that are not met and do not count.
pub(super) const NOT_MET: &str = "criteria not met: ";

/// What of a stop says most about what it came to, and the criteria that are not met, whether they count
/// or not.
pub(crate) fn summary(stop: &StopOutcome) -> String {
    let text = rests_on(stop);
    let (Some(Criteria::Unmet(unmet)), false) = (&stop.input.criteria, counts_criteria(stop))
    else {
        return text;
    };
    let names = list(unmet.iter().map(|unmet| &unmet.name));
    let gap = if text.is_empty() { "" } else { "; " };
    format!("{text}{gap}{NOT_MET}{names}")
}

/// Whether a criterion disproves the claim, which is said then in any case.
fn counts_criteria(stop: &StopOutcome) -> bool {
    match &stop.input.evidence {
        Evidence::Compared(compared) => !compared.verdict.unmet().is_empty(),
        _ => false,
    }
}

fn rests_on(stop: &StopOutcome) -> String {
    let verdict = match &stop.input.evidence {
        Evidence::Compared(compared) => &compared.verdict,
        Evidence::Unreadable(why) | Evidence::Failed(why) => return list([why]),
        Evidence::NoSnapshot | Evidence::NoClaim => return String::new(),
    };
    let claimed = |found: &PathFinding| found.claimed.clone();
    let unmet = verdict.unmet().iter().map(|unmet| unmet.name.clone());
    match stop.word() {
        Outcome::Mismatch | Outcome::Blocked => list(verdict.proofs().map(claimed).chain(unmet)),
        Outcome::Warn => list(verdict.unchanged().map(claimed)),
        Outcome::ScopeCreep => list(verdict.unclaimed.iter().map(ToString::to_string)),
        _ => list(verdict.findings.iter().map(claimed)),
    }
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
    if text.chars().count() > LONGEST_SUMMARY {
        text = text.chars().take(LONGEST_SUMMARY).chain(['…']).collect();
    }
    if left_out > 0 {
        text.push_str(&format!(" and {left_out} more"));
    }
    text
}
