use attest_claim::{Claim, Kind};
use attest_evidence::RepoPath;

use super::*;
use crate::Finding;

/// A repository as a test has it.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) uncommitted: Vec<RepoPath>,
}

impl RepositorySource for Seen {
    fn uncommitted(&self) -> Vec<RepoPath> {
        self.uncommitted.clone()
    }
}

/// What is found of the assertions of a report without tool calls.
pub(super) fn judge(report: &str, seen: &Seen, is_alone: bool) -> Vec<ClaimFinding> {
    let claim: Claim = attest_claim::parse(report);
    let sources = Sources {
        repository: seen,
        calls: None,
        message: report,
        is_alone,
        assumes_all: false,
        own_from: None,
        has_shell: &|| true,
        has_hooks: &|| false,
    };
    sources.judge(&claim)
}

#[test]
fn a_clean_tree_is_held_against_what_the_agent_left_uncommitted() {
    let report = "Status: DONE\nWorking tree: clean\n";
    let dirty = Seen {
        uncommitted: vec![RepoPath::from_git(b"src/a.py").unwrap()],
    };
    let one = |seen: &Seen, is_alone| {
        let mut found = judge(report, seen, is_alone);
        assert_eq!(found.len(), 1);
        found.pop().unwrap()
    };
    assert_eq!(one(&Seen::default(), true).finding, Finding::TreeClean);
    let found = one(&dirty, true);
    assert_eq!(
        (found.kind, found.finding),
        (Kind::Tree, Finding::TreeDirty)
    );
    assert_eq!(
        found.why.as_deref(),
        Some("\"src/a.py\" changed and is not committed")
    );
    assert_eq!(one(&dirty, false).finding, Finding::NotJudged);
}

#[test]
fn prose_and_other_keys_assert_nothing() {
    for report in [
        "Status: DONE\nThe working tree is clean.",
        "Status: DONE\nWorking tree: not clean",
        "Status: DONE\nTree: clean",
    ] {
        assert_eq!(judge(report, &Seen::default(), true), [], "{report}");
    }
}
