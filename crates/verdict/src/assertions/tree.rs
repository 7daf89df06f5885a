//! Whether the work tree is as clean as it is said to be.

use attest_claim::{Assertion, Kind};
use attest_evidence::escaped;

use super::Sources;
use crate::{ClaimFinding, Doubt, Finding, quoted};

/// What was not committed when the agent began is not the agent's, and what others write is not either.
pub(super) fn find(assertion: &Assertion, sources: Sources<'_>) -> ClaimFinding {
    let found = |finding| ClaimFinding::of_kind(Kind::Tree, &assertion.raw, finding);
    let uncommitted = sources.repository.uncommitted();
    let Some(first) = uncommitted.first() else {
        return found(Finding::TreeClean);
    };
    if !sources.is_alone {
        return found(Finding::NotJudged).with_doubt(Doubt::OthersAtWork);
    }
    let name = quoted(&escaped(first.as_bytes()));
    found(Finding::TreeDirty).because(match uncommitted.len() {
        1 => format!("{name} changed and is not committed"),
        count => format!("{count} paths changed and are not committed, such as {name}"),
    })
}
