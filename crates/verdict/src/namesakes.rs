//! Changed files that have the name of a claimed one: what the report lists by its own path is not what it means by
//! another.

use std::collections::{BTreeMap, BTreeSet};

use attest_claim::Entry;
use attest_evidence::{
    Doubt as SeenDoubt, EvidenceSource, MOST_NAMESAKES, PathEvidence, RepoPath, Touch,
};

use crate::path_finding::find;
use crate::{ClaimFinding, Doubt, Finding, Strict};

/// Finds anew what only a changed file of the same name excuses, if each such file has an entry of its own.
pub(crate) fn find_apart(
    entries: &[Entry],
    findings: &mut [ClaimFinding],
    strict: Strict,
    evidence: &dyn EvidenceSource,
) {
    let mut listed: BTreeMap<Vec<u8>, BTreeSet<RepoPath>> = BTreeMap::new();
    for path in findings.iter().filter_map(listed_itself) {
        let of_name = listed.entry(path.basename().to_vec()).or_default();
        of_name.insert(path.clone());
    }
    for (entry, found) in entries.iter().zip(findings) {
        let name = last_part(&found.claimed).as_bytes();
        if let Some(listed) = listed.get(name)
            && may_be_excused(found)
        {
            *found = find(entry, strict, &Apart { evidence, listed });
        }
    }
}

/// The file that changed, if the claim has its path from the root of the work tree.
fn listed_itself(found: &ClaimFinding) -> Option<&RepoPath> {
    match found.accounts_for.as_slice() {
        [path] if found.finding == Finding::Changed && found.claimed == path.to_string() => {
            Some(path)
        }
        _ => None,
    }
}

fn may_be_excused(found: &ClaimFinding) -> bool {
    found.finding == Finding::Present || matches!(found.doubt, Some(Doubt::SameName(_)))
}

fn last_part(claimed: &str) -> &str {
    claimed.rsplit('/').next().unwrap_or(claimed)
}

/// Evidence in which the files that are listed by their own paths excuse nothing else.
struct Apart<'a> {
    evidence: &'a dyn EvidenceSource,
    listed: &'a BTreeSet<RepoPath>,
}

impl Apart<'_> {
    fn are_listed(&self, namesakes: &[RepoPath]) -> bool {
        let is_listed = |path| self.listed.contains::<RepoPath>(path);
        (1..=MOST_NAMESAKES).contains(&namesakes.len()) && namesakes.iter().all(is_listed)
    }
}

impl EvidenceSource for Apart<'_> {
    fn name(&self, text: &str) -> String {
        self.evidence.name(text)
    }

    fn evidence_for(&self, text: &str) -> PathEvidence {
        match self.evidence.evidence_for(text) {
            PathEvidence::SameBasename {
                path,
                changed,
                is_suffix: false,
                doubt,
                ..
            } if self.are_listed(&changed) => match doubt {
                Some(doubt) => PathEvidence::Inconclusive(doubt),
                None => PathEvidence::Absent(path),
            },
            PathEvidence::OnDisk {
                path, namesakes, ..
            } if self.are_listed(&namesakes) => PathEvidence::OnDisk {
                path,
                touch: Touch::Untouched,
                namesakes,
            },
            seen => seen,
        }
    }

    fn exact_evidence_for(&self, text: &str) -> Option<PathEvidence> {
        self.evidence.exact_evidence_for(text)
    }

    fn has_folder(&self, text: &str) -> bool {
        self.evidence.has_folder(text)
    }

    fn check_before(&self, text: &str) -> Result<(), SeenDoubt> {
        self.evidence.check_before(text)
    }

    fn names_several(&self, text: &str) -> bool {
        self.evidence.names_several(text)
    }

    fn differed_at_start(&self, text: &str) -> bool {
        self.evidence.differed_at_start(text)
    }
}
