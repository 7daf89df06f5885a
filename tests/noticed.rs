//! What became of a notice: what `show` and `stats` say of the files that were missing when a parent was told.

use std::fs;

use serde_json::{Value, json};

use crate::common::TestContext;
use crate::common::agent::{Agent, done, hook, told_person};

const FILES: &[(&str, &str)] = &[("a.py", "one\n")];

/// The parent is given the report of the agent.
fn report(context: &TestContext, agent: &str) -> String {
    let payload = json!({"session_id": "session-1", "cwd": "/", "hook_event_name": "PostToolUse",
        "tool_name": "Agent", "tool_response": {"status": "completed", "agentId": agent}});
    hook(context, "post-tool-use", &payload).stdout
}

/// What `show` says after `notice`.
fn shown(context: &TestContext, agent: &str) -> Option<String> {
    let text = context.attest(["show", agent]).assert_success().stdout;
    let line = text.lines().find(|line| line.starts_with("notice "))?;
    Some(line.trim_start_matches("notice").trim().to_owned())
}

#[test]
fn files_that_are_there_at_the_end_of_the_turn_are_said_and_others_too() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let cases = [
        (
            "a1",
            "ghost.py",
            &["ghost.py"][..],
            "the missing file was there",
        ),
        (
            "a2",
            "./new/ghost.py",
            &["new/ghost.py"],
            "the missing file was there",
        ),
        ("a3", "no.py", &[], "the missing file was not found"),
        (
            "a4",
            "b.py, c.py",
            &["c.py"],
            "1 of 2 missing files were there",
        ),
        ("a5", "d.py, e.py", &[], "none of 2 missing files was found"),
        (
            "a6",
            "f.py, g.py",
            &["f.py", "g.py"],
            "all 2 missing files were there",
        ),
    ];
    for (id, claimed, made, expected) in cases {
        let agent = Agent::new(id, &repo);
        agent.start(&context);
        agent.stop(&context, &done(claimed));
        assert!(report(&context, id).contains("Look at this"));
        assert_eq!(shown(&context, id), None, "the turn goes on");
        for path in made {
            fs::create_dir_all(repo.join(path).parent().unwrap()).unwrap();
            fs::write(repo.join(path), "made by the parent").unwrap();
        }
        let told = told_person(&context);
        let there = expected.contains("file was there") || expected.contains("all 2");
        assert_eq!(told.is_none(), there, "{told:?}");
        let expected = format!("the parent was told; at the end of its turn {expected}");
        assert_eq!(shown(&context, id), Some(expected), "{claimed}");
    }
    // What comes later changes nothing of what was seen.
    fs::write(repo.join("no.py"), "late").unwrap();
    assert_eq!(told_person(&context), None);
    assert!(shown(&context, "a3").unwrap().ends_with("not found"));
    let json = context.attest(["show", "a4", "--json"]).assert_success();
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["noticed"], json!({"missing": 2, "there": 1}));
    let stats = context.attest(["stats"]).assert_success().stdout;
    let sentence =
        "after 6 notices of missing files to a parent, all were there at the end of its turn in 3";
    assert!(stats.contains(sentence), "{stats}");
    let stats = context.attest(["stats", "--json"]).assert_success().stdout;
    let stats: Value = serde_json::from_str(&stats).unwrap();
    assert_eq!(stats[0]["notices"], json!({"told": 6, "all_there": 3}));
}

#[test]
fn nothing_is_said_where_nothing_was_noticed_or_seen() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    // The parent was not told: its host showed the report to nobody.
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py"));
    assert!(told_person(&context).is_some());
    assert_eq!(shown(&context, "a1"), None);
    // An honest agent, of which nobody was told.
    let agent = Agent::new("a2", &repo);
    agent.start(&context);
    fs::write(repo.join("b.py"), "two\n").unwrap();
    agent.stop(&context, &done("b.py"));
    assert_eq!(report(&context, "a2"), "");
    assert_eq!(told_person(&context), None);
    assert_eq!(shown(&context, "a2"), None);
    // One that goes on after the notice, and mends it itself: its next stop says so.
    let agent = Agent::new("a3", &repo);
    agent.start(&context);
    agent.stop(&context, &done("c.py"));
    assert_ne!(report(&context, "a3"), "");
    agent.start(&context);
    fs::write(repo.join("c.py"), "three\n").unwrap();
    agent.stop(&context, &done("c.py"));
    assert_eq!(told_person(&context), None);
    assert_eq!(shown(&context, "a3"), None);
    assert!(!context.attest(["stats"]).stdout.contains("notice"));
}

#[test]
fn what_a_resumed_agent_has_mended_is_told_to_nobody() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    // One of them writes more than it says.
    for (id, more, is_mended) in [
        ("a1", None, true),
        ("a2", None, false),
        ("a3", Some("b.py"), true),
    ] {
        let file = format!("{id}.py");
        let agent = Agent::new(id, &repo);
        agent.start(&context);
        agent.stop(&context, &done(&file));
        agent.start(&context);
        let made = is_mended.then_some(file.as_str()).into_iter().chain(more);
        for name in made {
            fs::write(repo.join(name), "two\n").unwrap();
        }
        agent.stop(&context, &done(&file));
        assert_eq!(report(&context, id).contains(&file), !is_mended, "{id}");
        assert_eq!(told_person(&context).is_none(), is_mended, "{id}");
    }
}

#[test]
fn an_agent_without_an_id_mends_nothing_of_another() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    for (file, is_written) in [("ghost.py", false), ("b.py", true)] {
        let payload = |event, message| {
            json!({"session_id": "session-1", "cwd": repo, "hook_event_name": event,
                "last_assistant_message": message})
        };
        hook(&context, "start", &payload("SubagentStart", ""));
        if is_written {
            fs::write(repo.join(file), "two\n").unwrap();
        }
        hook(&context, "stop", &payload("SubagentStop", &done(file)));
    }
    assert!(told_person(&context).unwrap().contains("ghost.py"));
}

#[test]
fn of_several_missing_files_the_person_is_told_of_those_that_are_still_missing() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("b.py, c.py"));
    fs::write(repo.join("c.py"), "made by the parent").unwrap();
    let told = told_person(&context).unwrap();
    assert!(
        told.contains("when it stopped:\n- general-purpose a1: \"b.py\": "),
        "{told}"
    );
    assert!(!told.contains("c.py"), "{told}");
}
