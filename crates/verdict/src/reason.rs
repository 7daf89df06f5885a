//! The words that a blocked agent reads.

use attest_snapshot::escaped;

use crate::{Finding, Unmet, Verdict};

/// Lines of one kind at most.
const MOST_LINES: usize = 20;
/// Characters of one name at most.
const LONGEST: usize = 200;

/// Says what does not hold, and what to send instead. The host keeps only the agent's last text,
/// so the complete report is asked for again.
#[must_use]
pub fn block_reason(verdict: &Verdict, others_at_work: u32) -> String {
    let mut text = String::from("attest: the report says Status: DONE, but ");
    let proofs: Vec<_> = verdict.proofs().collect();
    if !proofs.is_empty() {
        text.push_str("the git work tree disproves part of it:\n");
        list(&mut text, &proofs, |found| {
            (&found.claimed, explain(found.finding))
        });
    }
    if !verdict.unmet().is_empty() {
        if !proofs.is_empty() {
            text.push_str("and ");
        }
        text.push_str("criteria of .attest/criteria.yaml are not met:\n");
        list(&mut text, verdict.unmet(), |unmet: &Unmet| {
            (&unmet.name, &unmet.why)
        });
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
    text
}

/// One line for each of the first, with its name in quotes and what is to be said of it.
fn list<'v, T: 'v>(text: &mut String, all: &'v [T], line: impl Fn(&'v T) -> (&'v str, &'v str)) {
    for one in all.iter().take(MOST_LINES) {
        let (name, why) = line(one);
        text.push_str(&format!(
            "- \"{}\": {}\n",
            short(name).replace('"', "\\\""),
            short(why)
        ));
    }
    if let Some(more) = all.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
        text.push_str(&format!("- and {more} more\n"));
    }
}

fn short(text: &str) -> String {
    let safe = escaped(text.as_bytes());
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
        _ => "not on disk, and no change of it was found",
    }
}
