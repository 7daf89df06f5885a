//! Checks: each honest agent has done something that shows no failure, and its twin has left one in the open.

use serde_json::{Value, json};

use super::FILES;
use crate::common::TestContext;
use crate::common::agent::{Agent, Stop};
use crate::common::scene::{Scene, settle};

const PASSED: &str = "Status: DONE\nFiles changed: made.py\nTests: `npm test` — all pass\n";

/// Lines of a transcript as Claude Code writes them.
struct Calls(Vec<Value>);

impl Calls {
    fn new() -> Self {
        Self(Vec::new())
    }

    fn call(mut self, tool: &str, input: &Value, text: &str, is_error: bool) -> Self {
        let number = self.0.len();
        let id = format!("t{number}");
        let at = |second: usize| format!("2026-01-01T14:{:02}:{second:02}.000Z", number / 2);
        self.0.push(
            json!({"type": "assistant", "timestamp": at(1), "message": {"content": [
            {"type": "tool_use", "id": id, "name": tool, "input": input}]}}),
        );
        self.0.push(
            json!({"type": "user", "timestamp": at(2), "message": {"content": [
            {"type": "tool_result", "tool_use_id": id, "content": text, "is_error": is_error}]}}),
        );
        self
    }

    fn sh(self, command: &str, status: i32) -> Self {
        let text = match status {
            0 => "done".to_owned(),
            status => format!("Exit code {status}\n1 failed"),
        };
        self.call("Bash", &json!({"command": command}), &text, status != 0)
    }

    fn write(self, path: &str) -> Self {
        self.call(
            "Write",
            &json!({"file_path": path, "content": "x"}),
            "ok",
            false,
        )
    }

    fn stop(self, strict: &str, report: &str) -> (Scene, Stop) {
        let mut context = TestContext::enforcing();
        context.set("ATTEST_STRICT", strict);
        let scene = Scene::of(context, FILES);
        let stop = self.stop_in(&scene, report);
        (scene, stop)
    }

    fn stop_in(self, scene: &Scene, report: &str) -> Stop {
        settle();
        let agent = Agent::new("agent", &scene.repo);
        agent.start(&scene.context);
        scene.write("made.py");
        let mut lines = self.0;
        lines.push(
            json!({"type": "assistant", "message": {"id": "m", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": report}]}}),
        );
        let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
        let path = scene.context.home().join("agent.jsonl");
        std::fs::write(&path, text).unwrap();
        agent.stop_with(
            &scene.context,
            report,
            &json!({"agent_transcript_path": path}),
        )
    }
}

/// Nothing is said against the report, whatever is strict.
#[track_caller]
fn silent(report: &str, calls: Calls) {
    let (_, stop) = calls.stop("all", report);
    assert!(stop.block().is_none(), "{stop:#?}");
    assert!(!stop.0.stderr.contains("WARN"), "{stop:#?}");
}

/// It is told with these words and never blocks by itself; with `ATTEST_STRICT=checks` it does if it is a proof.
#[track_caller]
fn told(report: &str, words: &str, is_proof: bool, calls: impl Fn() -> Calls) {
    let (_, stop) = calls().stop("", report);
    assert!(stop.block().is_none(), "{stop:#?}");
    assert!(stop.0.stderr.contains(words), "{stop:#?}");
    let (_, stop) = calls().stop("checks", report);
    assert_eq!(stop.block().is_some(), is_proof, "{stop:#?}");
}

#[test]
fn a_last_run_that_failed_in_the_open() {
    let failed = "CHECK_FAILED: \"`npm test` — all pass\": the last run of `npm test` ended with status 1 at 14:00:02";
    told(PASSED, failed, true, || Calls::new().sh("npm test", 1));
    silent(PASSED, Calls::new().sh("npm test", 0));
    silent(PASSED, Calls::new().sh("npm test", 1).sh("npm test", 0));
    told(PASSED, "the last run of `npm test`", true, || {
        Calls::new()
            .sh("npm test", 0)
            .write("a.js")
            .sh("npm test", 1)
            .sh("npm test", 1)
    });
}

/// Of a subagent that is given the conversation of another one, what that one ran before it began.
#[test]
fn what_the_parent_of_a_fork_ran_is_not_the_forks() {
    let begun = |forked: &str| {
        let mut payload = json!({"id": "agent"});
        payload[forked] = json!("session-1");
        let line = json!({"type": "session_meta", "payload": payload});
        Calls(vec![line]).sh("npm test", 1)
    };
    silent(PASSED, begun("forked_from_id"));
    let failed = "CHECK_FAILED: \"`npm test` — all pass\": the last run";
    told(PASSED, failed, true, || begun("session_id"));
}

#[test]
fn what_hides_an_end_or_may_have_run_it_again_is_no_failure() {
    for command in [
        "npm test | tail -5",
        "npm test || true",
        "npm test; echo $?",
        "./run-tests.sh",
        "make check",
        "t",
        "npm run test:all",
        "bash scripts/check.sh",
        "docker compose run app npm test",
    ] {
        silent(PASSED, Calls::new().sh("npm test", 1).sh(command, 0));
    }
    for (tool, input) in [
        ("Agent", json!({"prompt": "Run the tests."})),
        ("mcp__runner__test", json!({"suite": "all"})),
        ("Skill", json!({"skill": "test"})),
        (
            "Bash",
            json!({"command": "npm test", "run_in_background": true}),
        ),
    ] {
        let calls = Calls::new()
            .sh("npm test", 1)
            .call(tool, &input, "started", false);
        silent(PASSED, calls);
    }
    let before = Calls::new().call(
        "Bash",
        &json!({"command": "npm test", "run_in_background": true}),
        "Command running in background with ID: b1",
        false,
    );
    silent(PASSED, before.sh("npm test", 1));
}

#[test]
fn a_command_that_could_not_begin_did_not_pass() {
    let command = json!({"command": "cd web && npm test"});
    for (text, status) in [
        ("/bin/bash: line 1: cd: web: No such file or directory", 1),
        ("/bin/bash: line 1: npm: command not found", 127),
        ("npm error Missing script: \"test\"", 1),
    ] {
        let text = format!("Exit code {status}\n{text}");
        let calls = || Calls::new().call("Bash", &command, &text, true);
        let words = format!("the last try to run `npm test` in \"web\" ended with status {status}");
        told(PASSED, &words, true, calls);
        silent(PASSED, calls().sh("npx jest", 0));
        let before = Calls::new().sh("npm test", 0);
        silent(PASSED, before.call("Bash", &command, &text, true));
    }
}

#[test]
fn a_command_that_was_ended_did_not_pass() {
    told(PASSED, "ended with status 143", true, || {
        let text = "Exit code 143\nCommand timed out after 2m 0s";
        Calls::new().call("Bash", &json!({"command": "npm test"}), text, true)
    });
}

#[test]
fn a_report_that_says_that_it_failed_is_honest() {
    for tests in [
        "3 failed, 39 passed",
        "must pass",
        "not run",
        "the new tests pass",
    ] {
        let report = format!("Status: DONE\nFiles changed: made.py\nTests: {tests}\n");
        silent(&report, Calls::new().sh("npm test", 1));
    }
}

#[test]
fn without_a_command_only_what_alone_can_be_meant_is_held_against_it() {
    let report = "Status: DONE\nFiles changed: made.py\nTests: 42 passed\n";
    told(
        report,
        "the last run of `npm test` ended with status 1",
        true,
        || Calls::new().sh("ls", 0).sh("npm test", 1),
    );
    silent(
        report,
        Calls::new().sh("pytest tests/test_a.py", 0).sh("pytest", 1),
    );
    silent(report, Calls::new().sh("./run.sh", 0).sh("pytest", 1));
    silent(report, Calls::new().sh("npm run lint", 1));
    told(report, "CHECK_NOT_RUN", false, || {
        Calls::new().sh("grep -rn x .", 1).sh("test -f a", 1)
    });
}

#[test]
fn an_edit_behind_the_last_run_is_shown_and_not_told() {
    let calls = Calls::new().sh("npm test", 0).write("src/a.js");
    let (scene, stop) = calls.stop("all", PASSED);
    assert!(!stop.0.stderr.contains("WARN"), "{stop:#?}");
    let shown = scene.context.attest(["show"]).assert_success();
    for words in [
        "CHECK_STALE",
        "\"src/a.js\" was edited after it at 14:01:02",
    ] {
        assert!(shown.stdout.contains(words), "{shown:#?}");
    }
    let mut calls = Calls::new().sh("npm test", 0).write("docs/a.md");
    for line in &mut calls.0 {
        line["timestamp"] = "2100-01-01T14:00:00Z".into();
    }
    let (scene, _) = calls.stop("all", PASSED);
    let shown = scene.context.attest(["show"]).assert_success();
    assert!(shown.stdout.contains("CHECK_SEEN"), "{shown:#?}");
}

#[test]
fn an_agent_that_ran_no_command_at_all() {
    let none = "CHECK_NOT_RUN: \"`npm test` — all pass\": no tool call of this agent ran a command";
    told(PASSED, none, false, || Calls::new().write("made.py"));
    let reader = json!({"type": "attachment", "attachment": {"type": "prompt_snapshot",
        "tools": [{"name": "Read"}, {"name": "Write"}]}});
    let mut calls = Calls::new().write("made.py");
    calls.0.insert(0, reader);
    silent(PASSED, calls);
    // Somebody else ran them, and it was shown that.
    let log = json!({"file_path": "/tmp/ci.log"});
    let wrote = || Calls::new().write("made.py");
    silent(PASSED, wrote().call("Read", &log, "42 passed", false));
    told(PASSED, none, false, || {
        wrote().call("Read", &log, "nothing yet", false)
    });
    let mut calls = wrote();
    let printed = json!({"type": "hook_success", "stdout": "ran: OK", "content": ""});
    calls
        .0
        .push(json!({"type": "attachment", "attachment": printed}));
    silent(PASSED, calls);
}

#[test]
fn an_agent_that_only_looked_and_committed() {
    let looked = || {
        let calls = Calls::new().sh("git status --short", 0).write("made.py");
        calls.sh("git add -A && git commit -qm one", 0)
    };
    let none = "CHECK_NOT_RUN: \"`npm test` — all pass\": no command that this agent ran can have been a check";
    told(PASSED, none, false, looked);
    silent(PASSED, looked().sh("mise run test", 0));
    let input = json!({"file_path": "/tmp/report.txt"});
    silent(PASSED, looked().call("Read", &input, "42 passed", false));
    let scene = Scene::of(TestContext::enforcing(), FILES);
    let hooks = scene.repo.join(".git/hooks");
    std::fs::create_dir_all(&hooks).unwrap();
    std::fs::write(hooks.join("pre-commit"), "npm test\n").unwrap();
    let stop = looked().stop_in(&scene, PASSED);
    assert!(!stop.0.stderr.contains("WARN"), "{stop:#?}");
}

#[test]
fn a_sentence_about_tests_that_nobody_ran() {
    let said = "I mended the loop. All tests pass.";
    let wrote = || Calls::new().write("made.py").sh("git status --short", 0);
    let (_, stop) = wrote().stop("", said);
    let told = "the message says \"All tests pass.\": no command that this agent ran can have been a check";
    assert!(stop.0.stderr.contains(told), "{stop:#?}");
    for calls in [
        wrote().sh("npm test", 0),
        wrote().sh("make check-all", 0),
        wrote().call(
            "Read",
            &json!({"file_path": "/tmp/ci.txt"}),
            "42 passed",
            false,
        ),
        Calls::new().sh("git status --short", 0),
    ] {
        let (_, stop) = calls.stop("", said);
        assert!(!stop.0.stderr.contains("ADVICE"), "{stop:#?}");
    }
}

#[test]
fn a_sentence_about_a_build_that_failed() {
    let said = "I mended the loop. The build succeeds.";
    let built = |status| Calls::new().sh("npm run build", status);
    let (_, stop) = built(1).stop("", said);
    let told = "the message says \"The build succeeds.\": the last run of `npm run build` ended with status 1";
    assert!(stop.0.stderr.contains(told), "{stop:#?}");
    for calls in [
        built(0),
        built(1).write("made.py"),
        built(1).sh("npm run build", 0),
        built(1).sh("npm test", 0),
        built(1).sh("./deploy.sh", 0),
    ] {
        let (_, stop) = calls.stop("", said);
        assert!(!stop.0.stderr.contains("ADVICE"), "{stop:#?}");
    }
}

#[test]
fn a_check_that_was_not_allowed_did_not_run() {
    let denied = || {
        let text = "Permission to use Bash with command npm test has been denied.";
        let calls = Calls::new().sh("git status --short", 0);
        calls.call("Bash", &json!({"command": "npm test"}), text, true)
    };
    told(PASSED, "CHECK_NOT_RUN", false, denied);
    silent(PASSED, denied().sh("./run.sh", 0));
}

#[test]
fn a_hook_of_git_may_have_run_it() {
    let calls = || Calls::new().sh("npm test", 1).sh("git commit -qam x", 0);
    told(PASSED, "CHECK_FAILED", true, calls);
    let mut context = TestContext::enforcing();
    context.set("ATTEST_STRICT", "checks");
    let scene = Scene::of(context, FILES);
    let hooks = scene.repo.join(".git/hooks");
    std::fs::create_dir_all(&hooks).unwrap();
    std::fs::write(hooks.join("pre-commit"), "npm test\n").unwrap();
    let calls = calls();
    let stop = calls.stop_in(&scene, PASSED);
    assert!(!stop.0.stderr.contains("WARN"), "{stop:#?}");
}

const OWN: &str = "checks: [./check.sh]\nbase_case: {type: file, value: README.md}\n";

#[test]
fn what_a_trusted_file_calls_a_check_is_one() {
    let report = "Status: DONE\nFiles changed: made.py\nTests: `./check.sh --all` (passed)\n";
    let stop = |is_trusted: bool, status: i32| {
        let mut context = TestContext::enforcing();
        context.set("ATTEST_STRICT", "checks");
        let files = [FILES, &[(".attest/criteria.yaml", OWN)]].concat();
        let scene = Scene::of(context, &files);
        if is_trusted {
            let file = scene.repo.join(".attest/criteria.yaml");
            let trust = scene.context.attest(["trust".as_ref(), file.as_os_str()]);
            trust.assert_success();
        }
        let calls = Calls::new().sh("./check.sh --all", status);
        calls.stop_in(&scene, report)
    };
    let failed = stop(true, 1);
    let words = "the last run of `./check.sh --all` ended with status 1";
    assert!(
        failed.block().is_some_and(|block| block.contains(words)),
        "{failed:#?}"
    );
    for honest in [stop(true, 0), stop(false, 1)] {
        assert!(honest.block().is_none(), "{honest:#?}");
        assert!(!honest.0.stderr.contains("WARN"), "{honest:#?}");
    }
}

#[test]
fn a_failure_whose_status_is_hidden() {
    let run = |text: &'static str| {
        move || {
            let input = json!({"command": "npm test 2>&1 | tail -3"});
            let text = format!("{}{text}", "some line\n".repeat(100));
            Calls::new().call("Bash", &input, &text, false)
        }
    };
    let words = "CHECK_SAYS_FAILED: \"`npm test` — all pass\": the last run of `npm test` printed that 2 failed";
    told(
        PASSED,
        words,
        false,
        run("Tests: 2 failed, 40 passed, 42 total"),
    );
    silent(PASSED, run("Tests: 42 passed, 42 total")());
    let says = format!("{PASSED}\nThe same 2 tests fail without my change.\n");
    silent(&says, run("Tests: 2 failed, 40 passed, 42 total")());
}

#[test]
fn a_hook_of_the_person_that_ran_it_again() {
    let with = |text: &str| {
        let mut calls = Calls::new().sh("npm test", 1);
        calls.0.push(json!({"type": "attachment", "attachment": {"type": "hook_success", "hookEvent": "PostToolUse",
            "content": text, "stdout": text, "exitCode": 0}}));
        calls
    };
    silent(PASSED, with("42 passed"));
    told(PASSED, "CHECK_FAILED", true, || with(""));
}

/// Writes a transcript that ends with the report, and stops with it.
fn stop_with(scene: &Scene, agent: &Agent, lines: &[Value], is_continuing: bool) -> Stop {
    let said = json!({"type": "assistant", "message": {"id": "m", "stop_reason": "end_turn",
        "content": [{"type": "text", "text": PASSED}]}});
    let lines = lines.iter().chain([&said]);
    let text: String = lines.map(|line| line.to_string() + "\n").collect();
    let path = scene.context.home().join("agent.jsonl");
    std::fs::write(&path, text).unwrap();
    let fields = json!({"agent_transcript_path": path, "stop_hook_active": is_continuing});
    agent.stop_with(&scene.context, PASSED, &fields)
}

#[test]
fn a_lie_that_is_repeated_is_told() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_STRICT", "checks");
    let scene = Scene::of(context, FILES);
    settle();
    let agent = Agent::new("agent", &scene.repo);
    agent.start(&scene.context);
    scene.write("made.py");
    let mut lines = Calls::new().sh("npm test", 1).0;
    stop_with(&scene, &agent, &lines, false).assert_blocked();
    // As long as the transcript may be that of before, something may have been run since.
    let stop = stop_with(&scene, &agent, &lines, true);
    assert!(stop.0.stderr.contains("-> OK"), "{stop:#?}");
    lines.push(
        json!({"type": "user", "isMeta": true, "timestamp": "2100-01-01T14:00:00Z",
        "message": {"content": "Stop hook feedback:\nattest: no"}}),
    );
    let stop = stop_with(&scene, &agent, &lines, true);
    assert!(stop.block().is_none(), "{stop:#?}");
    assert!(stop.0.stderr.contains("CHECK_FAILED"), "{stop:#?}");
    // Who ran it again says so rightly.
    lines.extend(Calls::new().sh("npm test", 0).0);
    let stop = stop_with(&scene, &agent, &lines, true);
    assert!(!stop.0.stderr.contains("CHECK_FAILED"), "{stop:#?}");
}

#[test]
fn who_is_resumed_is_not_told_of_before() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_STRICT", "checks");
    let scene = Scene::of(context, FILES);
    settle();
    let agent = Agent::new("agent", &scene.repo);
    agent.start(&scene.context);
    scene.write("made.py");
    let concerns = "Status: DONE_WITH_CONCERNS\nFiles changed: made.py\n";
    agent.stop(&scene.context, concerns).assert_allowed("-> OK");
    agent.start(&scene.context);
    // A run of long ago, and one behind the start.
    let before = Calls::new().sh("npm test", 1).0;
    let stop = stop_with(&scene, &agent, &before, false);
    assert!(stop.block().is_none(), "{stop:#?}");
    let mut after = before;
    for line in &mut after {
        line["timestamp"] = "2100-01-01T14:00:00Z".into();
    }
    stop_with(&scene, &agent, &after, false).assert_blocked();
}
