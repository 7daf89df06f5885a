//! What hosts send about a subagent, played to the binary: a false DONE is sent back in the words of the host, an
//! honest one is not.

use std::fs;
use std::path::Path;

use attest_host::{Text, hosts};
use serde_json::{Value, json};

use crate::common::agent::done;
use crate::common::{Printed, TestContext};

/// A host as it calls the hooks for one subagent.
struct Played {
    host: &'static str,
    /// The host that the entry names, which is another one's if a host runs the settings of that.
    entry: Option<&'static str>,
    start: fn(cwd: &Path) -> Value,
    /// The payload of a stop with this message; the host continues already, or not.
    stop: fn(cwd: &Path, message: &str, continues: bool) -> Value,
    /// The reason in a reply, which has to be the whole reply.
    reason: fn(reply: &Value) -> Option<&str>,
    /// What is printed if there is nothing to say.
    silence: &'static str,
}

/// The reply of all hosts that took it over from Claude Code, and nothing beside it.
fn decision(reply: &Value) -> Option<&str> {
    let is_whole = reply.as_object()?.len() == 2 && reply["decision"] == "block";
    reply["reason"].as_str().filter(|_| is_whole)
}

fn codex(cwd: &Path, event: &str) -> Value {
    json!({"session_id": "s", "turn_id": "t", "transcript_path": null, "cwd": cwd, "agent_id": "a",
        "agent_type": "default", "hook_event_name": event, "model": "m", "permission_mode": "default"})
}

fn codex_stop(cwd: &Path, message: &str, continues: bool) -> Value {
    let mut stop = codex(cwd, "SubagentStop");
    stop["agent_transcript_path"] = Value::Null;
    stop["stop_hook_active"] = continues.into();
    stop["last_assistant_message"] = message.into();
    stop
}

fn copilot_stop(cwd: &Path, message: &str, continues: bool) -> Value {
    json!({"hook_event_name": "SubagentStop", "session_id": "s", "timestamp": "2026-01-01T00:00:00.000Z",
        "cwd": cwd, "agent_id": "a", "agent_type": "task", "parent_agent_id": "s", "agent_name": "task",
        "transcript_path": "/nowhere/events.jsonl", "last_assistant_message": message,
        "stop_reason": "end_turn", "stop_hook_active": continues})
}

fn copilot_start(cwd: &Path) -> Value {
    json!({"sessionId": "s", "timestamp": 1, "cwd": cwd, "transcriptPath": "/nowhere/events.jsonl",
        "agentName": "task", "agent_id": "a", "agent_type": "task", "parent_agent_id": "s"})
}

fn cursor(cwd: &Path, event: &str) -> Value {
    json!({"conversation_id": "c", "generation_id": "g", "model": "m", "session_id": "c",
        "hook_event_name": event, "cursor_version": "2", "workspace_roots": [cwd], "user_email": null,
        "transcript_path": null, "subagent_id": "a", "subagent_type": "explore",
        "parent_conversation_id": "c"})
}

fn cursor_stop(cwd: &Path, message: &str, continues: bool) -> Value {
    let mut stop = cursor(cwd, "subagentStop");
    stop["status"] = "completed".into();
    stop["summary"] = message.into();
    stop["loop_count"] = u32::from(continues).into();
    stop["agent_transcript_path"] = Value::Null;
    stop
}

fn qwen(cwd: &Path, event: &str) -> Value {
    json!({"session_id": "s", "transcript_path": "/nowhere/s.jsonl", "cwd": cwd, "hook_event_name": event,
        "timestamp": "2026-01-01T00:00:00.000Z", "permission_mode": "yolo", "agent_id": "general-1",
        "prompt_id": "s########0", "agent_type": "general-purpose"})
}

const PLAYED: &[Played] = &[
    Played {
        host: "codex",
        entry: Some("codex"),
        start: |cwd| codex(cwd, "SubagentStart"),
        stop: codex_stop,
        reason: decision,
        silence: "",
    },
    // Codex runs the plugins of Claude Code.
    Played {
        host: "codex",
        entry: None,
        start: |cwd| codex(cwd, "SubagentStart"),
        stop: codex_stop,
        reason: decision,
        silence: "",
    },
    Played {
        host: "qwen",
        entry: Some("qwen"),
        start: |cwd| qwen(cwd, "SubagentStart"),
        stop: |cwd, message, continues| {
            let mut stop = qwen(cwd, "SubagentStop");
            stop["stop_hook_active"] = continues.into();
            stop["last_assistant_message"] = message.into();
            stop
        },
        reason: decision,
        silence: "",
    },
    Played {
        host: "copilot",
        entry: Some("copilot"),
        start: |cwd| {
            json!({"sessionId": "s", "timestamp": 1, "cwd": cwd, "agentName": "task", "agentId": "a",
                "transcriptPath": "/nowhere/events.jsonl", "agentType": "task", "parentAgentId": "s"})
        },
        stop: |cwd, message, continues| {
            json!({"sessionId": "s", "timestamp": 2, "cwd": cwd, "agentId": "a", "agentType": "task",
                "transcriptPath": "/nowhere/events.jsonl", "agentName": "task", "response": message,
                "stopReason": "end_turn", "stop_hook_active": continues, "parentAgentId": "s"})
        },
        reason: decision,
        silence: "",
    },
    // Copilot runs what a repository has for Claude Code.
    Played {
        host: "copilot",
        entry: None,
        start: copilot_start,
        stop: copilot_stop,
        reason: decision,
        silence: "",
    },
    // It reads the same folder as VS Code.
    Played {
        host: "copilot",
        entry: Some("vscode"),
        start: copilot_start,
        stop: copilot_stop,
        reason: decision,
        silence: "",
    },
    Played {
        host: "cursor",
        entry: Some("cursor"),
        start: |cwd| cursor(cwd, "subagentStart"),
        stop: cursor_stop,
        reason: |reply| reply["followup_message"].as_str(),
        silence: "{}\n",
    },
    // Cursor runs the settings of Claude Code.
    Played {
        host: "cursor",
        entry: None,
        start: |cwd| cursor(cwd, "subagentStart"),
        stop: cursor_stop,
        reason: |reply| reply["followup_message"].as_str(),
        silence: "{}\n",
    },
    Played {
        host: "vscode",
        entry: Some("vscode"),
        start: |cwd| {
            json!({"timestamp": "t", "hookEventName": "SubagentStart", "sessionId": "s", "cwd": cwd,
                "transcript_path": "/nowhere/t.jsonl", "agent_id": "a", "agent_type": "Plan"})
        },
        // The documentation has no message here; one that comes is read.
        stop: |cwd, message, continues| {
            json!({"timestamp": "t", "hookEventName": "SubagentStop", "sessionId": "s", "cwd": cwd,
                "transcript_path": "/nowhere/t.jsonl", "agent_id": "a", "agent_type": "Plan",
                "stop_hook_active": continues, "last_assistant_message": message})
        },
        reason: decision,
        silence: "",
    },
];

impl Played {
    fn hook(&self, context: &TestContext, verb: &str, payload: &Value) -> Printed {
        let harness = self.entry.map(|entry| ["--harness", entry]);
        let words = ["hook", verb].into_iter();
        let words = words.chain(harness.into_iter().flatten());
        let payload = payload.to_string();
        context
            .attest_with_input(words, payload.as_bytes())
            .assert_success()
    }

    fn start(&self, context: &TestContext, cwd: &Path) {
        let printed = self.hook(context, "start", &(self.start)(cwd));
        assert_eq!(printed.stdout, self.silence, "{}: {printed:?}", self.host);
    }

    fn stop(&self, context: &TestContext, cwd: &Path, files: &str, continues: bool) -> Printed {
        let payload = (self.stop)(cwd, &done(files), continues);
        self.hook(context, "stop", &payload)
    }

    #[track_caller]
    fn assert_blocked(&self, printed: &Printed) {
        let reply: Value = serde_json::from_str(&printed.stdout)
            .unwrap_or_else(|_| panic!("{} {:?}: {printed:?}", self.host, self.entry));
        let reason = (self.reason)(&reply);
        assert!(
            reason.is_some_and(|it| it.contains("ghost.py")),
            "{printed:?}"
        );
    }

    #[track_caller]
    fn assert_allowed(&self, context: &TestContext, printed: &Printed, report: &str) {
        assert_eq!(printed.stdout, self.silence, "{}: {printed:?}", self.host);
        self.assert_reported(context, printed, report);
    }

    /// On standard error, unless the host would show that to the person.
    #[track_caller]
    fn assert_reported(&self, context: &TestContext, printed: &Printed, report: &str) {
        if hosts::named(self.host).unwrap().profile().text == Text::Shown {
            assert_eq!(printed.stderr, "", "{}", self.host);
            let history = context.attest(["log", "--json"]).stdout;
            assert!(history.contains(report), "{history}");
        } else {
            assert!(printed.stderr.contains(report), "{printed:?}");
        }
    }
}

fn each(run: impl Fn(&Played, &TestContext, &Path)) {
    for played in PLAYED {
        let context = TestContext::enforcing();
        let repo = context.repository("repo", &[("a.py", "1")]);
        run(played, &context, &repo);
    }
}

#[test]
fn a_false_done_is_sent_back_and_the_mended_one_let_through() {
    each(|played, context, repo| {
        played.start(context, repo);
        played.assert_blocked(&played.stop(context, repo, "ghost.py", false));
        fs::write(repo.join("ghost.py"), "1").unwrap();
        let mended = played.stop(context, repo, "ghost.py", true);
        played.assert_allowed(context, &mended, "OK");
    });
}

#[test]
fn an_honest_done_is_let_through() {
    each(|played, context, repo| {
        played.start(context, repo);
        fs::write(repo.join("a.py"), "2").unwrap();
        let honest = played.stop(context, repo, "a.py", false);
        played.assert_allowed(context, &honest, "OK");
    });
}

/// Several hosts have no cap of their own.
#[test]
fn one_that_does_not_mend_it_is_let_go_by_our_own_budget() {
    each(|played, context, repo| {
        played.start(context, repo);
        played.assert_blocked(&played.stop(context, repo, "ghost.py", false));
        let again = played.stop(context, repo, "ghost.py", true);
        assert_eq!(again.stdout, played.silence, "{}: {again:?}", played.host);
        played.assert_reported(context, &again, "ALLOW_");
    });
}

/// Where nothing is enforced, a host that takes plain text for a fault is given none.
#[test]
fn without_enforcement_nothing_is_said_where_only_json_is_taken() {
    for played in PLAYED {
        let context = TestContext::new();
        let repo = context.repository("repo", &[("a.py", "1")]);
        played.start(&context, &repo);
        let printed = played.stop(&context, &repo, "ghost.py", false);
        assert_eq!(
            printed.stdout, played.silence,
            "{}: {printed:?}",
            played.host
        );
        played.assert_reported(&context, &printed, "MISMATCH");
    }
}

#[test]
fn the_history_names_the_host_that_sent_the_payload_and_the_log_says_so() {
    for played in PLAYED {
        let context = TestContext::enforcing();
        let repo = context.repository("repo", &[("a.py", "1")]);
        played.start(&context, &repo);
        played.stop(&context, &repo, "ghost.py", false);
        let log = fs::read_to_string(context.home().join(".attest/attest.log")).unwrap();
        let line = format!("ANOTHER_HOST {} runs an entry for ", played.host);
        let is_another = played.entry != Some(played.host);
        assert_eq!(log.contains(&line), is_another, "{log}");
        let agents = context.attest(["agents", "--json"]).assert_success();
        let harness = format!(r#""harness":"{}""#, played.host);
        let agents = agents.stdout.replace(' ', "");
        assert!(agents.contains(&harness), "{agents}");
    }
}

/// A person stopped the agent: what it said before that is no report, and it is not to go on.
#[test]
fn an_agent_that_a_person_stopped_is_not_sent_back() {
    for played in PLAYED.iter().filter(|played| played.host == "cursor") {
        let context = TestContext::enforcing();
        let repo = context.repository("repo", &[("a.py", "1")]);
        played.start(&context, &repo);
        let mut stop = (played.stop)(&repo, &done("ghost.py"), false);
        stop["status"] = "aborted".into();
        let printed = played.hook(&context, "stop", &stop);
        assert_eq!(printed.stdout, "{}\n", "{printed:?}");
    }
}
