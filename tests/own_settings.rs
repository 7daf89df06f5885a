//! `~/.attest/settings.toml`: what the hooks of every host read where their environment says nothing.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::agent::done;
use crate::common::{Printed, TestContext};

fn file(context: &TestContext) -> PathBuf {
    context.home().join(".attest/settings.toml")
}

fn put(context: &TestContext, text: impl AsRef<[u8]>) {
    fs::create_dir_all(context.home().join(".attest")).unwrap();
    fs::write(file(context), text).unwrap();
}

/// Runs a hook of a host.
fn hook(context: &TestContext, verb: &str, host: &str, payload: &Value) -> Printed {
    let arguments = ["hook", verb, "--harness", host];
    let printed = context.attest_with_input(arguments, payload.to_string().as_bytes());
    printed.assert_success()
}

/// Whether the false DONE of a subagent is sent back by a host.
fn sends_back(context: &TestContext, host: &str, id: &str, repo: &Path) -> bool {
    let mut payload = json!({
        "session_id": "s", "agent_id": id, "agent_type": "x", "cwd": repo,
        "hook_event_name": "SubagentStart",
    });
    if host == "codex" {
        payload["turn_id"] = id.into();
        payload["model"] = "m".into();
    }
    hook(context, "start", host, &payload);
    payload["hook_event_name"] = "SubagentStop".into();
    payload["last_assistant_message"] = done("ghost.py").into();
    let printed = hook(context, "stop", host, &payload);
    printed.stdout.contains(r#""decision":"block""#)
}

/// The hooks of a package are in no settings file, and are known by what they recorded.
#[test]
fn what_a_package_blocks_is_turned_off_and_is_never_said_to_be_off() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    let enforce = |words: &[&str]| run(&context, &repo, &[&["enforce"], words].concat());
    let said = enforce(&["on", "--host", "codex"]);
    assert!(!said.contains("nothing is blocked"), "{said}");
    assert!(said.contains("no hook of attest is in"), "{said}");
    assert!(sends_back(&context, "codex", "named", &repo));
    for words in [&[][..], &["on"]] {
        let said = enforce(words);
        assert!(
            said.contains("on for every type of agent; hooks ran"),
            "{said}"
        );
        assert!(!said.contains("nothing is blocked"), "{said}");
    }
    let said = run(&context, &repo, &["status"]);
    assert!(said.contains("Codex: enforcement is on"), "{said}");
    let said = enforce(&["off"]);
    assert!(said.contains("enforcement is off"), "{said}");
    assert!(!sends_back(&context, "codex", "off", &repo));
}

/// What is turned on before a hook ran is turned off again, too.
#[test]
fn what_is_on_for_a_host_without_hooks_is_turned_off() {
    let context = TestContext::new();
    run(&context, context.home(), &["install"]);
    run(
        &context,
        context.home(),
        &["enforce", "on", "--host", "qwen"],
    );
    run(&context, context.home(), &["enforce", "off"]);
    let text = fs::read_to_string(file(&context)).unwrap();
    assert!(!text.contains("ATTEST_ENFORCE"), "{text}");
}

/// The log of the hooks.
fn log(context: &TestContext) -> String {
    fs::read_to_string(context.home().join(".attest/attest.log")).unwrap_or_default()
}

/// Two hosts with hooks, and none in Claude Code.
fn two_hosts() -> (TestContext, PathBuf) {
    let context = TestContext::new();
    let install = [
        "install",
        "--host",
        "codex",
        "--host",
        "vscode",
        "--project",
    ];
    let repo = context.repository("repo", &[("a.py", "1")]);
    run(&context, &repo, &install);
    (context, repo)
}

fn run(context: &TestContext, folder: &Path, words: &[&str]) -> String {
    let mut command = context.command(crate::common::BINARY);
    let output = command.args(words).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{words:?} {output:?}");
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

#[test]
fn enforcement_is_turned_on_in_all_hosts_with_hooks_and_off_again() {
    let (context, repo) = two_hosts();
    assert!(!sends_back(&context, "codex", "before", &repo));
    let said = run(&context, &repo, &["enforce", "on"]);
    assert!(
        said.contains("+[codex]") && said.contains("+[vscode]"),
        "{said}"
    );
    for title in ["Codex", "VS Code"] {
        let sentence = format!("{title}: enforcement is on for every type of agent\n");
        assert!(said.contains(&sentence), "{said}");
    }
    assert!(!said.contains("Claude"), "{said}");
    assert!(!context.home().join(".claude").exists());
    let text = fs::read_to_string(file(&context)).unwrap();
    assert_eq!(text.matches("ATTEST_ENFORCE = \"1\"").count(), 2, "{text}");
    assert!(sends_back(&context, "codex", "on", &repo));
    assert!(sends_back(&context, "vscode", "on too", &repo));
    let again = run(&context, &repo, &["enforce", "on"]);
    assert!(!again.contains('+'), "{again}");
    let said = run(&context, &repo, &["enforce", "off"]);
    assert!(
        said.contains("Codex: enforcement is off: nothing is blocked"),
        "{said}"
    );
    assert!(!sends_back(&context, "codex", "off", &repo));
    assert!(!file(&context).exists(), "it had nothing else in it");
}

#[test]
fn one_host_is_named_and_the_others_stay_as_they_are() {
    let (context, repo) = two_hosts();
    let said = run(&context, &repo, &["enforce", "on", "--host", "codex"]);
    assert!(
        said.ends_with("\nenforcement is on for every type of agent\n"),
        "{said}"
    );
    assert!(sends_back(&context, "codex", "a", &repo));
    assert!(!sends_back(&context, "vscode", "b", &repo));
    run(&context, &repo, &["enforce", "on", "--agent", "y"]);
    assert!(
        !sends_back(&context, "codex", "c", &repo),
        "of another type"
    );
    run(&context, &repo, &["enforce", "off", "--host", "codex"]);
    let text = fs::read_to_string(file(&context)).unwrap();
    assert!(
        text.contains("[vscode]") && !text.contains("[codex]"),
        "{text}"
    );
}

/// Claude Code is a host like the others, and its own file stays as it is.
#[test]
fn each_host_has_a_section() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    run(
        &context,
        &repo,
        &["install", "--host", "claude-code", "--host", "codex"],
    );
    fs::remove_file(file(&context)).unwrap();
    let settings = context.home().join(".claude/settings.json");
    let installed = fs::read_to_string(&settings).unwrap();
    let said = run(&context, &repo, &["enforce", "on"]);
    assert!(
        said.contains(&format!("+++ {}", file(&context).display())),
        "{said}"
    );
    assert!(said.contains("Claude Code: enforcement is on"), "{said}");
    let text = fs::read_to_string(file(&context)).unwrap();
    assert!(
        text.contains("[claude-code]") && text.contains("[codex]"),
        "{text}"
    );
    for host in ["claude-code", "codex"] {
        assert!(sends_back(&context, host, host, &repo), "{host}");
    }
    let dry = run(&context, &repo, &["enforce", "off", "--dry-run"]);
    assert!(dry.contains("Codex: enforcement would be off"), "{dry}");
    assert!(
        dry.contains("Claude Code: enforcement would be off"),
        "{dry}"
    );
    assert_eq!(fs::read_to_string(file(&context)).unwrap(), text);
    run(&context, &repo, &["enforce", "off"]);
    assert_eq!(fs::read_to_string(&settings).unwrap(), installed);
    assert!(!file(&context).exists());
}

#[test]
fn the_environment_counts_more_and_says_so() {
    let (mut context, repo) = two_hosts();
    run(&context, &repo, &["enforce", "on"]);
    context.set("ATTEST_ENFORCE", "0");
    assert!(!sends_back(&context, "codex", "a", &repo));
    let said = run(&context, &repo, &["enforce", "on"]);
    assert!(said.contains("is set in this environment"), "{said}");
    assert!(said.contains("counts more than"), "{said}");
    assert!(said.contains("Codex: enforcement is off"), "{said}");
    context.unset("ATTEST_ENFORCE");
    assert!(sends_back(&context, "codex", "b", &repo));
    put(&context, "ATTEST_ENFORCE = 0\n");
    assert!(!sends_back(&context, "codex", "c", &repo));
    context.set("ATTEST_ENFORCE", "1");
    assert!(sends_back(&context, "codex", "d", &repo));
}

/// A line for all hosts is for Claude Code too, and what a person wrote by hand is turned off where it stands.
#[test]
fn what_stands_for_all_hosts_is_for_each_of_them() {
    let (context, repo) = two_hosts();
    put(
        &context,
        "# mine\nATTEST_ENFORCE = true\nATTEST_MAX_RETRIES = 1\n",
    );
    for host in ["claude-code", "codex", "vscode"] {
        assert!(sends_back(&context, host, host, &repo), "{host}");
    }
    let before = fs::read_to_string(file(&context)).unwrap();
    run(&context, &repo, &["enforce", "off", "--host", "codex"]);
    let text = fs::read_to_string(file(&context)).unwrap();
    assert_eq!(
        text,
        format!("{before}\n[codex]\nATTEST_ENFORCE = \"0\" # set by attest\n")
    );
    assert!(!sends_back(&context, "codex", "off", &repo));
    assert!(sends_back(&context, "vscode", "still", &repo));
}

/// One host runs the entry of another: what is said for the one that sends counts.
#[test]
fn the_section_is_that_of_the_host_that_sends() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    let stops = |id: &str| {
        let mut payload = json!({
            "sessionId": "s", "timestamp": 1, "cwd": repo, "transcriptPath": "/e", "agentId": id,
            "agentName": "task",
        });
        hook(&context, "start", "claude-code", &payload);
        payload["response"] = done("ghost.py").into();
        payload["stopReason"] = "end_turn".into();
        let stop = hook(&context, "stop", "claude-code", &payload);
        stop.stdout.contains("block")
    };
    put(&context, "[copilot]\nATTEST_ENFORCE = 1\n");
    assert!(stops("a"));
    put(&context, "[claude-code]\nATTEST_ENFORCE = 1\n");
    assert!(!stops("b"));
}

/// Whatever is in its place, no agent is sent back for it, no hook fails or waits, and doctor says why.
#[test]
fn a_damaged_file_counts_for_nothing_and_is_said() {
    let large = vec![b'#'; 70_000];
    for (damage, said) in [
        (&b"ATTEST_ENFORCE = 1\n[codex\n"[..], "line 2, column "),
        (b"\xff", "it is not UTF-8"),
        (&large, "settings.toml: "),
    ] {
        let (context, repo) = two_hosts();
        put(&context, damage);
        assert!(!sends_back(&context, "codex", "a", &repo));
        let log = log(&context);
        assert!(
            log.contains(" BAD_SETTINGS ") && log.contains(said),
            "{log}"
        );
        let mut doctor = context.command(crate::common::BINARY);
        let output = doctor.arg("doctor").current_dir(&repo).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let words = printed.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(1), "{printed}");
        assert!(
            words.contains(said) && words.contains("nothing in it counts"),
            "{words}"
        );
        let mut enforce = context.command(crate::common::BINARY);
        let output = enforce
            .args(["enforce", "on"])
            .current_dir(&repo)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert_eq!(fs::read(file(&context)).unwrap(), damage);
        fs::remove_file(file(&context)).unwrap();
        assert!(run(&context, &repo, &["enforce", "on"]).contains("on for every type"));
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_its_place_is_not_waited_for() {
    let (context, repo) = two_hosts();
    fs::create_dir_all(context.home().join(".attest")).unwrap();
    let made = context
        .command("mkfifo")
        .arg(file(&context))
        .status()
        .unwrap();
    assert!(made.success());
    assert!(!sends_back(&context, "codex", "a", &repo));
}

/// Neither the file of a repository nor the name of a variable in it reaches the hooks.
#[test]
fn a_repository_has_no_such_file() {
    let (context, repo) = two_hosts();
    fs::create_dir(repo.join(".attest")).unwrap();
    fs::write(repo.join(".attest/settings.toml"), "ATTEST_ENFORCE = 1\n").unwrap();
    assert!(!sends_back(&context, "codex", "a", &repo));
    put(
        &context,
        "HOME = '/nowhere'\nPATH = '/nowhere'\nATTEST_ENFORCE = 1\nATTEST_STRICT = 'dirty'\n",
    );
    assert!(sends_back(&context, "codex", "b", &repo));
}

#[cfg(unix)]
#[test]
fn doctor_says_for_each_host_what_is_in_force_and_who_says_so() {
    let (context, repo) = two_hosts();
    run(&context, &repo, &["enforce", "on", "--host", "codex"]);
    let report = |context: &TestContext, words: &[&str]| {
        let mut doctor = context.command(crate::common::BINARY);
        let output = doctor.arg("doctor").args(words).current_dir(&repo).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let text = report(&context, &[]);
    let (_, codex) = text
        .split_once("in force for the hooks of Codex\n")
        .unwrap();
    let (codex, other) = codex
        .split_once("in force for the hooks of VS Code\n")
        .unwrap();
    let place = format!("ATTEST_ENFORCE=1 in {}", file(&context).display());
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat(codex).contains(&place), "{codex}");
    assert!(flat(other).contains("enforcement off default"), "{other}");
    assert!(
        !other.contains("session ceiling"),
        "only what differs: {other}"
    );
    assert!(!text.contains("Claude Code"), "{text}");
    let json: Value = serde_json::from_str(&report(&context, &["--json"])).unwrap();
    let first = json!({"name": "enforcement", "value": "on", "variable": "ATTEST_ENFORCE",
        "raw": "1", "from": "attest", "path": file(&context)});
    assert_eq!(json["hosts"][0]["host"], "codex");
    assert_eq!(json["hosts"][0]["in_force"][0], first);
    put(
        &context,
        "ATTEST_ENFROCE = 1\n[codex]\nATTEST_MAX_RETRIES = \"x\"\n[codx]\nATTEST_LOG = \"info\"\n",
    );
    let text = flat(&report(&context, &[]));
    for said in [
        "ATTEST_ENFROCE is not a setting",
        "call it ATTEST_ENFORCE if that is meant",
        "[codx] is not the name of a host",
        "ATTEST_MAX_RETRIES=\"x\": expected a whole number",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn agents_of_other_hosts_are_asked_too_and_a_deaf_host_is_named() {
    let (context, repo) = two_hosts();
    let asked = |id: &str| {
        let payload = json!({
            "session_id": "s", "agent_id": id, "agent_type": "x", "cwd": repo, "turn_id": id,
            "model": "m", "hook_event_name": "SubagentStart",
        });
        let printed = hook(&context, "start", "codex", &payload);
        printed.stdout.contains("Handoff")
    };
    assert!(!asked("a"));
    let said = run(&context, &repo, &["ask", "on"]);
    assert!(said.contains("+ATTEST_ASK = \"1\""), "{said}");
    assert!(said.contains("new subagents"), "{said}");
    assert!(asked("b"));
    run(&context, &repo, &["ask", "off"]);
    assert!(!asked("c"));
    let off = fs::read_to_string(file(&context)).unwrap();
    let said = run(&context, &repo, &["ask", "on", "--host", "qwen"]);
    assert!(said.contains("Qwen Code passes no words on"), "{said}");
    assert!(!said.contains("are asked"), "{said}");
    assert_eq!(fs::read_to_string(file(&context)).unwrap(), off);
}

/// What attest made goes with the rest; what a person wrote stays and is named.
#[test]
fn purging_takes_the_file_that_attest_made() {
    for is_own in [true, false] {
        let (context, repo) = two_hosts();
        run(&context, &repo, &["enforce", "on"]);
        if !is_own {
            put(&context, "ATTEST_ENFORCE = 1\n");
        }
        let said = run(&context, &repo, &["uninstall", "--purge", "--yes"]);
        assert_eq!(file(&context).exists(), !is_own, "{said}");
        let left = format!("left {}", file(&context).display());
        assert_eq!(said.contains(&left), !is_own, "{said}");
    }
}
