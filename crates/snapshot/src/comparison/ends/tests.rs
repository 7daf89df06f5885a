use super::*;
use crate::scratch::Scratch;
use crate::{ChangedElsewhere, Limits, PathEvidence};
use attest_evidence::EvidenceSource as _;
use std::fs;

fn seen(scratch: &Scratch, start: &WorkTree, path: &str) -> PathEvidence {
    let comparison = Comparison::with(start, &scratch.root, &Limits::default()).unwrap();
    comparison.evidence_for(path)
}

fn is_landed(seen: &PathEvidence) -> bool {
    matches!(
        seen,
        PathEvidence::ChangedElsewhere(ChangedElsewhere::History(_))
    )
}

/// What is seen of a path behind commands of a shell, in a repository with a release that is older than HEAD.
fn after(commands: &str, path: &str) -> PathEvidence {
    let scratch = Scratch::new(&["old.py", "b.py"]);
    scratch.git(&["branch", "release"]);
    scratch.git(&["branch", "-M", "main"]);
    scratch.write("b.py", "fixed\n");
    scratch.sh("git commit -qam fix; git checkout -q -b older HEAD~1; git checkout -q release; echo 1 > of_release; \
         git add -A; git commit -qm release; git checkout -q main",
    );
    let start = scratch.start();
    scratch.sh(commands);
    seen(&scratch, &start, path)
}

const ADD: &str = "echo 1 > new.py; git add -A; git commit -qm add; ";

#[test]
fn what_commits_made_and_took_away_again_is_no_work() {
    for (commands, path) in [
        ("git rm -q new.py; git commit -qm rm", "new.py"),
        ("git revert --no-edit HEAD", "new.py"),
        ("git mv new.py moved.py; git commit -qm mv", "new.py"),
        (
            "git rm -q new.py; git commit -qm rm; git branch topic; git tag v1",
            "new.py",
        ),
        // On branches that came since the start, or were there.
        (
            "git checkout -qb side; git rm -q new.py; git commit -qm rm; git checkout -q main; git reset -q --hard HEAD~1",
            "new.py",
        ),
        (
            "git revert --no-edit HEAD; git checkout -q release; git merge -q --no-ff -m m main",
            "new.py",
        ),
        (
            "git rm -q new.py; git commit -qm rm; echo 2 > x; git stash -qu",
            "new.py",
        ),
        (
            "git rm -q new.py; git commit -q --amend --allow-empty -m none",
            "new.py",
        ),
    ] {
        let seen = after(&format!("{ADD}{commands}"), path);
        let is_dropped = commands.contains("--amend");
        let doubt = if is_dropped {
            Doubt::Dropped
        } else {
            Doubt::Reverted
        };
        assert_eq!(seen, PathEvidence::Inconclusive(doubt), "{commands}");
    }
}

#[test]
fn what_something_still_leads_to_is_work() {
    let gone = "git rm -q new.py; git commit -qm rm";
    for commands in [
        format!("{ADD}git tag v1; {gone}"),
        format!("{ADD}git tag -am v1 v1; {gone}"),
        format!("{ADD}git branch topic; {gone}"),
        format!("{ADD}{gone}; git update-ref refs/remotes/origin/main HEAD~1"),
        format!("{ADD}git worktree add -q --detach ../linked; {gone}"),
        format!("echo 1 > new.py; git stash -qu; {ADD}{gone}"),
        format!("echo 1 > new.py; git stash -qu; echo 2 > old.py; git stash -q; {ADD}{gone}"),
        format!("echo 1 > new.py; git add new.py; git stash -q; {ADD}{gone}"),
        format!("{ADD}{gone}; git checkout -qb side; {ADD}git checkout -q main"),
        format!(
            "git checkout -qb side; {ADD}git checkout -q main; git merge -q --no-ff -m m side; {gone}"
        ),
        format!(
            "{ADD}git mv new.py New.py; git commit -qm mv; git branch side; git reset -q --hard HEAD~2"
        ),
    ] {
        let seen = after(&commands, "new.py");
        assert!(is_landed(&seen), "{commands}: {seen:?}");
    }
}

/// What is in the index of a stash alone.
#[test]
fn each_part_of_a_stash_counts() {
    let seen = after(
        "echo 2 > b.py; git add b.py; echo fixed > b.py; git stash -q",
        "b.py",
    );
    assert!(is_landed(&seen), "{seen:?}");
}

#[test]
fn a_branch_is_compared_with_itself() {
    for commands in [
        // Deleted on a branch that came, and on one that was there.
        "git checkout -qb side; git rm -q b.py; git commit -qm rm; git checkout -q main",
        "git checkout -q release; git rm -q b.py; git commit -qm rm; git checkout -q main",
        // A fix that is here is brought to an older branch, or to a new one that begins there.
        "git checkout -q release; git cherry-pick -x main; git checkout -q main",
        "git checkout -qb backport release; git cherry-pick -x main; git checkout -q main",
        "git checkout -q release; git checkout main b.py; git commit -qm port; git checkout -q main",
        "git checkout -q release; git merge -q --no-ff -m m main; git checkout -q main",
        "git checkout -qb side; git mv b.py c.py; git commit -qm mv; git checkout -q main",
        "git checkout -q --orphan bare; git commit -qm all; git checkout -q main",
    ] {
        let seen = after(commands, "b.py");
        assert!(is_landed(&seen), "{commands}: {seen:?}");
    }
    for commands in [
        // Only the message is another one, or another file.
        "git commit -q --amend -m other",
        "echo 2 > old.py; git commit -qa --amend -m other",
        "git checkout -q older; echo 2 > b.py; git commit -qam a; git revert --no-edit HEAD; git checkout -q main",
    ] {
        let seen = after(commands, "b.py");
        let is_on_disk = matches!(seen, PathEvidence::OnDisk { .. });
        assert!(is_on_disk, "{commands}: {seen:?}");
    }
}

#[test]
fn before_the_first_commit_there_was_nothing() {
    for (commands, is_kept) in [("", true), ("git rm -q new.py; git commit -qm rm", false)] {
        let scratch = Scratch::new(&[]);
        scratch.sh("rm -r .git; git init -q -b main");
        let start = scratch.start();
        scratch.sh(ADD);
        scratch.sh(commands);
        if is_kept {
            scratch.sh("git checkout -q --orphan other; git rm -qf new.py");
        }
        let seen = seen(&scratch, &start, "new.py");
        assert_eq!(is_landed(&seen), is_kept, "{seen:?}");
        assert!(!scratch.root.join("new.py").exists());
    }
}

#[test]
fn a_folder_is_kept_if_anything_in_it_is() {
    let make = "mkdir new; echo 1 > new/a.py; echo 1 > new/b.py; git add -A; git commit -qm add; ";
    for (commands, is_kept) in [
        ("git rm -rq new; git commit -qm rm", false),
        (
            "git rm -q new/a.py; git commit -qm a; git branch side; git rm -q new/b.py; git commit -qm b",
            true,
        ),
    ] {
        let seen = after(&format!("{make}{commands}"), "new/");
        assert_eq!(is_landed(&seen), is_kept, "{seen:?}");
    }
}

/// More names than are looked at, and commits that cannot be read.
#[test]
fn what_is_not_read_counts() {
    let names =
        "for i in $(seq 260); do git branch b$i $(git commit-tree -p HEAD -m $i HEAD^{tree}); done";
    let gone = "git rm -q new.py; git commit -qm rm";
    let seen = after(&format!("{ADD}{gone}; {names}"), "new.py");
    assert!(is_landed(&seen), "{seen:?}");
    let scratch = Scratch::new(&["old.py"]);
    let start = scratch.start();
    scratch.sh(&format!("{ADD}{gone}"));
    fs::write(scratch.root.join(".git/refs/heads/broken"), "x").unwrap();
    let seen = self::seen(&scratch, &start, "new.py");
    assert!(!is_landed(&seen), "a broken name leads nowhere: {seen:?}");
}
