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
    assert_eq!(log.matches("ASKED words 1").count(), 1, "{log}");
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

#[test]
fn it_is_turned_on_and_off_and_nothing_else_changes() {
    let context = TestContext::new();
    context.attest(["install"]).assert_success();
    let file = context.home().join(".attest/settings.toml");
    let run = |arguments: &[&str]| {
        let said = context.attest(arguments).assert_success().stdout;
        (said, fs::read_to_string(&file).unwrap_or_default())
    };
    let (said, same) = run(&["ask", "on", "--dry-run"]);
    assert!(said.ends_with("each new subagent would be asked for the block that attest reads\n"));
    assert_eq!(same, "");
    let (said, on) = run(&["ask", "on"]);
    assert!(said.contains("+ATTEST_ASK = \"1\""), "{said}");
    assert!(
        said.contains("from their next hook on")
            && said.ends_with("subagent is asked for the block that attest reads\n")
    );
    let (said, again) = run(&["ask", "on"]);
    assert!(!said.contains('+'), "{said}");
    assert_eq!(again, on);
    let (said, off) = run(&["ask", "off"]);
    assert!(said.ends_with("no agent is asked for anything\n"), "{said}");
    assert_eq!(off, "");
}
