//! What a person types into the options of lists: times as people say them, states, and words that are nearly right.

use attest_made_history::{Plan, Truth, make};
use jiff::civil::Weekday;
use jiff::{Timestamp, ToSpan as _, Zoned};
use serde_json::Value;

use crate::common::TestContext;

const VERDICTS: u32 = 400;

struct Month {
    context: TestContext,
    truth: Truth,
}

impl Month {
    fn new() -> Self {
        let context = TestContext::new();
        let state = context.home().join(".attest/state.db");
        let truth = make(&state, &Plan::new(&state, VERDICTS, Timestamp::now())).unwrap();
        Self { context, truth }
    }

    fn json(&self, words: &[&str]) -> Vec<Value> {
        let printed = self.context.attest(words).assert_success().stdout;
        let lines = printed.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn stops_since(&self, begin: Timestamp) -> usize {
        let stops = self.truth.stops.iter();
        stops.filter(|stop| stop.at >= begin).count()
    }

    fn said(&self, words: &[&str]) -> String {
        let printed = self.context.attest(words);
        printed.stdout + &printed.stderr
    }
}

/// The zone of tests is UTC.
#[test]
fn lists_begin_when_people_say_so() {
    let month = Month::new();
    let now = Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    let midnight = now.start_of_day().unwrap();
    let back = now.weekday().since(Weekday::Monday);
    let monday = midnight.checked_sub(i64::from(back).days()).unwrap();
    let earlier = |at: &Zoned, days: i64| at.checked_sub(days.days()).unwrap().timestamp();
    for (said, begin) in [
        ("today", midnight.timestamp()),
        ("yesterday", earlier(&midnight, 1)),
        ("monday", monday.timestamp()),
        ("this week", monday.timestamp()),
        ("last week", earlier(&monday, 7)),
        ("2 weeks ago", earlier(&now, 14)),
    ] {
        let listed = month.json(&["log", "--json", "--since", said]).len();
        assert_eq!(listed, month.stops_since(begin), "{said}");
    }
}

#[test]
fn a_range_that_ends_before_it_begins_is_an_error() {
    let month = Month::new();
    for command in ["log", "stats", "agents", "report"] {
        let asked = [command, "--since", "2d", "--until", "3d"];
        let printed = month.context.attest(asked).assert_failure();
        let error = printed.stderr;
        assert!(
            error.starts_with("error: no time lies between --since"),
            "{error}"
        );
        assert!(
            error.contains("hint: --until has to be the later"),
            "{error}"
        );
        assert_eq!(printed.stdout, "");
    }
    // The other way around it is a day.
    month
        .context
        .attest(["log", "--since", "3d", "--until", "2d"])
        .assert_success();
}

#[test]
fn a_word_that_is_nearly_right_is_answered_with_the_right_one() {
    let month = Month::new();
    for (words, expected) in [
        (
            &["log", "--outcome", "mismacth"][..],
            "did you mean `MISMATCH`?",
        ),
        (&["log", "--since", "yesteday"], "did you mean `yesterday`?"),
        (
            &["log", "--agent-type", "implementre"],
            "did you mean `--agent-type implementer`?",
        ),
        (&["explain", "scope-crep"], "did you mean `SCOPE_CREEP`?"),
        (&["install", "--host", "codx"], "'codex'"),
        (&["stats", "--by", "reasn"], "'reason'"),
        (&["agents", "--status", "actve"], "'active'"),
        (
            &["enforce", "on", "--agent", "implementre", "--dry-run"],
            "did you mean `implementer`?",
        ),
    ] {
        let said = month.said(words);
        assert!(said.contains(expected), "{words:?}: {said}");
    }
    for words in [
        &["log", "--outcome", "perfect"][..],
        &["log", "--agent-type", "nobody"],
        &["explain", "whatever"],
        &["enforce", "on", "--agent", "Implementer", "--dry-run"],
        &["enforce", "on", "--agent", "my-own-reviewer", "--dry-run"],
    ] {
        let said = month.said(words);
        assert!(!said.contains("did you mean"), "{words:?}: {said}");
        let is_unseen = words.contains(&"my-own-reviewer");
        let says = said.contains("no agent of the type `my-own-reviewer` has stopped so far");
        assert_eq!(says, is_unseen, "{words:?}: {said}");
    }
}

#[test]
fn agents_are_listed_by_their_status() {
    let month = Month::new();
    let of = |words: &[&str]| -> Vec<Value> {
        let all = [&["agents", "--json", "-n", "1000"], words].concat();
        let printed = month.context.attest(all).assert_success().stdout;
        serde_json::from_str(&printed).unwrap()
    };
    let all = of(&[]);
    let mut sum = 0;
    for status in ["active", "completed", "died", "lost"] {
        let some = of(&["--status", status]);
        assert!(
            some.iter().all(|agent| agent["status"] == status),
            "{status}"
        );
        let ids = |agents: &[&Value]| -> Vec<String> {
            let ids = agents.iter().map(|agent| agent["agent_id"].to_string());
            ids.collect()
        };
        let expected = all.iter().filter(|agent| agent["status"] == status);
        let expected: Vec<_> = expected.collect();
        assert_eq!(
            ids(&some.iter().collect::<Vec<_>>()),
            ids(&expected),
            "{status}"
        );
        sum += some.len();
    }
    assert_eq!(sum, all.len());
    let at_work = of(&["--status", "active"]).len();
    assert_eq!(at_work, month.truth.at_work.len());
    assert!(of(&["--status", "completed,active"]).len() > at_work);
    let cut = month.said(&["agents", "--status", "completed", "-n", "3"]);
    assert!(cut.contains("these are the newest 3"), "{cut}");
    let blocked = month.said(&["agents", "--all", "--outcome", "blocked"]);
    assert!(blocked.contains("came to BLOCKED"), "{blocked}");
    let none = month.said(&["agents", "--status", "died"]);
    assert!(none.starts_with("no agent that matches is died"), "{none}");
}

#[test]
fn a_list_that_was_cut_says_so() {
    let month = Month::new();
    let none = month.said(&["log", "--session", "nothing"]);
    assert!(none.contains(", and more"), "{none}");
    let shared = &month.truth.stops[0].id[..1];
    let several = month.said(&["show", shared]);
    assert!(
        several.contains("may be several") && several.contains(", and more"),
        "{several}"
    );
    let types = month.said(&["log", "--agent-type", "nobody"]);
    assert!(!types.contains("and more"), "{types}");
}
