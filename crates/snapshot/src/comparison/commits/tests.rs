use std::fs;

use super::*;
use crate::Limits;
use crate::scratch::Scratch;

/// A name that no object has.
const INVENTED: &str = "1a2b3c4";

fn stop(start: &WorkTree) -> Comparison<'_> {
    Comparison::with(start, &start.root, &Limits::default()).unwrap()
}

fn head(scratch: &Scratch) -> String {
    scratch.ask(&["rev-parse", "HEAD"], b"")
}

fn commit(scratch: &Scratch, more: &[&str]) -> String {
    let words = ["commit", "--quiet", "--allow-empty", "--message=work"];
    scratch.git(&[&words[..], more].concat());
    head(scratch)
}

const NEW: CommitEvidence = CommitEvidence::Found {
    is_old: false,
    is_reachable: Some(true),
};

#[test]
fn a_commit_is_new_or_old_or_nowhere() {
    let scratch = Scratch::new(&["a.py"]);
    let old = head(&scratch);
    scratch.settle();
    let start = scratch.start();
    let new = commit(&scratch, &[]);
    let comparison = stop(&start);
    assert_eq!(comparison.commit_evidence(&new[..7]), NEW);
    let found = comparison.commit_evidence(&old);
    assert!(matches!(found, CommitEvidence::Found { is_old: true, .. }));
    for hash in [INVENTED.to_owned(), "1a".repeat(20), "1a".repeat(32)] {
        let found = comparison.commit_evidence(&hash);
        assert_eq!(found, CommitEvidence::Missing, "{hash}");
    }
}

#[test]
fn a_commit_that_was_amended_away_is_still_there() {
    let scratch = Scratch::new(&["a.py"]);
    let start = scratch.start();
    let first = commit(&scratch, &[]);
    let second = commit(&scratch, &["--amend", "--reset-author"]);
    if first == second {
        return;
    }
    let comparison = stop(&start);
    let gone = CommitEvidence::Found {
        is_old: false,
        is_reachable: Some(false),
    };
    assert_eq!(comparison.commit_evidence(&first), gone);
    assert_eq!(comparison.commit_evidence(&second), NEW);
}

#[test]
fn a_commit_that_was_pruned_is_not_known_to_be_missing() {
    let scratch = Scratch::new(&["a.py"]);
    scratch.settle();
    let start = scratch.start();
    let gone = commit(&scratch, &[]);
    scratch.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    scratch.git(&["reflog", "expire", "--expire=now", "--all"]);
    scratch.git(&["gc", "--quiet", "--prune=now"]);
    let found = stop(&start).commit_evidence(&gone);
    assert_eq!(found, CommitEvidence::Inconclusive(Doubt::ObjectsPacked));
}

#[test]
fn other_things_than_commits_prove_nothing() {
    let scratch = Scratch::new(&["a.py"]);
    let start = scratch.start();
    scratch.git(&["tag", "--annotate", "--message=x", "v1"]);
    for name in ["v1", "HEAD^{tree}"] {
        let oid = scratch.ask(&["rev-parse", name], b"");
        let found = stop(&start).commit_evidence(&oid);
        assert_eq!(found, CommitEvidence::Inconclusive(Doubt::NotACommit));
    }
}

#[test]
fn repositories_that_calls_name_are_looked_at() {
    let scratch = Scratch::new(&["a.py"]);
    let start = scratch.start();
    let other = scratch.root.with_file_name("other");
    let [from, to] = [&scratch.root, &other].map(|path| path.to_str().unwrap().to_owned());
    scratch.git(&["clone", "--quiet", &from, &to]);
    scratch.git(&[
        "-C",
        &to,
        "commit",
        "--quiet",
        "--allow-empty",
        "--message=x",
    ]);
    scratch.git(&["-C", &to, "branch", "topic"]);
    let new = scratch.ask(&["-C", &to, "rev-parse", "HEAD"], b"");
    let mut comparison = stop(&start);
    assert_eq!(comparison.commit_evidence(&new), CommitEvidence::Missing);
    assert_eq!(comparison.knows_branch("topic"), Ok(false));
    let place = other.join("src/deep/new.py");
    comparison.add_mentions(&Searched::all(vec![Mention::Around(place)]));
    let found = comparison.commit_evidence(&new);
    assert_eq!(found, CommitEvidence::FoundElsewhere(other.clone()));
    assert_eq!(comparison.knows_branch("topic"), Ok(true));
    assert_eq!(
        comparison.commit_evidence(INVENTED),
        CommitEvidence::Missing
    );
    fs::write(other.join(".git/shallow"), "x\n").unwrap();
    let found = comparison.commit_evidence(INVENTED);
    assert_eq!(found, CommitEvidence::Inconclusive(Doubt::PartOfHistory));
}

#[test]
fn branches_of_all_kinds_are_known() {
    let scratch = Scratch::new(&["a.py"]);
    scratch.git(&["branch", "then"]);
    scratch.git(&["update-ref", "refs/remotes/origin/feat/far", "HEAD"]);
    let start = scratch.start();
    scratch.git(&["branch", "--quiet", "--delete", "--force", "then"]);
    scratch.git(&["branch", "now"]);
    scratch.git(&["symbolic-ref", "refs/heads/alias", "refs/heads/now"]);
    let tree = scratch.root.with_file_name("tree");
    scratch.git(&[
        "worktree",
        "add",
        "--quiet",
        "-b",
        "linked",
        tree.to_str().unwrap(),
    ]);
    scratch.git(&["switch", "--quiet", "--orphan", "unborn"]);
    let comparison = stop(&start);
    for name in [
        "then",
        "now",
        "Now",
        "alias",
        "linked",
        "unborn",
        "feat/far",
        "origin/feat/far",
        "refs/heads/now",
    ] {
        assert_eq!(comparison.knows_branch(name), Ok(true), "{name}");
    }
    for name in ["never", "far", "feat", "heads/now"] {
        assert_eq!(comparison.knows_branch(name), Ok(false), "{name}");
    }
}

#[test]
fn a_remote_that_has_head_shows_the_push() {
    let scratch = Scratch::new(&["a.py"]);
    let start = scratch.start();
    scratch.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    assert!(stop(&start).is_all_on_a_remote(None));
    commit(&scratch, &[]);
    assert!(!stop(&start).is_all_on_a_remote(None));
    scratch.git(&["update-ref", "refs/remotes/origin/topic", "HEAD"]);
    let is_on = |to| stop(&start).is_all_on_a_remote(Some(to));
    assert!(is_on("origin") && is_on("origin/topic"));
    assert!(!is_on("origin/main") && !is_on("origin/top") && !is_on("backup"));
    assert!(stop(&start).is_all_on_a_remote(None));
    scratch.git(&["switch", "--quiet", "-c", "other"]);
    commit(&scratch, &[]);
    scratch.git(&["switch", "--quiet", "-"]);
    assert!(
        !stop(&start).is_all_on_a_remote(None),
        "a branch was not pushed"
    );
}

#[test]
fn a_branch_without_what_was_committed_is_not_the_one_that_was_worked_on() {
    let scratch = Scratch::new(&["a.py"]);
    let main = scratch.ask(&["symbolic-ref", "--short", "HEAD"], b"");
    let start = scratch.start();
    scratch.git(&["switch", "--quiet", "-c", "wip"]);
    assert_eq!(stop(&start).knows_branch(&main), Ok(true));
    commit(&scratch, &[]);
    scratch.git(&["update-ref", "refs/remotes/origin/wip", "HEAD"]);
    for at in ["wip", &main] {
        scratch.git(&["switch", "--quiet", at]);
        let found = |name| stop(&start).knows_branch(name);
        assert_eq!(found("wip"), Ok(true), "{at}");
        assert_eq!(found("origin/wip"), Ok(true), "{at}");
        assert_eq!(found(&main), Err(Doubt::OtherBranch), "{at}");
        let is_on = |to| stop(&start).is_all_on_a_remote(Some(to));
        assert!(is_on("wip") && !is_on(&main), "{at}");
    }
    scratch.git(&["merge", "--quiet", "wip"]);
    assert_eq!(stop(&start).knows_branch(&main), Ok(true));
}
