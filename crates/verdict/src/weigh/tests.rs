use attest_claim::{Certainty, Entry, Form, Meaning, Operation, Reading, Target};
use attest_evidence::{Change, Doubt, MOST_NAMESAKES, PathEvidence, Touch};

use super::*;
use crate::path_finding::tests::Seen;
use crate::{Finding, Lost, Was};

fn path(text: &str) -> RepoPath {
    RepoPath::from_git(text.as_bytes()).unwrap()
}

fn entry(operation: Operation, text: &str) -> Entry {
    let target = if text.ends_with('/') {
        Target::Dir(text.into())
    } else {
        Target::File(text.into())
    };
    Entry {
        raw: text.into(),
        operation,
        meaning: Meaning::Paths(vec![Reading {
            target,
            certainty: Certainty::Certain,
        }]),
        remark: None,
        title: None,
    }
}

fn claim(status: Option<Status>, entries: Vec<Entry>) -> Claim {
    Claim {
        form: Form::Lines,
        says_what_was_done: true,
        review: None,
        study: None,
        others: None,
        unwritten: None,
        status,
        entries,
        blockers: None,
        assertions: Vec::new(),
        ran_tests: None,
        raw: String::new(),
    }
}

fn changed(text: &str) -> PathEvidence {
    PathEvidence::Changed {
        path: path(text),
        change: Change::Written,
    }
}

fn on_disk(touch: Touch) -> PathEvidence {
    PathEvidence::OnDisk {
        path: "/repo/a".into(),
        touch,
        namesakes: Vec::new(),
    }
}

/// One claimed path of every finding that a path can have.
const ALL: [(&str, Finding); 5] = [
    ("src/absent", Finding::Absent),
    ("src/changed", Finding::Changed),
    ("src/deleted", Finding::NotDeleted),
    ("src/doubt", Finding::Unproven),
    ("src/untouched", Finding::Untouched),
];

fn judge_all(status: Option<Status>, strict: Strict) -> Verdict {
    let entries = ALL.map(|(text, finding)| {
        let operation = match finding {
            Finding::NotDeleted => Operation::Deleted,
            _ => Operation::Changed,
        };
        entry(operation, text)
    });
    let seen = [
        ("src/changed", changed("src/changed")),
        ("src/deleted", on_disk(Touch::Untouched)),
        ("src/doubt", PathEvidence::Inconclusive(Doubt::Ignored)),
        ("src/untouched", on_disk(Touch::Untouched)),
    ];
    let claim = claim(status, entries.into());
    weigh(&claim, Vec::new(), strict, &Seen(&seen))
}

fn names<'f>(findings: impl Iterator<Item = &'f ClaimFinding>) -> Vec<&'f str> {
    findings.map(|found| found.claimed.as_str()).collect()
}

#[test]
fn only_what_is_proven_and_wanted_disproves() {
    let of = |strict: &str| judge_all(Some(Status::Done), strict.parse().unwrap());
    assert_eq!(names(of("").proofs()), ["src/absent"]);
    assert_eq!(
        names(of("untouched").proofs()),
        ["src/absent", "src/untouched"]
    );
    assert_eq!(names(of("deleted").proofs()), ["src/absent", "src/deleted"]);
    let verdict = of("all");
    assert_eq!(
        names(verdict.proofs()),
        ["src/absent", "src/deleted", "src/untouched"]
    );
    let weighed: Vec<_> = verdict
        .weighed()
        .map(|(found, is_proof)| (found.claimed.as_str(), found.finding, is_proof))
        .collect();
    let expected = ALL.map(|(text, finding)| {
        let is_proof = !matches!(finding, Finding::Changed | Finding::Unproven);
        (text, finding, is_proof)
    });
    assert_eq!(weighed, expected);
}

#[test]
fn what_stands_against_a_done_stands_against_a_list_that_says_what_was_done() {
    let all: &[&str] = &["src/absent", "src/deleted", "src/untouched"];
    let done = judge_all(Some(Status::Done), Strict::default());
    assert_eq!(names(done.contradictions()), all);
    for (status, expected) in [
        (None, all),
        (Some(Status::DoneWithConcerns), all),
        (Some(Status::Blocked), &[]),
        (Some(Status::NeedsContext), &[]),
    ] {
        let verdict = judge_all(status, "all".parse().unwrap());
        assert_eq!(names(verdict.contradictions()), expected, "{status:?}");
        assert!(!verdict.is_false_done(), "{status:?}");
        assert_eq!(verdict.outcome(), Outcome::Warn, "{status:?}");
    }
}

#[test]
fn what_was_written_below_a_key_of_deleted_files_is_told_of_without_a_status() {
    let verdict = weigh(
        &claim(None, vec![entry(Operation::Deleted, "src/a")]),
        Vec::new(),
        Strict::default(),
        &Seen(&[("src/a", changed("src/a"))]),
    );
    let found: Vec<_> = verdict.contradictions().map(|it| it.finding).collect();
    assert_eq!(found, [Finding::StillThere]);
}

#[test]
fn the_tools_are_asked_about_what_did_not_change() {
    let mut verdict = judge_all(Some(Status::Done), Strict::default());
    let unchanged = ["src/absent", "src/deleted", "src/doubt", "src/untouched"];
    assert_eq!(names(verdict.unchanged()), unchanged);
    verdict.testify(|name| (name != "src/doubt").then(|| format!("tools on {name}")));
    for found in &verdict.findings {
        let is_told = !matches!(found.claimed.as_str(), "src/doubt" | "src/changed");
        let expected = is_told.then(|| format!("tools on {}", found.claimed));
        assert_eq!(found.testimony, expected);
    }
}

#[test]
fn the_gravest_thing_is_the_outcome() {
    let outcome = |text: &str, seen: PathEvidence| {
        let claim = claim(Some(Status::Done), vec![entry(Operation::Changed, text)]);
        let seen = [(text, seen)];
        weigh(&claim, Vec::new(), Strict::default(), &Seen(&seen)).outcome()
    };
    assert_eq!(
        outcome("src/a", PathEvidence::Absent(path("src/a"))),
        Outcome::Mismatch
    );
    assert_eq!(outcome("src/a", on_disk(Touch::Possible)), Outcome::Warn);
    assert_eq!(outcome("src/a", changed("src/a")), Outcome::Ok);
    let excused = PathEvidence::SameBasename {
        path: path("src/a"),
        changed: vec![path("x/src/a")],
        is_suffix: true,
        is_gone: false,
        doubt: None,
    };
    assert_eq!(outcome("src/a", excused), Outcome::Ok);
}

#[test]
fn a_file_that_is_listed_by_its_own_path_excuses_no_other() {
    let namesakes = |all: &[&str]| all.iter().copied().map(path).collect::<Vec<_>>();
    let absent = |all: &[&str], is_suffix, doubt| PathEvidence::SameBasename {
        path: path("app/users/page.tsx"),
        changed: namesakes(all),
        is_suffix,
        is_gone: false,
        doubt,
    };
    let on_disk = |all: &[&str]| PathEvidence::OnDisk {
        path: "/repo/app/users/page.tsx".into(),
        touch: Touch::Possible,
        namesakes: namesakes(all),
    };
    let (home, nested) = ("app/home/page.tsx", "web/app/users/page.tsx");
    let many: Vec<_> = (0..=MOST_NAMESAKES).map(|_| home).collect();
    for (seen, expected) in [
        (absent(&[home], false, None), Finding::Absent),
        (on_disk(&[home]), Finding::Untouched),
        // Its name may be short for that of the other, or another may be meant, or it is not known that none is.
        (absent(&[home], true, None), Finding::Unproven),
        (
            absent(&[home, "lib/page.tsx"], false, None),
            Finding::Unproven,
        ),
        (absent(&many, false, None), Finding::Unproven),
        (
            absent(&[home], false, Some(Doubt::ObjectsPacked)),
            Finding::Unproven,
        ),
        (on_disk(&[home, "lib/page.tsx"]), Finding::Present),
        // It is there by all of its name, which no other one is short for.
        (on_disk(&[nested]), Finding::Untouched),
    ] {
        let texts = ["app/users/page.tsx", home, nested];
        let entries = texts.map(|text| entry(Operation::Changed, text));
        let claim = claim(Some(Status::Done), entries.to_vec());
        let seen = [
            (texts[0], seen),
            (home, changed(home)),
            (nested, changed(nested)),
        ];
        let verdict = weigh(&claim, Vec::new(), Strict::default(), &Seen(&seen));
        let found = verdict.findings.iter().find(|it| it.claimed == texts[0]);
        assert_eq!(found.map(|it| it.finding), Some(expected), "{seen:?}");
    }
}

#[test]
fn a_path_that_is_claimed_twice_is_judged_once_by_the_best() {
    let both = [
        entry(Operation::Changed, "src/a"),
        entry(Operation::Deleted, "src/a"),
    ];
    let seen = Seen(&[]);
    for entries in [both.to_vec(), both.iter().rev().cloned().collect()] {
        let claim = claim(Some(Status::Done), entries);
        let verdict = weigh(&claim, Vec::new(), Strict::default(), &seen);
        let found: Vec<_> = verdict.findings.iter().map(|found| found.finding).collect();
        // Absent as a change, not there as a deletion has it.
        assert_eq!(found, [Finding::Unproven]);
        assert!(!verdict.is_false_done());
    }
    let claim = claim(
        Some(Status::Done),
        vec![
            entry(Operation::Changed, "src/a"),
            entry(Operation::Changed, "src/b"),
        ],
    );
    let verdict = weigh(&claim, Vec::new(), Strict::default(), &seen);
    assert_eq!(names(verdict.proofs()), ["src/a", "src/b"]);
}

#[test]
fn a_claimed_folder_accounts_for_what_is_in_it() {
    let found = |claimed: &str| ClaimFinding::of(claimed, Finding::Present);
    assert!(found("src/").is_folder_above(&path("src/a")));
    assert!(found("./src/").is_folder_above(&path("src/deep/a")));
    assert!(!found("src/").is_folder_above(&path("srcs/a")));
    assert!(!found("src/").is_folder_above(&path("lib/src/a")));
    assert!(!found("src").is_folder_above(&path("src/a")));
}

#[test]
fn every_finding_has_a_merit_of_its_own() {
    let order = [
        Finding::Absent,
        Finding::NotDeleted,
        Finding::Unresolvable,
        Finding::Present,
        Finding::Untouched,
        Finding::LandedElsewhere,
        Finding::Changed,
    ];
    assert!(order.is_sorted_by(|a, b| a.rank() < b.rank()));
}

#[test]
fn what_no_claimed_path_accounts_for_is_unclaimed() {
    let written = |text: &str| (path(text), Change::Written);
    let observed = vec![written("a.py"), written("docs/x.md"), written("src/b.py")];
    let seen = [
        ("a.py", changed("a.py")),
        ("src/", on_disk(Touch::Possible)),
    ];
    let entries = ["a.py", "src/"].map(|text| entry(Operation::Changed, text));
    let claim = claim(Some(Status::Done), entries.to_vec());
    let verdict = weigh(&claim, observed, Strict::default(), &Seen(&seen));
    assert_eq!(verdict.unclaimed, [path("docs/x.md")]);
}

/// All that speaks against a DONE, with nothing excused.
fn accused() -> Verdict {
    let strict = "untouched,deleted".parse().unwrap();
    let verdict = judge_all(Some(Status::Done), strict);
    assert!(verdict.is_false_done() && verdict.contradictions().count() == 3);
    verdict
}

#[test]
fn what_an_earlier_start_shows_excuses_and_nothing_else_does() {
    let mut verdict = accused();
    let same = verdict.clone();
    verdict.excuse(&same);
    assert_eq!(verdict, same, "it stands against the report there too");
    let mut earlier = accused();
    for found in &mut earlier.findings {
        if found.claimed != "src/absent" {
            found.finding = Finding::Changed;
        }
    }
    verdict.excuse(&earlier);
    assert_eq!(names(verdict.contradictions()), ["src/absent"]);
    assert_eq!(names(verdict.proofs()), ["src/absent"]);
}

#[test]
fn a_doubt_takes_the_proofs_of_its_paths_away_and_keeps_its_reason() {
    let mut verdict = accused();
    verdict.doubt(|found| {
        let is_doubted = found.claimed != "src/deleted";
        is_doubted.then(|| crate::Doubt::Background("make".into()))
    });
    assert_eq!(names(verdict.contradictions()), ["src/deleted"]);
    assert_eq!(names(verdict.proofs()), ["src/deleted"]);
    let absent = verdict
        .findings
        .iter()
        .find(|found| found.claimed == "src/absent");
    let why = absent.unwrap().why.as_deref().unwrap_or_default();
    assert!(why.contains("\u{ab}make\u{bb}"), "{why}");
}

#[test]
fn a_report_is_believed_that_tells_of_a_lost_file_itself() {
    let lost = Lost {
        was: Was::Written {
            tool: "Write".to_owned(),
            at: None,
        },
        gone: None,
        doubt: None,
    };
    let mut verdict = judge_all(Some(Status::Done), "lost".parse().unwrap());
    let known = ("src/absent".to_owned(), Whereabouts::Lost(lost));
    verdict.locate(&BTreeMap::from([known]));
    verdict.believe_of_lost(|claimed| claimed != "src/absent");
    assert_eq!(names(verdict.proofs()), ["src/absent"]);
    verdict.believe_of_lost(|claimed| claimed == "src/absent");
    assert!(!verdict.is_false_done());
}

/// Words that are understood as work say no such thing.
#[test]
fn words_beside_a_lost_file_that_are_not_understood_may_say_that_it_is_gone() {
    let doubt = |line: &str| {
        let claim = attest_claim::parse(&format!("Status: DONE\nFiles changed:\n- {line}"));
        let mut verdict = weigh(&claim, Vec::new(), "lost".parse().unwrap(), &Seen(&[]));
        let lost = Lost {
            was: Was::Written {
                tool: "Write".to_owned(),
                at: None,
            },
            gone: None,
            doubt: None,
        };
        let known = ("src/extra.py".to_owned(), Whereabouts::Lost(lost));
        verdict.locate(&BTreeMap::from([known]));
        assert_eq!(verdict.lost().count(), 1, "{line}");
        verdict.findings[0].doubt.clone()
    };
    for line in [
        "src/extra.py (taken back)",
        "src/extra.py (merged into src/app.py)",
        "src/extra.py [temp, rm'd]",
        "src/extra.py (wieder gel\u{f6}scht)",
    ] {
        assert_eq!(doubt(line), Some(crate::Doubt::SaidGone), "{line}");
    }
    for line in [
        "src/extra.py",
        "src/extra.py (new)",
        "src/extra.py (adds the parser)",
        "src/extra.py\u{ff1a}\u{65b0}\u{5efa}",
    ] {
        assert_eq!(doubt(line), None, "{line}");
    }
}
