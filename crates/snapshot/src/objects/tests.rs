use std::fs;

use super::*;
use crate::scratch::Scratch;
use crate::{Limits, Repository, WorkTree};

fn new_work(scratch: &Scratch, start: &WorkTree) -> NewWork {
    let repository = Repository::discover(&scratch.root, &Limits::default()).unwrap();
    let limits = Limits::default();
    let odb = repository.odb(&limits);
    NewWork::list(
        &odb,
        &start.common_dir,
        &start.taken_at,
        &Before {
            store: start.store.as_ref(),
            trail: start.trail.as_ref(),
            head: start.head.oid.as_deref(),
            tips: start.refs.values().map(String::as_str).collect(),
            has_dropped_a_branch: false,
            is_known: None,
        },
    )
    .unwrap()
}

fn paths(work: &NewWork) -> Vec<String> {
    work.paths.iter().map(ToString::to_string).collect()
}

fn settled(files: &[&str]) -> Scratch {
    let scratch = Scratch::new(files);
    scratch.settle();
    scratch
}

#[test]
fn a_commit_that_nothing_leads_to_any_more_is_work_and_what_it_lists_is_not() {
    let scratch = settled(&["src/old.py", "src/b.py"]);
    let start = scratch.start();
    scratch.git(&["checkout", "--quiet", "-b", "side"]);
    scratch.write("src/new.py", "new\n");
    scratch.git(&["rm", "--quiet", "src/b.py"]);
    scratch.git(&["add", "--all"]);
    scratch.git(&["commit", "--quiet", "--message", "side"]);
    scratch.git(&["checkout", "--quiet", "-"]);
    scratch.git(&["branch", "--quiet", "-D", "side"]);
    let work = new_work(&scratch, &start);
    assert_eq!(paths(&work), ["src/b.py", "src/new.py"]);
    assert!(!work.incomplete);
    assert!(!work.has(b"old.py"), "listed, and no work");
}

#[test]
fn of_a_tree_without_a_commit_only_new_names_count() {
    let scratch = settled(&["src/old.py"]);
    let start = scratch.start();
    scratch.write("src/new.py", "old\n");
    scratch.git(&["add", "--all"]);
    scratch.git(&["write-tree"]);
    let work = new_work(&scratch, &start);
    assert!(work.has(b"new.py"), "also with a content that is not new");
    assert!(!work.has(b"old.py"));
}

#[test]
fn a_pack_that_came_is_read() {
    let scratch = settled(&["a.py"]);
    let start = scratch.start();
    scratch.write("b.py", "new\n");
    scratch.git(&["add", "--all"]);
    scratch.git(&["commit", "--quiet", "--message", "more"]);
    // Without `-d` the loose objects stay.
    scratch.git(&["repack", "--quiet"]);
    scratch.git(&["prune-packed", "--dry-run"]);
    let work = new_work(&scratch, &start);
    assert!(!work.incomplete);
    assert!(paths(&work).contains(&"b.py".to_owned()));
}

#[test]
fn a_pack_that_was_only_touched_is_old() {
    let scratch = Scratch::new(&["a.py"]);
    scratch.git(&["repack", "--quiet", "-a", "-d"]);
    scratch.settle();
    let start = scratch.start();
    for file in fs::read_dir(scratch.root.join(".git/objects/pack")).unwrap() {
        let file = fs::File::open(file.unwrap().path()).unwrap();
        file.set_modified(std::time::SystemTime::now()).unwrap();
    }
    let work = new_work(&scratch, &start);
    assert!(!work.incomplete && work.paths.is_empty());
}

/// A stash that was dropped: packing keeps its commits for weeks, pruning does not.
#[test]
fn what_was_dropped_leaves_a_doubt_and_what_was_packed_away_is_read() {
    for (collect, is_kept) in [
        (&["gc", "--quiet"][..], true),
        (&["gc", "--quiet", "--prune=now"], false),
        (&["prune", "--expire=now"], false),
    ] {
        let scratch = settled(&["a.py"]);
        let start = scratch.start();
        scratch.write("b.py", "new\n");
        scratch.git(&["add", "--all"]);
        scratch.git(&["stash", "--quiet"]);
        scratch.git(&["stash", "drop", "--quiet"]);
        scratch.git(collect);
        let work = new_work(&scratch, &start);
        assert_eq!(work.incomplete, !is_kept, "{collect:?}");
        let is_read = paths(&work).contains(&"b.py".to_owned());
        assert_eq!(is_read, is_kept, "{collect:?}");
    }
}
