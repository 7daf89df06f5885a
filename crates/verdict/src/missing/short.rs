//! Claims that name only the end of the path that a call of the agent wrote: it stands for all of that path.

use attest_claim::Operation;
use attest_evidence::{EvidenceSource, PathEvidence};

use crate::Strict;
use crate::path_finding::of_evidence;

/// How many paths a name may be short for, and how many folders above each may be another work tree.
const MOST_PATHS: usize = 16;
const MOST_FOLDERS: usize = 32;

/// Whether more is known of one of the paths that a name may be short for than that nothing is there. What is not
/// looked at may be known.
pub(super) fn is_known(name: &str, paths: &[&str], evidence: &dyn EvidenceSource) -> bool {
    // Work of a folder that was another work tree has landed without that folder.
    let has_landed = |inner: &str| {
        let seen = evidence.exact_evidence_for(inner);
        matches!(seen, Some(PathEvidence::ChangedElsewhere(_)))
    };
    let is_known = |path: &&str| {
        let seen = evidence.evidence_for(path);
        let found = of_evidence(path, Operation::Changed, Strict::default(), seen);
        let inner = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
        let mut inner = inner.filter(|it| it.len() >= name.len()).enumerate();
        !found.is_missing()
            || inner.any(|(folders, inner)| folders >= MOST_FOLDERS || has_landed(inner))
    };
    paths.len() > MOST_PATHS || paths.iter().any(is_known)
}
