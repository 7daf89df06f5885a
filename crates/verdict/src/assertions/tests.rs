use attest_claim::{Claim, Kind};
use attest_evidence::{CommitEvidence, Doubt as SeenDoubt, RepoPath};

use super::*;
use crate::Finding;

/// A repository as a test has it.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) uncommitted: Vec<RepoPath>,
    pub(super) commit: Option<CommitEvidence>,
    pub(super) has_branch: bool,
    pub(super) is_pushed: bool,
    /// What the transcript says to each question, if there is one.
    pub(super) transcript: Option<bool>,
}

impl RepositorySource for Seen {
    fn uncommitted(&self) -> Vec<RepoPath> {
        self.uncommitted.clone()
    }

    fn commit(&self, _hash: &str) -> CommitEvidence {
        self.commit.clone().unwrap_or(CommitEvidence::Missing)
    }

    fn has_branch(&self, _name: &str) -> Result<bool, SeenDoubt> {
        Ok(self.has_branch)
    }

    fn is_pushed(&self) -> bool {
        self.is_pushed
    }
}

impl TranscriptSource for Seen {
    fn shows(&self, _text: &str) -> Result<bool, Doubt> {
        self.transcript.ok_or(Doubt::NoTranscript)
    }

    fn names(&self, text: &str) -> Result<bool, Doubt> {
        self.shows(text)
    }

    fn has_failed_push(&self) -> Result<bool, Doubt> {
        self.shows("")
    }
}

/// What is found of the assertions of a report without tool calls.
pub(super) fn judge(report: &str, seen: &Seen, is_alone: bool) -> Vec<ClaimFinding> {
    let claim: Claim = attest_claim::parse(report);
    let sources = Sources {
        repository: seen,
        calls: None,
        transcript: seen,
        message: report,
        is_alone,
    };
    sources.judge(&claim)
}

#[test]
fn a_clean_tree_is_held_against_what_the_agent_left_uncommitted() {
    let report = "Status: DONE\nWorking tree: clean\n";
    let dirty = Seen {
        uncommitted: vec![RepoPath::from_git(b"src/a.py").unwrap()],
        ..Seen::default()
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

/// What is found of a line of a report, whether it contradicts it, and whether it disproves it if all may.
fn found(line: &str, seen: &Seen) -> (Finding, bool, bool) {
    let found = judge(&format!("Status: DONE\n{line}\n"), seen, true);
    let [found] = &*found else {
        panic!("{found:?}");
    };
    assert_eq!(found.kind, Kind::Commits);
    let is_proof = found.finding.disproves("all".parse().unwrap());
    assert!(found.finding != Finding::NotJudged || found.doubt.is_some());
    (found.finding, found.finding.contradicts(), is_proof)
}

#[test]
fn a_commit_is_made_up_only_if_nobody_named_it() {
    let of = |commit: CommitEvidence, transcript| Seen {
        commit: Some(commit),
        transcript,
        ..Seen::default()
    };
    let seen = |is_old, is_reachable| CommitEvidence::Found {
        is_old,
        is_reachable,
    };
    let doubt = CommitEvidence::Inconclusive(SeenDoubt::PartOfHistory);
    let unshown = Some(false);
    for (seen, expected) in [
        (
            of(seen(false, Some(true)), None),
            (Finding::CommitFound, false, false),
        ),
        (
            of(seen(false, Some(false)), unshown),
            (Finding::CommitFound, false, false),
        ),
        (
            of(seen(false, None), unshown),
            (Finding::CommitFound, false, false),
        ),
        (
            of(seen(true, Some(true)), unshown),
            (Finding::CommitOld, false, false),
        ),
        (
            of(CommitEvidence::FoundElsewhere("/x".into()), unshown),
            (Finding::CommitFound, false, false),
        ),
        (of(doubt, unshown), (Finding::NotJudged, false, false)),
        (
            of(CommitEvidence::Missing, None),
            (Finding::NotJudged, false, false),
        ),
        (
            of(CommitEvidence::Missing, Some(true)),
            (Finding::NotJudged, false, false),
        ),
        (
            of(CommitEvidence::Missing, unshown),
            (Finding::CommitMissing, true, true),
        ),
    ] {
        assert_eq!(found("Commit: `1a2b3c4`", &seen), expected, "{seen:?}");
    }
}

#[test]
fn a_branch_and_a_push_are_told_and_prove_nothing() {
    let seen = |is_there, transcript| Seen {
        has_branch: is_there,
        is_pushed: is_there,
        transcript,
        ..Seen::default()
    };
    for (line, is_there, transcript, expected) in [
        (
            "Branch: `topic`",
            true,
            None,
            (Finding::BranchFound, false, false),
        ),
        (
            "Branch: `topic`",
            false,
            None,
            (Finding::NotJudged, false, false),
        ),
        (
            "Branch: `topic`",
            false,
            Some(true),
            (Finding::NotJudged, false, false),
        ),
        (
            "Branch: `topic`",
            false,
            Some(false),
            (Finding::BranchMissing, true, false),
        ),
        (
            "Pushed: yes",
            true,
            Some(true),
            (Finding::Pushed, false, false),
        ),
        (
            "Pushed: yes",
            false,
            None,
            (Finding::NotJudged, false, false),
        ),
        (
            "Pushed: yes",
            false,
            Some(false),
            (Finding::NotJudged, false, false),
        ),
        (
            "Pushed: yes",
            false,
            Some(true),
            (Finding::PushFailed, true, false),
        ),
    ] {
        assert_eq!(
            found(line, &seen(is_there, transcript)),
            expected,
            "{line} {is_there}"
        );
    }
}
