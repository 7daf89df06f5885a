use super::*;
use Outcome::{Error, Fail, Pass, Skipped};

/// `a` and `b` alone, then a group of `c` and an `any_of` of `d` and `e`.
fn report(outcomes: [Outcome; 5], allow_skipped: bool) -> Report {
    let criteria = Criteria::parse(
        "base_case: {checklist: [
           {item: a, check: {type: command, value: a}},
           {item: b, check: {type: assertion, value: b}},
           {item: g, group: [
             {item: c, check: {type: file, value: c}},
             {item: h, any_of: [
               {item: d, check: {type: file, value: d}},
               {item: e, check: {type: file, value: e}}]}]}]}",
    )
    .unwrap();
    let checked = outcomes.map(|outcome| CheckResult::new(outcome, ""));
    Report::of(&criteria, checked.into(), allow_skipped)
}

#[test]
fn everything_passes() {
    let report = report([Pass; 5], false);
    assert!(report.passed && report.requires_user_confirmation);
    assert_eq!(report.evidence, "3 of 3 passed");
}

#[test]
fn what_fails_within_any_of_counts_only_where_none_passed() {
    let passed = report([Pass, Pass, Pass, Fail, Pass], false);
    assert!(passed.passed && passed.failures.is_empty(), "{passed:?}");
    let failed = report([Pass, Pass, Pass, Fail, Fail], false);
    assert!(!failed.passed);
    assert_eq!(failed.failures, ["g > h > d", "g > h > e"]);
    let unknown = report([Pass, Pass, Pass, Fail, Error], false);
    assert_eq!((unknown.outcome, unknown.failures.len()), (Error, 0));
    assert_eq!(unknown.errors, ["g > h > e"]);
}

#[test]
fn what_is_skipped_is_listed_wherever_it_stands() {
    let deep = report([Pass, Skipped, Pass, Skipped, Fail], false);
    assert_eq!(deep.skipped, ["b", "g > h > d"]);
    assert_eq!((deep.passed, deep.outcome), (false, Skipped));
    assert_eq!(deep.failures, [""; 0]);
    let beside = report([Pass, Pass, Pass, Skipped, Pass], false);
    assert_eq!((beside.passed, beside.outcome), (false, Skipped));
    assert_eq!(beside.skipped, ["g > h > d"]);
}

#[test]
fn skipped_may_be_allowed_and_nothing_else() {
    assert!(report([Pass, Skipped, Pass, Skipped, Fail], true).passed);
    assert!(!report([Fail, Skipped, Pass, Pass, Pass], true).passed);
    assert!(!report([Error, Skipped, Pass, Pass, Pass], true).passed);
}

#[test]
fn failing_and_not_knowing_are_told_apart() {
    let both = report([Fail, Pass, Error, Pass, Pass], false);
    assert_eq!(both.outcome, Fail);
    assert_eq!(
        (both.failures, both.errors),
        (vec!["a".to_owned()], vec!["g > c".to_owned()])
    );
}

#[test]
fn a_group_of_skipped_items_is_skipped() {
    let report = report([Pass, Pass, Skipped, Skipped, Skipped], false);
    assert_eq!(report.checklist[2].outcome, Skipped);
    assert_eq!(report.checklist[2].below()[1].outcome, Skipped);
    assert_eq!(report.skipped.len(), 3);
}
