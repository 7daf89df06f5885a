//! `attest ask`: the words are given to an agent that starts, if the person wants that, and never else.

use std::fs;

use serde_json::{Value, json};

use crate::common::TestContext;
use crate::common::agent::{Agent, done, hook};

/// What the start hook of a host prints.
fn said(context: &TestContext, host: &str, payload: &Value) -> String {
    let payload = payload.to_string();
    let arguments = ["hook", "start", "--harness", host];
    let printed = context.attest_with_input(arguments, payload.as_bytes());
    printed.assert_success().stdout
}

fn asking() -> TestContext {
    let mut context = TestContext::new();
    context.set("ATTEST_ASK", "1").set("ATTEST_LOG", "info");
    context
}

#[test]
fn an_agent_that_starts_is_asked_once_and_only_if_the_person_wants_it() {
    let mut context = asking();
    let repo = context.repository("repo", &[("a.py", "one\n")]);
    let agent = Agent::new("a1", &repo);
    let words = context.attest(["ask"]).assert_success().stdout;
    let reply = hook(&context, "start", &agent.start_payload()).stdout;
    let expected = json!({ "hookSpecificOutput": {
        "hookEventName": "SubagentStart",
        "additionalContext": words,
    }});
    assert_eq!(serde_json::from_str::<Value>(&reply).unwrap(), expected);
    assert!(reply.ends_with("}\n"), "{reply}");

    fs::write(repo.join("a.py"), "two\n").unwrap();
    agent.stop(&context, &done("a.py")).assert_reported("-> OK");
    let again = hook(&context, "start", &agent.start_payload());
    assert_eq!(again.stdout, "", "one that is resumed was asked before");

    for value in ["0", "true", ""] {
        context.set("ATTEST_ASK", value);
        Agent::new(&format!("b{value}"), &repo).start(&context);
    }
    let log = fs::read_to_string(context.home().join(".attest/attest.log")).unwrap();
    assert_eq!(log.matches("ASKED words 2").count(), 1, "{log}");
}

/// What a host takes at the start of a subagent, each in its own place; the others hear nothing. OpenClaw announces
/// no start of a subagent.
#[test]
fn each_host_is_given_the_words_where_it_reads_them() {
    let context = asking();
    let repo = context.repository("repo", &[("a.py", "one\n")]);
    let words = context.attest(["ask"]).assert_success().stdout;
    for (host, place) in [
        ("claude-code", Some("/hookSpecificOutput/additionalContext")),
        ("codex", Some("/hookSpecificOutput/additionalContext")),
        ("vscode", Some("/hookSpecificOutput/additionalContext")),
        ("copilot", Some("/additionalContext")),
        ("cursor", Some("/additional_context")),
        ("opencode", Some("/context")),
        ("qwen", None),
        ("gemini", None),
        ("droid", None),
    ] {
        let payload = match host {
            "copilot" => {
                json!({ "sessionId": host, "agentId": "a", "agentName": "x", "cwd": repo })
            }
            "cursor" => json!({
                "hook_event_name": "subagentStart", "conversation_id": host, "subagent_id": "a",
                "subagent_type": "x", "workspace_roots": [repo], "cursor_version": "1",
            }),
            _ => json!({
                "hook_event_name": "SubagentStart", "session_id": host, "agent_id": "a",
                "agent_type": "x", "cwd": repo,
            }),
        };
        let reply = said(&context, host, &payload);
        let reply: Value = serde_json::from_str(&reply).unwrap_or_default();
        let heard = place.and_then(|place| reply.pointer(place));
        assert_eq!(
            heard,
            place.map(|_| json!(words)).as_ref(),
            "{host}: {reply}"
        );
        assert!(
            place.is_some() || !reply.to_string().contains("Handoff"),
            "{host}"
        );
    }
}

/// An agent of a type that only reads has no file to name.
#[test]
fn an_agent_that_only_reads_is_asked_for_a_status_alone() {
    let context = asking();
    let repo = context.repository("repo", &[("a.py", "one\n")]);
    let words = |kind: &str| {
        let mut payload = Agent::new(kind, &repo).start_payload();
        payload["agent_type"] = kind.into();
        hook(&context, "start", &payload).stdout
    };
    for (kind, names_files) in [
        ("Explore", false),
        ("Plan", false),
        ("general-purpose", true),
    ] {
        let words = words(kind);
        assert!(
            words.contains("Unless your answer has a fixed format"),
            "{words}"
        );
        assert!(words.contains("Status: "), "{words}");
        assert_eq!(words.contains("Files changed:"), names_files, "{words}");
    }
}

/// The settings of attest after a command, and what it said.
fn run(context: &TestContext, arguments: &[&str]) -> (String, String) {
    let said = context.attest(arguments).assert_success().stdout;
    let file = context.home().join(".attest/settings.toml");
    (said, fs::read_to_string(file).unwrap_or_default())
}

const ON: &str = "[claude-code]\nATTEST_ASK = \"1\" # set by attest\n";
const OFF: &str = "[claude-code]\nATTEST_ASK = \"0\"\n";
const NOT_ON: &str = "[claude-code]\nATTEST_ASK = \"0\" # set by attest\n";

#[test]
fn it_is_turned_on_and_off_and_nothing_else_changes() {
    let context = TestContext::new();
    let (_, off) = run(&context, &["install", "--no-ask"]);
    assert!(off.ends_with(NOT_ON), "{off}");
    let (said, same) = run(&context, &["ask", "on", "--dry-run"]);
    assert!(said.ends_with("new subagents would be asked for a report\n"));
    assert_eq!(same, off);
    let (said, on) = run(&context, &["ask", "on"]);
    assert!(said.contains("+ATTEST_ASK = \"1\""), "{said}");
    assert!(
        said.contains("from their next hook on")
            && said.ends_with("new subagents are asked for a report\n")
    );
    assert!(on.ends_with(ON), "{on}");
    let (said, again) = run(&context, &["ask", "on"]);
    assert!(!said.contains('+'), "{said}");
    assert_eq!(again, on);
    let (said, off) = run(&context, &["ask", "off"]);
    assert!(
        said.ends_with("new subagents are not asked for a report\n"),
        "{said}"
    );
    assert!(off.ends_with(OFF), "{off}");
}

#[test]
fn installing_asks_and_says_so_with_the_words_and_what_they_cost() {
    let context = TestContext::new();
    let words = context.attest(["ask"]).assert_success().stdout;
    let (said, nothing) = run(&context, &["install", "--dry-run"]);
    assert_eq!(nothing, "");
    assert!(said.contains("+ATTEST_ASK = \"1\""), "{said}");
    let (said, on) = run(&context, &["install"]);
    assert!(on.ends_with(ON), "{on}");
    let one_line: Vec<_> = said.split_whitespace().collect();
    let one_line = one_line.join(" ");
    let words: Vec<_> = words.split_whitespace().collect();
    let expected = format!(
        "new subagents are asked for a report, in {} words (about ",
        words.len()
    );
    assert!(one_line.contains(&expected), "{said}");
    assert!(
        one_line.contains("until you run `attest ask off`"),
        "{said}"
    );
    assert!(
        one_line.ends_with(&format!("\"{}\"", words.join(" "))),
        "{said}"
    );
    let (_, same) = run(&context, &["install"]);
    assert_eq!(same, on);
    let (_, gone) = run(&context, &["uninstall"]);
    assert_eq!(gone, "", "what an installation wrote goes with it");
    assert!(!context.home().join(".attest").exists());
}

/// Whoever turned it off, and however, does so for every later installation; what an installation wrote goes with it.
#[test]
fn what_was_turned_off_stays_off_whoever_installs_later() {
    for (off, expected, stays) in [
        (&["ask", "off"][..], OFF, true),
        (&["install", "--no-ask"], NOT_ON, false),
    ] {
        let context = TestContext::new();
        run(&context, &["install"]);
        let off = run(&context, off).1;
        assert!(off.ends_with(expected), "{off}");
        let (said, same) = run(&context, &["install"]);
        assert!(said.contains("`attest ask on` changes that"), "{said}");
        assert_eq!(same, off);
        let (said, left) = run(&context, &["uninstall"]);
        assert_eq!(said.contains("you have set that"), stays, "{said}");
        assert_eq!(left, if stays { off.as_str() } else { "" });
        assert_eq!(run(&context, &["install"]).1 == off, stays);
    }
}

/// What is said for all hosts, or in the environment, is no less said.
#[test]
fn what_was_said_elsewhere_is_not_said_again() {
    for (said_for_all, in_environment, asks) in [
        ("ATTEST_ASK = 0\n", None, false),
        ("ATTEST_ASK = 1\n", None, true),
        ("", Some("0"), false),
        ("", Some("1"), true),
    ] {
        let mut context = TestContext::new();
        let file = context.home().join(".attest/settings.toml");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, said_for_all).unwrap();
        if let Some(value) = in_environment {
            context.set("ATTEST_ASK", value);
        }
        let (said, after) = run(&context, &["install"]);
        assert_eq!(after, said_for_all);
        assert_eq!(said.contains("new subagents are asked"), asks, "{said}");
    }
}

/// The plugin has no installation that could write a setting.
#[test]
fn the_plugin_asks_as_long_as_nothing_else_is_said() {
    let mut context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "one\n")]);
    let said = |context: &TestContext, id: &str, more: &[&str]| {
        let payload = Agent::new(id, &repo).start_payload().to_string();
        let arguments = ["hook", "start"].iter().chain(more);
        let printed = context.attest_with_input(arguments, payload.as_bytes());
        printed.assert_success().stdout.contains("Handoff")
    };
    assert!(said(&context, "a", &["--plugin"]));
    assert!(!said(&context, "b", &[]), "hooks that nobody has installed");
    run(&context, &["ask", "off"]);
    assert!(!said(&context, "c", &["--plugin"]));
    run(&context, &["ask", "on"]);
    assert!(said(&context, "d", &["--plugin"]) && said(&context, "e", &[]));
    context.set("ATTEST_ASK", "0");
    assert!(!said(&context, "f", &["--plugin"]));
}

/// A person who looks what is in force sees it, and who said so.
#[test]
fn doctor_and_status_show_whether_agents_are_asked() {
    let context = TestContext::new();
    run(&context, &["install"]);
    for (words, value) in [(&["install"][..], "on"), (&["ask", "off"], "off")] {
        run(&context, words);
        let doctor = context.attest(["doctor"]).stdout;
        let row = doctor
            .lines()
            .find(|it| it.trim_start().starts_with("asking"));
        let row: Vec<_> = row.unwrap().split_whitespace().collect();
        assert_eq!(row[1], value, "{doctor}");
        assert!(row[2].starts_with("ATTEST_ASK="), "{doctor}");
        let status = context.attest(["status"]).assert_success().stdout;
        let asked = if value == "on" { "are" } else { "are not" };
        let said = format!("new subagents {asked} asked for a report");
        assert!(status.contains(&said), "{status}");
    }
}

/// Where most reports claim nothing, whoever looks hears what to do; where half of them do, nobody does.
#[test]
fn where_most_reports_claim_nothing_it_is_said_what_to_do() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "one\n")]);
    run(&context, &["install"]);
    let stops = |id: &str, report: &str| {
        let agent = Agent::new(id, &repo);
        hook(&context, "start", &agent.start_payload());
        agent.stop(&context, report);
    };
    let advice = |words: &[&str]| {
        let text = context.attest(words.iter().copied()).stdout;
        let text: Vec<_> = text.split_whitespace().collect();
        text.join(" ").contains("`attest ask on`")
    };
    stops("a", "I looked at all of it.");
    stops("b", "Status: DONE\nFiles changed: none");
    for words in [&["stats", "--all"][..], &["doctor"]] {
        assert!(!advice(words), "{words:?}");
    }
    stops("c", "It is fine.");
    for words in [
        &["stats", "--all"][..],
        &["doctor"],
        &["explain", "NO_CLAIM"],
        &["explain"],
    ] {
        assert!(advice(words), "{words:?}");
    }
}
