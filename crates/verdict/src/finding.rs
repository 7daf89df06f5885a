//! What can be found of a claimed path, and everything that is said and decided of each finding.

use crate::Strict;
use crate::word_enum::words;

words! {
    /// What is known of one claimed thing. What [contradicts](Self::contradicts) a claim is told, and only what
    /// [disproves](Self::disproves) it can ever count against it.
    pub enum Finding {
        Changed = "CHANGED": "it changed between start and stop",
        LandedElsewhere = "LANDED_ELSEWHERE": "the work is in a commit, a stash or another work tree",
        Present = "PRESENT": "it is on disk without a change, which proves nothing",
        Unresolvable = "UNRESOLVABLE": "no path can be read from it",
        Untouched = "UNTOUCHED": "it is on disk, and was not written since the start",
        Unproven = "UNPROVEN": "it is missing, and attest cannot tell whether it should exist",
        NotDeleted = "NOT_DELETED": "it was claimed as deleted or moved, and is there as it was",
        StillThere = "STILL_THERE": "it was claimed as deleted, and is there, though not as it was",
        Lost = "LOST": "it was written, or was seen on disk, since the start, and is not there now",
        TakenBack = "TAKEN_BACK": "the agent wrote it, and a later call of its own may have put back what was there at the start, which is there now",
        Absent = "ABSENT": "it is not on disk, never was, and no work on it was found",
        TreeClean = "TREE_CLEAN": "nothing that changed since the start was uncommitted at the stop, as claimed",
        TreeDirty = "TREE_DIRTY": "the work tree was claimed to be clean, or the work to be committed, and there are changes since the start that are not",
        Emptied = "EMPTIED": "a claimed file is empty, and was not at the start",
        Empty = "EMPTY": "a claimed file that was not known at the start is empty",
        Gutted = "GUTTED": "a claimed file has lost more than nine tenths of its bytes",
        Stubs = "STUBS": "a claimed file has more places that are still to be written than at the start",
        FileRead = "FILE_READ": "a tool call of the agent opened the file, as claimed",
        NotOpened = "NOT_OPENED": "a file was claimed as read, and no tool call of the agent opened or searched it",
        CommitFound = "COMMIT_FOUND": "a commit of that name is there",
        CommitOld = "COMMIT_OLD": "a commit of that name is there, and was before the agent began",
        CommitMissing = "COMMIT_MISSING": "no commit of that name was found, and nothing that the agent was shown names one",
        BranchFound = "BRANCH_FOUND": "a branch of that name is there, or was at the start",
        BranchMissing = "BRANCH_MISSING": "no branch of that name was found, and neither the agent's tools nor its task name one",
        Pushed = "PUSHED": "a remote-tracking branch has the commit of HEAD",
        PushFailed = "PUSH_FAILED": "the agent's last call with `git push` failed, and no remote-tracking branch has the commit of HEAD",
        PushNotRun = "PUSH_NOT_RUN": "a push was claimed, nothing that the agent ran can have pushed, and no remote-tracking branch has the commit of HEAD",
        CheckSeen = "CHECK_SEEN": "the last run of the check that is seen passed, and none behind it says otherwise",
        CheckStale = "CHECK_STALE": "the last run of the check that is seen passed, and code was edited after it",
        CheckFailed = "CHECK_FAILED": "the check was claimed to pass, and its last run failed or could not begin",
        CheckSaysFailed = "CHECK_SAYS_FAILED": "the check was claimed to pass, and its last run, whose status is hidden, printed that it failed",
        CheckNotRun = "CHECK_NOT_RUN": "a check was claimed to pass, and nothing that the agent ran can have been one",
        GoneAgain = "GONE_AGAIN": "a commit of the range made the file, and a later one removed it",
        CommitElsewhere = "COMMIT_ELSEWHERE": "the commit is on another branch, and the range has nothing of it",
        CountHeld = "COUNT_HELD": "as many files changed as claimed",
        CountWrong = "COUNT_WRONG": "another number of files changed, however they are counted",
        NoTests = "NO_TESTS": "tests are said to be added, and nothing that changed looks like one",
        NotJudged = "NOT_JUDGED": "the claim could not be checked against anything, for the reason beside it",
    }
}

/// What a finding says of a claim.
#[derive(PartialEq, Eq)]
enum Weight {
    For,
    Neither,
    Against,
}

impl Finding {
    /// The place of what is found of a path in the order in which findings speak for the agent.
    pub(crate) fn rank(self) -> u8 {
        match self {
            Self::NotDeleted => 1,
            Self::StillThere => 2,
            Self::Unproven => 3,
            Self::Lost => 4,
            Self::Unresolvable => 5,
            Self::Present => 6,
            Self::Untouched => 7,
            Self::LandedElsewhere => 8,
            Self::Changed => 9,
            Self::Absent
            | Self::TakenBack
            | Self::TreeClean
            | Self::TreeDirty
            | Self::Emptied
            | Self::Empty
            | Self::Gutted
            | Self::Stubs
            | Self::FileRead
            | Self::NotOpened
            | Self::CommitFound
            | Self::CommitOld
            | Self::CommitMissing
            | Self::BranchFound
            | Self::BranchMissing
            | Self::Pushed
            | Self::PushFailed
            | Self::PushNotRun
            | Self::CheckSeen
            | Self::CheckStale
            | Self::CheckFailed
            | Self::CheckSaysFailed
            | Self::CheckNotRun
            | Self::GoneAgain
            | Self::CommitElsewhere
            | Self::CountHeld
            | Self::CountWrong
            | Self::NoTests
            | Self::NotJudged => 0,
        }
    }

    /// Whether it disproves a DONE, if nothing leaves it in doubt.
    #[must_use]
    pub fn disproves(self, strict: Strict) -> bool {
        match self {
            Self::Absent => true,
            Self::Lost => strict.lost,
            Self::Untouched => strict.untouched,
            Self::NotDeleted => strict.deleted,
            Self::CommitMissing => strict.commits,
            Self::CheckFailed => strict.checks,
            _ => false,
        }
    }

    /// What it says of the claim.
    fn weight(self) -> Weight {
        match self {
            Self::Changed
            | Self::LandedElsewhere
            | Self::TreeClean
            | Self::FileRead
            | Self::CommitFound
            | Self::BranchFound
            | Self::Pushed
            | Self::CheckSeen
            | Self::CountHeld => Weight::For,
            Self::Absent
            | Self::Untouched
            | Self::NotDeleted
            | Self::StillThere
            | Self::TreeDirty
            | Self::NotOpened
            | Self::Emptied
            | Self::Empty
            | Self::Gutted
            | Self::CommitMissing
            | Self::BranchMissing
            | Self::PushFailed
            | Self::PushNotRun
            | Self::CheckFailed
            | Self::CheckSaysFailed
            | Self::CheckNotRun
            | Self::GoneAgain
            | Self::CommitElsewhere
            | Self::CountWrong => Weight::Against,
            Self::Present
            | Self::Unresolvable
            | Self::Unproven
            | Self::Lost
            | Self::TakenBack
            | Self::Stubs
            | Self::CommitOld
            | Self::CheckStale
            | Self::NoTests
            | Self::NotJudged => Weight::Neither,
        }
    }

    /// Whether it speaks against the claim, be it proof or not.
    #[must_use]
    pub fn contradicts(self) -> bool {
        self.weight() == Weight::Against
    }

    /// Whether it bears out what is claimed.
    #[must_use]
    pub fn holds(self) -> bool {
        self.weight() == Weight::For
    }

    /// Whether the claim could be judged: it is borne out or contradicted.
    #[must_use]
    pub fn is_judged(self) -> bool {
        self.holds() || self.contradicts()
    }

    /// Whether it is about a path and shows no work.
    pub(crate) fn shows_no_change(self) -> bool {
        matches!(
            self,
            Self::Present
                | Self::Untouched
                | Self::Unproven
                | Self::NotDeleted
                | Self::Lost
                | Self::TakenBack
                | Self::Absent
        )
    }

    /// Whether it is what became of a file, which is a sentence of its own and says nothing against the agent.
    pub(crate) fn tells_what_became(self) -> bool {
        matches!(self, Self::Lost | Self::TakenBack)
    }

    /// What the agent is told of it.
    pub(crate) fn told(self) -> &'static str {
        match self {
            Self::Untouched => "on disk, but not written since the start",
            Self::NotDeleted => "claimed as gone, but still there and unchanged",
            Self::StillThere => "claimed as deleted, but still there",
            Self::Absent => "not on disk, and no change of it was found",
            _ => "no change of it was found",
        }
    }

    /// The same behind what the agent's tools say of the path.
    pub(crate) fn fact(self) -> &'static str {
        match self {
            Self::Untouched => "the file was not written since the start",
            Self::NotDeleted => "the file is still there and unchanged",
            Self::Absent => "the file is not on disk",
            _ => "no change of it was found",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every finding of a path, from what speaks most for the agent to what speaks most against it: whether it shows no
    /// work, and whether it speaks against the claim.
    const ALL: [(Finding, bool, bool); 10] = [
        (Finding::Changed, false, false),
        (Finding::LandedElsewhere, false, false),
        (Finding::Untouched, true, true),
        (Finding::Present, true, false),
        (Finding::Unresolvable, false, false),
        (Finding::Lost, true, false),
        (Finding::Unproven, true, false),
        (Finding::StillThere, false, true),
        (Finding::NotDeleted, true, true),
        (Finding::Absent, true, true),
    ];

    #[test]
    fn what_no_path_can_be_read_from_shows_neither_work_nor_its_absence() {
        for (finding, shows_no_change, contradicts) in ALL {
            assert_eq!(finding.shows_no_change(), shows_no_change, "{finding:?}");
            assert_eq!(finding.contradicts(), contradicts, "{finding:?}");
        }
        let ranks = ALL.map(|(finding, ..)| finding.rank());
        assert!(
            ranks.is_sorted_by(|better, worse| better > worse),
            "{ranks:?}"
        );
    }

    #[test]
    fn only_what_contradicts_a_claim_disproves_it_or_what_is_lost() {
        let strict = "all".parse().unwrap();
        for finding in Finding::ALL.into_iter().filter(|it| *it != Finding::Lost) {
            assert!(
                finding.contradicts() || !finding.disproves(strict),
                "{finding:?}"
            );
        }
    }

    #[test]
    fn each_finding_has_a_meaning_of_its_own() {
        let meanings = BTreeSet::from(Finding::ALL.map(Finding::meaning));
        assert_eq!(meanings.len(), Finding::ALL.len());
        assert!(meanings.iter().all(|meaning| meaning.contains(' ')));
    }
}
