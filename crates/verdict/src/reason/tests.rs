use attest_claim::{Certainty, Claim, Entry, Form, Meaning, Operation, Reading, Status, Target};
use proptest::prelude::*;

use super::*;
use crate::criteria::revision;
use crate::path_finding::tests::Seen;
use crate::{Finding, Strict, Unmet, weigh};

/// A DONE that claims these files.
fn claim(names: &[String]) -> Claim {
    let entry = |name: &String| Entry {
        raw: name.clone(),
        operation: Operation::Changed,
        meaning: Meaning::Paths(vec![Reading {
            target: Target::File(name.clone()),
            certainty: Certainty::Certain,
        }]),
        remark: None,
        title: None,
    };
    Claim {
        form: Form::Lines,
        says_what_was_done: false,
        review: None,
        study: None,
        others: None,
        unwritten: None,
        status: Some(Status::Done),
        entries: names.iter().map(entry).collect(),
        blockers: None,
        assertions: Vec::new(),
        ran_tests: None,
        raw: String::new(),
    }
}

/// A verdict on a DONE that claims so many files, none of which is there.
fn verdict(count: usize) -> Verdict {
    let names: Vec<_> = (0..count)
        .map(|number| format!("src/{number:02}.py"))
        .collect();
    let strict = "all".parse::<Strict>().unwrap();
    weigh(&claim(&names), Vec::new(), strict, &Seen(&[]))
}

fn unmet(name: &str) -> Unmet {
    Unmet {
        name: name.into(),
        why: "status 1".into(),
        is_of_prompt: false,
    }
}

fn to(others_at_work: u32) -> Addressee {
    Addressee {
        is_main: false,
        others_at_work,
    }
}

/// Only of a subagent does the host keep the last message alone.
#[test]
fn the_main_agent_is_not_told_that_its_last_message_counts() {
    for (is_main, end) in [
        (false, "again: only your last message is kept."),
        (true, "or correct the claim. Then report again."),
    ] {
        let to = Addressee {
            is_main,
            others_at_work: 0,
        };
        let text = block_reason(&verdict(1), to);
        assert!(text.ends_with(end), "{text}");
    }
}

const OTHERS: &str = "Other agents worked in the same tree";

#[test]
fn twenty_paths_are_named_and_the_rest_is_counted() {
    let lines = |count| {
        let text = block_reason(&verdict(count), to(0));
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
        let text = block_reason(&verdict(1), to(others));
        assert_eq!(text.contains(OTHERS), is_named, "{others}: {text}");
    }
    let text = revision(&[unmet("tests")], to(3));
    assert!(!text.contains(OTHERS), "{text}");
    assert!(!text.contains("work tree"), "{text}");
    assert!(text.contains("- \"tests\": status 1\n"), "{text}");
}

#[test]
fn a_path_that_is_there_is_never_said_to_be_missing() {
    let say = |finding, testimony: Option<&str>| {
        statement(&ClaimFinding {
            testimony: testimony.map(str::to_owned),
            ..ClaimFinding::of("a.py", finding)
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

/// Of every kind that a person does not see.
const HIDDEN: &str = "\n\r\u{1b}\u{85}\u{a0}\u{ad}\u{34f}\u{115f}\u{180e}\u{200b}\u{2028}\u{2029}\
                      \u{202e}\u{3000}\u{3164}\u{fe0f}\u{feff}\u{e0041}\u{e0100}";

fn text() -> impl Strategy<Value = String> {
    let hidden: Vec<_> = HIDDEN.chars().collect();
    let char = prop_oneof![any::<char>(), prop::sample::select(hidden), Just('a')];
    let name = |chars: Vec<char>| {
        let no_path = ['\0', '/', '.'];
        chars
            .into_iter()
            .filter(|char| !no_path.contains(char))
            .chain(['x'])
            .collect()
    };
    proptest::collection::vec(char, 0..12).prop_map(name)
}

proptest! {
    #[test]
    fn each_name_stays_on_its_line_and_hides_nothing(
        names in proptest::collection::btree_set(text(), 1..4),
        unmet in proptest::collection::vec((text(), text()), 1..3),
    ) {
        let names: Vec<_> = names.into_iter().collect();
        let verdict = weigh(&claim(&names), Vec::new(), Strict::default(), &Seen(&[]));
        let disproved = verdict.proofs().count();
        prop_assert!(disproved > 0);
        let unmet: Vec<_> = unmet.into_iter().map(|(name, why)| Unmet { name, why, is_of_prompt: false }).collect();
        let texts = [block_reason(&verdict, to(0)), revision(&unmet, to(0))];
        for (reason, count) in texts.iter().zip([disproved, unmet.len()]) {
            prop_assert_eq!(reason.lines().count(), 2 + count, "{}", reason);
            let hides = |line: &str| line.contains(|char| HIDDEN.contains(char));
            prop_assert!(!reason.split('\n').any(hides), "{}", reason);
        }
    }
}
