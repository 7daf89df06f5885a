//! The words that a blocked agent reads.

use attest_snapshot::{Printable, Untrusted};

use crate::{Finding, PathFinding, Unmet, Verdict};

/// Lines of one kind at most.
const MOST_LINES: usize = 20;
/// Characters of one name at most.
const LONGEST: usize = 200;

/// Says what does not hold, and what to send instead. The host keeps only the agent's last text,
/// so the complete report is asked for again.
#[must_use]
pub fn block_reason(verdict: &Verdict, others_at_work: u32) -> Printable {
    let mut text = String::from("attest: the report says Status: DONE, but ");
    let proofs: Vec<_> = verdict.proofs().collect();
    if !proofs.is_empty() {
        text.push_str("the git work tree disproves part of it:\n");
        list(&mut text, &proofs, |found| statement(found));
    }
    if !verdict.unmet().is_empty() {
        if !proofs.is_empty() {
            text.push_str("and ");
        }
        text.push_str("criteria of .attest/criteria.yaml are not met:\n");
        list(&mut text, verdict.unmet(), unmet_statement);
    }
    if others_at_work > 0 && !proofs.is_empty() {
        text.push_str(
            "Other agents worked in the same tree, and none of them changed it either.\n",
        );
    }
    text.push_str(
        "Make the missing change, or correct the claim. Then send your complete final report \
         again: only your last message is kept.",
    );
    Printable::new(&text)
}

/// One line for each of the first.
fn list<T>(text: &mut String, all: &[T], line: impl Fn(&T) -> String) {
    for one in all.iter().take(MOST_LINES) {
        text.push_str(&format!("- {}\n", line(one)));
    }
    if let Some(more) = all.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
        text.push_str(&format!("- and {more} more\n"));
    }
}

/// What does not hold of one path, in one line: the name as data, what the agent's tools say of it
/// where that is known, and what the disk shows.
#[must_use]
pub fn statement(found: &PathFinding) -> String {
    let name = quoted(&found.claimed);
    match &found.testimony {
        Some(testimony) => format!("{name}: {testimony}, {}", fact(found.finding)),
        None => format!("{name}: {}", explain(found.finding)),
    }
}

/// Why one criterion is not met, in one line.
#[must_use]
pub fn unmet_statement(unmet: &Unmet) -> String {
    format!("{}: {}", quoted(&unmet.name), short(&unmet.why))
}

/// A name in quotes, as data: escaped, and not longer than a line.
#[must_use]
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", short(name).replace('"', "\\\""))
}

fn short(text: &str) -> String {
    let safe = Untrusted::new(text).to_string();
    if safe.chars().count() <= LONGEST {
        return safe;
    }
    let start: String = safe.chars().take(LONGEST).collect();
    format!("{start}…")
}

fn explain(finding: Finding) -> &'static str {
    match finding {
        Finding::Untouched => "on disk, but not written since you started",
        Finding::NotDeleted => "claimed as deleted, but still there and unchanged",
        Finding::Absent => "not on disk, and no change of it was found",
        _ => "no change of it was found",
    }
}

fn fact(finding: Finding) -> &'static str {
    match finding {
        Finding::Untouched => "the file was not written since the start",
        Finding::NotDeleted => "the file is still there and unchanged",
        Finding::Absent => "the file is not on disk",
        _ => "no change of it was found",
    }
}

#[cfg(test)]
mod tests {
    use attest_claim::{
        Certainty, Claim, Entry, Form, Meaning, Operation, Reading, Status, Target,
    };
    use attest_snapshot::Delta;
    use proptest::prelude::*;

    use super::*;
    use crate::finding::tests::Seen;
    use crate::judge;

    fn claim(names: &[String]) -> Claim {
        let entry = |name: &String| Entry {
            raw: name.clone(),
            operation: Operation::Changed,
            meaning: Meaning::Paths(vec![Reading {
                target: Target::File(name.clone()),
                certainty: Certainty::Certain,
            }]),
        };
        Claim {
            form: Form::Lines,
            status: Some(Status::Done),
            entries: names.iter().map(entry).collect(),
            blockers: None,
            ran_tests: None,
            raw: String::new(),
        }
    }

    /// Of every kind that a person does not see.
    const HIDDEN: &str = "\n\r\u{1b}\u{85}\u{a0}\u{ad}\u{34f}\u{115f}\u{180e}\u{200b}\u{2028}\u{2029}\
                          \u{202e}\u{3000}\u{3164}\u{fe0f}\u{feff}\u{e0041}\u{e0100}";

    fn text() -> impl Strategy<Value = String> {
        let hidden: Vec<_> = HIDDEN.chars().collect();
        let char = prop_oneof![any::<char>(), prop::sample::select(hidden), Just('a')];
        let name = |chars: Vec<char>| {
            let no_path = ['\0', '/', '.'];
            chars
                .into_iter()
                .filter(|char| !no_path.contains(char))
                .chain(['x'])
                .collect()
        };
        proptest::collection::vec(char, 0..12).prop_map(name)
    }

    proptest! {
        #[test]
        fn each_name_stays_on_its_line_and_hides_nothing(
            names in proptest::collection::btree_set(text(), 1..4),
            unmet in proptest::collection::vec((text(), text()), 0..3),
        ) {
            let names: Vec<_> = names.into_iter().collect();
            let strict = "criteria".parse().unwrap();
            let mut verdict = judge(&claim(&names), &Delta::default(), strict, &Seen(&[]));
            let disproved = verdict.proofs().count();
            prop_assert!(disproved > 0);
            let unmet: Vec<_> = unmet.into_iter().map(|(name, why)| Unmet { name, why }).collect();
            let count = unmet.len();
            verdict.add_unmet(unmet, strict);
            let reason = block_reason(&verdict, 0);
            let headings = 2 + usize::from(count > 0);
            prop_assert_eq!(reason.lines().count(), headings + disproved + count, "{}", reason);
            let hides = |line: &str| line.contains(|char| HIDDEN.contains(char));
            prop_assert!(!reason.split('\n').any(hides), "{}", reason);
        }
    }
}
