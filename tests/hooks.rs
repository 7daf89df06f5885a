//! The start and stop hooks through the binary, on real repositories.

use std::fs;
#[cfg(target_os = "linux")]
use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::agent::{Agent, done, hook};
use crate::common::{TestContext, in_one_of_some_tries};
use serde_json::json;

const FILES: &[(&str, &str)] = &[("a.py", "one\n"), ("src/b.py", "two\n")];

#[test]
fn false_done_is_blocked_once_and_then_let_through() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    let reason = agent.stop(&context, &done("ghost.py")).assert_blocked();
    insta::assert_snapshot!(reason, @r#"
    attest: the report says Status: DONE, but the git work tree disproves part of it:
    - "ghost.py": not on disk, and no change of it was found
    Make the missing change, or correct the claim. Then send your complete final report again: only your last message is kept.
    "#);
    let second = agent.stop_with(
        &context,
        &done("ghost.py"),
        &json!({"stop_hook_active": true}),
    );
    second.assert_allowed("detected false DONE but NOT blocking (decision=ALLOW_RETRY_CAP)");
}

#[test]
fn false_done_is_reported_without_enforcement() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    let stop = agent.stop(&context, &done("ghost.py"));
    insta::assert_snapshot!(stop.0.stdout, @"attest: stop: a1: CLAIMED [ghost.py] OBSERVED [(none)] -> MISMATCH: ghost.py claimed-but-unchanged (would block in enforce mode) [source=payload]");
}

#[test]
fn reports_have_their_documented_form() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let report = |id: &str, work: &dyn Fn(), message: &str| {
        let agent = Agent::new(id, &repo);
        agent.start(&context);
        work();
        let stop = agent.stop(&context, message);
        context.git(&repo, &["add", "--all"]);
        context.git(
            &repo,
            &["commit", "--quiet", "--allow-empty", "--message", "next"],
        );
        stop.0.stdout
    };
    let write = |name: &str, text: &str| fs::write(repo.join(name), text).unwrap();
    insta::assert_snapshot!(report("ok", &|| write("a.py", "2"), &done("a.py")),
        @"attest: stop: ok: CLAIMED [a.py] OBSERVED [a.py] -> OK [source=payload]");
    insta::assert_snapshot!(report("creep", &|| { write("a.py", "3"); write("c.py", "3"); }, &done("a.py")),
        @"attest: stop: creep: CLAIMED [a.py] OBSERVED [a.py, c.py] -> SCOPE_CREEP: c.py observed-but-unclaimed [source=payload]");
    insta::assert_snapshot!(report("warn", &|| {}, "Status: BLOCKED\nFiles changed: ghost.py"),
        @"attest: stop: warn: CLAIMED [ghost.py] OBSERVED [(none)] -> WARN: ghost.py claimed but not in delta (status=BLOCKED) [source=payload]");
    insta::assert_snapshot!(report("prose", &|| {}, "I changed ghost.py. DONE"),
        @"attest: stop: prose: claim source=none — cannot verify (never treating as false DONE)");
}

#[test]
fn a_stop_without_a_start_is_skipped() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let stop = Agent::new("a1", &repo).stop(&context, &done("ghost.py"));
    stop.assert_allowed("no snapshot found for a1 (start event may have been missed)");
}

#[test]
fn an_agent_that_is_resumed_keeps_its_first_baseline() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    fs::write(repo.join("new.py"), "1").unwrap();
    agent.stop(&context, &done("new.py")).assert_allowed("OK");
    context.git(&repo, &["add", "--all"]);
    context.git(&repo, &["commit", "--quiet", "--message", "parent commits"]);
    fs::remove_file(repo.join("new.py")).unwrap();
    context.git(
        &repo,
        &["commit", "--quiet", "--all", "--message", "parent removes"],
    );
    agent.start(&context);
    // Both commits came since the first start.
    agent
        .stop(&context, &done("new.py"))
        .assert_allowed("(REVERTED)");
}

#[test]
fn a_start_after_an_allowed_stop_has_fresh_retries() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    for _ in 0..2 {
        agent.start(&context);
        agent.stop(&context, &done("ghost.py")).assert_blocked();
        agent.start(&context);
        agent
            .stop(&context, &done("ghost.py"))
            .assert_allowed("ALLOW_RETRY_CAP");
    }
}

#[test]
fn the_session_ceiling_holds_over_agents() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_SESSION_BLOCK_CEILING", "2");
    let repo = context.repository("repo", FILES);
    let stops = ["a1", "a2", "a3"].map(|id| {
        let agent = Agent::new(id, &repo);
        agent.start(&context);
        agent.stop(&context, &done("ghost.py"))
    });
    stops[0].assert_blocked();
    stops[1].assert_blocked();
    stops[2].assert_allowed("ALLOW_SESSION_CEILING");
}

#[test]
fn every_doubt_takes_the_block_away() {
    let mut context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let nowhere = context.folder().join("plain");
    fs::create_dir(&nowhere).unwrap();
    let lie = |context: &TestContext, agent: &Agent, fields| {
        agent.start(context);
        agent.stop_with(context, &done("ghost.py"), &fields)
    };

    context.set("ATTEST_MAX_RETRIES", "3");
    lie(
        &context,
        &Agent::new("active", &repo),
        json!({"stop_hook_active": true}),
    )
    .assert_allowed("ALLOW_STOP_HOOK_ACTIVE");
    lie(
        &context,
        &Agent::new("odd", &repo),
        json!({"stop_hook_active": "true"}),
    )
    .assert_blocked();
    lie(&context, &Agent::new("plain", &nowhere), json!({})).assert_allowed("UNVERIFIABLE");
    context.set("ATTEST_MAX_RETRIES", "0");
    lie(&context, &Agent::new("zero", &repo), json!({})).assert_allowed("ALLOW_RETRY_CAP");
    context.unset("ATTEST_MAX_RETRIES");

    context.set("ATTEST_ENFORCE_AGENTS", "Explore");
    lie(&context, &Agent::new("scope", &repo), json!({}))
        .assert_allowed("ALLOW_AGENT_NOT_IN_SCOPE");
    let explorer = Agent {
        kind: "EXPLORE".into(),
        ..Agent::new("explorer", &repo)
    };
    lie(&context, &explorer, json!({})).assert_blocked();
    // One of a team has its name for a type; beside its transcript is the type that it was spawned as.
    let transcript = repo.with_file_name("agent.jsonl");
    fs::write(&transcript, "").unwrap();
    let team = |id: &str, spawned: &str| {
        let meta = json!({"spawnedAgentType": spawned}).to_string();
        fs::write(transcript.with_extension("meta.json"), meta).unwrap();
        let agent = Agent {
            kind: "tester".into(),
            ..Agent::new(id, &repo)
        };
        lie(
            &context,
            &agent,
            json!({"agent_transcript_path": transcript}),
        )
    };
    team("in", "Explore").assert_blocked();
    team("out", "general-purpose").assert_allowed("ALLOW_AGENT_NOT_IN_SCOPE");
    context.unset("ATTEST_ENFORCE_AGENTS");

    fs::write(repo.join("untracked"), "before the agent").unwrap();
    lie(&context, &Agent::new("dirty", &repo), json!({})).assert_allowed("ALLOW_AMBIGUOUS");
    context.set("ATTEST_STRICT", "dirty");
    lie(&context, &Agent::new("strict", &repo), json!({})).assert_blocked();
}

#[test]
fn an_agent_without_an_id_is_judged_and_never_blocked() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let start = json!({"session_id": "s", "cwd": repo, "hook_event_name": "SubagentStart"});
    let stop = json!({"session_id": "s", "cwd": repo, "last_assistant_message": done("ghost.py")});
    for _ in 0..2 {
        hook(&context, "start", &start);
        let printed = hook(&context, "stop", &stop);
        assert_eq!(printed.stdout, "");
        assert!(printed.stderr.contains("ALLOW_NO_AGENT_ID"), "{printed:?}");
    }
}

#[test]
fn field_names_of_older_versions_are_understood() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let start = json!({"session_id": "s", "cwd": repo, "subagent_id": "old", "agent_name": "x"});
    hook(&context, "start", &start);
    let stop =
        json!({"session_id": "s", "cwd": repo, "subagent_id": "old", "output": done("ghost.py")});
    assert!(
        hook(&context, "stop", &stop)
            .stdout
            .starts_with(r#"{"decision":"block""#)
    );
}

#[test]
fn the_message_is_taken_from_the_agents_transcript_when_the_payload_has_none() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    let transcript = context.folder().join("agent-a1.jsonl");
    let line = json!({"type": "assistant", "message": {"id": "m1", "role": "assistant",
        "stop_reason": "end_turn", "content": [{"type": "text", "text": done("ghost.py")}]}});
    fs::write(&transcript, format!("{line}\n")).unwrap();
    agent.start(&context);
    let fields = json!({"last_assistant_message": null, "agent_transcript_path": transcript});
    agent.stop_with(&context, "", &fields).assert_blocked();
}

#[test]
fn the_sessions_transcript_never_stands_in_for_the_agents() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    let parent = context.folder().join("parent.jsonl");
    let line = json!({"type": "assistant", "message": {"id": "m1", "role": "assistant",
        "stop_reason": "end_turn", "content": [{"type": "text", "text": done("ghost.py")}]}});
    fs::write(&parent, format!("{line}\n")).unwrap();
    agent.start(&context);
    let fields = json!({
        "last_assistant_message": null,
        "agent_transcript_path": context.folder().join("not there.jsonl"),
        "transcript_path": parent,
    });
    agent
        .stop_with(&context, "", &fields)
        .assert_allowed("source=none");
}

#[test]
fn payloads_that_are_none_cost_nothing() {
    let context = TestContext::enforcing();
    for payload in [
        "",
        "null",
        "[]",
        "{",
        "\u{feff}{}",
        "{\"cwd\": 7}",
        "\"x\"",
        "{}{}",
    ] {
        for event in ["start", "stop"] {
            let printed = context.attest_with_input(["hook", event], payload.as_bytes());
            assert_eq!(
                printed
                    .assert_success()
                    .stdout
                    .lines()
                    .filter(|l| l.starts_with('{'))
                    .count(),
                0
            );
        }
    }
    let garbage: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let printed = context
        .attest_with_input(["hook", "stop"], &garbage)
        .assert_success();
    assert_eq!(printed.stdout, "");
}

#[test]
fn a_hook_of_another_version_does_not_fail_the_host() {
    let context = TestContext::new();
    for arguments in [
        &["hook"][..],
        &["hook", "session-end"],
        &["hook", "stop", "--new-flag"],
    ] {
        context.attest(arguments).assert_success();
    }
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let child = agent.spawn_stop(&context, &done("a.py"), writer.into());
    assert!(child.wait_with_output().unwrap().status.success());
}

/// The pipe of the host is full, so the hook hangs between the commit and the write; there it is
/// killed. The block is lost, and the count is not.
#[cfg(target_os = "linux")]
#[test]
fn killed_between_commit_and_write_there_are_never_two_blocks() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    let (_reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(&vec![b' '; 65536]).unwrap();
    let mut child = agent.spawn_stop(&context, &done("ghost.py"), Stdio::from(writer));
    let state = context.home().join(".attest/state.db");
    let give_up = Instant::now() + Duration::from_secs(10);
    loop {
        let database = rusqlite::Connection::open(&state).unwrap();
        let count: u32 = database
            .query_row("SELECT block_count FROM agents", [], |row| row.get(0))
            .unwrap();
        if count == 1 {
            break;
        }
        assert!(Instant::now() < give_up, "the block was never recorded");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    agent
        .stop(&context, &done("ghost.py"))
        .assert_allowed("ALLOW_RETRY_CAP");
}

#[test]
fn a_host_that_never_closes_the_input_is_left_at_the_deadline() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_STOP_DEADLINE", "0.3");
    // It ends without the line if the system gives no processor to what writes it.
    in_one_of_some_tries(|_| {
        let mut command = context.command(crate::common::BINARY);
        command
            .args(["hook", "stop"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let open = child.stdin.take();
        let began = Instant::now();
        let output = child.wait_with_output().unwrap();
        drop(open);
        assert!(output.status.success() && output.stdout.is_empty());
        let log = fs::read_to_string(context.home().join(".attest/attest.log"));
        let is_said = log.is_ok_and(|log| log.contains("ALLOW_DEADLINE"));
        is_said && began.elapsed() < Duration::from_secs(5)
    });
}

#[test]
fn captures_have_safe_names_and_stay_out_of_the_repository() {
    let mut context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let kept = context.folder().join("kept");
    context
        .set("ATTEST_CAPTURE", "1")
        .set("ATTEST_CAPTURE_DIR", &kept);
    let agent = Agent::new("../../../evil id", &repo);
    agent.start(&context);
    agent.stop(&context, &done("a.py"));
    let mut names: Vec<_> = fs::read_dir(&kept)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.retain(|name| name != ".made-by-attest");
    names.sort();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names[0].starts_with("start-_________evil_id-"), "{names:?}");

    context.set("ATTEST_CAPTURE_DIR", repo.join("captures"));
    agent.stop(&context, &done("a.py"));
    assert!(!repo.join("captures").exists());
}

/// Nothing is captured into any work tree of the repository, whichever the hook runs in, nor into
/// its `.git`; beside them it is.
#[test]
fn captures_stay_out_of_every_work_tree() {
    let mut context = TestContext::new();
    let main = context.repository("repo", FILES);
    let linked = context.folder().join("linked");
    let branch = ["worktree", "add", "--quiet", "--detach"];
    context.git(
        &main,
        &[branch.as_slice(), &[linked.to_str().unwrap()]].concat(),
    );
    context.set("ATTEST_CAPTURE", "1");
    let mut number = 0;
    for cwd in [&main, &linked] {
        for place in [
            main.join("captures"),
            main.join("src/deep/captures"),
            main.join(".git/captures"),
            linked.join("captures"),
        ] {
            context.set("ATTEST_CAPTURE_DIR", &place);
            number += 1;
            Agent::new(&format!("a{number}"), cwd).start(&context);
            assert!(!place.exists(), "{place:?} from {cwd:?}");
        }
        let beside = context.folder().join(format!("beside-{number}"));
        context.set("ATTEST_CAPTURE_DIR", &beside);
        Agent::new(&format!("b{number}"), cwd).start(&context);
        // The capture and the marker of the folder.
        assert_eq!(fs::read_dir(beside).unwrap().count(), 2);
    }
}

/// Windows has no such names.
#[cfg(not(windows))]
#[test]
fn names_in_a_report_cannot_steer_a_terminal() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    fs::write(repo.join("evil\u{1b}[2J\nattest: stop: x: OK"), "").unwrap();
    let stop = agent.stop(&context, &done("a.py"));
    assert_eq!(stop.0.stdout.lines().count(), 1, "{}", stop.0.stdout);
    assert!(!stop.0.stdout.contains('\u{1b}'));
}

#[test]
fn another_agent_in_the_same_tree_is_named_in_the_reason() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let (liar, other) = (Agent::new("a1", &repo), Agent::new("a2", &repo));
    liar.start(&context);
    other.start(&context);
    fs::write(repo.join("other.py"), "").unwrap();
    let reason = liar.stop(&context, &done("ghost.py")).assert_blocked();
    assert!(
        reason.contains("Other agents worked in the same tree"),
        "{reason}"
    );
    other.stop(&context, &done("other.py")).assert_allowed("OK");
}
