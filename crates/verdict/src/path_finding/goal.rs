//! What is found of the place where a file went by the words beside it. That it is not there is told, and no proof: the
//! list does not claim it.

use attest_claim::Operation;
use attest_evidence::EvidenceSource;

use super::of_evidence;
use crate::{ClaimFinding, Doubt, Finding, Strict, quoted};

/// Looks for it as it is written, and from the folder of the file.
pub(super) fn find(
    goal: &str,
    from: &ClaimFinding,
    strict: Strict,
    evidence: &dyn EvidenceSource,
) -> ClaimFinding {
    let (folder, name) = from.claimed.rsplit_once('/').unwrap_or(("", &from.claimed));
    let goal = if goal.ends_with('/') {
        format!("{goal}{name}")
    } else {
        goal.to_owned()
    };
    let look =
        |text: &str, seen| of_evidence(&evidence.name(text), Operation::Created, strict, seen);
    let mut found = look(&goal, evidence.evidence_for(&goal));
    let beside = format!("{folder}/{goal}");
    if let Some(seen) = evidence
        .exact_evidence_for(&beside)
        .filter(|_| !found.is_there())
    {
        found = look(&beside, seen);
    }
    if found.finding == Finding::Absent {
        let doubt = Doubt::NamedBeside(quoted(&from.claimed));
        found = found.with_doubt(doubt);
    }
    found
}
