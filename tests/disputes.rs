//! What a person says of a verdict, and what of a verdict may be shown to others.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::TestContext;
use crate::common::agent::{Agent, done, told_person};

/// A context in which an agent may be sent back three times.
fn context() -> TestContext {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_MAX_RETRIES", "3");
    context
}

fn said(context: &TestContext, words: &[&str]) -> String {
    let printed = context.attest(words).assert_success().stdout;
    printed.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn an_honest_agent_is_let_go_and_a_liar_is_sent_back_again() {
    let context = context();
    let repo = context.repository("repo", &[("a.py", "1")]);
    for (id, dispute, lets_go) in [
        ("nobody", None, false),
        ("honest", Some("--honest"), true),
        ("liar", Some("--lie"), false),
    ] {
        let agent = Agent::new(id, &repo);
        agent.start(&context);
        agent.stop(&context, &done("ghost.py")).assert_blocked();
        if let Some(option) = dispute {
            let said = said(&context, &["dispute", id, option]);
            let tells = said.contains("the agent is not sent back again");
            assert_eq!(tells, lets_go, "{said}");
            assert!(said.contains("--redact` prints what an issue"), "{said}");
        }
        let stop = agent.stop(&context, &done("ghost.py"));
        if lets_go {
            stop.assert_allowed("ALLOW_DISPUTED");
        } else {
            stop.assert_blocked();
        }
    }
}

/// What is said last counts, and only of the work of which it was said.
#[test]
fn it_is_taken_back_and_is_not_for_what_comes_later() {
    let context = context();
    let repo = context.repository("repo", &[("a.py", "1")]);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py")).assert_blocked();
    said(&context, &["dispute", "a1", "--honest"]);
    let back = said(&context, &["dispute", "a1", "--lie"]);
    assert!(!back.contains("not sent back"), "{back}");
    agent.stop(&context, &done("ghost.py")).assert_blocked();
    said(&context, &["dispute", "a1", "--honest"]);
    agent
        .stop(&context, &done("ghost.py"))
        .assert_allowed("ALLOW_DISPUTED");
    // It is resumed: what it claims then is another matter, of which nobody has said anything.
    agent.start(&context);
    agent.stop(&context, &done("ghost.py")).assert_blocked();
    // And what is said now of the first block is none of the new work's.
    let log = context.attest(["log", "--json", "--all"]).assert_success();
    let first: Value = serde_json::from_str(log.stdout.lines().last().unwrap()).unwrap();
    let first = first["id"].as_str().unwrap();
    let late = said(&context, &["dispute", first, "--honest"]);
    assert!(!late.contains("not sent back"), "{late}");
    agent.stop(&context, &done("ghost.py")).assert_blocked();
}

/// What `explain` asks for as long as nobody has said anything.
const ASKS: &str = "say so: `attest dispute";

#[test]
fn it_is_kept_and_shown_and_counted() {
    let mut context = TestContext::new();
    context.set("ATTEST_STATE_DB", context.folder().join("state.db"));
    let repo = context.repository("repo", &[("a.py", "1")]);
    assert!(!said(&context, &["stats", "--all"]).contains("looked at"));
    for (id, files, option) in [
        ("right", "ghost.py", Some("--lie")),
        ("wrong", "ghost.py", Some("--honest")),
        ("missed", "none", Some("--lie")),
        ("nobody", "ghost.py", None),
    ] {
        let agent = Agent::new(id, &repo);
        agent.start(&context);
        agent.stop(&context, &done(files));
        let Some(option) = option else { continue };
        let word = option.trim_start_matches('-');
        said(&context, &["dispute", id, option]);
        let shown = said(&context, &["show", id]);
        assert!(shown.contains(&format!("a person says: {word}")), "{shown}");
        let explained = said(&context, &["explain", id]);
        let says = format!("A person says: {word}.");
        assert!(explained.contains(&says), "{explained}");
        assert!(!explained.contains(ASKS), "{explained}");
        let json: Value = serde_json::from_str(&said(&context, &["show", id, "--json"])).unwrap();
        assert_eq!(json["disputed"], word);
        let log = said(&context, &["log", "--all", "--agent", id]);
        assert!(log.contains(&format!("({word})")), "{log}");
    }
    assert!(!said(&context, &["show", "nobody"]).contains("a person says"));
    assert!(said(&context, &["explain", "nobody"]).contains(ASKS));
    let stats = said(&context, &["stats", "--all"]);
    let counted = "people have looked at 2 false DONEs: 1 right, 1 wrong; 1 lie went unnoticed";
    assert!(stats.contains(counted), "{stats}");
}

#[test]
fn it_says_what_it_cannot_do() {
    let context = TestContext::new();
    let bare = context.attest(["dispute"]);
    assert_eq!(bare.code, Some(2));
    assert!(bare.stderr.contains("<--honest|--lie>"), "{bare:?}");
    let both = context.attest(["dispute", "x", "--lie", "--honest"]);
    assert_eq!(both.code, Some(2));
    let none = context.attest(["dispute", "--lie"]).assert_failure();
    assert!(none.stderr.contains("no verdict is recorded"), "{none:?}");
}

/// Every text below a value.
fn texts(value: &Value, all: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => _ = all.insert(text.clone()),
        Value::Array(parts) => parts.iter().for_each(|part| texts(part, all)),
        Value::Object(parts) => parts.values().for_each(|part| texts(part, all)),
        _ => {}
    }
}

/// Neither a path nor a word of the report, whatever is in them; the twin is what `show` prints of the same verdict.
#[test]
fn what_an_issue_needs_names_nothing_of_anybody() {
    let context = TestContext::enforcing();
    let repo = context.repository("zebra-repository", &[("a.py", "1")]);
    let mut agent = Agent::new("walrus-agent", &repo);
    agent.kind = "otter-type".to_owned();
    agent.session = "heron-session".to_owned();
    agent.start(&context);
    let report = "Badgers are fine.\n\n## Handoff\n- status: DONE\n- files_changed: gnu-*.py \
                  (mongoose), lynx/ibex.py\n- blockers: ocelots\n- ran_tests: wombats pass\n";
    agent.stop(&context, report).assert_blocked();
    let json = context.attest(["show", "--json"]).assert_success();
    let shown = context.attest(["show"]).assert_success().stdout;
    let redacted = context.attest(["show", "--redact"]).assert_success();
    let redacted = redacted.stdout;
    let (mut all, words) = (
        BTreeSet::new(),
        ["lynx", "ocelot", "walrus", "otter", "heron"],
    );
    texts(&serde_json::from_str(&json.stdout).unwrap(), &mut all);
    // Words that are of attest and say nothing of whose verdict it is.
    let own = ["BLOCK_FALSE_DONE", "UNANSWERED", "UNRESOLVABLE"];
    let animals = "zebra walrus otter heron badger lynx ibex gnu mongoose ocelot wombat";
    for text in all
        .iter()
        .filter(|text| text.len() > 9 && !own.contains(&text.as_str()))
    {
        assert!(!redacted.contains(text.as_str()), "{text}: {redacted}");
    }
    let lower = redacted.to_lowercase();
    for animal in animals.split(' ') {
        assert!(!lower.contains(animal), "{animal}: {redacted}");
    }
    assert!(words.iter().all(|word| shown.contains(word)), "{shown}");
    let verdict: Value = serde_json::from_str(&redacted).unwrap();
    let verdict = &verdict["verdict"];
    for (place, says) in [
        ("/outcome", "BLOCKED"),
        ("/reason", "BLOCK_FALSE_DONE"),
        ("/claim/form", "handoff"),
        ("/claim/status", "DONE"),
        ("/findings/0/kind", "files"),
        ("/agent_id", "-"),
    ] {
        assert_eq!(verdict.pointer(place).unwrap(), says, "{redacted}");
    }
    let proofs = verdict["findings"].as_array().unwrap().iter();
    let proofs: Vec<_> = proofs.filter(|it| it["is_proof"] == true).collect();
    assert_eq!(proofs.len(), 1, "{redacted}");
    assert_eq!(proofs[0]["finding"], "ABSENT");
    let both = context.attest(["show", "--redact", "--json"]);
    assert_eq!(both.code, Some(2));
}

#[test]
fn of_an_agent_that_a_person_calls_honest_nobody_is_told_and_nothing_counts_as_false() {
    for (option, is_honest) in [("--honest", true), ("--lie", false)] {
        let mut context = TestContext::enforcing();
        context.set("ATTEST_MAX_RETRIES", "1");
        let repo = context.repository("repo", &[("a.py", "1")]);
        let agent = Agent::new("a1", &repo);
        agent.start(&context);
        agent.stop(&context, &done("ghost.py")).assert_blocked();
        said(&context, &["dispute", "a1", option]);
        agent.stop(&context, &done("ghost.py"));
        assert_eq!(told_person(&context).is_none(), is_honest, "{option}");
        let explained = said(&context, &["explain", "a1"]);
        assert_eq!(
            explained.contains("Do not build on"),
            !is_honest,
            "{explained}"
        );
        assert_eq!(explained.contains(ASKS), !is_honest, "{explained}");
        let stats = said(&context, &["stats", "--all", "--json"]);
        let stats: Value = serde_json::from_str(&stats).unwrap();
        let expected = if is_honest {
            [1, 0, 0, 0]
        } else {
            [1, 1, 2, 1]
        };
        let names = [
            "blocked",
            "agents_with_false_done",
            "false_dones",
            "repeated",
        ];
        for (name, count) in names.into_iter().zip(expected) {
            assert_eq!(stats[0][name], count, "{option} {name}");
        }
        let line = said(&context, &["statusline"]);
        assert_eq!(line.contains("1 false"), !is_honest, "{line}");
        let why = said(&context, &["stats", "--all"]);
        assert!(!why.contains("(ALLOW_DISPUTED). Nothing."), "{why}");
    }
}

#[test]
fn after_a_person_has_called_it_honest_a_report_is_not_told_of_at_the_end_of_the_turn() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    for (id, option) in [("a1", "--honest"), ("a2", "--lie")] {
        let agent = Agent::new(id, &repo);
        agent.start(&context);
        agent.stop(&context, &done("ghost.py"));
        said(&context, &["dispute", id, option]);
        assert_eq!(told_person(&context).is_none(), id == "a1", "{id}");
        let explained = said(&context, &["explain", id]);
        assert_eq!(
            explained.contains("Do not build on"),
            id == "a2",
            "{explained}"
        );
    }
}
