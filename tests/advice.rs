//! What a stop found reaches the person and the parent agent, once; and what a transcript adds.

use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;
use std::process::Stdio;
use std::thread;
use std::time::Duration;
#[cfg(unix)]
use std::time::Instant;

#[cfg(unix)]
use crate::common::SOON;
use crate::common::agent::{Agent, Stop, done, hook};
use crate::common::scene::settle;
use crate::common::{BINARY, TestContext, in_one_of_some_tries};
use serde_json::{Value, json};

const FILES: &[(&str, &str)] = &[("a.py", "one\n")];
const TOLD: [&str; 3] = ["session-stop", "post-tool-use", "prompt"];

/// The payload of one of the hooks that tell, for a session with one agent.
fn payload(verb: &str, agent: &str) -> Value {
    let mut payload = json!({"session_id": "session-1", "cwd": "/"});
    let fields = match verb {
        "session-stop" => json!({"hook_event_name": "Stop"}),
        "post-tool-use" => json!({
            "hook_event_name": "PostToolUse",
            "tool_name": "Agent",
            "tool_response": {"status": "completed", "agentId": agent},
        }),
        _ => json!({
            "hook_event_name": "UserPromptSubmit",
            "prompt": format!("<task-notification>\n<task-id>{agent}</task-id>\n</task-notification>"),
        }),
    };
    for (name, value) in fields.as_object().unwrap() {
        payload[name] = value.clone();
    }
    payload
}

/// What a hook tells, and nothing else is in its answer.
fn told(context: &TestContext, verb: &str, agent: &str) -> Option<String> {
    let printed = hook(context, verb, &payload(verb, agent));
    assert_eq!(printed.stderr, "");
    if printed.stdout.is_empty() {
        return None;
    }
    let reply: Value = serde_json::from_str(printed.stdout.strip_suffix('\n').unwrap()).unwrap();
    let text = if verb == "session-stop" {
        reply["systemMessage"].as_str().unwrap()
    } else {
        let output = &reply["hookSpecificOutput"];
        assert_eq!(
            output["hookEventName"],
            payload(verb, agent)["hook_event_name"]
        );
        output["additionalContext"].as_str().unwrap()
    };
    assert_eq!(reply.as_object().unwrap().len(), 1);
    Some(text.to_owned())
}

/// The transcript of an agent, written line by line as the host does.
#[derive(Default)]
struct Transcript(String, u32);

impl Transcript {
    fn call(mut self, tool: &str, input: &Value, is_error: bool) -> Self {
        self.1 += 1;
        let id = format!("t{}", self.1);
        let block = json!({"type": "tool_use", "id": id, "name": tool, "input": input});
        self = self.line(
            &json!({"type": "assistant", "timestamp": "2026-01-01T12:01:02Z",
            "message": {"id": id, "stop_reason": "tool_use", "content": [block]}}),
        );
        let block = json!({"type": "tool_result", "tool_use_id": id, "is_error": is_error});
        self.line(&json!({"type": "user", "timestamp": "2026-01-01T12:01:03Z",
            "message": {"content": [block]}}))
    }

    fn write(self, path: &Path) -> Self {
        self.call("Write", &json!({"file_path": path}), false)
    }

    fn read(self) -> Self {
        self.call("Read", &json!({"file_path": "/repo/a.py"}), false)
    }

    fn bash(self, command: &str) -> Self {
        self.call("Bash", &json!({"command": command}), false)
    }

    fn line(mut self, line: &Value) -> Self {
        self.0.push_str(&format!("{line}\n"));
        self
    }

    fn text(mut self, text: &str) -> Self {
        self.0.push_str(text);
        self
    }

    /// Ends with the message and is put into a file.
    fn end(self, context: &TestContext, message: &str) -> PathBuf {
        let block = json!({"type": "text", "text": message.trim()});
        let whole = self.line(&json!({"type": "assistant",
            "message": {"id": "last", "stop_reason": "end_turn", "content": [block]}}));
        let path = context.folder().join("transcript.jsonl");
        fs::write(&path, whole.0).unwrap();
        path
    }
}

/// Starts and stops an agent whose transcript is at `path`.
fn run(context: &TestContext, agent: &Agent, message: &str, path: &Path) -> Stop {
    agent.start(context);
    agent.stop_with(context, message, &json!({"agent_transcript_path": path}))
}

#[test]
fn the_person_and_the_parent_are_told_once_each() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    for (id, to_parent) in [("a1", "post-tool-use"), ("a2", "prompt")] {
        let agent = Agent::new(id, &repo);
        agent.start(&context);
        agent.stop(&context, &done("ghost.py"));
        let parent = told(&context, to_parent, id).unwrap();
        let person = told(&context, "session-stop", id).unwrap();
        if id == "a1" {
            insta::assert_snapshot!(parent, @r#"
            attest checked the report against the git work tree and the tool calls when the agent stopped. Look at this:
            - general-purpose a1: "ghost.py": not on disk, and no change of it was found
            Look at the work tree before you rely on the report.
            "#);
            insta::assert_snapshot!(person, @r#"
            attest: 1 agent checked, 1 with something to look at when it stopped:
            - general-purpose a1: "ghost.py": not on disk, and no change of it was found
            More: attest log --session session-1
            "#);
        }
        for verb in TOLD {
            assert_eq!(told(&context, verb, id), None, "{verb}");
        }
    }
}

/// Names from a payload and a report cannot say to the parent what nobody sees, nor put a command into the
/// line that the person is to copy.
#[test]
fn what_nobody_sees_is_not_told_either() {
    let mut context = TestContext::new();
    context.set("ATTEST_LOG", "debug");
    let repo = context.repository("repo", FILES);
    let hidden = "\u{ad}\u{34f}\u{3164}\u{fe0f}\u{180e}\u{e0041}\u{2028}\u{3000}";
    let agent = Agent {
        session: "s;$(touch x)'".into(),
        id: format!("a{hidden}1"),
        kind: format!("kind{hidden}"),
        cwd: repo.clone(),
    };
    agent.start(&context);
    let stop = agent.stop(&context, &done("ghost.py"));
    let payload = json!({"session_id": agent.session, "cwd": repo, "hook_event_name": "Stop"});
    let person = hook(&context, "session-stop", &payload).stdout;
    let person: Value = serde_json::from_str(&person).unwrap();
    let person = person["systemMessage"].as_str().unwrap();
    let command = r"More: attest log --session 's;$(touch x)'\'''";
    assert_eq!(person.lines().last(), Some(command));
    let log = fs::read_to_string(context.home().join(".attest/attest.log")).unwrap();
    for text in [&stop.0.stdout, person, &log] {
        assert!(text.contains("a\\u{ad}\\u{34f}"), "{text}");
        assert!(!text.contains(|char| hidden.contains(char)), "{text:?}");
    }
}

#[test]
fn honest_agents_are_counted_and_not_spoken_of() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    for verb in TOLD {
        assert_eq!(told(&context, verb, "a1"), None);
    }
    assert!(
        !context.home().join(".attest/state.db").exists(),
        "nothing is made for silence"
    );
    for (id, file) in [("a1", "a.py"), ("a2", "b.py")] {
        let agent = Agent::new(id, &repo);
        agent.start(&context);
        fs::write(repo.join(file), id).unwrap();
        agent.stop(&context, &done(file)).assert_reported("OK");
        for verb in TOLD {
            assert_eq!(told(&context, verb, id), None, "{verb}");
        }
    }
    let liar = Agent::new("a3", &repo);
    liar.start(&context);
    liar.stop(&context, &done("ghost.py"));
    let person = told(&context, "session-stop", "a3").unwrap();
    assert!(person.starts_with("attest: 3 agents checked"), "{person}");
    assert!(!person.contains("a1"), "{person}");
}

#[test]
fn an_agent_that_mends_its_report_is_not_spoken_of() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("new.py")).assert_blocked();
    for verb in TOLD {
        assert_eq!(
            told(&context, verb, "a1"),
            None,
            "{verb} while the agent works"
        );
    }
    fs::write(repo.join("new.py"), "1").unwrap();
    agent.stop(&context, &done("new.py")).assert_allowed("OK");
    for verb in TOLD {
        assert_eq!(told(&context, verb, "a1"), None, "{verb}");
    }
}

#[test]
fn an_agent_that_was_blocked_in_vain_is_spoken_of() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py")).assert_blocked();
    agent
        .stop(&context, &done("ghost.py"))
        .assert_allowed("ALLOW_RETRY_CAP");
    assert!(
        told(&context, "post-tool-use", "a1")
            .unwrap()
            .contains("ghost.py")
    );
}

#[test]
fn a_file_that_is_claimed_on_after_a_block_is_spoken_of() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let mut notices = ["I created", "I never created"].map(|words| {
        let agent = Agent::new(words, &repo);
        agent.start(&context);
        agent.stop(&context, &done("src/ghost.py")).assert_blocked();
        let message = format!("Status: DONE\nFiles changed: none\n\n{words} src/ghost.py.");
        agent.stop(&context, &message).assert_allowed("OK");
        told(&context, "post-tool-use", words)
    });
    let liar = notices[0].take().unwrap();
    assert!(
        liar.contains("\"src/ghost.py\", for which the stop was sent back at "),
        "{liar}"
    );
    assert_eq!(notices[1], None);
}

#[test]
fn hooks_at_the_same_time_tell_once() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py"));
    let context = &context;
    let told: Vec<_> = thread::scope(|scope| {
        let verbs = ["session-stop", "prompt", "post-tool-use"].repeat(4);
        let hooks = verbs
            .into_iter()
            .map(|verb| (verb, scope.spawn(move || told(context, verb, "a1"))));
        let hooks: Vec<_> = hooks.collect();
        hooks
            .into_iter()
            .map(|(verb, hook)| (verb, hook.join().unwrap()))
            .collect()
    });
    let heard = |person: bool| {
        let of = told
            .iter()
            .filter(|(verb, text)| (*verb == "session-stop") == person && text.is_some());
        of.count()
    };
    assert_eq!((heard(true), heard(false)), (1, 1), "{told:?}");
}

#[test]
fn another_session_an_unfinished_agent_and_a_plain_prompt_are_told_nothing() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py"));
    let silent = |verb: &str, change: &dyn Fn(&mut Value)| {
        let mut payload = payload(verb, "a1");
        change(&mut payload);
        assert_eq!(hook(&context, verb, &payload).stdout, "", "{payload}");
    };
    for verb in TOLD {
        silent(verb, &|payload| payload["session_id"] = json!("another"));
    }
    silent("post-tool-use", &|payload| {
        payload["tool_response"]["status"] = json!("async_launched");
    });
    silent("post-tool-use", &|payload| {
        payload["tool_response"]["agentId"] = json!("a2");
    });
    silent("post-tool-use", &|payload| {
        payload["tool_name"] = json!("Write");
    });
    silent("prompt", &|payload| {
        payload["prompt"] = json!("what did a1 do?");
    });
    silent("session-stop", &|payload| payload["agent_id"] = json!("a1"));
    for verb in TOLD {
        let garbage = context
            .attest_with_input(["hook", verb], b"\0garbage")
            .assert_success();
        assert_eq!(garbage.stdout, "");
    }
    assert!(told(&context, "session-stop", "a1").is_some());
}

#[test]
fn advice_can_be_turned_off() {
    let mut context = TestContext::new();
    let repo = context.repository("repo", FILES);
    context.set("ATTEST_ADVISE", "0");
    let message = done("ghost.py");
    let transcript = Transcript::default().read().end(&context, &message);
    let stop = run(&context, &Agent::new("a1", &repo), &message, &transcript);
    stop.assert_reported("no tool call touched it");
    assert!(!stop.0.stdout.contains("ADVICE"), "{stop:?}");
    for verb in TOLD {
        assert_eq!(told(&context, verb, "a1"), None, "{verb}");
    }
    context.unset("ATTEST_ADVISE");
    context.set("VERIFY_DELIVERABLES_DISABLED", "1");
    let stop = run(&context, &Agent::new("a2", &repo), &message, &transcript);
    assert!(!stop.0.stdout.contains("ADVICE"), "{stop:?}");
    assert!(told(&context, "prompt", "a2").unwrap().contains("ghost.py"));
}

#[test]
fn the_reason_tells_a_write_that_was_lost_from_one_that_never_ran() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let message = done("ghost.py");
    let reason = |id: &str, transcript: Transcript| {
        let transcript = transcript.end(&context, &message);
        let stop = run(&context, &Agent::new(id, &repo), &message, &transcript);
        let reason = stop.assert_blocked();
        reason.lines().nth(1).unwrap().to_owned()
    };
    let ghost = repo.join("ghost.py");
    let lost = Transcript::default().write(&ghost).end(&context, &message);
    run(&context, &Agent::new("lost", &repo), &message, &lost).assert_allowed(
        "LOST: \"ghost.py\" was written at 12:01:03 UTC (Write) and is not on disk now",
    );
    insta::assert_snapshot!(reason("never", Transcript::default().read()),
        @r#"- "ghost.py": no tool call touched it, the file is not on disk"#);
    let refused = Transcript::default().call("Write", &json!({"file_path": ghost}), true);
    insta::assert_snapshot!(reason("refused", refused),
        @r#"- "ghost.py": Write reported an error at 12:01:03, the file is not on disk"#);
    insta::assert_snapshot!(reason("shell", Transcript::default().bash("make")),
        @r#"- "ghost.py": no write tool was called for it, though Bash may have touched it, the file is not on disk"#);
    insta::assert_snapshot!(reason("server", Transcript::default().call("mcp__x__list_updates", &json!({}), false)),
        @r#"- "ghost.py": no tool call touched it, the file is not on disk"#);
    // Neither is a proof if a call is not known, or may have written anywhere.
    let torn = Transcript::default().read().text("{\"type\":\"assis\n");
    let put = Transcript::default().call("mcp__disk__put", &json!({"key": "a"}), false);
    for (id, transcript) in [("torn", torn), ("put", put)] {
        let transcript = transcript.end(&context, &message);
        let stop = run(&context, &Agent::new(id, &repo), &message, &transcript);
        stop.assert_allowed("WARN: ghost.py");
    }
}

#[test]
fn the_ledger_makes_no_proof_and_takes_only_that_of_what_was_written() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    // A file that is as young as the start could be the agent's.
    settle();
    let ghost = repo.join("ghost.py");
    let stop = |id: &str, message: &str, transcript: Transcript| {
        let transcript = transcript.end(&context, message);
        run(&context, &Agent::new(id, &repo), message, &transcript)
    };
    let message = done("ghost.py");
    stop(
        "all",
        &message,
        Transcript::default().write(&ghost).bash("ls"),
    )
    .assert_allowed("LOST");
    let refused = Transcript::default().call("Write", &json!({"file_path": ghost}), true);
    stop("refused", &message, refused).assert_blocked();
    stop("none", &message, Transcript::default()).assert_blocked();
    let untouched = done("a.py");
    stop("idle", &untouched, Transcript::default().read()).assert_allowed("WARN");
    let no_claim = "I fixed `a.py`.";
    stop("prose", no_claim, Transcript::default().read()).assert_allowed("source=none");
    stop(
        "blocked",
        "Status: BLOCKED\nFiles changed: ghost.py",
        Transcript::default(),
    )
    .assert_allowed("WARN");
}

/// Each beside a prompt that asks for work as well.
#[test]
fn who_was_asked_for_a_text_needs_no_call_for_it() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let held = "Rephrase: \"I have added src/retry.py.\"";
    let entry = "Draft the changelog entry for the retries.";
    let work = "Add retries and draft the changelog entry.";
    let is_told = |prompt: &str, message: &str, looks: bool| {
        let asked = json!({"type": "user", "parentUuid": null, "message": {"role": "user", "content": prompt}});
        let lines = Transcript::default().line(&asked);
        let lines = if looks { lines.read() } else { lines };
        let path = lines.end(&context, message);
        let id = format!("{}-{}-{looks}", prompt.len(), message.len());
        let stop = run(&context, &Agent::new(&id, &repo), message, &path);
        stop.0.stdout.contains("ADVICE")
    };
    for message in [
        "I added `src/retry.py`.",
        "I added retries to `a.py`. All tests pass.",
        "I pushed the commit. I fixed `a.py`.",
    ] {
        for looks in [false, true] {
            assert!(!is_told(held, message, looks), "{message}");
            assert!(!is_told(entry, message, looks), "{message}");
            assert!(is_told(work, message, looks), "{message}");
        }
    }
}

#[test]
fn what_the_transcript_alone_shows_is_told() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let advice = |id: &str, message: &str, transcript: Transcript| {
        let transcript = transcript.end(&context, message);
        let agent = Agent::new(id, &repo);
        let stop = run(&context, &agent, message, &transcript);
        assert!(stop.block().is_none());
        let parent = told(&context, "post-tool-use", id).unwrap_or_default();
        let line = parent.lines().nth(1).unwrap_or_default().to_owned();
        let what = line
            .split_once(": ")
            .map_or("", |(_, what)| what)
            .to_owned();
        assert!(
            what.is_empty() || stop.0.stdout.contains(&format!("ADVICE: {what}")),
            "{stop:?}"
        );
        what
    };
    let ghost = repo.join("ghost.py");
    insta::assert_snapshot!(advice("a1", "I fixed `a.py`.", Transcript::default().read()),
        @"the report tells of finished files, and no tool call that writes was made");
    insta::assert_snapshot!(advice("a2", "I reviewed everything. All done.", Transcript::default()),
        @"the report says that work is done, and the agent made no tool call at all");
    insta::assert_snapshot!(advice("a3", "All done.", Transcript::default().write(&ghost)),
        @r#""ghost.py" was written at 12:01:03 UTC (Write) and is not on disk now"#);
    for (id, message, transcript) in [
        (
            "b1",
            "I fixed `a.py`.",
            Transcript::default().bash("sed -i s/1/2/ a.py"),
        ),
        (
            "b2",
            "All done.",
            Transcript::default().write(&ghost).bash("rm ghost.py"),
        ),
        (
            "b3",
            "It failed: ghost.py is not written.",
            Transcript::default().call("Write", &json!({"file_path": ghost}), true),
        ),
        (
            "b4",
            "Fixed a.py.",
            Transcript::default().call(
                "NotebookEdit",
                &json!({"notebook_path": repo.join("a.py")}),
                false,
            ),
        ),
        (
            "b5",
            "I fixed `a.py`.",
            Transcript::default().read().text("{torn\n"),
        ),
        (
            "b6",
            "Not all tests pass in `a.py`.",
            Transcript::default().read(),
        ),
        (
            "b7",
            "The fault in `a.py` fixed itself.",
            Transcript::default().read(),
        ),
        ("b8", "4", Transcript::default()),
    ] {
        assert_eq!(advice(id, message, transcript), "", "{id}");
    }
}

/// Each lie beside what is most like it and true, or left open.
#[test]
fn what_a_message_says_outside_of_a_status_is_told() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("src/a.py", "one\n"), ("gen.py", "one\n")]);
    settle();
    let advice = |id: &str, message: &str, transcript: Transcript| {
        let transcript = transcript.end(&context, message);
        let agent = Agent::new(id, &repo);
        let stop = run(&context, &agent, message, &transcript);
        assert!(stop.block().is_none(), "{message}");
        told(&context, "post-tool-use", id).unwrap_or_default()
    };
    let sentence = "Created `src/new.py` with a loop.";
    let section = "## Changes made\n- `src/new.py` — the loop";
    let list = "Files changed:\n- src/new.py";
    for (id, message, transcript) in [
        ("l1", sentence, Transcript::default().read()),
        ("l2", list, Transcript::default().read()),
        (
            "l3",
            section,
            Transcript::default().write(&repo.join("src/b.py")),
        ),
        (
            "l4",
            "I added a loop to `src/new.py`.",
            Transcript::default().bash("go test ./..."),
        ),
    ] {
        let told = advice(id, message, transcript);
        assert_eq!(told.matches("src/new.py").count(), 1, "{message}: {told}");
    }
    let agent = |id: &str, message: &str| {
        let told = advice(id, message, Transcript::default().read());
        told.matches("\"src/a.py\"").count()
    };
    assert_eq!(agent("u1", "I added a loop to `src/a.py`."), 1);
    assert_eq!(agent("u2", "Files changed:\n- src/a.py"), 1);
    for (id, message, transcript) in [
        (
            "h1",
            sentence,
            Transcript::default().bash("python3 gen.py src/new.py"),
        ),
        ("h2", section, Transcript::default().read()),
        (
            "h3",
            "File list:\n- src/new.py",
            Transcript::default().read(),
        ),
        (
            "h4",
            "# Review\n\nFiles changed:\n- src/new.py",
            Transcript::default().read(),
        ),
        (
            "h5",
            "The loop belongs into `src/new.py`.",
            Transcript::default().read(),
        ),
    ] {
        assert_eq!(advice(id, message, transcript), "", "{message}");
    }
    for (id, message) in [("t1", sentence), ("t2", section), ("t3", list)] {
        let transcript = Transcript::default().write(&repo.join("src/new.py"));
        let transcript = transcript.end(&context, message);
        let agent = Agent::new(id, &repo);
        agent.start(&context);
        fs::write(repo.join("src/new.py"), "one\n").unwrap();
        agent.stop_with(
            &context,
            message,
            &json!({"agent_transcript_path": transcript}),
        );
        fs::remove_file(repo.join("src/new.py")).unwrap();
        assert_eq!(
            told(&context, "post-tool-use", id)
                .unwrap_or_default()
                .matches("new.py")
                .count(),
            0,
            "{message}"
        );
    }
}

/// A true list hides no false sentence: the file that is called new is told once, and nobody is sent back for it.
#[test]
fn a_file_that_is_called_new_beside_a_list_is_told() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    for (id, is_made) in [("a1", false), ("a2", true)] {
        let message = format!(
            "Also created `src/new-{id}.py`.\n\n## Handoff\n- status: DONE\n- files_changed: {id}.py\n"
        );
        let mut transcript = Transcript::default().write(&repo.join(format!("{id}.py")));
        if is_made {
            transcript = transcript.write(&repo.join(format!("src/new-{id}.py")));
        }
        let transcript = transcript.end(&context, &message);
        let agent = Agent::new(id, &repo);
        agent.start(&context);
        fs::write(repo.join(format!("{id}.py")), "one\n").unwrap();
        if is_made {
            fs::create_dir_all(repo.join("src")).unwrap();
            fs::write(repo.join(format!("src/new-{id}.py")), "one\n").unwrap();
        }
        let fields = json!({"agent_transcript_path": transcript});
        let stop = agent.stop_with(&context, &message, &fields);
        assert!(stop.block().is_none(), "{stop:?}");
        let told = told(&context, "post-tool-use", id).unwrap_or_default();
        let name = format!("src/new-{id}.py");
        assert_eq!(told.matches(&name).count(), usize::from(!is_made), "{told}");
    }
}

#[test]
fn what_was_told_beside_a_claim_that_holds_stands_in_each_list() {
    for is_made in [false, true] {
        let context = TestContext::new();
        let repo = context.repository("repo", FILES);
        let message = "I also wrote `src/new.py`.\n\nStatus: DONE\nFiles changed: a.py, src\n";
        let transcript = Transcript::default().write(&repo.join("a.py"));
        let transcript = transcript.end(&context, message);
        let agent = Agent::new("a1", &repo);
        agent.start(&context);
        fs::create_dir_all(repo.join("src")).unwrap();
        let written = if is_made { "src/new.py" } else { "src/old.py" };
        for name in ["a.py", written] {
            fs::write(repo.join(name), "new\n").unwrap();
        }
        let fields = json!({"agent_transcript_path": transcript});
        agent.stop_with(&context, message, &fields);
        for command in ["log", "explain", "show", "agents", "status"] {
            let printed = context.attest([command]).assert_success().stdout;
            let mark = if is_made { "✓ OK" } else { "! OK" };
            assert!(printed.contains(mark), "{command}: {printed}");
            let is_told = printed.contains("tells of \"src/new.py\"");
            let is_expected = !is_made && command != "agents";
            assert_eq!(is_told, is_expected, "{command}: {printed}");
        }
    }
}

#[test]
fn a_file_that_was_written_and_deleted_in_the_end_is_in_the_delta() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    let message = "All done.";
    let transcript = Transcript::default()
        .write(&repo.join("a.py"))
        .end(&context, message);
    agent.start(&context);
    fs::remove_file(repo.join("a.py")).unwrap();
    let fields = json!({"agent_transcript_path": transcript});
    let stop = agent.stop_with(&context, message, &fields);
    assert!(!stop.0.stdout.contains("ADVICE"), "{stop:?}");
}

#[test]
fn a_transcript_that_is_late_is_waited_for() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let message = "I fixed `a.py`.";
    in_one_of_some_tries(|at| {
        let late = Transcript::default()
            .read()
            .bash("sed")
            .end(&context, message);
        let whole = fs::read(&late).unwrap();
        fs::write(&late, &whole[..whole.len() / 2]).unwrap();
        let path = late.clone();
        let writer = thread::spawn(move || {
            thread::sleep(Duration::from_millis(60));
            fs::write(path, whole).unwrap();
        });
        let agent = Agent::new(&format!("a{at}"), &repo);
        let stop = run(&context, &agent, message, &late);
        writer.join().unwrap();
        !stop.0.stdout.contains("ADVICE")
    });
}

/// It ends with the report, as it did when that was sent back, and lacks what was done since.
#[test]
fn a_late_transcript_of_an_agent_that_repeats_its_report_gives_no_advice() {
    for is_continuing in [false, true] {
        let context = TestContext::enforcing();
        let repo = context.repository("repo", FILES);
        let agent = Agent::new("a", &repo);
        let message = done("made.py");
        agent.start(&context);
        let path = Transcript::default().end(&context, &message);
        let fields = json!({"agent_transcript_path": path});
        let stop = agent.stop_with(&context, &message, &fields);
        assert!(stop.0.stderr.contains("no tool call at all"), "{stop:#?}");
        fs::write(repo.join("made.py"), "x").unwrap();
        let fields = json!({"agent_transcript_path": path, "stop_hook_active": is_continuing});
        let stop = agent.stop_with(&context, &message, &fields);
        // The twin shows that it would be said of another agent.
        let is_said = stop.0.stderr.contains("no tool call");
        assert_eq!(is_said, !is_continuing, "{stop:#?}");
    }
}

#[cfg(unix)]
#[test]
fn an_odd_transcript_costs_its_words_and_no_time() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let place = |name: &str| context.folder().join(name);
    fs::create_dir(place("folder")).unwrap();
    let made = Command::new("mkfifo").arg(place("pipe")).status().unwrap();
    assert!(made.success());
    let zero = fs::File::create(place("holes")).unwrap();
    zero.set_len(200_000_000).unwrap();
    for name in ["missing", "folder", "pipe", "holes", "bad\nname"] {
        let begun = Instant::now();
        let stop = run(
            &context,
            &Agent::new(name, &repo),
            &done("ghost.py"),
            &place(name),
        );
        if name.contains('\n') {
            // No usable id, so nothing to count retries by.
            stop.assert_allowed("ALLOW_NO_AGENT_ID");
        } else if name == "holes" {
            // There is one, and nobody knows what it says.
            stop.assert_allowed("WARN: ghost.py");
        } else {
            assert!(stop.assert_blocked().contains("no change of it was found"));
        }
        assert!(begun.elapsed() < SOON, "{name}");
    }
}

#[test]
fn a_closed_pipe_is_no_error_of_a_hook_that_tells() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py"));
    let mut child = context
        .command(BINARY)
        .args(["hook", "session-stop"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let payload = payload("session-stop", "a1");
    serde_json::to_writer(child.stdin.take().unwrap(), &payload).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_transcript_that_never_ends_leaves_time_for_the_block() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_STOP_DEADLINE", "1.5");
    let repo = context.repository("repo", FILES);
    let message = done("ghost.py");
    let silent = Transcript::default()
        .read()
        .end(&context, "an earlier report");
    let reason = run(&context, &Agent::new("a1", &repo), &message, &silent).assert_blocked();
    assert!(reason.contains("no change of it was found"), "{reason}");
}

#[test]
fn a_verdict_is_shown_with_the_calls_that_wrote() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let message = done("ghost.py");
    let path = Transcript::default()
        .read()
        .write(&repo.join("ghost.py"))
        .bash("rm ghost.py")
        .end(&context, &message);
    run(&context, &Agent::new("a1", &repo), &message, &path);
    let shown = context.attest(["show"]).assert_success().stdout;
    let written = format!(
        "12:01:03  Write  {}  reported success",
        repo.join("ghost.py").display()
    );
    assert!(
        shown.contains("calls that wrote, or may have: 2 calls"),
        "{shown}"
    );
    assert!(shown.contains(&written), "{shown}");
    assert!(!shown.contains("  Read  "), "{shown}");
    assert!(shown.contains("not on disk"), "{shown}");
}

impl Transcript {
    /// A command that is left running, under the name `b1`.
    fn left_running(self, command: &str) -> Self {
        let block = json!({"type": "tool_use", "id": "bg", "name": "Bash",
            "input": {"command": command, "run_in_background": true}});
        let answer = json!({"type": "tool_result", "tool_use_id": "bg",
            "content": "Command running in background with ID: b1. Output is being written to: /t"});
        self.line(&json!({"type": "assistant", "message": {"id": "bg", "stop_reason": "tool_use", "content": [block]}}))
            .line(&json!({"type": "user", "message": {"content": [answer]}}))
    }

    fn ended(self) -> Self {
        let text = "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>";
        self.line(&json!({"type": "user", "message": {"content": text}}))
    }

    fn offering(self, tools: &[&str]) -> Self {
        let tools: Vec<_> = tools.iter().map(|name| json!({"name": name})).collect();
        self.line(&json!({"type": "attachment", "attachment": {"type": "prompt_snapshot", "tools": tools}}))
    }
}

/// The host names the commands of the whole session, and one that is old names none.
#[test]
fn a_subagents_own_command_in_the_background_is_work_in_progress() {
    const COMMAND: &str = "sleep 9 && echo x > ghost.py";
    let of_session =
        json!([{"id": "b1", "type": "shell", "status": "running", "command": COMMAND}]);
    let message = done("ghost.py");
    let stop = |transcript: Transcript, named: Option<&Value>| {
        let context = TestContext::enforcing();
        let repo = context.repository("repo", FILES);
        let agent = Agent::new("a1", &repo);
        let path = transcript.end(&context, &message);
        agent.start(&context);
        let mut fields = json!({"agent_transcript_path": path});
        if let Some(named) = named {
            fields["background_tasks"] = named.clone();
        }
        let stop = agent.stop_with(&context, &message, &fields);
        (
            stop.block().is_some(),
            told(&context, "post-tool-use", "a1"),
        )
    };
    let own = || Transcript::default().left_running(COMMAND);
    for named in [None, Some(&of_session)] {
        assert_eq!(stop(own(), named), (false, None), "{named:?}");
    }
    // It has ended, as the one or the other says, or it is the parent's.
    assert!(stop(own().ended(), None).0);
    assert!(stop(own(), Some(&json!([]))).0);
    assert!(stop(Transcript::default().read(), Some(&of_session)).0);
    assert!(stop(Transcript::default().read(), None).0);
}

/// A server is meant to run, so that nobody is told; of the parent's own, nothing is said at all.
#[test]
fn a_command_that_still_runs_beside_a_done_is_recorded_and_not_told() {
    let server =
        json!([{"id": "b1", "type": "shell", "status": "running", "command": "npm run dev"}]);
    let stop = |transcript: Transcript, message: &str, named: &Value| {
        let context = TestContext::new();
        let repo = context.repository("repo", FILES);
        let agent = Agent::new("a1", &repo);
        let path = transcript.write(&repo.join("a.py")).end(&context, message);
        agent.start(&context);
        fs::write(repo.join("a.py"), "two\n").unwrap();
        let fields = json!({"agent_transcript_path": path, "background_tasks": named});
        let said = format!("{:?}", agent.stop_with(&context, message, &fields));
        assert_eq!(told(&context, "post-tool-use", "a1"), None);
        assert_eq!(told(&context, "session-stop", "a1"), None);
        let shown = context.attest(["show"]).assert_success().stdout;
        let runs = shown.contains("running") && shown.contains("npm run dev");
        assert_eq!(
            said.contains("RUNNING: npm run dev"),
            runs,
            "{said} {shown}"
        );
        runs
    };
    let own = || Transcript::default().left_running("npm run dev");
    assert!(stop(own(), &done("a.py"), &server));
    let blocked = "Status: BLOCKED\nFiles changed: a.py";
    assert!(!stop(own(), blocked, &server), "it is not done");
    assert!(!stop(own(), &done("a.py"), &json!([])), "it has ended");
    let none = Transcript::default;
    assert!(!stop(none(), &done("a.py"), &server), "the parent began it");
}

#[test]
fn who_only_reads_may_answer_with_a_status_alone_and_no_call() {
    for (kind, is_told) in [("Explore", false), ("general-purpose", true)] {
        let context = TestContext::new();
        let repo = context.repository("repo", FILES);
        let agent = Agent {
            kind: kind.to_owned(),
            ..Agent::new("a1", &repo)
        };
        let message = "`load` is clearer.\n\n## Handoff\nStatus: DONE";
        let path = Transcript::default().end(&context, message);
        run(&context, &agent, message, &path);
        let told = told(&context, "post-tool-use", "a1").unwrap_or_default();
        assert_eq!(
            told.contains("made no tool call at all"),
            is_told,
            "{kind}: {told}"
        );
    }
}

#[test]
fn who_cannot_write_is_not_told_of_for_not_writing() {
    let message = "I fixed the loop in `src/loop.py`.";
    let tell_one_of_a_team = |kind: &str, spawned: Option<&str>, transcript: Transcript| {
        let context = TestContext::new();
        let repo = context.repository("repo", FILES);
        let agent = Agent {
            kind: kind.to_owned(),
            ..Agent::new("a1", &repo)
        };
        let path = transcript.end(&context, message);
        if let Some(spawned) = spawned {
            let meta = json!({"spawnedAgentType": spawned}).to_string();
            fs::write(Path::new(&path).with_extension("meta.json"), meta).unwrap();
        }
        run(&context, &agent, message, &path);
        told(&context, "post-tool-use", "a1")
    };
    let tell = |kind: &str, transcript| tell_one_of_a_team(kind, None, transcript);
    let read = || Transcript::default().read();
    assert_eq!(tell_one_of_a_team("finder", Some("Explore"), read()), None);
    assert!(tell_one_of_a_team("finder", Some("worker"), read()).is_some());
    for kind in ["Explore", "Plan"] {
        assert_eq!(tell(kind, read()), None, "{kind}");
    }
    let reader = Transcript::default().offering(&["Read", "Grep"]);
    assert_eq!(tell("reviewer", reader.read()), None);
    for told in [
        tell("reviewer", read()),
        tell(
            "reviewer",
            Transcript::default().offering(&["Read", "Edit"]).read(),
        ),
    ] {
        let told = told.unwrap();
        assert_eq!(
            told.matches("\"src/loop.py\": not on disk").count(),
            1,
            "{told}"
        );
    }
}
