use attest_claim::{Certainty, Claim, Entry, Form, Meaning, Operation, Reading, Status, Target};
use attest_snapshot::Delta;

use super::*;
use crate::finding::tests::Seen;
use crate::{Strict, judge};

/// A verdict on a DONE that claims so many files, none of which is there.
fn verdict(count: usize) -> Verdict {
    let entry = |number| Entry {
        raw: String::new(),
        operation: Operation::Changed,
        meaning: Meaning::Paths(vec![Reading {
            target: Target::File(format!("src/{number:02}.py")),
            certainty: Certainty::Certain,
        }]),
    };
    let claim = Claim {
        form: Form::Lines,
        status: Some(Status::Done),
        entries: (0..count).map(entry).collect(),
        blockers: None,
        ran_tests: None,
        raw: String::new(),
    };
    let (delta, strict) = (Delta::default(), "all".parse::<Strict>().unwrap());
    judge(&claim, &delta, strict, &Seen(&[]))
}

fn unmet(name: &str) -> Unmet {
    Unmet {
        name: name.into(),
        why: "status 1".into(),
    }
}

const OTHERS: &str = "Other agents worked in the same tree";

#[test]
fn twenty_paths_are_named_and_the_rest_is_counted() {
    let lines = |count| {
        let text = block_reason(&verdict(count), 0);
        let all: Vec<_> = text.lines().map(str::to_owned).collect();
        all[1..all.len() - 1].to_vec()
    };
    for (count, named) in [(1, 1), (19, 19), (20, 20)] {
        let lines = lines(count);
        assert_eq!(lines.len(), named);
        assert!(lines.iter().all(|line| line.contains(".py")), "{lines:?}");
    }
    let lines = lines(21);
    assert_eq!((lines.len(), lines[20].as_str()), (21, "- and 1 more"));
}

#[test]
fn others_are_named_where_the_tree_disproves() {
    for (others, is_named) in [(0, false), (1, true), (2, true)] {
        let text = block_reason(&verdict(1), others);
        assert_eq!(text.contains(OTHERS), is_named, "{others}: {text}");
    }
    let mut by_criteria = verdict(0);
    by_criteria.add_unmet(vec![unmet("tests")], "all".parse().unwrap());
    let text = block_reason(&by_criteria, 3);
    assert!(!text.contains(OTHERS), "{text}");
    assert!(!text.contains("work tree"), "{text}");
    assert!(text.contains("- \"tests\": status 1\n"), "{text}");
}

#[test]
fn paths_and_criteria_stand_in_one_sentence() {
    let mut both = verdict(1);
    both.add_unmet(vec![unmet("tests")], "all".parse().unwrap());
    let text = block_reason(&both, 0);
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].ends_with("disproves part of it:"), "{text}");
    assert!(lines[1].starts_with("- \"src/00.py\": "), "{text}");
    assert!(lines[2].starts_with("and criteria of "), "{text}");
    let mut by_criteria = verdict(0);
    by_criteria.add_unmet(vec![unmet("tests")], "all".parse().unwrap());
    let text = block_reason(&by_criteria, 0);
    assert!(text.contains("but criteria of "), "{text}");
}

#[test]
fn a_path_that_is_there_is_never_said_to_be_missing() {
    let say = |finding, testimony: Option<&str>| {
        statement(&PathFinding {
            claimed: "a.py".into(),
            finding,
            why: None,
            testimony: testimony.map(str::to_owned),
            accounts_for: Vec::new(),
        })
    };
    for testimony in [None, Some("no tool call touched it")] {
        for (finding, words) in [
            (Finding::Absent, "not on disk"),
            (Finding::Untouched, "not written since"),
            (Finding::NotDeleted, "still there and unchanged"),
            (Finding::Present, "no change of it was found"),
        ] {
            let text = say(finding, testimony);
            assert!(text.starts_with("\"a.py\": "), "{text}");
            assert!(text.contains(words), "{finding:?}: {text}");
            assert!(text.contains(testimony.unwrap_or_default()), "{text}");
        }
    }
}
