use attest_evidence::{
    ChangedElsewhere, CommitPlace, EvidenceSource as _, PathEvidence, RangeSource as _, Touch,
};

use super::*;
use crate::scratch::Scratch;

/// A repository whose branch `work` adds, changes, removes and makes and removes a file.
fn worked() -> Scratch {
    let scratch = Scratch::new(&["src/old.py", "src/gone.py", "src/same.py", ".gitignore"]);
    scratch.git(&["branch", "--move", "main"]);
    scratch.write(".gitignore", "dist/\n");
    scratch.git(&["commit", "--quiet", "--all", "--message", "rules"]);
    scratch.git(&["checkout", "--quiet", "-b", "work"]);
    scratch.write("src/new.py", "new\n");
    scratch.write("src/old.py", "changed\n");
    scratch.write("src/short.py", "for now\n");
    commit(&scratch, "one");
    scratch.git(&["rm", "--quiet", "src/gone.py"]);
    commit(&scratch, "two");
    scratch.git(&["rm", "--quiet", "src/short.py"]);
    commit(&scratch, "three\n\nFiles changed: src/short.py");
    scratch
}

fn commit(scratch: &Scratch, message: &str) {
    scratch.git(&["add", "--all"]);
    scratch.git(&["commit", "--quiet", "--message", message]);
}

fn with_range(scratch: &Scratch, look: impl Fn(&Range<'_>)) {
    let limits = Limits::default();
    let repository = Repository::discover(&scratch.root, &limits).unwrap();
    look(&Range::read(&repository, None, "HEAD", &limits).unwrap());
    let repository = repository.through_program("for a test");
    look(&Range::read(&repository, Some("main"), "work", &limits).unwrap());
}

#[test]
fn a_range_knows_what_it_touched_and_what_it_never_did() {
    let scratch = worked();
    with_range(&scratch, |range| {
        let seen = |text: &str| range.evidence_for(text);
        let is_changed = |text| matches!(seen(text), PathEvidence::Changed { .. });
        assert!(is_changed("src/new.py") && is_changed("./SRC/Old.py") && is_changed("src/"));
        assert!(matches!(
            seen("src/gone.py"),
            PathEvidence::Changed {
                change: Change::Deleted,
                ..
            }
        ));
        assert!(matches!(
            seen("src/same.py"),
            PathEvidence::OnDisk {
                touch: Touch::Untouched,
                ..
            }
        ));
        assert!(matches!(seen("src/ghost.py"), PathEvidence::Absent(_)));
        assert!(matches!(
            seen("lib/new.py"),
            PathEvidence::SameBasename { .. }
        ));
        assert!(range.is_gone_again("src/short.py") && !range.is_gone_again("src/ghost.py"));
        for (text, doubt) in [
            ("dist/app.js", Doubt::Ignored),
            ("/etc/passwd", Doubt::Outside),
            ("../a.py", Doubt::NoPlace),
        ] {
            assert_eq!(seen(text), PathEvidence::Inconclusive(doubt), "{text}");
        }
        assert_eq!(range.file_counts().unwrap()[0], 2..=3);
        assert_eq!(range.len(), 3);
    });
}

#[test]
fn a_namesake_says_what_else_is_known_of_the_path() {
    let scratch = worked();
    scratch.write("lib/same.py", "new\n");
    commit(&scratch, "four");
    with_range(&scratch, |range| {
        for (text, expected) in [
            ("lib/new.py", None),
            ("src/same.py", Some(Doubt::KnownAtStart)),
            ("dist/new.py", Some(Doubt::Ignored)),
        ] {
            let PathEvidence::SameBasename { doubt, .. } = range.evidence_for(text) else {
                panic!("{text}");
            };
            assert_eq!(doubt, expected, "{text}");
        }
    });
}

#[test]
fn one_commit_is_a_range_of_its_own() {
    let scratch = worked();
    with_range(&scratch, |range| {
        let messages = range.messages().unwrap();
        assert!(messages[0].text.starts_with("three\n\nFiles"));
        let alone = range.alone(&messages[0]).unwrap();
        let seen = alone.evidence_for("src/short.py");
        assert!(matches!(seen, PathEvidence::Changed { .. }));
        let seen = alone.evidence_for("src/new.py");
        assert!(matches!(seen, PathEvidence::OnDisk { .. }));
    });
}

#[test]
fn a_commit_of_another_branch_is_elsewhere_only_if_nothing_of_it_is_here() {
    let scratch = worked();
    scratch.git(&["checkout", "--quiet", "-b", "copy", "main"]);
    scratch.write("src/new.py", "another\n");
    commit(&scratch, "the same file");
    let copied = scratch.ask(&["rev-parse", "HEAD"], b"");
    scratch.write("src/other.py", "other\n");
    commit(&scratch, "another file");
    let other = scratch.ask(&["rev-parse", "HEAD"], b"");
    scratch.git(&["checkout", "--quiet", "work"]);
    let own = scratch.ask(&["rev-parse", "--short", "HEAD~1"], b"");
    let before = scratch.ask(&["rev-parse", "main"], b"");
    with_range(&scratch, |range| {
        assert_eq!(range.place_of(&own), Ok(CommitPlace::Inside));
        assert_eq!(range.place_of(&before), Ok(CommitPlace::Before));
        assert_eq!(range.place_of(&other), Ok(CommitPlace::OtherBranch));
        assert_eq!(range.place_of(&copied), Err(Doubt::InHistory));
        assert_eq!(range.place_of("abcdef123456"), Err(Doubt::NotInClone));
    });
}

#[test]
fn what_was_changed_and_changed_back_was_touched_all_the_same() {
    let scratch = worked();
    scratch.write("src/same.py", "changed\n");
    commit(&scratch, "change");
    scratch.git(&["revert", "--no-edit", "HEAD"]);
    scratch.git(&["rm", "--quiet", "src/same.py"]);
    commit(&scratch, "remove");
    scratch.git(&["revert", "--no-edit", "HEAD"]);
    with_range(&scratch, |range| {
        let seen = range.evidence_for("src/same.py");
        let landed = PathEvidence::ChangedElsewhere(ChangedElsewhere::History(
            RepoPath::from_git(b"src/same.py").unwrap(),
        ));
        assert_eq!(seen, landed);
        assert!(!range.is_gone_again("src/same.py"));
    });
}

#[test]
fn what_came_into_the_branch_beside_is_in_doubt() {
    let scratch = worked();
    scratch.git(&["checkout", "--quiet", "main"]);
    scratch.write("src/beside.py", "beside\n");
    commit(&scratch, "beside");
    scratch.git(&["checkout", "--quiet", "work"]);
    with_range(&scratch, |range| {
        let seen = range.evidence_for("src/beside.py");
        assert_eq!(seen, PathEvidence::Inconclusive(Doubt::InHistory));
    });
}
