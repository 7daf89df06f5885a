use attest_claim::Unresolvable;
use attest_snapshot::{Change, Doubt, Landing};

use super::*;

fn path(text: &str) -> RepoPath {
    RepoPath::from_git(text.as_bytes()).unwrap()
}

fn entry(operation: Operation, targets: &[&str]) -> Entry {
    Entry {
        raw: targets.join(" | "),
        operation,
        meaning: Meaning::Paths(targets.iter().map(|t| Target::File((*t).into())).collect()),
    }
}

fn judge(entry: &Entry, strict: Strict, seen: &[(&str, Sighting)]) -> Finding {
    find(entry, strict, &str::to_owned, &|text: &str| {
        let known = seen.iter().find(|(name, _)| *name == text);
        known.map_or_else(
            || Sighting::Gone(path(text)),
            |(_, sighting)| sighting.clone(),
        )
    })
    .finding
}

fn on_disk(touch: Touch) -> Sighting {
    Sighting::OnDisk {
        path: "/repo/a".into(),
        touch,
        namesake: None,
    }
}

fn changed(text: &str) -> Sighting {
    Sighting::Changed {
        path: path(text),
        change: Change::Written,
    }
}

#[test]
fn absent_only_if_all_readings_are() {
    let entry = entry(Operation::Changed, &["a", "a, b"]);
    assert_eq!(judge(&entry, Strict::default(), &[]), Finding::Absent);
    let seen = [("a, b", on_disk(Touch::Possible))];
    assert_eq!(judge(&entry, Strict::default(), &seen), Finding::Present);
}

#[test]
fn a_reading_that_cannot_be_judged_is_a_doubt() {
    let entry = entry(Operation::Changed, &["build\\a", "build/a"]);
    let seen = [("build/a", Sighting::Unproven(Doubt::Ignored))];
    assert_eq!(judge(&entry, Strict::default(), &seen), Finding::Present);
}

#[test]
fn a_list_taken_for_one_name_counts_only_where_it_exists() {
    let whole = "/tmp/notes.md, ghost.py";
    let entry = entry(Operation::Changed, &["ghost.py", whole]);
    let outside = [(whole, Sighting::Unproven(Doubt::Outside))];
    assert_eq!(judge(&entry, Strict::default(), &outside), Finding::Absent);
    let there = [(whole, on_disk(Touch::Possible))];
    assert_eq!(judge(&entry, Strict::default(), &there), Finding::Present);
}

#[test]
fn the_best_reading_wins() {
    let entry = entry(Operation::Changed, &["a", "b"]);
    let seen = [("a", on_disk(Touch::Untouched)), ("b", changed("b"))];
    assert_eq!(judge(&entry, Strict::default(), &seen), Finding::Changed);
}

#[test]
fn work_elsewhere_is_work() {
    let entry = entry(Operation::Created, &["a"]);
    let seen = [("a", Sighting::Landed(Landing::Worktree("/other/a".into())))];
    assert_eq!(
        judge(&entry, Strict::default(), &seen),
        Finding::LandedElsewhere
    );
}

#[test]
fn deletions_are_never_absent() {
    let entry = entry(Operation::Deleted, &["a"]);
    assert_eq!(judge(&entry, Strict::default(), &[]), Finding::Present);
    let seen = [("a", on_disk(Touch::Untouched))];
    assert_eq!(judge(&entry, Strict::default(), &seen), Finding::NotDeleted);
    assert_eq!(
        judge(&entry, Strict::default(), &[("a", changed("a"))]),
        Finding::Changed
    );
}

#[test]
fn folders_and_renames_are_never_absent() {
    for target in [
        Target::Dir("src/".into()),
        Target::Rename {
            from: "a".into(),
            to: "b".into(),
        },
    ] {
        let entry = Entry {
            raw: "x".into(),
            operation: Operation::Changed,
            meaning: Meaning::Paths(vec![target]),
        };
        assert_eq!(judge(&entry, Strict::default(), &[]), Finding::Present);
    }
}

#[test]
fn what_is_no_path_proves_nothing() {
    let entry = Entry {
        raw: "see above".into(),
        operation: Operation::Changed,
        meaning: Meaning::Unresolvable(Unresolvable::Prose),
    };
    assert_eq!(judge(&entry, Strict::default(), &[]), Finding::Unresolvable);
}

#[test]
fn strict_basename_accepts_only_the_longer_path() {
    let namesake = |is_suffix| Sighting::Namesake {
        path: path("src/a"),
        changed: path("x/src/a"),
        is_suffix,
    };
    let entry = entry(Operation::Changed, &["src/a"]);
    let strict: Strict = "basename".parse().unwrap();
    for (strict, is_suffix, expected) in [
        (Strict::default(), false, Finding::Present),
        (Strict::default(), true, Finding::Present),
        (strict, true, Finding::Present),
        (strict, false, Finding::Absent),
    ] {
        assert_eq!(
            judge(&entry, strict, &[("src/a", namesake(is_suffix))]),
            expected
        );
    }
}
