use attest_claim::{Remark, Unresolvable};
use attest_evidence::{Change, ChangedElsewhere, Doubt, RepoPath};

use super::*;

fn path(text: &str) -> RepoPath {
    RepoPath::from_git(text.as_bytes()).unwrap()
}

fn reading(text: &str, certainty: Certainty) -> Reading {
    let target = Target::File(text.into());
    Reading { target, certainty }
}

fn entry(operation: Operation, targets: &[&str]) -> Entry {
    let certain = targets.iter().map(|text| reading(text, Certainty::Certain));
    entry_of(operation, certain.collect())
}

fn entry_of(operation: Operation, readings: Vec<Reading>) -> Entry {
    Entry {
        raw: "raw".into(),
        operation,
        meaning: Meaning::Paths(readings),
        remark: None,
        title: None,
    }
}

/// What was seen of some paths; nothing is known of any other, and `src` is the only folder.
pub(crate) struct Seen<'a>(pub(crate) &'a [(&'a str, PathEvidence)]);

impl EvidenceSource for Seen<'_> {
    fn name(&self, text: &str) -> String {
        text.to_owned()
    }

    fn evidence_for(&self, text: &str) -> PathEvidence {
        let known = self.0.iter().find(|(name, _)| *name == text);
        known.map_or_else(
            || PathEvidence::Absent(path(text)),
            |(_, seen)| seen.clone(),
        )
    }

    fn exact_evidence_for(&self, text: &str) -> Option<PathEvidence> {
        let exists = |seen: &PathEvidence| {
            matches!(
                seen,
                PathEvidence::Changed { .. }
                    | PathEvidence::ChangedElsewhere(_)
                    | PathEvidence::OnDisk { .. }
            )
        };
        Some(self.evidence_for(text)).filter(exists)
    }

    fn has_folder(&self, text: &str) -> bool {
        text.starts_with("src/")
    }

    fn differed_at_start(&self, text: &str) -> bool {
        text == "src/edited.rs"
    }

    fn names_several(&self, text: &str) -> bool {
        text == "ch01,02.md"
    }
}

fn judge(entry: &Entry, strict: Strict, seen: &[(&str, PathEvidence)]) -> Finding {
    find(entry, strict, &Seen(seen)).finding
}

fn on_disk(touch: Touch) -> PathEvidence {
    PathEvidence::OnDisk {
        path: "/repo/a".into(),
        touch,
        namesakes: Vec::new(),
    }
}

fn changed(text: &str) -> PathEvidence {
    PathEvidence::Changed {
        path: path(text),
        change: Change::Written,
    }
}

fn deleted(text: &str) -> PathEvidence {
    PathEvidence::Changed {
        path: path(text),
        change: Change::Deleted,
    }
}

#[test]
fn what_may_be_several_names_in_one_is_not_absent() {
    let find = |whole: &str| {
        let readings = vec![
            reading("02.md", Certainty::Certain),
            reading(whole, Certainty::Likely),
        ];
        find(
            &entry_of(Operation::Changed, readings),
            Strict::default(),
            &Seen(&[]),
        )
    };
    let several = find("ch01,02.md");
    assert_eq!(several.finding, Finding::Unproven);
    assert_eq!(several.doubt, Some(Doubt::Pattern.into()));
    assert_eq!(find("ch01,03.md").finding, Finding::Absent);
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
    let seen = [("build/a", PathEvidence::Inconclusive(Doubt::Ignored))];
    assert_eq!(judge(&entry, Strict::default(), &seen), Finding::Unproven);
}

#[test]
fn a_likely_reading_counts_only_where_it_exists() {
    let whole = "/tmp/notes.md, ghost.py";
    let readings = vec![
        reading("ghost.py", Certainty::Certain),
        reading(whole, Certainty::Likely),
    ];
    let entry = entry_of(Operation::Changed, readings);
    let same_basename = PathEvidence::SameBasename {
        path: path("x/ghost.py"),
        changed: vec![path("ghost.py")],
        is_suffix: true,
        is_gone: false,
        doubt: None,
    };
    for doubt in [PathEvidence::Inconclusive(Doubt::Outside), same_basename] {
        assert_eq!(
            judge(&entry, Strict::default(), &[(whole, doubt)]),
            Finding::Absent
        );
    }
    let there = [(whole, on_disk(Touch::Possible))];
    assert_eq!(judge(&entry, Strict::default(), &there), Finding::Present);
}

#[test]
fn what_may_not_be_a_path_is_never_disproved() {
    let strict: Strict = "all".parse().unwrap();
    let entry = |certainty, text| entry_of(Operation::Changed, vec![reading(text, certainty)]);
    let likely = entry(Certainty::Likely, "Button");
    assert_eq!(judge(&likely, strict, &[]), Finding::Unresolvable);
    let old = [("Button", on_disk(Touch::Untouched))];
    assert_eq!(judge(&likely, strict, &old), Finding::Present);
    assert_eq!(
        judge(&likely, strict, &[("Button", changed("Button"))]),
        Finding::Changed
    );
    // A folder that exists makes a path of it.
    assert_eq!(
        judge(&entry(Certainty::Folder, "client/server"), strict, &[]),
        Finding::Unproven
    );
    assert_eq!(
        judge(&entry(Certainty::Folder, "src/run"), strict, &[]),
        Finding::Absent
    );
}

/// "src/orders/refund" is a route, or a file, which only the folder tells.
#[test]
fn a_name_without_a_dot_is_a_path_only_below_a_folder_that_is_there() {
    let entry = |text| entry_of(Operation::Changed, vec![reading(text, Certainty::Folder)]);
    let route = entry("src/orders/refund");
    assert_eq!(judge(&route, Strict::default(), &[]), Finding::Unproven);
    let seen = [("src/orders", on_disk(Touch::Possible))];
    assert_eq!(judge(&route, Strict::default(), &seen), Finding::Absent);
    let file = entry("src/orders/refund.x");
    assert_eq!(judge(&file, Strict::default(), &[]), Finding::Absent);
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
    let seen = [(
        "a",
        PathEvidence::ChangedElsewhere(ChangedElsewhere::Worktree("/other/a".into())),
    )];
    assert_eq!(
        judge(&entry, Strict::default(), &seen),
        Finding::LandedElsewhere
    );
}

#[test]
fn deletions_are_never_absent() {
    let entry = entry(Operation::Deleted, &["a"]);
    let gone = find(&entry, Strict::default(), &Seen(&[]));
    assert_eq!(
        (gone.finding, gone.doubt),
        (Finding::Unproven, Some(crate::Doubt::NeverSeen))
    );
    let seen = [("a", on_disk(Touch::Untouched))];
    assert_eq!(judge(&entry, Strict::default(), &seen), Finding::NotDeleted);
    assert_eq!(
        judge(&entry, Strict::default(), &[("a", deleted("a"))]),
        Finding::Changed
    );
}

/// "Removed: src/a.py — the old half" may be said of what is in the file.
#[test]
fn what_is_said_to_be_deleted_and_was_written_is_still_there() {
    let find = |raw: &str, remark: Option<&str>| {
        let mut entry = entry(Operation::Deleted, &["a.py"]);
        entry.raw = raw.into();
        entry.remark = remark.and_then(Remark::of);
        judge(&entry, Strict::default(), &[("a.py", changed("a.py"))])
    };
    assert_eq!(find("a.py", None), Finding::StillThere);
    assert_eq!(find("D a.py", None), Finding::StillThere);
    assert_eq!(
        find("a.py (deleted)", Some("(deleted)")),
        Finding::StillThere
    );
    for raw in ["--- a.py", "[-] a.py"] {
        assert_eq!(find(raw, None), Finding::Changed, "{raw}");
    }
    for remark in ["deleted: the old half", "the old half"] {
        let raw = format!("a.py: {remark}");
        assert_eq!(find(&raw, Some(remark)), Finding::Changed, "{remark}");
    }
    // What stands behind one word is more than that word.
    assert_eq!(
        find("a.py: deleted and replaced", Some("deleted")),
        Finding::Changed
    );
}

/// A list of what changed has what was deleted as well.
#[test]
fn what_is_said_to_be_there_did_not_change_as_claimed_if_it_is_gone() {
    let find = |operation, raw: &str, remark: Option<&str>| {
        let mut entry = entry(operation, &["a.py"]);
        entry.raw = raw.into();
        entry.remark = remark.and_then(Remark::of);
        let found = find(
            &entry,
            Strict::default(),
            &Seen(&[("a.py", deleted("a.py"))]),
        );
        (found.finding, found.doubt)
    };
    let gone = (Finding::Unproven, Some(Doubt::KnownAtStart.into()));
    assert_eq!(find(Operation::Created, "a.py", None), gone);
    assert_eq!(find(Operation::Changed, "M a.py", None), gone);
    let fixed = find(
        Operation::Changed,
        "a.py: ...",
        Some("fixed the date picker"),
    );
    assert_eq!(fixed, gone);
    let changed = (Finding::Changed, None);
    assert_eq!(find(Operation::Changed, "a.py", None), changed);
    let taken = find(
        Operation::Changed,
        "a.py: ...",
        Some("removed the old half"),
    );
    assert_eq!(taken, changed);
}

#[test]
fn where_a_file_went_by_the_words_beside_it_is_looked_at() {
    let found = |seen: &[(&str, PathEvidence)]| {
        let mut entry = entry(Operation::Changed, &["src/a.py"]);
        entry.remark = Remark::of("(moved to lib/a.py)");
        find(&entry, Strict::default(), &Seen(seen))
    };
    let gone = ("src/a.py", deleted("src/a.py"));
    let lie = found(std::slice::from_ref(&gone));
    assert_eq!(
        (lie.finding, lie.claimed.as_str()),
        (Finding::Absent, "lib/a.py")
    );
    assert!(!lie.disproves("all".parse().unwrap()));
    for place in ["lib/a.py", "src/lib/a.py"] {
        let honest = found(&[gone.clone(), (place, changed(place))]);
        assert_eq!(
            (honest.finding, honest.accounts_for.len()),
            (Finding::Changed, 2),
            "{place}"
        );
    }
    // A file that is still there did not go anywhere: something of it did.
    let kept = found(&[("src/a.py", changed("src/a.py"))]);
    assert_eq!(kept.finding, Finding::Changed);
}

/// What a person had edited before is on git's list, and a file of the same letter that was clean is a lie.
#[test]
fn git_lists_what_differed_before() {
    let listed = |raw: &str, text: &str| {
        let seen = [(text, on_disk(Touch::Untouched))];
        let mut entry = entry(Operation::Changed, &[text]);
        entry.raw = raw.into();
        let found = find(&entry, Strict::default(), &Seen(&seen));
        (found.finding, found.doubt)
    };
    let before = (Finding::Present, Some(crate::Doubt::ListedBefore));
    for raw in ["M src/edited.rs", "MM src/edited.rs", "[M] `src/edited.rs`"] {
        assert_eq!(listed(raw, "src/edited.rs"), before, "{raw}");
    }
    let untouched = (Finding::Untouched, None);
    assert_eq!(listed("M src/clean.rs", "src/clean.rs"), untouched);
    for raw in ["src/edited.rs", "- src/edited.rs", "+ src/edited.rs"] {
        assert_eq!(listed(raw, "src/edited.rs"), untouched, "{raw}");
    }
}

fn one(target: Target) -> Entry {
    entry_of(
        Operation::Changed,
        vec![Reading {
            target,
            certainty: Certainty::Certain,
        }],
    )
}

#[test]
fn a_folder_is_absent_if_its_name_can_be_nothing_else() {
    let find = |text: &str, seen: &[(&str, PathEvidence)]| {
        judge(&one(Target::Dir(text.into())), Strict::default(), seen)
    };
    assert_eq!(find("src/new/", &[]), Finding::Absent);
    assert_eq!(find("backend/", &[]), Finding::Unproven);
    let old = [("src/old/", on_disk(Touch::Untouched))];
    assert_eq!(find("src/old/", &old), Finding::Present);
}

#[test]
fn a_rename_is_absent_if_its_new_name_is() {
    let entry = one(Target::Rename {
        from: "a".into(),
        to: "b".into(),
    });
    let found = |seen: &[(&str, PathEvidence)]| {
        let found = find(&entry, Strict::default(), &Seen(seen));
        (found.finding, found.claimed)
    };
    let gone = ("a", deleted("a"));
    let same_name = |is_gone| PathEvidence::SameBasename {
        path: path("b"),
        changed: vec![path("x/b")],
        is_suffix: false,
        is_gone,
        doubt: None,
    };
    let absent = (Finding::Absent, "b".to_owned());
    assert_eq!(found(std::slice::from_ref(&gone)), absent);
    assert_eq!(found(&[gone.clone(), ("b", same_name(true))]), absent);
    let doubtful = found(&[gone.clone(), ("b", same_name(false))]);
    assert_eq!(doubtful, (Finding::Unproven, "a -> b".to_owned()));
    let made = ("b", changed("b"));
    let moved = (Finding::Changed, "a -> b".to_owned());
    assert_eq!(found(&[gone, made.clone()]), moved);
    // A copy, of which nothing says that it moved.
    let kept = ("a", on_disk(Touch::Untouched));
    let copied = (Finding::Present, "a -> b".to_owned());
    assert_eq!(found(&[kept, made]), copied);
}

#[test]
fn what_is_no_path_proves_nothing() {
    let entry = Entry {
        raw: "see above".into(),
        operation: Operation::Changed,
        meaning: Meaning::Unresolvable(Unresolvable::Prose),
        remark: None,
        title: None,
    };
    assert_eq!(judge(&entry, Strict::default(), &[]), Finding::Unresolvable);
}

#[test]
fn strict_basename_accepts_only_the_longer_path() {
    let same_basename = |is_suffix| PathEvidence::SameBasename {
        path: path("src/a"),
        changed: vec![path("x/src/a")],
        is_suffix,
        is_gone: false,
        doubt: None,
    };
    let entry = entry(Operation::Changed, &["src/a"]);
    let strict: Strict = "basename".parse().unwrap();
    for (strict, is_suffix, expected) in [
        (Strict::default(), false, Finding::Unproven),
        (Strict::default(), true, Finding::Unproven),
        (strict, true, Finding::Unproven),
        (strict, false, Finding::Absent),
    ] {
        assert_eq!(
            judge(&entry, strict, &[("src/a", same_basename(is_suffix))]),
            expected
        );
    }
    // That no other file has the name is not known.
    let doubtful = PathEvidence::SameBasename {
        path: path("src/a"),
        changed: vec![path("x/a")],
        is_suffix: false,
        is_gone: false,
        doubt: Some(Doubt::ObjectsPacked),
    };
    let found = find(&entry, strict, &Seen(&[("src/a", doubtful)]));
    assert_eq!(
        (found.finding, found.doubt),
        (Finding::Unproven, Some(Doubt::ObjectsPacked.into()))
    );
}

#[test]
fn of_equal_readings_the_first_is_what_the_agent_meant() {
    let entry = entry(Operation::Changed, &["src/a", "src/b"]);
    let there = |text| (text, on_disk(Touch::Possible));
    let found = find(
        &entry,
        Strict::default(),
        &Seen(&[there("src/a"), there("src/b")]),
    );
    assert_eq!(found.claimed, "src/a");
}

#[test]
fn a_rename_is_certain_only_if_both_folders_are_there() {
    let rename = |from: &str, to: &str| {
        let target = Target::Rename {
            from: from.into(),
            to: to.into(),
        };
        let certainty = Certainty::Folder;
        let entry = entry_of(Operation::Changed, vec![Reading { target, certainty }]);
        judge(&entry, Strict::default(), &[])
    };
    assert_eq!(rename("src/a", "src/b"), Finding::Absent);
    assert_eq!(rename("lib/a", "src/b"), Finding::Unresolvable);
    assert_eq!(rename("src/a", "lib/b"), Finding::Unresolvable);
}

#[test]
fn a_file_that_is_said_to_have_moved_leaves_none_behind() {
    let find = |line: &str, seen: &[(&str, PathEvidence)]| {
        let claim = attest_claim::parse(&format!("Status: DONE\nFiles changed:\n- {line}\n"));
        let found = find(&claim.entries[0], Strict::default(), &Seen(seen));
        (found.finding, found.claimed)
    };
    let kept = |name| (name, on_disk(Touch::Untouched));
    let copied = [kept("src/a.py"), ("src/b.py", changed("src/b.py"))];
    let moved = [("src/a.py", deleted("src/a.py")), copied[1].clone()];
    // It was written since: parts of it may have moved.
    let split = [("src/a.py", changed("src/a.py")), copied[1].clone()];
    for line in [
        "src/a.py → src/b.py (moved)",
        "src/b.py (renamed from src/a.py)",
        "src/b.py (moved from src/a.py)",
        "`src/a.py` renamed to `src/b.py`",
        "Renamed src/a.py to src/b.py",
        "R src/a.py -> src/b.py",
        "R100 src/a.py src/b.py",
    ] {
        let old = "src/a.py".to_owned();
        assert_eq!(find(line, &copied), (Finding::NotDeleted, old), "{line}");
        assert_eq!(find(line, &moved).0, Finding::Changed, "{line}");
        assert_eq!(find(line, &split).0, Finding::Changed, "{line}");
    }
    for line in ["src/a.py → src/b.py", "src/a.py → src/b.py (moved helpers)"] {
        assert_eq!(find(line, &copied).0, Finding::Present, "{line}");
        assert_eq!(find(line, &moved).0, Finding::Changed, "{line}");
        assert_eq!(find(line, &split).0, Finding::Changed, "{line}");
    }
    let same = [kept("src/a.py"), ("src/A.py", changed("src/A.py"))];
    assert_eq!(
        find("src/a.py → src/A.py (renamed)", &same).0,
        Finding::Changed
    );
}

#[test]
fn a_rename_is_as_good_as_its_better_name_if_the_new_one_is_there() {
    let entry = one(Target::Rename {
        from: "a".into(),
        to: "b".into(),
    });
    let doubt = || PathEvidence::Inconclusive(Doubt::Ignored);
    for (old, new, expected) in [
        (deleted("a"), doubt(), Finding::Unproven),
        (deleted("a"), on_disk(Touch::Possible), Finding::Changed),
        (doubt(), changed("b"), Finding::Changed),
        (on_disk(Touch::Untouched), doubt(), Finding::Unproven),
        (doubt(), on_disk(Touch::Untouched), Finding::Untouched),
    ] {
        let seen = [("a", old), ("b", new)];
        assert_eq!(
            judge(&entry, Strict::default(), &seen),
            expected,
            "{seen:?}"
        );
    }
}

#[test]
fn a_finding_accounts_for_the_changes_that_it_rests_on() {
    let of = |entry: &Entry, seen: &[(&str, PathEvidence)]| {
        find(entry, Strict::default(), &Seen(seen)).accounts_for
    };
    let entry = entry(Operation::Changed, &["a"]);
    assert_eq!(of(&entry, &[("a", changed("x/a"))]), [path("x/a")]);
    let same_basename = PathEvidence::SameBasename {
        path: path("a"),
        changed: vec![path("y/a")],
        is_suffix: true,
        is_gone: false,
        doubt: None,
    };
    assert_eq!(of(&entry, &[("a", same_basename)]), [path("y/a")]);
    let rename = one(Target::Rename {
        from: "a".into(),
        to: "b".into(),
    });
    let both = [("a", changed("a")), ("b", changed("b"))];
    assert_eq!(of(&rename, &both), [path("b"), path("a")]);
}

#[test]
fn a_changed_namesake_takes_nothing_from_a_file_that_may_have_been_written() {
    let seen = |touch, namesake: Option<&str>| PathEvidence::OnDisk {
        path: "/repo/y/a".into(),
        touch,
        namesakes: namesake.map(path).into_iter().collect(),
    };
    let entry = entry(Operation::Changed, &["y/a"]);
    let strict: Strict = "basename".parse().unwrap();
    for (strict, touch, namesake, expected) in [
        (Strict::default(), Touch::Possible, None, Finding::Present),
        (
            Strict::default(),
            Touch::Possible,
            Some("x/a"),
            Finding::Present,
        ),
        (
            Strict::default(),
            Touch::Untouched,
            None,
            Finding::Untouched,
        ),
        (strict, Touch::Possible, None, Finding::Present),
        (strict, Touch::Possible, Some("x/a"), Finding::Untouched),
        (strict, Touch::Possible, Some("x/y/a"), Finding::Present),
        (strict, Touch::Untouched, None, Finding::Untouched),
    ] {
        let seen = [("y/a", seen(touch, namesake))];
        assert_eq!(judge(&entry, strict, &seen), expected, "{seen:?}");
    }
}

#[test]
fn a_doubt_says_what_it_is() {
    let entry = entry(Operation::Changed, &["a"]);
    let doubt = [("a", PathEvidence::Inconclusive(Doubt::Ignored))];
    let found = find(&entry, Strict::default(), &Seen(&doubt));
    assert_eq!(found.why, Some(Doubt::Ignored.to_string()));
}

/// What stands beside or above an absent path is told if it is not understood, and proves nothing.
#[test]
fn words_that_are_not_understood_take_the_proof_away_and_are_told() {
    let entry = |remark: Option<&str>, title: Option<&str>| Entry {
        remark: remark.and_then(Remark::of),
        title: title.map(str::to_owned),
        ..entry_of(
            Operation::Changed,
            vec![reading("src/x.py", Certainty::Certain)],
        )
    };
    let judged = |entry: &Entry, strict: &str| find(entry, strict.parse().unwrap(), &Seen(&[]));
    for (remark, title, why) in [
        (
            Some("in the stash"),
            None,
            "the remark «in the stash» is not understood as work",
        ),
        (
            None,
            Some("Elsewhere"),
            "the title «Elsewhere» is not understood",
        ),
    ] {
        let entry = entry(remark, title);
        let found = judged(&entry, "");
        assert_eq!(
            (found.finding, found.why.as_deref()),
            (Finding::Unproven, Some(why))
        );
        assert_eq!(judged(&entry, "remarks").finding, Finding::Absent);
    }
    for remark in [None, Some("new"), Some("unit tests for the parser")] {
        assert_eq!(
            judged(&entry(remark, None), "").finding,
            Finding::Absent,
            "{remark:?}"
        );
    }
}

/// Whatever was seen of a path, in whatever reading and under whatever strictness: if nothing of it is on the disk,
/// it is not called present, and the finding says why it proves nothing.
#[test]
fn what_is_not_on_the_disk_is_never_present() {
    let same_basename = |doubt| PathEvidence::SameBasename {
        path: path("src/a.py"),
        changed: vec![path("x/a.py")],
        is_suffix: false,
        is_gone: false,
        doubt,
    };
    let missing = [
        PathEvidence::Absent(path("src/a.py")),
        PathEvidence::Inconclusive(Doubt::ObjectsPacked),
        PathEvidence::Inconclusive(Doubt::Unreadable("why".to_owned())),
        same_basename(None),
        same_basename(Some(Doubt::ObjectsPacked)),
    ];
    let targets = [
        Target::File("src/a.py".into()),
        Target::Dir("src/a.py".into()),
        Target::Rename {
            from: "src/b.py".into(),
            to: "src/a.py".into(),
        },
    ];
    let certainties = [Certainty::Likely, Certainty::Folder, Certainty::Certain];
    for seen in &missing {
        for target in &targets {
            for (certainty, operation) in certainties
                .into_iter()
                .flat_map(|it| [(it, Operation::Changed), (it, Operation::Deleted)])
            {
                let target = target.clone();
                let entry = entry_of(operation, vec![Reading { target, certainty }]);
                for strict in ["", "all"] {
                    let seen = [("src/a.py", seen.clone())];
                    let found = find(&entry, strict.parse().unwrap(), &Seen(&seen));
                    assert_ne!(found.finding, Finding::Present, "{entry:?} {seen:?}");
                    let is_open = found.finding == Finding::Unproven;
                    assert_eq!(
                        is_open,
                        found.finding != Finding::Absent
                            && found.doubt.is_some()
                            && found.finding != Finding::Unresolvable,
                        "{found:?}"
                    );
                    assert!(!is_open || found.why.is_some(), "{found:?}");
                }
            }
        }
    }
}

/// The words beside a file that is there are why it proves nothing, not that its name may be no path.
#[test]
fn the_words_of_the_report_come_before_the_shape_of_the_text() {
    let entry = Entry {
        remark: Remark::of("in the stash"),
        ..entry_of(
            Operation::Changed,
            vec![reading("Button", Certainty::Likely)],
        )
    };
    let seen = [("Button", on_disk(Touch::Untouched))];
    let found = find(&entry, Strict::default(), &Seen(&seen));
    assert_eq!(
        (found.finding, found.doubt.map(|doubt| doubt.word())),
        (Finding::Present, Some("REMARK"))
    );
}

#[test]
fn the_end_of_a_path_that_is_there_is_never_absent() {
    let end_of = |touch| PathEvidence::EndOf {
        path: path("src/cli/hooks.go"),
        touch,
    };
    for (operation, touch, expected) in [
        (Operation::Changed, Touch::Untouched, Finding::Untouched),
        (Operation::Created, Touch::Untouched, Finding::Untouched),
        (Operation::Changed, Touch::Possible, Finding::Present),
        (Operation::Deleted, Touch::Untouched, Finding::Unproven),
    ] {
        let seen = [("hooks.go", end_of(touch))];
        let found = find(
            &entry(operation, &["hooks.go"]),
            "all".parse().unwrap(),
            &Seen(&seen),
        );
        assert_eq!(found.finding, expected, "{operation:?} {touch:?}");
    }
    // Its twin ends no path.
    let found = judge(
        &entry(Operation::Changed, &["hooks.go"]),
        Strict::default(),
        &[],
    );
    assert_eq!(found, Finding::Absent);
}

#[test]
fn a_path_of_the_home_folder_is_certain_only_in_the_work_tree() {
    let entry = entry_of(
        Operation::Changed,
        vec![reading("~/elsewhere/a.py", Certainty::Folder)],
    );
    let found = find(&entry, "all".parse().unwrap(), &Seen(&[]));
    assert_eq!(found.finding, Finding::Unresolvable);
    assert_eq!(found.why, Some(Unresolvable::HomeOrVariable.to_string()));
}

#[test]
fn a_rename_is_one_however_it_is_said() {
    let find = |message: &str, seen: &[(&str, PathEvidence)]| {
        let claim = attest_claim::parse(&format!("Status: DONE\n{message}\n"));
        let found = find(&claim.entries[0], Strict::default(), &Seen(seen));
        (found.finding, found.claimed)
    };
    let copied = [
        ("src/a.py", on_disk(Touch::Untouched)),
        ("src/b.py", changed("src/b.py")),
    ];
    let moved = [("src/a.py", deleted("src/a.py")), copied[1].clone()];
    for message in [
        "Files renamed: src/a.py -> src/b.py",
        "**Files moved:**\n- `src/a.py` → `src/b.py`",
        "Files changed: src/a.py (renamed to src/b.py)",
        "Files changed:\n- `src/a.py` — moved to `src/b.py`",
        "Files changed: src/b.py (renamed from src/a.py)",
    ] {
        let old = (Finding::NotDeleted, "src/a.py".to_owned());
        assert_eq!(find(message, &copied), old, "{message}");
        assert_eq!(find(message, &moved).0, Finding::Changed, "{message}");
    }
    for message in [
        "Files changed: src/a.py (moved to src/b.py later)",
        "Files changed: src/a.py (helpers moved to src/b.py)",
        "Files changed: src/a.py (moved to the archive)",
    ] {
        assert_ne!(find(message, &copied).0, Finding::NotDeleted, "{message}");
    }
}

#[test]
fn a_cell_that_says_what_was_done_says_so_of_the_file() {
    let find = |rows: &str, seen: PathEvidence| {
        let claim = attest_claim::parse(&format!("## Files modified\n\n{rows}\n"));
        let seen = [("src/a.py", seen)];
        find(&claim.entries[0], Strict::default(), &Seen(&seen)).finding
    };
    let head = "| File | Action |\n|---|---|\n";
    for row in ["| src/a.py | Deleted |", "| `src/a.py` | delete |"] {
        let rows = format!("{head}{row}");
        assert_eq!(find(&rows, changed("src/a.py")), Finding::StillThere);
        assert_eq!(find(&rows, deleted("src/a.py")), Finding::Changed);
    }
    // What else is said may be what was taken out of it.
    for rows in [
        "| File | Action | Details |\n|---|---|---|\n| src/a.py | Removed | the old loop |",
        "| File | Action |\n|---|---|\n| src/a.py | Removed the old loop |",
        "| File | Notes |\n|---|---|\n| src/a.py | Removed |",
    ] {
        assert_eq!(find(rows, changed("src/a.py")), Finding::Changed, "{rows}");
    }
}
