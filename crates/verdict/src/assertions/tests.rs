use attest_claim::{Claim, Kind};
use std::collections::BTreeMap;

use attest_evidence::{
    Before, Change, CommitEvidence, Doubt as SeenDoubt, EvidenceSource, FolderPlace, Held,
    PathEvidence, RepoPath,
};

use super::*;
use crate::Finding;

/// A repository as a test has it.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "any of them may be so")]
pub(crate) struct Seen {
    pub(super) uncommitted: Vec<RepoPath>,
    /// What is uncommitted since before the start.
    pub(super) left_before: Option<RepoPath>,
    /// What files held at the start, which is known if it is not empty, and hold now.
    pub(super) files: BTreeMap<RepoPath, (Option<Vec<u8>>, Vec<u8>)>,
    pub(super) commit: Option<CommitEvidence>,
    pub(super) has_branch: bool,
    pub(super) is_pushed: bool,
    /// Whether all of it was pushed before the start.
    pub(super) is_pushed_before: bool,
    /// Whether a claimed file was written in another work tree.
    pub(super) has_another_tree: bool,
    /// The one place that it was pushed to.
    pub(super) pushed_to: Option<&'static str>,
    /// What differs from the start, with its time.
    pub(super) changed: Vec<(RepoPath, Option<i128>)>,
    /// What the transcript says to each question, if there is one.
    pub(super) transcript: Option<bool>,
    /// All calls up to the report, if they are known.
    pub(super) calls: Option<ToolCalls>,
    /// The first call of the turn that ends, if it is one.
    pub(super) own_from: Option<usize>,
    pub(super) lacks_shell: bool,
    pub(super) is_told_of_a_run: bool,
}

impl RepositorySource for Seen {
    fn uncommitted(&self) -> Vec<RepoPath> {
        self.uncommitted.clone()
    }

    fn left_before(&self) -> Option<RepoPath> {
        self.left_before.clone()
    }

    fn held_now(&self, paths: &[&RepoPath], most: u64) -> Vec<Option<Held>> {
        let of = |path: &&RepoPath| {
            let (_, now) = self.files.get(*path)?;
            let size = now.len() as u64;
            let bytes = (size <= most).then(|| now.clone());
            Some(Held { size, bytes })
        };
        paths.iter().map(of).collect()
    }

    fn held_before(&self, paths: &[&RepoPath]) -> Vec<Option<Before>> {
        let of = |path: &&RepoPath| {
            let (before, _) = self.files.get(*path)?;
            let before = before.as_ref();
            Some(before.map_or(Before::Missing, |it| Before::Bytes(it.len() as u64)))
        };
        paths.iter().map(of).collect()
    }

    /// It knows of every second file.
    fn noted_size(&self, path: &RepoPath) -> Option<u64> {
        let at = self.files.keys().position(|it| it == path)?;
        let (before, _) = self.files.get(path)?;
        before
            .as_ref()
            .filter(|_| at % 2 == 0)
            .map(|it| it.len() as u64)
    }

    fn bytes_before(&self, path: &RepoPath, _: u64) -> Option<Vec<u8>> {
        Some(self.files.get(path)?.0.clone().unwrap_or_default())
    }

    fn commit(&self, _hash: &str) -> CommitEvidence {
        self.commit.clone().unwrap_or(CommitEvidence::Missing)
    }

    fn has_branch(&self, _name: &str) -> Result<bool, SeenDoubt> {
        Ok(self.has_branch)
    }

    fn may_run_hooks(&self) -> bool {
        false
    }

    fn changed(&self) -> Vec<(RepoPath, Option<i128>)> {
        self.changed.clone()
    }

    fn is_pushed(&self, to: Option<&str>) -> bool {
        let is_it = |to: &str| self.pushed_to.is_none_or(|it| it == to);
        self.is_pushed && to.is_none_or(is_it)
    }

    fn has_moved_on_a_remote(&self) -> bool {
        !self.is_pushed_before
    }

    fn folder(&self, folder: &str) -> FolderPlace {
        match folder {
            "/repo" | "." => FolderPlace::Root,
            _ if folder.starts_with(['/', '~', '.']) => FolderPlace::Elsewhere,
            _ => FolderPlace::Below,
        }
    }
}

impl EvidenceSource for Seen {
    fn name(&self, text: &str) -> String {
        text.to_owned()
    }

    fn evidence_for(&self, text: &str) -> PathEvidence {
        let path = RepoPath::from_git(text.as_bytes()).unwrap();
        if self.files.contains_key(&path) {
            let change = Change::Written;
            PathEvidence::Changed { path, change }
        } else {
            PathEvidence::Inconclusive(SeenDoubt::Outside)
        }
    }

    fn exact_evidence_for(&self, _: &str) -> Option<PathEvidence> {
        None
    }

    fn has_folder(&self, _: &str) -> bool {
        true
    }

    fn differed_at_start(&self, _: &str) -> bool {
        false
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

    fn calls(&self) -> Option<&ToolCalls> {
        self.calls.as_ref()
    }

    fn is_settled(&self) -> bool {
        self.calls.is_some()
    }

    fn own_from(&self) -> Option<usize> {
        self.own_from
    }

    fn has_shell(&self) -> bool {
        !self.lacks_shell
    }

    fn is_told_of_a_run(&self) -> bool {
        self.is_told_of_a_run
    }

    fn may_be_known(&self, _file: &str) -> bool {
        true
    }
}

/// What is found of the assertions of a report without tool calls.
pub(super) fn judge(report: &str, seen: &Seen, is_alone: bool) -> Vec<ClaimFinding> {
    let claim: Claim = attest_claim::parse(report);
    let sources = Sources {
        repository: seen,
        transcript: seen,
        message: report,
        is_alone,
        has_another_tree: seen.has_another_tree,
    };
    sources.judge(&claim)
}

#[test]
fn a_tree_that_is_dirty_since_before_the_start_is_not_confirmed_to_be_clean() {
    let path = RepoPath::from_git(b"src/a.py").unwrap();
    let seen = Seen {
        left_before: Some(path.clone()),
        ..Seen::default()
    };
    let found = judge("Status: DONE\nWorking tree: clean\n", &seen, true).remove(0);
    let doubted = (Finding::NotJudged, Some(Doubt::DirtyBefore(path)));
    assert_eq!((found.finding, found.doubt), doubted);
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
    // Somebody else may have written what no call names and no report claims.
    assert_eq!(one(&dirty, true).doubt, Some(Doubt::NoTranscript));
    let report = "Status: DONE\nFiles changed: src/a.py\nWorking tree: clean\n";
    let found = judge(report, &dirty, true).remove(0);
    assert_eq!(
        (found.kind, found.finding),
        (Kind::Tree, Finding::TreeDirty)
    );
    assert_eq!(
        found.why.as_deref(),
        Some("\"src/a.py\" changed and is not committed")
    );
    assert_eq!(one(&dirty, false).finding, Finding::NotJudged);
    for (line, shown) in [
        ("Working tree clean: yes", "the work tree is clean"),
        ("Working tree: Clean.", "Clean."),
    ] {
        let report = format!("Status: DONE\nFiles changed: src/a.py\n{line}\n");
        assert_eq!(judge(&report, &dirty, true).remove(0).claimed, shown);
    }
}

/// What is committed, or stands in a branch, is judged in the repository of the agent, wherever its work tree is.
#[test]
fn of_a_work_tree_that_is_not_the_agents_own_nothing_is_confirmed() {
    let seen = Seen {
        has_another_tree: true,
        is_pushed: true,
        ..Seen::default()
    };
    for line in ["Working tree: clean", "Pushed: yes"] {
        let report = format!("Status: DONE\n{line}\n");
        let found = judge(&report, &seen, true).remove(0);
        let doubted = (Finding::NotJudged, Some(Doubt::AnotherTree));
        assert_eq!((found.finding, found.doubt), doubted, "{line}");
    }
}

#[test]
fn what_was_there_before_the_start_was_not_pushed_since() {
    let pushed = |is_pushed_before| {
        let seen = Seen {
            is_pushed: true,
            is_pushed_before,
            ..Seen::default()
        };
        judge("Status: DONE\nPushed: yes\n", &seen, true).remove(0)
    };
    assert_eq!(pushed(false).finding, Finding::Pushed);
    assert_eq!(pushed(true).doubt, Some(Doubt::NothingPushed));
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

/// What is said of the content of the files of a report, each with what it held at the start and holds at the stop.
fn content(report: &str, files: &[(&str, Option<usize>, usize)]) -> Vec<(Finding, String)> {
    let path = |name: &str| RepoPath::from_git(name.as_bytes()).unwrap();
    let seen = Seen {
        files: files
            .iter()
            .map(|(name, before, now)| {
                (
                    path(name),
                    (before.map(|it| vec![b'x'; it]), vec![b'x'; *now]),
                )
            })
            .collect(),
        ..Seen::default()
    };
    let claim = attest_claim::parse(report);
    let changed = files.iter().map(|(name, ..)| (path(name), Change::Written));
    let verdict = crate::weigh(&claim, changed.collect(), crate::Strict::default(), &seen);
    let sources = Sources {
        repository: &seen,
        transcript: &seen,
        message: report,
        is_alone: true,
        has_another_tree: false,
    };
    let found = sources.content(&verdict).into_iter();
    found
        .map(|found| (found.finding, found.why.unwrap()))
        .collect()
}

#[test]
fn a_file_that_lost_its_content_is_told_of_unless_the_report_says_why() {
    let report = |line: &str| format!("Status: DONE\nFiles changed:\n- {line}\n");
    let empty: &[_] = &[("src/a.py", Some(90), 0)];
    let found = content(&report("src/a.py"), empty);
    let why = "the file is empty, and had 90 bytes at the start".to_owned();
    assert_eq!(found, [(Finding::Emptied, why)]);
    let gutted: &[_] = &[("src/a.py", Some(4_000), 100)];
    let found = content(&report("src/a.py — fixed the date picker"), gutted);
    let why = "the file has 100 bytes left, and had 4000 bytes at the start".to_owned();
    assert_eq!(found, [(Finding::Gutted, why)]);
    for line in [
        "src/a.py (emptied)",
        "src/a.py — content moved to src/b.py",
        "src/a.py (as you asked)",
        "src/a.py (deleted)",
    ] {
        assert_eq!(content(&report(line), empty), [], "{line}");
        assert_eq!(content(&report(line), gutted), [], "{line}");
    }
    let told = format!("I emptied the module.\n\n{}", report("src/a.py"));
    assert_eq!(content(&told, empty), []);
    let told = format!("The parser is split now.\n\n{}", report("src/a.py"));
    assert_eq!(content(&told, gutted), []);
    assert_eq!(content(&told, empty).len(), 1, "that is another thing");
}

#[test]
fn what_is_said_in_fewer_words_leaves_no_empty_file() {
    let report = "Status: DONE\nFiles changed:\n- src/a.py \u{2014} refactored\n- src/b.py\n";
    let b = |now| ("src/b.py", Some(100), now);
    let of = |now, other| content(report, &[("src/a.py", Some(4_000), now), b(other)]);
    assert!(matches!(of(0, 100)[..], [(Finding::Emptied, _)]));
    assert_eq!(of(100, 100), [], "it may have become shorter");
    assert_eq!(of(0, 2_200), [], "it may be in another file");
}

#[test]
fn what_went_into_other_files_is_not_lost() {
    let report = "Status: DONE\nFiles changed: src/a.py, src/b.py\n";
    let gutted = ("src/a.py", Some(4_000), 100);
    assert_eq!(content(report, &[gutted, ("src/b.py", None, 3_000)]), []);
    assert_eq!(
        content(report, &[gutted, ("src/b.py", Some(1_000), 1_200)]).len(),
        1
    );
}

#[test]
fn small_files_and_those_that_are_empty_by_custom_say_nothing() {
    let report = "Status: DONE\nFiles changed: src/a.py, src/__init__.py, yarn.lock, src/new.py\n";
    let files: &[_] = &[
        ("src/a.py", Some(300), 2),
        ("src/__init__.py", None, 0),
        ("yarn.lock", Some(90_000), 20),
    ];
    assert_eq!(content(report, files), []);
    let found = content(report, &[("src/new.py", None, 0)]);
    assert_eq!(found, [(Finding::Empty, "the file is empty".to_owned())]);
}

#[test]
fn stubs_are_counted_and_speak_against_nothing() {
    let path = RepoPath::from_git(b"a.py").unwrap();
    let texts = (
        Some(b"# TODO\n".to_vec()),
        b"# TODO\n# TODO\n# FIXME\n".to_vec(),
    );
    let seen = Seen {
        files: BTreeMap::from([(path, texts)]),
        ..Seen::default()
    };
    let report = "Status: DONE\nFiles changed: a.py\n";
    let claim = attest_claim::parse(report);
    let mut verdict = crate::weigh(&claim, Vec::new(), crate::Strict::default(), &seen);
    let sources = Sources {
        repository: &seen,
        transcript: &seen,
        message: report,
        is_alone: true,
        has_another_tree: false,
    };
    let found = sources.content(&verdict);
    let why = Some("2 more than at the start: TODO, FIXME".to_owned());
    assert_eq!((found[0].finding, &found[0].why), (Finding::Stubs, &why));
    verdict.add(found);
    assert_eq!(verdict.contradictions().count(), 0);
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
            (Finding::NotJudged, false, false),
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
            "Pushed: `origin/topic`",
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

#[test]
fn a_push_is_held_against_the_place_that_it_names() {
    let seen = Seen {
        is_pushed: true,
        pushed_to: Some("origin/topic"),
        // The last push was refused, of another branch perhaps.
        transcript: Some(true),
        ..Seen::default()
    };
    for (line, is_there) in [
        ("Pushed: yes", true),
        ("Pushed: `origin/topic`", true),
        ("Pushed: yes, to origin/topic", true),
        ("Pushed: `origin/main`", false),
        ("Pushed: yes (origin/main)", false),
        ("Pushed: to origin", false),
    ] {
        let expected = if is_there {
            Finding::Pushed
        } else {
            Finding::NotJudged
        };
        assert_eq!(found(line, &seen).0, expected, "{line}");
    }
}

#[test]
fn a_push_is_held_against_the_branch_of_its_report() {
    let seen = Seen {
        has_branch: true,
        is_pushed: true,
        pushed_to: Some("wip"),
        ..Seen::default()
    };
    for (branch, expected) in [("wip", Finding::Pushed), ("main", Finding::NotJudged)] {
        let report = format!("Status: DONE\nBranch: {branch}\nPushed: yes\n");
        let found = judge(&report, &seen, true);
        assert!(found.iter().any(|it| it.finding == expected), "{found:?}");
    }
}
