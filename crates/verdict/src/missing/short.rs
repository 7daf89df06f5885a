//! Claims that name only the end of the path that a call of the agent wrote: it stands for all of that path.

use attest_claim::Operation;
use attest_evidence::{Change, EvidenceSource, PathEvidence, RepoPath, ends_in, fold};

use crate::Strict;
use crate::path_finding::of_evidence;

/// Whether a changed file on disk ends in the name, or more is known of one of the paths that it may be short for than that
/// nothing is there.
pub(super) fn is_known(
    name: &str,
    paths: &[&str],
    changed: &[(RepoPath, Change)],
    evidence: &dyn EvidenceSource,
) -> bool {
    let end = fold(name);
    let mut written = changed.iter().filter(|(_, it)| *it == Change::Written);
    if written.any(|(path, _)| ends_in(&fold(&path.to_string()), &end)) {
        return true;
    }
    // Work of a folder that was another work tree has landed without that folder.
    let has_landed = |path: &str, at: usize| {
        let inner = Some(&path[at + 1..]).filter(|it| it.len() >= name.len());
        let seen = inner.and_then(|inner| evidence.exact_evidence_for(inner));
        matches!(seen, Some(PathEvidence::ChangedElsewhere(_)))
    };
    paths.iter().any(|path| {
        let seen = evidence.evidence_for(path);
        let found = of_evidence(path, Operation::Changed, Strict::default(), seen);
        let mut folders = path.match_indices('/');
        !found.is_missing() || folders.any(|(at, _)| has_landed(path, at))
    })
}
