//! Turns of the main agent, judged as subagents are.

use std::fs;
use std::process::Stdio;
use std::sync::Arc;

use serde_json::{Value, json};

#[cfg(unix)]
use crate::common::BINARY;
use crate::common::agent::{Agent, Stop, done, hook};
use crate::common::scene::{Scene, settle};
use crate::common::{Printed, TestContext};

const FILES: &[(&str, &str)] = &[("a.py", "one\n"), ("old.py", "two\n")];

/// A context that enforces, and judges turns.
fn judging() -> TestContext {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_SESSIONS", "1");
    context
}

/// A conversation with the main agent.
#[derive(Clone)]
struct Session {
    id: String,
    scene: Arc<Scene>,
}

impl Session {
    fn new(context: TestContext) -> Self {
        Self::of(Scene::of(context, FILES))
    }

    /// The session of the usual agents.
    fn of(scene: Scene) -> Self {
        Self {
            id: "session-1".into(),
            scene: Arc::new(scene),
        }
    }

    /// One whose first turn has begun.
    fn begun(context: TestContext) -> Self {
        let session = Self::new(context);
        session.ask("p1");
        session
    }

    fn payload(&self, event: &str, fields: &Value) -> Value {
        let mut payload = json!({
            "session_id": self.id,
            "transcript_path": null,
            "cwd": self.scene.repo,
            "hook_event_name": event,
        });
        for (name, value) in fields.as_object().unwrap() {
            payload[name] = value.clone();
        }
        payload
    }

    /// A prompt of the turn `id`, which says nothing to the host.
    fn ask(&self, id: &str) {
        self.ask_with(&json!({"prompt": "do it", "prompt_id": id}));
    }

    fn ask_with(&self, fields: &Value) {
        let payload = self.payload("UserPromptSubmit", fields);
        assert_eq!(hook(&self.scene.context, "prompt", &payload).stdout, "");
    }

    fn stop_payload(&self, message: &str, fields: &Value) -> Value {
        let mut payload = self.payload("Stop", fields);
        payload["last_assistant_message"] = json!(message);
        payload
    }

    fn stop(&self, message: &str) -> Stop {
        self.stop_with(message, &json!({"stop_hook_active": false}))
    }

    fn stop_with(&self, message: &str, fields: &Value) -> Stop {
        let payload = self.stop_payload(message, fields);
        Stop(hook(&self.scene.context, "session-stop", &payload))
    }

    /// The stop that follows a block.
    fn stop_again(&self, message: &str) -> Stop {
        self.stop_with(message, &json!({"stop_hook_active": true}))
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.scene.repo.join(path), text).unwrap();
    }

    fn agent(&self, id: &str) -> Agent {
        Agent::new(id, &self.scene.repo)
    }

    /// A subagent starts, makes a file, commits it and reports that.
    fn makes_and_commits(&self, agent: &Agent) {
        agent.start(&self.scene.context);
        self.write("made.py", "1");
        self.scene.commit();
        agent.stop(&self.scene.context, &done("made.py"));
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

#[test]
fn a_false_done_is_sent_back_mended_and_accepted() {
    let session = Session::begun(judging());
    let reason = session.stop(&done("ghost.py")).assert_blocked();
    assert!(reason.starts_with("attest: the report says Status: DONE, but"));
    // Every message of the main agent is kept.
    assert!(
        reason.ends_with("or correct the claim. Then report again."),
        "{reason}"
    );
    session.write("ghost.py", "1");
    let mended = session.stop_again(&done("ghost.py"));
    mended.assert_allowed("turn:1: CLAIMED [ghost.py] OBSERVED [ghost.py] -> OK");
}

#[test]
fn an_honest_turn_is_left_alone() {
    let session = Session::new(judging());
    for (turn, message) in [("p1", done("a.py")), ("p2", "It is a parser.".to_owned())] {
        session.ask(turn);
        session.write("a.py", turn);
        session.stop(&message).assert_allowed("turn:");
    }
}

#[test]
fn nothing_is_judged_and_nothing_is_opened_unless_the_person_asks_for_it() {
    for value in [None, Some("0"), Some("yes")] {
        let mut context = TestContext::enforcing();
        if let Some(value) = value {
            context.set("ATTEST_SESSIONS", value);
        }
        let session = Session::begun(context);
        let stop = session.stop(&done("ghost.py"));
        assert_eq!((&*stop.0.stdout, &*stop.0.stderr), ("", ""));
        assert!(
            !session
                .scene
                .context
                .home()
                .join(".attest/state.db")
                .exists(),
            "{value:?}"
        );
    }
}

#[test]
fn without_enforcement_the_report_is_on_standard_error_and_the_person_is_told() {
    let mut context = TestContext::new();
    context.set("ATTEST_SESSIONS", "1");
    let session = Session::begun(context);
    let stop = session.stop(&done("ghost.py"));
    assert!(stop.0.stderr.contains("MISMATCH: ghost.py"), "{stop:?}");
    let told = told(&stop.0);
    let expected = "attest: 1 turn checked, 1 with something to look at when it stopped:\n- your agent: \"ghost.py\"";
    assert!(told.starts_with(expected), "{told}");
}

#[test]
fn who_insists_is_let_go_and_the_person_hears_of_it() {
    let mut context = judging();
    context.set("ATTEST_MAX_RETRIES", "2");
    let session = Session::begun(context);
    // A host that does not say that it continues after a block.
    session.stop(&done("ghost.py")).assert_blocked();
    session.stop(&done("ghost.py")).assert_blocked();
    let last = session.stop(&done("ghost.py"));
    assert!(last.0.stderr.contains("ALLOW_RETRY_CAP"), "{last:?}");
    // What the block has said already is not said again.
    let told = told(&last.0);
    let expected = "- your agent: said the same again after it was sent back, and was let go";
    assert!(
        told.contains(expected) && !told.contains("ghost.py"),
        "{told}"
    );
    let shown = session
        .scene
        .context
        .attest(["show", "turn 1"])
        .assert_success();
    assert!(
        shown.stdout.contains("agent      turn 1 (main)"),
        "{shown:?}"
    );
    let over = session.stop(&done("ghost.py"));
    assert_eq!(over.0.stdout, "", "the turn is over");
}

/// Hosts hand the reason on as a prompt, some with words of their own around it and under another id.
#[test]
fn our_own_reason_as_a_prompt_begins_no_turn() {
    let session = Session::begun(judging());
    session.write("a.py", "changed");
    let reason = session.stop(&done("ghost.py")).assert_blocked();
    let prompt = format!("<hook_prompt>{reason}</hook_prompt>");
    session.ask_with(&json!({"prompt": prompt, "prompt_id": "p2"}));
    let insists = session.stop(&done("ghost.py"));
    assert!(insists.0.stderr.contains("ALLOW_RETRY_CAP"), "{insists:?}");
}

/// The twin: what was changed before the reason came back counts as changed.
#[test]
fn our_own_reason_as_a_prompt_keeps_the_baseline() {
    let session = Session::begun(judging());
    session.write("a.py", "changed");
    let reason = session.stop(&done("ghost.py")).assert_blocked();
    session.ask_with(&json!({"prompt": reason, "prompt_id": "p2"}));
    let honest = session.stop_again(&done("a.py"));
    honest.assert_allowed("CLAIMED [a.py] OBSERVED [a.py] -> OK");
}

#[test]
fn a_new_prompt_is_a_turn_with_a_baseline_and_retries_of_its_own() {
    let session = Session::begun(judging());
    session.stop(&done("ghost.py")).assert_blocked();
    session.write("ghost.py", "1");
    session.stop_again(&done("ghost.py")).assert_allowed("OK");
    session.scene.commit();
    session.ask("p2");
    session.write("a.py", "2");
    let lie = session.stop(&done("a.py, other.py"));
    let reason = lie.assert_blocked();
    assert!(
        reason.contains("other.py") && !reason.contains("ghost.py"),
        "{reason}"
    );
    let honest = session.stop_again(&done("a.py"));
    honest.assert_allowed("turn:2: CLAIMED [a.py] OBSERVED [a.py] -> OK");
}

/// In a conversation an agent sums up what it did in earlier turns.
#[test]
fn a_report_of_the_whole_session_is_no_lie() {
    let mut context = judging();
    context.set("ATTEST_STRICT", "untouched");
    let session = Session::new(context);
    settle();
    session.ask("p1");
    session.write("a.py", "1");
    fs::remove_file(session.scene.repo.join("old.py")).unwrap();
    session.stop(&done("a.py, old.py")).assert_allowed("OK");
    session.scene.commit();
    settle();
    session.ask("p2");
    session.write("new.py", "1");
    let message = done("a.py, old.py, new.py");
    session.stop(&message).assert_allowed("-> OK");
}

/// The twin: what was touched in no turn.
#[cfg(target_os = "linux")]
#[test]
fn what_no_turn_of_the_session_touched_is_a_lie() {
    let mut context = judging();
    context.set("ATTEST_STRICT", "untouched");
    let session = Session::new(context);
    settle();
    session.ask("p1");
    session.stop("Hello.").assert_allowed("source=none");
    session.ask("p2");
    session.stop(&done("a.py")).assert_blocked();
}

#[test]
fn while_a_subagent_works_nothing_is_sent_back() {
    let session = Session::new(judging());
    let agent = session.agent("a1");
    session.ask("p1");
    agent.start(&session.scene.context);
    let early = session.stop(&done("made.py"));
    early.assert_allowed("NOT blocking (decision=ALLOW_SUBAGENT_AT_WORK)");
    session.write("made.py", "1");
    agent
        .stop(&session.scene.context, &done("made.py"))
        .assert_allowed("OK");
    let report = "<task-notification>\n<task-id>a1</task-id>\n</task-notification>";
    session.ask_with(&json!({"prompt": report, "prompt_id": "p2"}));
    let stop = session.stop(&done("made.py"));
    stop.assert_allowed("turn:1: CLAIMED [made.py] OBSERVED [made.py] -> OK");
}

/// As 2.1.330 announces one of a team: its id is in the answer of the tool at once.
#[test]
fn a_teammate_that_was_started_is_at_work_until_it_stops() {
    let session = Session::new(judging());
    let agent = session.agent("aworker-0459f03c5dd35473");
    session.ask("p1");
    agent.start(&session.scene.context);
    let spawned = session.payload(
        "PostToolUse",
        &json!({"tool_name": "Agent", "tool_input": {"name": "worker"}, "tool_response":
            {"status": "teammate_spawned", "agentId": agent.id, "teammate_id": "worker@session-1"}}),
    );
    hook(&session.scene.context, "post-tool-use", &spawned);
    let early = session.stop(&done("made.py"));
    early.assert_allowed("NOT blocking (decision=ALLOW_SUBAGENT_AT_WORK)");
    agent
        .stop(&session.scene.context, "I could not.")
        .assert_allowed("source=none");
    session.ask("p2");
    session.stop(&done("made.py")).assert_blocked();
}

/// The twin: the subagent has ended, and the file is still not there.
#[test]
fn when_the_subagent_has_ended_a_false_done_is_sent_back() {
    let session = Session::new(judging());
    let agent = session.agent("a1");
    session.ask("p1");
    agent.start(&session.scene.context);
    let early = session.stop(&done("made.py"));
    early.assert_allowed("ALLOW_SUBAGENT_AT_WORK");
    agent
        .stop(&session.scene.context, "I could not.")
        .assert_allowed("source=none");
    let report = "<task-notification>\n<task-id>a1</task-id>\n</task-notification>";
    session.ask_with(&json!({"prompt": report, "prompt_id": "p2"}));
    session.stop(&done("made.py")).assert_blocked();
}

#[test]
fn one_object_is_printed_and_the_rest_is_told_at_the_next_stop() {
    let mut context = judging();
    context.set("ATTEST_MAX_RETRIES", "1");
    let session = Session::new(context);
    let agent = session.agent("a1");
    session.ask("p1");
    agent.start(&session.scene.context);
    agent
        .stop(&session.scene.context, &done("missing.py"))
        .assert_blocked();
    let active = json!({"stop_hook_active": true});
    let let_go = agent.stop_with(&session.scene.context, &done("missing.py"), &active);
    let_go.assert_allowed("ALLOW_RETRY_CAP");
    session.stop(&done("ghost.py")).assert_blocked();
    session.write("ghost.py", "1");
    let last = session.stop_again(&done("ghost.py"));
    let told = told(&last.0);
    assert!(
        told.contains("general-purpose a1: \"missing.py\""),
        "{last:?}"
    );
    assert!(!told.contains("ghost.py"), "{told}");
}

#[test]
fn sessions_at_the_same_time_do_not_count_for_each_other() {
    let first = Session::new(judging());
    let sessions: Vec<_> = (0..6)
        .map(|number| Session {
            id: format!("s{number}"),
            ..first.clone()
        })
        .collect();
    let blocks: Vec<_> = std::thread::scope(|scope| {
        let played = sessions.iter().map(|session| {
            scope.spawn(|| {
                session.ask("p1");
                let first = session.stop(&done("ghost.py"));
                let second = session.stop_again(&done("ghost.py"));
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
    let session = Session::begun(judging());
    let within = json!({"agent_id": "a1"});
    let stop = session.stop_with(&done("ghost.py"), &within);
    assert_eq!((&*stop.0.stdout, &*stop.0.stderr), ("", ""));
    session.ask_with(&json!({"prompt": "go", "prompt_id": "p2", "agent_id": "a1"}));
    let stop = session.stop(&done("ghost.py"));
    assert!(stop.assert_blocked().contains("ghost.py"));
    assert!(stop.0.stderr.contains("turn:1"), "{stop:?}");
}

#[test]
fn a_session_without_an_id_is_not_judged() {
    let session = Session {
        id: String::new(),
        ..Session::new(judging())
    };
    session.ask("p1");
    let stop = session.stop(&done("ghost.py"));
    assert_eq!(stop.0.stdout, "", "{stop:?}");
}

#[test]
fn the_main_agent_is_in_scope_as_main() {
    for (agents, is_blocked) in [("general-purpose", false), ("Main", true)] {
        let mut context = judging();
        context.set("ATTEST_ENFORCE_AGENTS", agents);
        let session = Session::begun(context);
        let stop = session.stop(&done("ghost.py"));
        let expected = if is_blocked { "block" } else { "notice" };
        assert_eq!(stop.block_or_notice(), expected, "{stop:?}");
    }
}

/// A crash between the count and the answer.
#[test]
fn a_block_that_nobody_reads_counts() {
    let session = Session::begun(judging());
    let mut command = session.scene.context.hook_command(["hook", "session-stop"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let payload = session.stop_payload(&done("ghost.py"), &json!({}));
    serde_json::to_writer(child.stdin.take().unwrap(), &payload).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let stop = session.stop(&done("ghost.py"));
    assert!(stop.0.stderr.contains("ALLOW_RETRY_CAP"), "{stop:?}");
}

/// Commands may take long, and most turns of a conversation claim nothing.
#[cfg(unix)]
#[test]
fn criteria_are_checked_when_a_turn_makes_a_claim() {
    let criteria = "base_case: {checklist: [{item: tests, check: {type: command, value: 'touch ../ran; exit 1'}}]}";
    let mut context = judging();
    context.set("ATTEST_CHECK", "block");
    let files = [("a.py", "1"), (".attest/criteria.yaml", criteria)];
    let session = Session::of(Scene::of(context, &files));
    let mut trust = session.scene.context.command(BINARY);
    trust.current_dir(&session.scene.repo).arg("trust");
    let trusted = trust.output().unwrap();
    assert!(trusted.status.success(), "{trusted:?}");
    session.ask("p1");
    let talk = session.stop("It is a parser.");
    talk.assert_allowed("source=none");
    assert!(!session.scene.path("ran").exists());
    session.ask("p2");
    let reason = session.stop("Status: DONE").assert_blocked();
    assert!(reason.contains("\"tests\": exit status 1"), "{reason}");
}

impl Session {
    /// The transcript of the session, as the host copies it into that of a fork: the same records.
    fn transcript(&self, records: &[&str]) -> std::path::PathBuf {
        let path = self.scene.path(&format!("{}.jsonl", self.id));
        let line = |id: &&str| json!({"type": "user", "uuid": id, "sessionId": self.id, "message": {"content": "x"}});
        let lines: String = records
            .iter()
            .map(|id| line(id).to_string() + "\n")
            .collect();
        fs::write(&path, lines).unwrap();
        path
    }

    fn ask_in(&self, id: &str, transcript: &std::path::Path) {
        self.ask_with(&json!({"prompt": "do it", "prompt_id": id, "transcript_path": transcript}));
    }

    /// A stop of which nobody hears a word: not the agent, not the person.
    #[track_caller]
    fn assert_silent(&self, message: &str, fields: &Value) {
        let stop = self.stop_with(message, fields);
        assert_eq!(stop.0.stdout, "", "{stop:#?}");
        assert!(!stop.0.stderr.contains("false DONE"), "{stop:#?}");
    }
}

/// Without enforcement as with it.
fn both() -> [TestContext; 2] {
    [(), ()].map(|()| judging()).map(|mut context| {
        context.set("ATTEST_STRICT", "untouched");
        context
    })
}

fn in_both_modes(play: impl Fn(TestContext)) {
    let [enforcing, mut telling] = both();
    telling.unset("ATTEST_ENFORCE");
    play(enforcing);
    play(telling);
}

/// What an earlier turn did and committed, and what a subagent of it did.
#[test]
fn a_recap_of_what_was_committed_is_not_told() {
    in_both_modes(|context| {
        let session = Session::new(context);
        settle();
        session.ask("p1");
        session.write("a.py", "1");
        let agent = session.agent("a1");
        session.makes_and_commits(&agent);
        // The host announces no end of a turn that an error ends.
        settle();
        session.ask("p2");
        session.assert_silent(&done("a.py, made.py"), &json!({}));
        session.ask("p3");
        session.assert_silent(&done("a.py, made.py"), &json!({}));
    });
}

/// The twin: one file of the recap was touched in no turn.
#[cfg(target_os = "linux")]
#[test]
fn what_a_recap_adds_to_what_was_done_is_told_once() {
    let mut context = TestContext::new();
    context.set("ATTEST_SESSIONS", "1");
    let session = Session::new(context);
    settle();
    session.ask("p1");
    session.write("a.py", "1");
    session.scene.commit();
    session.stop("Hello.");
    settle();
    session.ask("p2");
    let stop = session.stop(&done("a.py, old.py"));
    let told = told(&stop.0);
    assert_eq!(told.matches("\"old.py\"").count(), 1, "{told}");
    assert!(!told.contains("\"a.py\""), "{told}");
}

/// Before the first turn that is known a subagent began, and what it did counts.
#[test]
fn what_a_subagent_did_before_the_turn_is_known_by_its_own_start() {
    in_both_modes(|context| {
        let session = Session::new(context);
        let agent = session.agent("a1");
        settle();
        session.makes_and_commits(&agent);
        settle();
        session.ask("p1");
        session.assert_silent(&done("made.py"), &json!({}));
    });
}

fn forked(from: &Session, id: &str, records: &[&str]) -> Session {
    let fork = Session {
        id: id.to_owned(),
        ..from.clone()
    };
    fork.ask_in("f1", &fork.transcript(records));
    fork
}

/// A fork is a new session, whose transcript begins with the records of the old one.
#[test]
fn a_fork_may_sum_up_the_session_that_it_was_forked_from() {
    in_both_modes(|context| {
        let session = Session::new(context);
        settle();
        session.ask_in("p1", &session.transcript(&["u1"]));
        session.write("a.py", "1");
        session.scene.commit();
        session.stop(&done("a.py"));
        settle();
        let fork = forked(&session, "fork", &["u1", "u2"]);
        let path = fork.scene.path("fork.jsonl");
        fork.assert_silent(&done("a.py"), &json!({"transcript_path": path}));
    });
}

/// The twin: a session beside it did the work, with which this one has nothing in common; and a fork that says more
/// than was done.
#[cfg(target_os = "linux")]
#[test]
fn what_no_turn_of_a_fork_or_its_origin_did_is_a_lie() {
    let [context, _] = both();
    let session = Session::new(context);
    settle();
    session.ask_in("p1", &session.transcript(&["u1"]));
    session.write("a.py", "1");
    session.scene.commit();
    session.stop(&done("a.py"));
    settle();
    let other = forked(&session, "other", &["u7"]);
    let path = json!({"transcript_path": other.scene.path("other.jsonl")});
    other.stop_with(&done("a.py"), &path).assert_blocked();
    let fork = forked(&session, "fork", &["u1"]);
    let path = json!({"transcript_path": fork.scene.path("fork.jsonl")});
    let reason = fork
        .stop_with(&done("a.py, old.py"), &path)
        .assert_blocked();
    assert!(
        reason.contains("old.py") && !reason.contains("a.py\""),
        "{reason}"
    );
}

fn shell(command: &str) -> Value {
    json!({"id": "b1", "type": "shell", "status": "running", "command": command})
}

#[test]
fn what_a_command_in_the_background_still_writes_is_not_disproved() {
    in_both_modes(|context| {
        let session = Session::begun(context);
        for command in ["sleep 9 && echo x > made.py", "./generate.sh"] {
            let running = json!({"background_tasks": [shell(command)]});
            session.assert_silent(&done("made.py"), &running);
            session.ask(command);
        }
    });
}

/// The twins: it has ended, it was not there, it writes another file, it only waits, and what runs is an agent.
#[test]
fn without_a_command_that_may_write_it_a_missing_file_is_a_lie() {
    let mut ended = shell("echo x > made.py");
    ended["status"] = json!("completed");
    for running in [
        json!([]),
        json!([ended]),
        json!([shell("sleep 9 && echo x > other.py")]),
        json!([shell("sleep 900")]),
        json!([{"id": "a1", "type": "subagent", "status": "running"}]),
    ] {
        let session = Session::begun(judging());
        let stop = session.stop_with(&done("made.py"), &json!({"background_tasks": running}));
        assert!(stop.block().is_some(), "{running}: {stop:#?}");
    }
}
