use std::collections::BTreeSet;

use super::*;
use crate::scratch::Scratch;

fn look(scratch: &Scratch, texts: &[&str], folders: &[&str]) -> Vec<PathEvidence> {
    let folders: Vec<_> = folders.iter().map(|it| scratch.root.join(it)).collect();
    let limits = Limits::default().trusting(scratch.root.parent().unwrap());
    let mut back = LookingBack::at(&scratch.root, &limits).unwrap();
    let meanings: Vec<_> = texts.iter().map(|it| back.meanings(it, &folders)).collect();
    let wanted = meanings.iter().map(|it| it.last().to_owned()).collect();
    back.search(&wanted, None);
    meanings.iter().map(|it| back.evidence(it)).collect()
}

fn is_absent(evidence: &PathEvidence) -> bool {
    matches!(evidence, PathEvidence::Absent(_))
}

fn is_on_disk(evidence: &PathEvidence) -> bool {
    matches!(evidence, PathEvidence::OnDisk { .. })
}

fn is_committed(evidence: &PathEvidence) -> bool {
    let history = |it: &ChangedElsewhere| matches!(it, ChangedElsewhere::History(_));
    matches!(evidence, PathEvidence::ChangedElsewhere(it) if history(it))
}

#[test]
fn what_is_there_is_found_by_any_name_that_it_may_have() {
    let scratch = Scratch::new(&["src/Deep/a.py", "b.py"]);
    let whole = scratch.root.join("b.py");
    let texts = [
        "src/deep/a.py",
        "./b.py",
        "a.py",
        "../b.py",
        "Deep/A.py",
        "project/b.py",
        whole.to_str().unwrap(),
        "src/Deep/a",
        "src/deep/",
        r"src\Deep\a.py",
    ];
    let found = look(&scratch, &texts, &["src"]);
    for (text, found) in texts.iter().zip(&found) {
        assert!(is_on_disk(found), "{text}: {found:?}");
    }
}

#[test]
fn what_was_never_there_is_absent() {
    let scratch = Scratch::new(&["src/a.py", "lib/b.py"]);
    let texts = [
        "src/b.py",
        "c.py",
        "src/deep/",
        "lib/a.py",
        "a.py.bak",
        "src/a.pyc",
    ];
    for (text, found) in texts.iter().zip(look(&scratch, &texts, &["src"])) {
        assert!(is_absent(&found), "{text}: {found:?}");
    }
}

#[test]
fn what_a_commit_touched_is_found_wherever_it_is() {
    let scratch = Scratch::new(&["a.py"]);
    let commit = |name: &str| {
        scratch.write(name, "x\n");
        scratch.git(&["add", "--all"]);
        scratch.git(&["commit", "--quiet", "-m", name]);
    };
    commit("deleted.py");
    scratch.git(&["rm", "--quiet", "deleted.py"]);
    scratch.git(&["commit", "--quiet", "-m", "gone"]);
    commit("old/Name.py");
    scratch.git(&["mv", "old/Name.py", "new.py"]);
    scratch.git(&["commit", "--quiet", "-m", "renamed"]);
    commit("amended.py");
    scratch.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    scratch.git(&["checkout", "--quiet", "-b", "other"]);
    commit("branch.py");
    commit("schön.py");
    scratch.git(&["checkout", "--quiet", "-"]);
    scratch.write("stashed.py", "x\n");
    scratch.git(&["stash", "--quiet", "--include-untracked"]);
    let texts = [
        "deleted.py",
        "old/name.py",
        "amended.py",
        "branch.py",
        "stashed.py",
        "scho\u{308}n.py",
        "deleted",
        "old/",
    ];
    for (text, found) in texts.iter().zip(look(&scratch, &texts, &[])) {
        assert!(is_committed(&found), "{text}: {found:?}");
    }
    let others = ["other/deleted.py", "brunch.py", "ol/name.py"];
    for (text, found) in others.iter().zip(look(&scratch, &others, &[])) {
        assert!(is_absent(&found), "{text}: {found:?}");
    }
}

#[test]
fn commits_before_the_time_are_left_out() {
    let scratch = Scratch::new(&["a.py"]);
    scratch.git(&["rm", "--quiet", "a.py"]);
    scratch.git(&["commit", "--quiet", "-m", "gone"]);
    let found = |since: &str| {
        let mut back = LookingBack::at(&scratch.root, &Limits::default()).unwrap();
        let meanings = back.meanings("a.py", &[]);
        back.search(&BTreeSet::from(["a.py".to_owned()]), Some(since));
        back.evidence(&meanings)
    };
    assert!(is_committed(&found("2001-01-01T00:00:00Z")));
    assert!(is_absent(&found("2099-01-01T00:00:00Z")));
}

#[test]
fn what_git_ignores_or_knows_leaves_a_doubt() {
    let scratch = Scratch::new(&["kept.py"]);
    scratch.write(".gitignore", "build/\n*.log\n");
    scratch.git(&["rm", "--quiet", "--cached", "kept.py"]);
    scratch.write("staged.py", "x\n");
    scratch.git(&["add", "staged.py"]);
    std::fs::remove_file(scratch.root.join("staged.py")).unwrap();
    let texts = ["build/a.py", "x.log", "build/", "staged.py", "plain.py"];
    let found = look(&scratch, &texts, &[]);
    let ignored = PathEvidence::Inconclusive(Doubt::Ignored);
    assert_eq!(found[..3], [ignored.clone(), ignored.clone(), ignored]);
    assert_eq!(found[3], PathEvidence::Inconclusive(Doubt::Tracked));
    assert!(is_absent(&found[4]));
}

#[test]
fn what_lies_outside_is_there_or_a_doubt() {
    let scratch = Scratch::new(&["a.py"]);
    let beside = scratch.root.with_file_name("beside.txt");
    std::fs::write(&beside, "x\n").unwrap();
    let gone = scratch.root.with_file_name("gone.txt");
    let texts = [
        beside.to_str().unwrap(),
        gone.to_str().unwrap(),
        "../../x.py",
    ];
    let found = look(&scratch, &texts, &["."]);
    assert!(is_on_disk(&found[0]));
    let back = LookingBack::at(&scratch.root, &Limits::default()).unwrap();
    let meant = back.meanings(texts[0], &[]);
    assert_eq!(back.place(&meant), None, "only a report names it");
    assert_eq!(found[1], PathEvidence::Inconclusive(Doubt::Outside));
    assert_eq!(found[2], PathEvidence::Inconclusive(Doubt::NoPlace));
}

#[test]
fn the_other_work_trees_are_looked_through() {
    let scratch = Scratch::new(&["a.py"]);
    let other = scratch.root.with_file_name("other");
    scratch.git(&["worktree", "add", "--quiet", other.to_str().unwrap()]);
    std::fs::write(other.join("b.py"), "x\n").unwrap();
    let whole = other.join("c.py");
    let found = look(&scratch, &["b.py", "c.py", whole.to_str().unwrap()], &[]);
    assert!(is_on_disk(&found[0]));
    assert!(is_absent(&found[1]) && is_absent(&found[2]), "{found:?}");
}

#[test]
fn a_history_that_is_cut_off_proves_nothing() {
    let scratch = Scratch::new(&["a.py"]);
    let id = scratch.ask(&["rev-parse", "HEAD"], b"");
    std::fs::write(scratch.root.join(".git/shallow"), format!("{id}\n")).unwrap();
    let found = look(&scratch, &["b.py", "a.py"], &[]);
    assert_eq!(found[0], PathEvidence::Inconclusive(Doubt::PartOfHistory));
    assert!(is_on_disk(&found[1]));
}

#[cfg(unix)]
#[test]
fn below_a_link_nothing_is_proven() {
    let scratch = Scratch::new(&["a.py"]);
    std::os::unix::fs::symlink("/nowhere", scratch.root.join("link")).unwrap();
    let found = look(&scratch, &["link/b.py"], &[]);
    assert_eq!(found, [PathEvidence::Inconclusive(Doubt::SymbolicLink)]);
}
