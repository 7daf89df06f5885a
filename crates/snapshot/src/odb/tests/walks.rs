//! What two trees or two histories have not in common.

use std::collections::BTreeSet;

use super::super::walk::Differing;
use super::*;

fn tips(scratch: &Scratch, names: &[&str]) -> BTreeSet<Oid> {
    names.iter().map(|name| oid(scratch, name)).collect()
}

fn between(odb: &Odb<'_>, scratch: &Scratch, without: &[&str], of: &[&str]) -> BTreeSet<Oid> {
    let found = commits_between(odb, &tips(scratch, without), &tips(scratch, of)).unwrap();
    let count = found.len();
    let found: BTreeSet<_> = found.into_iter().collect();
    assert_eq!(found.len(), count, "none twice");
    found
}

/// A commit on whatever is checked out, with a time of its own.
fn commit_at(scratch: &Scratch, time: u64) {
    let tree = scratch.ask(&["rev-parse", "HEAD^{tree}"], b"");
    let parent = scratch.ask(&["rev-parse", "HEAD"], b"");
    let text = format!(
        "tree {tree}\nparent {parent}\nauthor T <t@example.invalid> {time} +0000\n\
         committer T <t@example.invalid> {time} +0000\n\nx{time}\n"
    );
    let oid = scratch.ask(
        &["hash-object", "-t", "commit", "-w", "--stdin"],
        text.as_bytes(),
    );
    scratch.git(&["reset", "--quiet", "--soft", &oid]);
}

/// As `git rev-list` says, with times that lie as well.
#[test]
fn commits_between_are_what_git_says() {
    for times in [
        [10, 20, 30, 40],
        [40, 30, 20, 10],
        [1, 99_999_999_999, 2, 3],
    ] {
        let scratch = Scratch::new(&["a.py"]);
        scratch.git(&["branch", "base"]);
        for (number, time) in times.iter().enumerate() {
            commit_at(&scratch, *time);
            scratch.git(&["branch", &format!("c{number}")]);
        }
        scratch.git(&["checkout", "--quiet", "-b", "side", "c1"]);
        commit_at(&scratch, 25);
        scratch.git(&["merge", "--quiet", "--no-ff", "--message=m", "c3"]);
        for (without, of) in [
            (&["base"][..], &["c3"][..]),
            (&["c3"], &["base"]),
            (&["c1"], &["side"]),
            (&["c3"], &["side"]),
            (&["side"], &["c3"]),
            (&["base", "c2"], &["side", "c3"]),
            (&[], &["side"]),
        ] {
            let mut list = vec!["rev-list"];
            list.extend(of);
            list.push("--not");
            list.extend(without);
            let said = scratch.ask(&list, b"");
            let said: BTreeSet<_> = said
                .lines()
                .filter_map(|line| Oid::from_hex(line.as_bytes()))
                .collect();
            with_both(&scratch, |odb, how| {
                let found = between(odb, &scratch, without, of);
                assert_eq!(found, said, "{how} {times:?} {without:?} {of:?}");
            });
        }
    }
}

#[test]
fn a_missing_commit_is_an_error() {
    let scratch = Scratch::new(&["a.py"]);
    commit_at(&scratch, 10);
    commit_at(&scratch, 20);
    let [first, last] = ["HEAD~2", "HEAD"].map(|name| oid(&scratch, name));
    std::fs::remove_file(file_of(&scratch, oid(&scratch, "HEAD~1"))).unwrap();
    with_both(&scratch, |odb, how| {
        let (without, of) = (BTreeSet::from([first]), BTreeSet::from([last]));
        assert!(commits_between(odb, &without, &of).is_err(), "{how}");
    });
}

#[test]
fn a_file_that_became_a_folder_differs_as_both() {
    let scratch = Scratch::new(&["x", "same/a.py"]);
    let old = oid(&scratch, "HEAD^{tree}");
    std::fs::remove_file(scratch.root.join("x")).unwrap();
    scratch.write("x/y", "new\n");
    scratch.git(&["add", "--all"]);
    let new = scratch.ask(&["write-tree"], b"");
    let new = Oid::from_hex(new.as_bytes()).unwrap();
    with_both(&scratch, |odb, how| {
        let mut found = BTreeSet::new();
        let take = |at: Differing| {
            found.insert((at.path.to_string(), at.old.is_some(), at.new.is_some()));
            Ok(())
        };
        differing(odb, b"base", Some(old), Some(new), take).unwrap();
        let expected = [("base/x", true, false), ("base/x/y", false, true)];
        let expected = expected.map(|(path, old, new)| (path.to_owned(), old, new));
        assert_eq!(found, BTreeSet::from(expected), "{how}");
    });
}

#[test]
fn a_name_that_leaves_the_work_tree_is_an_error() {
    let scratch = Scratch::new(&["a.py"]);
    let blob = oid(&scratch, "HEAD:a.py");
    for name in ["..", ".", ""] {
        let mut tree = format!("100644 {name}\0").into_bytes();
        tree.extend(blob.as_bytes());
        let arguments = ["hash-object", "--literally", "-t", "tree", "-w", "--stdin"];
        let tree = scratch.ask(&arguments, &tree);
        let tree = Oid::from_hex(tree.as_bytes()).unwrap();
        with_both(&scratch, |odb, how| {
            let found = differing(odb, b"", None, Some(tree), |_| Ok(()));
            assert!(found.is_err(), "{how} {name:?}");
        });
    }
}
