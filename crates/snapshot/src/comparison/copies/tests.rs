use std::fs;
use std::path::PathBuf;

use super::*;
use crate::scratch::Scratch;
use crate::{ChangedElsewhere, Limits, Mention, PathEvidence, WorkTree};
use attest_evidence::{EvidenceSource as _, Searched};

/// A repository with a branch on which `src/b.py` is older.
fn scratch() -> Scratch {
    let scratch = Scratch::new(&["src/a.py", "src/b.py"]);
    scratch.git(&["branch", "older"]);
    scratch.write("src/b.py", "new\n");
    scratch.git(&["commit", "-qam", "fix"]);
    scratch.git(&["branch", "newer"]);
    scratch.settle();
    scratch
}

fn beside(scratch: &Scratch, name: &str) -> PathBuf {
    scratch.root.with_file_name(name)
}

/// What is seen of `src/b.py` if a call names these places, and what was seen of the start.
fn seen_from(scratch: &Scratch, start: &WorkTree, mentions: Vec<Mention>) -> PathEvidence {
    let mut comparison = Comparison::with(start, &scratch.root, &Limits::default()).unwrap();
    comparison.add_mentions(&Searched::all(mentions));
    comparison.evidence_for("src/b.py")
}

/// The same, of an agent that ran commands in a place `../other`.
fn after(before: &str, commands: &str) -> PathEvidence {
    let scratch = scratch();
    scratch.sh(before);
    scratch.settle();
    let start = scratch.start();
    scratch.sh(commands);
    let around = Mention::Around(beside(&scratch, "other"));
    seen_from(&scratch, &start, vec![around])
}

fn is_work(seen: &PathEvidence) -> bool {
    let is_untouched = matches!(
        seen,
        PathEvidence::OnDisk {
            touch: Touch::Untouched,
            ..
        }
    );
    let is_landed = matches!(
        seen,
        PathEvidence::ChangedElsewhere(
            ChangedElsewhere::Worktree(_)
                | ChangedElsewhere::Written(_)
                | ChangedElsewhere::History(_)
        )
    );
    assert!(is_untouched || is_landed, "{seen:?}");
    is_landed
}

#[test]
fn what_a_checkout_put_there_is_no_work() {
    for tree in ["../other", "inside", "../elsewhere"] {
        for (commands, expected) in [
            ("true", false),
            ("git rm -q src/a.py && git commit -qm a", false),
            ("touch src/b.py; echo 1 > new.py", false),
            // Of the same size, and at once.
            ("echo odd > src/b.py", true),
            ("chmod +x src/b.py", true),
            ("echo odd > src/b.py; git add -A", true),
            ("echo odd > src/b.py; git commit -qam b", true),
            ("echo odd > src/b.py; git stash -q", true),
        ] {
            let add = format!("git worktree add -q {tree} -b side; cd {tree}; {commands}");
            assert_eq!(is_work(&after("true", &add)), expected, "{add}");
        }
    }
}

#[test]
fn nor_is_what_another_branch_has_there() {
    let add = "git worktree add -q ../other older";
    assert!(!is_work(&after("true", add)));
    let port = "cd ../other; git checkout -q newer -- src/b.py";
    assert!(is_work(&after("true", &format!("{add}; {port}"))));
    // In one that was there, something may have been put back.
    assert!(is_work(&after(add, port)));
    assert!(is_work(&after(
        add,
        &format!("{port}; git reset -q --hard")
    )));
}

#[test]
fn a_file_that_only_a_new_work_tree_has_is_as_it_came() {
    let scratch = scratch();
    scratch.sh("git checkout -qb side; echo 1 > c.py; echo 1 > d.py; git add -A; git commit -qm c; git checkout -q -",
    );
    scratch.settle();
    let start = scratch.start();
    scratch.sh("git worktree add -q ../other side; cd ../other; echo 2 > d.py; echo gen.py > .gitignore; echo 1 > gen.py",
    );
    let comparison = Comparison::with(&start, &scratch.root, &Limits::default()).unwrap();
    for (path, expected) in [
        ("c.py", false),
        ("../other/c.py", false),
        ("d.py", true),
        ("../other/d.py", true),
        ("gen.py", true),
    ] {
        assert_eq!(is_work(&comparison.evidence_for(path)), expected, "{path}");
    }
}

#[test]
fn a_copy_is_no_work() {
    for (commands, expected) in [
        ("cp -r src ../other/", false),
        ("cp -rp src ../other/", false),
        ("cp -r . ../other/all", false),
        ("cp -r src ../other/; echo 1 > ../other/src/c.py", false),
        ("cp -r src ../other/; echo odd > ../other/src/b.py", true),
        ("cp -r src ../other/; echo more >> ../other/src/b.py", true),
        ("git clone -q . ../other/clone", false),
        (
            "git clone -q . ../other/clone; cd ../other/clone; echo 1 > src/a.py; git commit -qam a",
            false,
        ),
        (
            "git clone -q . ../other/clone; cd ../other/clone; echo odd > src/b.py",
            true,
        ),
        (
            "git clone -q . ../other/clone; cd ../other/clone; echo odd > src/b.py; git commit -qam b",
            true,
        ),
        // A fix that is brought to what another branch has.
        (
            "git clone -q -b older . ../other/clone; cp src/b.py ../other/clone/src/",
            true,
        ),
        (
            "git clone -q -b older . ../other/clone; cd ../other/clone; git cherry-pick -x origin/HEAD",
            true,
        ),
    ] {
        assert_eq!(
            is_work(&after("mkdir ../other", commands)),
            expected,
            "{commands}"
        );
    }
}

#[test]
fn nor_is_one_in_the_work_tree_itself() {
    for (commands, expected) in [
        ("git clone -q . clone", false),
        ("git clone -q . clone; cd clone; echo odd > src/b.py", true),
        (
            "git clone -q . clone; cd clone; echo odd > src/b.py; git commit -qam b",
            true,
        ),
    ] {
        assert_eq!(is_work(&after("true", commands)), expected, "{commands}");
    }
}

/// What was there may have been brought to what it is.
#[test]
fn a_file_that_came_into_what_was_there_may_be_work() {
    for (before, commands) in [
        (
            "mkdir -p ../other/src; echo 1 > ../other/src/b.py",
            "cp src/b.py ../other/src/",
        ),
        (
            "git clone -q -b older . ../other",
            "cp src/b.py ../other/src/",
        ),
        (
            "git clone -q -b older . ../other",
            "cp src/b.py ../other/src/; cd ../other; git commit -qam b",
        ),
    ] {
        assert!(is_work(&after(before, commands)), "{commands}");
    }
    let scratch = scratch();
    let start = scratch.start();
    scratch.sh("mkdir ../other; cp -r src ../other/");
    let copy = beside(&scratch, "other/src/b.py");
    let around = Mention::Around(beside(&scratch, "other"));
    let seen = seen_from(&scratch, &start, vec![around, Mention::Written(copy)]);
    assert!(is_work(&seen), "a call names it: {seen:?}");
    fs::remove_dir_all(beside(&scratch, "other")).unwrap();
}
