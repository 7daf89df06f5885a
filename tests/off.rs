//! `attest off` and `attest on`: a file that every hook looks for first.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::agent::{Agent, done, hook, told_person};
use crate::common::{BINARY, Printed, TestContext};

fn file(context: &TestContext) -> PathBuf {
    context.home().join(".attest/off")
}

fn run(context: &TestContext, folder: &Path, words: &[&str]) -> Printed {
    let mut command = context.command(BINARY);
    Printed::of(command.args(words).current_dir(folder).output().unwrap())
}

#[test]
fn while_it_is_off_no_hook_does_anything_and_what_began_then_is_not_judged() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "1")]);
    let before = Agent::new("before", &repo);
    before.start(&context);
    let said = run(&context, &repo, &["off"]).assert_success().stdout;
    assert!(said.contains("`attest on` turns it on again"), "{said}");
    let again = run(&context, &repo, &["off"]).assert_success().stdout;
    assert!(again.contains("off already, since"), "{again}");
    let meanwhile = Agent::new("meanwhile", &repo);
    meanwhile.start(&context);
    let both = Agent::new("both", &repo);
    both.start(&context);
    for agent in [&before, &meanwhile] {
        let stop = agent.stop(&context, &done("ghost.py"));
        assert_eq!((&*stop.0.stdout, &*stop.0.stderr), ("", ""));
    }
    let log = context.attest(["log", "--all", "--json"]).assert_success();
    assert_eq!(log.stdout, "", "nothing is judged");
    let said = run(&context, &repo, &["on"]).assert_success().stdout;
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let passed = "2 stops were not judged, nor will be the 1 agent that began meanwhile.";
    assert!(said.contains(passed), "{said}");
    assert!(said.contains("by `attest off` in"), "{said}");
    assert!(!file(&context).exists());
    // One that began before is judged against what it found then, and one that began meanwhile is not.
    before.stop(&context, &done("ghost.py")).assert_blocked();
    let stop = both.stop(&context, &done("ghost.py"));
    assert_eq!((&*stop.0.stdout, &*stop.0.stderr), ("", ""));
    let after = Agent::new("after", &repo);
    after.start(&context);
    after.stop(&context, &done("ghost.py")).assert_blocked();
    assert_eq!(run(&context, &repo, &["on"]).stdout, "attest is on\n");
}

/// What is not recorded is said in plain words, and no number of it is.
#[test]
fn a_state_file_that_cannot_be_used_keeps_nothing_from_being_turned_off() {
    let mut context = TestContext::new();
    let state = context.folder().join("state.db");
    fs::write(&state, "of somebody else").unwrap();
    context.set("ATTEST_STATE_DB", &state);
    for word in ["off", "on"] {
        let printed = context.attest([word]).assert_success();
        let warned = &printed.stderr;
        assert!(warned.contains("it is not recorded: "), "{warned}");
        assert!(warned.contains("; caused by: "), "{warned}");
        assert!(
            !warned.contains("\\u{") && !warned.contains("hint"),
            "{warned}"
        );
        assert!(!printed.stdout.contains("not judged"), "{printed:?}");
    }
}

/// As lists show it; the twin is a file that somebody else made.
#[cfg(unix)]
#[test]
fn it_says_since_when_and_by_whom() {
    let mut context = TestContext::new();
    context.set("TZ", "UTC-05:45");
    let gone = "mkdir gone && cd gone && rmdir ../gone && \"$ATTEST\" off";
    let mut command = context.command("sh");
    command.env("ATTEST", BINARY);
    let output = command.args(["-c", gone]).current_dir(context.folder());
    Printed::of(output.output().unwrap()).assert_success();
    let text = fs::read_to_string(file(&context)).unwrap();
    let said: Value = serde_json::from_str(&text).unwrap();
    let since: jiff::Timestamp = said["since"].as_str().unwrap().parse().unwrap();
    let local = since.to_zoned(jiff::tz::TimeZone::fixed(jiff::tz::offset(5)));
    let local = local.checked_add(jiff::ToSpan::minutes(45)).unwrap();
    let local = local.strftime("%Y-%m-%d %H:%M:%S");
    let again = context.attest(["off"]).assert_success().stdout;
    let phrase = format!("since {local}, by `attest off` in a folder that is gone");
    assert!(again.contains(&phrase), "{again}");
    fs::write(file(&context), "").unwrap();
    let again = context.attest(["off"]).assert_success().stdout;
    assert!(
        again.contains("by a file that somebody put there"),
        "{again}"
    );
}

#[test]
fn whatever_is_in_its_place_turns_it_off_for_every_host() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "1")]);
    let payload = |event: &str, host: &str| {
        let mut payload = json!({
            "session_id": host, "agent_id": "a", "agent_type": "x", "cwd": repo,
            "hook_event_name": event, "last_assistant_message": done("ghost.py"),
        });
        if host == "codex" {
            payload["turn_id"] = "t".into();
            payload["model"] = "m".into();
        }
        payload.to_string()
    };
    for make in [
        (|path| fs::write(path, "").unwrap()) as fn(&Path),
        |path| fs::write(path, "not what attest writes").unwrap(),
        |path| fs::create_dir(path).unwrap(),
    ] {
        let path = file(&context);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        for host in ["claude-code", "codex", "qwen"] {
            let run = |event: &str, verb: &str| {
                let payload = payload(event, host);
                let words = ["hook", verb, "--harness", host];
                let printed = context.attest_with_input(words, payload.as_bytes());
                printed.assert_success().stdout
            };
            run("SubagentStart", "start");
            make(&path);
            assert_eq!(run("SubagentStop", "stop"), "", "{host}");
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir(&path));
            assert!(run("SubagentStop", "stop").contains("block"), "{host}");
        }
        let state = context.home().join(".attest/state.db");
        fs::remove_file(state).unwrap();
    }
}

#[test]
fn the_person_is_told_once_and_again_when_it_is_on() {
    let mut context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    // An agent does it: its host names the session.
    context.set("CLAUDE_CODE_SESSION_ID", "session-1");
    run(&context, &repo, &["off"]).assert_success();
    context.unset("CLAUDE_CODE_SESSION_ID");
    let said = told_person(&context).unwrap();
    assert!(
        said.contains("run by an agent of session session-1"),
        "{said}"
    );
    assert_eq!(told_person(&context), None);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py"));
    assert_eq!(told_person(&context), None, "once is enough");
    run(&context, &repo, &["on"]).assert_success();
    let said = told_person(&context).unwrap();
    assert!(
        said.contains("turned off in this session. 1 stop was not judged"),
        "{said}"
    );
    assert_eq!(told_person(&context), None);
}

#[test]
fn a_turn_that_began_while_it_was_off_is_not_judged() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_SESSIONS", "1");
    let repo = context.repository("repo", &[("a.py", "1")]);
    let event = |event: &str, verb: &str, prompt: &str| {
        let payload = json!({
            "session_id": "s", "cwd": repo, "hook_event_name": event, "prompt": prompt,
            "last_assistant_message": done("ghost.py"), "stop_hook_active": false,
        });
        hook(&context, verb, &payload).stdout
    };
    // Its turn is open when attest is turned off, and no stop of it is seen.
    event("UserPromptSubmit", "prompt", "one");
    run(&context, &repo, &["off"]).assert_success();
    event("Stop", "session-stop", "");
    event("UserPromptSubmit", "prompt", "two");
    run(&context, &repo, &["on"]).assert_success();
    let said = event("Stop", "session-stop", "");
    assert!(!said.contains(r#""decision":"block""#), "{said}");
    event("UserPromptSubmit", "prompt", "three");
    let said = event("Stop", "session-stop", "");
    assert!(said.contains(r#""decision":"block""#), "{said}");
}

#[test]
fn everything_that_speaks_of_it_says_that_it_is_off() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    context.attest(["install"]).assert_success();
    context.attest(["enforce", "on"]).assert_success();
    run(&context, &repo, &["off"]).assert_success();
    let said = run(&context, &repo, &["enforce"]).stdout;
    assert!(
        said.contains("nothing is blocked: attest is off since"),
        "{said}"
    );
    let doctor = run(&context, &repo, &["doctor"]).assert_failure().stdout;
    assert!(
        doctor.contains("attest is off since") && doctor.contains("run `attest on`"),
        "{doctor}"
    );
    assert_eq!(
        run(&context, &repo, &["statusline"]).stdout,
        "attest: off\n"
    );
    for (typed, meant) in [
        ("disable", "off"),
        ("pause", "off"),
        ("stop", "off"),
        ("enable", "on"),
    ] {
        let printed = context.attest([typed]);
        assert!(
            printed.stderr.contains(&format!("'{meant}'")),
            "{printed:?}"
        );
    }
    // Uninstalled, it is not off for the one who installs it later.
    let dry = run(&context, &repo, &["uninstall", "--dry-run"]).stdout;
    assert!(
        dry.contains("would remove") && file(&context).exists(),
        "{dry}"
    );
    run(&context, &repo, &["uninstall"]).assert_success();
    assert!(!file(&context).exists());
}

/// The file tells where and when, and nothing that could end a line.
#[test]
fn the_file_is_one_line() {
    let mut context = TestContext::new();
    let odd = context.folder().join("odd\nfolder");
    fs::create_dir(&odd).unwrap();
    context.set("CLAUDE_CODE_SESSION_ID", "s\nx");
    run(&context, &odd, &["off"]).assert_success();
    let text = fs::read_to_string(file(&context)).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    let said: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(said["session"], "s\nx");
}
