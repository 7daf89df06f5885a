//! The words that a blocked agent reads.

use attest_snapshot::escaped;

use crate::{Finding, PathFinding, Verdict};

/// Paths that the text names at most.
const MOST_PATHS: usize = 20;
/// Characters of one path at most.
const LONGEST_PATH: usize = 200;

/// Says what does not hold, and what to send instead. The host keeps only the agent's last text,
/// so the complete report is asked for again.
#[must_use]
pub fn block_reason(verdict: &Verdict, others_at_work: u32) -> String {
    let mut text = String::from(
        "attest: the report says Status: DONE, but the git work tree disproves part of it:\n",
    );
    let proofs: Vec<_> = verdict.proofs().collect();
    for found in proofs.iter().take(MOST_PATHS) {
        text.push_str(&format!(
            "- \"{}\": {}\n",
            quoted(found),
            explain(found.finding)
        ));
    }
    if let Some(more) = proofs
        .len()
        .checked_sub(MOST_PATHS)
        .filter(|more| *more > 0)
    {
        text.push_str(&format!("- and {more} more\n"));
    }
    if others_at_work > 0 {
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

fn quoted(found: &PathFinding) -> String {
    let safe = escaped(found.claimed.as_bytes()).replace('"', "\\\"");
    if safe.chars().count() <= LONGEST_PATH {
        return safe;
    }
    let start: String = safe.chars().take(LONGEST_PATH).collect();
    format!("{start}…")
}

fn explain(finding: Finding) -> &'static str {
    match finding {
        Finding::Untouched => "on disk, but not written since you started",
        Finding::NotDeleted => "claimed as deleted, but still there and unchanged",
        _ => "not on disk, and no change of it was found",
    }
}
