//! Turns of the main agent, judged as subagents are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::agent::{Agent, Stop, done, hook};
use crate::common::{BINARY, Printed, TestContext};

const FILES: &[(&str, &str)] = &[("a.py", "one\n"), ("old.py", "two\n")];

/// A context that enforces, and judges turns.
fn judging() -> TestContext {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_SESSIONS", "1");
    context
}

/// A conversation with the main agent.
struct Session {
    id: String,
    cwd: PathBuf,
}

impl Session {
    fn new(id: &str, cwd: &Path) -> Self {
        Self {
            id: id.into(),
            cwd: cwd.into(),
        }
    }

    fn payload(&self, event: &str, fields: &Value) -> Value {
        let mut payload = json!({
            "session_id": self.id,
            "transcript_path": null,
            "cwd": self.cwd,
            "hook_event_name": event,
        });
        for (name, value) in fields.as_object().unwrap() {
            payload[name] = value.clone();
        }
        payload
    }

    /// A prompt of the turn `id`, which says nothing to the host.
    fn ask(&self, context: &TestContext, id: &str) {
        self.ask_with(context, &json!({"prompt": "do it", "prompt_id": id}));
    }

    fn ask_with(&self, context: &TestContext, fields: &Value) {
        let printed = hook(context, "prompt", &self.payload("UserPromptSubmit", fields));
        assert_eq!(printed.stdout, "");
    }

    fn stop_payload(&self, message: &str, fields: &Value) -> Value {
        let mut payload = self.payload("Stop", fields);
        payload["last_assistant_message"] = json!(message);
        payload
    }

    fn stop(&self, context: &TestContext, message: &str) -> Stop {
        self.stop_with(context, message, &json!({"stop_hook_active": false}))
    }

    fn stop_with(&self, context: &TestContext, message: &str, fields: &Value) -> Stop {
        let payload = self.stop_payload(message, fields);
        Stop(hook(context, "session-stop", &payload))
    }

    /// The stop that follows a block.
    fn stop_again(&self, context: &TestContext, message: &str) -> Stop {
        self.stop_with(context, message, &json!({"stop_hook_active": true}))
    }
}

/// What the person is told, and whether that is all.
fn told(printed: &Printed) -> String {
    let reply: Value = serde_json::from_str(&printed.stdout).unwrap_or_default();
    reply["systemMessage"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

fn commit(context: &TestContext, repo: &Path) {
    context.git(repo, &["add", "--all"]);
    context.git(repo, &["commit", "--quiet", "--message", "work"]);
}

#[test]
fn a_false_done_is_sent_back_mended_and_accepted() {
    let context = judging();
    let repo = context.repository("repo", FILES);
    let session = Session::new("s", &repo);
    session.ask(&context, "p1");
    let reason = session.stop(&context, &done("ghost.py")).assert_blocked();
    assert!(reason.starts_with("attest: the report says Status: DONE, but"));
    fs::write(repo.join("ghost.py"), "1").unwrap();
    let mended = session.stop_again(&context, &done("ghost.py"));
    mended.assert_allowed("turn:1: CLAIMED [ghost.py] OBSERVED [ghost.py] -> OK");
}

#[test]
fn an_honest_turn_is_left_alone() {
    let context = judging();
    let repo = context.repository("repo", FILES);
    let session = Session::new("s", &repo);
    for (turn, message) in [("p1", done("a.py")), ("p2", "It is a parser.".to_owned())] {
        session.ask(&context, turn);
        fs::write(repo.join("a.py"), turn).unwrap();
        session.stop(&context, &message).assert_allowed("turn:");
    }
}

#[test]
fn nothing_is_judged_and_nothing_is_opened_unless_the_person_asks_for_it() {
    for value in [None, Some("0"), Some("yes")] {
        let mut context = TestContext::enforcing();
        if let Some(value) = value {
            context.set("ATTEST_SESSIONS", value);
        }
        let repo = context.repository("repo", FILES);
        let session = Session::new("s", &repo);
        session.ask(&context, "p1");
        let stop = session.stop(&context, &done("ghost.py"));
        assert_eq!((&*stop.0.stdout, &*stop.0.stderr), ("", ""));
        assert!(
            !context.home().join(".attest/state.db").exists(),
            "{value:?}"
        );
    }
}

#[test]
fn without_enforcement_the_report_is_on_standard_error_and_the_person_is_told() {
    let mut context = TestContext::new();
    context.set("ATTEST_SESSIONS", "1");
    let repo = context.repository("repo", FILES);
    let session = Session::new("s", &repo);
    session.ask(&context, "p1");
    let stop = session.stop(&context, &done("ghost.py"));
    assert!(stop.0.stderr.contains("MISMATCH: ghost.py"), "{stop:?}");
    let told = told(&stop.0);
    assert!(told.contains("- main turn:1: \"ghost.py\""), "{told}");
}

#[test]
fn who_insists_is_let_go_and_the_person_hears_of_it() {
    let mut context = judging();
    context.set("ATTEST_MAX_RETRIES", "2");
    let repo = context.repository("repo", FILES);
    let session = Session::new("s", &repo);
    session.ask(&context, "p1");
    // A host that does not say that it continues after a block.
    session.stop(&context, &done("ghost.py")).assert_blocked();
    session.stop(&context, &done("ghost.py")).assert_blocked();
    let last = session.stop(&context, &done("ghost.py"));
    assert!(last.0.stderr.contains("ALLOW_RETRY_CAP"), "{last:?}");
    assert!(told(&last.0).contains("- main turn:1: \"ghost.py\""));
    let over = session.stop(&context, &done("ghost.py"));
    assert_eq!(over.0.stdout, "", "the turn is over");
}

/// Hosts hand the reason on as a prompt, some with words of their own around it and under another id.
#[test]
fn our_own_reason_as_a_prompt_begins_no_turn() {
    let context = judging();
    let repo = context.repository("repo", FILES);
    let session = Session::new("s", &repo);
    session.ask(&context, "p1");
    fs::write(repo.join("a.py"), "changed").unwrap();
    let reason = session.stop(&context, &done("ghost.py")).assert_blocked();
    let prompt = format!("<hook_prompt>{reason}</hook_prompt>");
    session.ask_with(&context, &json!({"prompt": prompt, "prompt_id": "p2"}));
    let insists = session.stop(&context, &done("ghost.py"));
    assert!(insists.0.stderr.contains("ALLOW_RETRY_CAP"), "{insists:?}");
}

/// The twin: what was changed before the reason came back counts as changed.
#[test]
fn our_own_reason_as_a_prompt_keeps_the_baseline() {
    let context = judging();
    let repo = context.repository("repo", FILES);
    let session = Session::new("s", &repo);
    session.ask(&context, "p1");
    fs::write(repo.join("a.py"), "changed").unwrap();
    let reason = session.stop(&context, &done("ghost.py")).assert_blocked();
    session.ask_with(&context, &json!({"prompt": reason, "prompt_id": "p2"}));
    let honest = session.stop_again(&context, &done("a.py"));
    honest.assert_allowed("CLAIMED [a.py] OBSERVED [a.py] -> OK");
}

#[test]
fn a_new_prompt_is_a_turn_with_a_baseline_and_retries_of_its_own() {
    let context = judging();
    let repo = context.repository("repo", FILES);
    let session = Session::new("s", &repo);
    session.ask(&context, "p1");
    session.stop(&context, &done("ghost.py")).assert_blocked();
    fs::write(repo.join("ghost.py"), "1").unwrap();
    session
        .stop_again(&context, &done("ghost.py"))
        .assert_allowed("OK");
    commit(&context, &repo);
    session.ask(&context, "p2");
    fs::write(repo.join("a.py"), "2").unwrap();
    let lie = session.stop(&context, &done("a.py, other.py"));
    let reason = lie.assert_blocked();
    assert!(
        reason.contains("other.py") && !reason.contains("ghost.py"),
        "{reason}"
    );
    let honest = session.stop_again(&context, &done("a.py"));
    honest.assert_allowed("turn:2: CLAIMED [a.py] OBSERVED [a.py] -> OK");
}

/// In a conversation an agent sums up what it did in earlier turns.
#[test]
fn a_report_of_the_whole_session_is_no_lie() {
    let mut context = judging();
    context.set("ATTEST_STRICT", "untouched");
    let repo = context.repository("repo", FILES);
    let session = Session::new("s", &repo);
    std::thread::sleep(Duration::from_millis(200));
    session.ask(&context, "p1");
    fs::write(repo.join("a.py"), "1").unwrap();
    fs::remove_file(repo.join("old.py")).unwrap();
    session
        .stop(&context, &done("a.py, old.py"))
        .assert_allowed("OK");
    commit(&context, &repo);
    std::thread::sleep(Duration::from_millis(200));
    session.ask(&context, "p2");
    fs::write(repo.join("new.py"), "1").unwrap();
    let message = done("a.py, old.py, new.py");
    session.stop(&context, &message).assert_allowed("-> OK");
}

/// The twin: what was touched in no turn.
#[cfg(target_os = "linux")]
#[test]
fn what_no_turn_of_the_session_touched_is_a_lie() {
    let mut context = judging();
    context.set("ATTEST_STRICT", "untouched");
    let repo = context.repository("repo", FILES);
    let session = Session::new("s", &repo);
    std::thread::sleep(Duration::from_millis(200));
    session.ask(&context, "p1");
    session
        .stop(&context, "Hello.")
        .assert_allowed("source=none");
    session.ask(&context, "p2");
    session.stop(&context, &done("a.py")).assert_blocked();
}

#[test]
fn while_a_subagent_works_nothing_is_sent_back() {
    let context = judging();
    let repo = context.repository("repo", FILES);
    let session = Session::new("session-1", &repo);
    let agent = Agent::new("a1", &repo);
    session.ask(&context, "p1");
    agent.start(&context);
    let early = session.stop(&context, &done("made.py"));
    early.assert_allowed("NOT blocking (decision=ALLOW_SUBAGENT_AT_WORK)");
    fs::write(repo.join("made.py"), "1").unwrap();
    agent.stop(&context, &done("made.py")).assert_allowed("OK");
    let report = "<task-notification>\n<task-id>a1</task-id>\n</task-notification>";
    session.ask_with(&context, &json!({"prompt": report, "prompt_id": "p2"}));
    let stop = session.stop(&context, &done("made.py"));
    stop.assert_allowed("turn:1: CLAIMED [made.py] OBSERVED [made.py] -> OK");
}

/// The twin: the subagent has ended, and the file is still not there.
#[test]
fn when_the_subagent_has_ended_a_false_done_is_sent_back() {
    let context = judging();
    let repo = context.repository("repo", FILES);
    let session = Session::new("session-1", &repo);
    let agent = Agent::new("a1", &repo);
    session.ask(&context, "p1");
    agent.start(&context);
    let early = session.stop(&context, &done("made.py"));
    early.assert_allowed("ALLOW_SUBAGENT_AT_WORK");
    agent
        .stop(&context, "I could not.")
        .assert_allowed("source=none");
    let report = "<task-notification>\n<task-id>a1</task-id>\n</task-notification>";
    session.ask_with(&context, &json!({"prompt": report, "prompt_id": "p2"}));
    session.stop(&context, &done("made.py")).assert_blocked();
}

#[test]
fn one_object_is_printed_and_the_rest_is_told_at_the_next_stop() {
    let mut context = judging();
    context.set("ATTEST_MAX_RETRIES", "1");
    let repo = context.repository("repo", FILES);
    let session = Session::new("session-1", &repo);
    let agent = Agent::new("a1", &repo);
    session.ask(&context, "p1");
    agent.start(&context);
    agent.stop(&context, &done("missing.py")).assert_blocked();
    let active = json!({"stop_hook_active": true});
    let let_go = agent.stop_with(&context, &done("missing.py"), &active);
    let_go.assert_allowed("ALLOW_RETRY_CAP");
    session.stop(&context, &done("ghost.py")).assert_blocked();
    fs::write(repo.join("ghost.py"), "1").unwrap();
    let last = session.stop_again(&context, &done("ghost.py"));
    let told = told(&last.0);
    assert!(
        told.contains("general-purpose a1: \"missing.py\""),
        "{last:?}"
    );
    assert!(!told.contains("ghost.py"), "{told}");
}

#[test]
fn sessions_at_the_same_time_do_not_count_for_each_other() {
    let context = judging();
    let repo = context.repository("repo", FILES);
    let sessions: Vec<_> = (0..6)
        .map(|number| Session::new(&format!("s{number}"), &repo))
        .collect();
    let blocks: Vec<_> = std::thread::scope(|scope| {
        let played = sessions.iter().map(|session| {
            scope.spawn(|| {
                session.ask(&context, "p1");
                let first = session.stop(&context, &done("ghost.py"));
                let second = session.stop_again(&context, &done("ghost.py"));
                (first.block().is_some(), second.block_or_notice())
            })
        });
        let played: Vec<_> = played.collect();
        played.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(blocks, [(true, "notice"); 6]);
}

impl Stop {
    /// What its one object is.
    fn block_or_notice(&self) -> &'static str {
        let reply: Value = serde_json::from_str(&self.0.stdout).unwrap_or_default();
        if reply["decision"] == "block" {
            "block"
        } else if reply["systemMessage"].is_string() {
            "notice"
        } else {
            "nothing"
        }
    }
}

/// Copilot fires the event of the session for subagents as well.
#[test]
fn the_stop_of_a_subagent_is_not_that_of_the_session() {
    let context = judging();
    let repo = context.repository("repo", FILES);
    let session = Session::new("s", &repo);
    session.ask(&context, "p1");
    let within = json!({"agent_id": "a1"});
    let stop = session.stop_with(&context, &done("ghost.py"), &within);
    assert_eq!((&*stop.0.stdout, &*stop.0.stderr), ("", ""));
    session.ask_with(
        &context,
        &json!({"prompt": "go", "prompt_id": "p2", "agent_id": "a1"}),
    );
    let stop = session.stop(&context, &done("ghost.py"));
    assert!(stop.assert_blocked().contains("ghost.py"));
    assert!(stop.0.stderr.contains("turn:1"), "{stop:?}");
}

#[test]
fn a_session_without_an_id_is_not_judged() {
    let context = judging();
    let repo = context.repository("repo", FILES);
    let session = Session::new("", &repo);
    session.ask(&context, "p1");
    let stop = session.stop(&context, &done("ghost.py"));
    assert_eq!(stop.0.stdout, "", "{stop:?}");
}

#[test]
fn the_main_agent_is_in_scope_as_main() {
    for (agents, is_blocked) in [("general-purpose", false), ("Main", true)] {
        let mut context = judging();
        context.set("ATTEST_ENFORCE_AGENTS", agents);
        let repo = context.repository("repo", FILES);
        let session = Session::new("s", &repo);
        session.ask(&context, "p1");
        let stop = session.stop(&context, &done("ghost.py"));
        let expected = if is_blocked { "block" } else { "notice" };
        assert_eq!(stop.block_or_notice(), expected, "{stop:?}");
    }
}

/// A crash between the count and the answer.
#[test]
fn a_block_that_nobody_reads_counts() {
    let context = judging();
    let repo = context.repository("repo", FILES);
    let session = Session::new("s", &repo);
    session.ask(&context, "p1");
    let mut command = context.command(BINARY);
    command
        .args(["hook", "session-stop"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let payload = session.stop_payload(&done("ghost.py"), &json!({}));
    serde_json::to_writer(child.stdin.take().unwrap(), &payload).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let stop = session.stop(&context, &done("ghost.py"));
    assert!(stop.0.stderr.contains("ALLOW_RETRY_CAP"), "{stop:?}");
}

/// Commands may take long, and most turns of a conversation claim nothing.
#[cfg(unix)]
#[test]
fn criteria_are_checked_when_a_turn_makes_a_claim() {
    let criteria = "base_case: {checklist: [{item: tests, check: {type: command, value: 'touch ../ran; exit 1'}}]}";
    let mut context = judging();
    context.set("ATTEST_CHECK", "1");
    context.set("ATTEST_STRICT", "criteria");
    let repo = context.repository(
        "repo",
        &[("a.py", "1"), (".attest/criteria.yaml", criteria)],
    );
    let mut trust = context.command(BINARY);
    let trusted = trust.current_dir(&repo).arg("trust").output().unwrap();
    assert!(trusted.status.success(), "{trusted:?}");
    let session = Session::new("s", &repo);
    session.ask(&context, "p1");
    let talk = session.stop(&context, "It is a parser.");
    talk.assert_allowed("source=none");
    assert!(!context.folder().join("ran").exists());
    session.ask(&context, "p2");
    let reason = session.stop(&context, "Status: DONE").assert_blocked();
    assert!(reason.contains("\"tests\": exit status 1"), "{reason}");
}
