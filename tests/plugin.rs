//! The plugin, played as a host plays it: its launcher, and what it does beside hooks in the settings.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::common::programs::make_program;
use crate::common::{BINARY, Printed, TestContext};

/// The launcher of the plugin in a folder of its own.
fn launcher(context: &TestContext) -> PathBuf {
    let folder = context.folder().join("my plugin");
    let printed = context
        .attest(["plugin-dir", "--into", folder.to_str().unwrap()])
        .assert_success();
    assert_eq!(printed.stdout, format!("{}\n", folder.display()));
    folder.join("bin/attest")
}

fn run(context: &TestContext, launcher: &Path, arguments: &[&str], payload: &str) -> Printed {
    use std::io::Write as _;
    let mut command = context.command(launcher);
    let piped = std::process::Stdio::piped;
    let command = command.args(arguments).stdin(piped()).stdout(piped());
    let mut child = command.stderr(piped()).spawn().unwrap();
    // One that ends without reading is no fault.
    let _ = child.stdin.take().unwrap().write_all(payload.as_bytes());
    Printed::of(child.wait_with_output().unwrap())
}

/// The payloads of an agent that lies, at its start and at its stop.
fn liar(repository: &Path) -> [String; 2] {
    let start = json!({
        "hook_event_name": "SubagentStart",
        "session_id": "s",
        "agent_id": "a",
        "cwd": repository,
    });
    let mut stop = start.clone();
    stop["hook_event_name"] = json!("SubagentStop");
    stop["last_assistant_message"] = json!("Status: DONE\nFiles changed: ghost.py");
    [start, stop].map(|payload| payload.to_string())
}

const START: &[&str] = &["hook", "start", "--plugin"];
const STOP: &[&str] = &["hook", "stop", "--plugin"];

#[cfg(unix)]
#[test]
fn the_folder_that_the_plugin_makes_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let context = TestContext::new();
    context.attest(["plugin-dir"]).assert_success();
    let folder = fs::metadata(context.home().join(".attest")).unwrap();
    assert_eq!(folder.permissions().mode() & 0o777, 0o700);
}

#[test]
fn the_launcher_sends_a_liar_back() {
    let context = TestContext::enforcing();
    let launcher = launcher(&context);
    let [start, stop] = liar(&context.repository("r", &[("a.py", "one\n")]));
    run(&context, &launcher, START, &start).assert_success();
    let printed = run(&context, &launcher, STOP, &stop).assert_success();
    assert!(
        printed.stdout.contains(r#""decision":"block""#),
        "{}",
        printed.stdout
    );
}

/// Codex 0.169.0 ignores `args`.
#[test]
fn without_arguments_the_event_is_that_of_the_payload() {
    let context = TestContext::enforcing();
    let launcher = launcher(&context);
    let [start, stop] = liar(&context.repository("r", &[("a.py", "one\n")]));
    run(&context, &launcher, &[], &start).assert_success();
    let printed = run(&context, &launcher, &[], &stop).assert_success();
    assert!(
        printed.stdout.contains(r#""decision":"block""#),
        "{}",
        printed.stdout
    );
    let other = stop.replace("SubagentStop", "Notification");
    let printed = run(&context, &launcher, &[], &other).assert_success();
    assert_eq!((printed.stdout.as_str(), printed.stderr.as_str()), ("", ""));
}

#[test]
fn a_program_that_is_gone_is_no_fault_of_a_hook() {
    let context = TestContext::enforcing();
    let launcher = launcher(&context);
    let text = fs::read_to_string(&launcher).unwrap();
    let line = text
        .lines()
        .find(|line| line.starts_with("program="))
        .unwrap();
    fs::write(&launcher, text.replace(line, "program='/no/such/attest'")).unwrap();
    let printed = run(&context, &launcher, STOP, "{}").assert_success();
    assert_eq!((printed.stdout.as_str(), printed.stderr.as_str()), ("", ""));
}

/// Some hosts take 2, which a shell gives of a torn program, for a denial.
#[cfg(unix)]
#[test]
fn a_program_that_is_damaged_is_no_fault_of_a_hook() {
    let context = TestContext::enforcing();
    let launcher = launcher(&context);
    let program = context.folder().join("torn");
    let text = fs::read_to_string(&launcher).unwrap();
    let mut lines = text.lines();
    let line = lines.find(|line| line.starts_with("program=")).unwrap();
    let named = format!("program='{}'", program.display());
    fs::write(&launcher, text.replace(line, &named)).unwrap();
    for content in [
        "binary ( no program",
        "#!/bin/sh\nexit 2\n",
        "#!/bin/sh\nkill -9 $$\n",
    ] {
        make_program(&program, content);
        let printed = run(&context, &launcher, STOP, "{}").assert_success();
        assert_eq!(printed.stdout, "", "{content}");
    }
}

/// Qwen Code 0.24.4 runs the plugin of Claude Code as an extension, beside its own settings.
#[test]
fn a_stop_that_qwen_hands_to_settings_and_extension_is_one_row() {
    let context = TestContext::enforcing();
    let launcher = launcher(&context);
    let repository = context.repository("r", &[("a.py", "one\n")]);
    let transcript = context.home().join(".qwen/projects/p/chats/s.jsonl");
    let [start, stop] = liar(&repository).map(|payload| {
        let mut payload: serde_json::Value = serde_json::from_str(&payload).unwrap();
        payload["timestamp"] = json!("2026-01-01T00:00:00.000Z");
        payload["prompt_id"] = json!("s########0");
        payload["transcript_path"] = json!(transcript);
        payload.to_string()
    });
    let words = |verb| ["hook", verb, "--harness", "qwen"];
    let rows = || {
        let history = context.attest(["log", "--json"]).stdout;
        history.matches("\"outcome\"").count()
    };
    // As an extension alone it does the work, in the name of the host that sent it.
    run(&context, &launcher, START, &start).assert_success();
    let printed = run(&context, &launcher, STOP, &stop).assert_success();
    assert!(printed.stdout.contains("ghost.py"), "{printed:?}");
    let agents = context.attest(["agents", "--json"]).stdout.replace(' ', "");
    assert!(agents.contains("\"harness\":\"qwen\""), "{agents}");
    assert_eq!(rows(), 1);
    context
        .attest(["install", "--host", "qwen"])
        .assert_success();
    let stop = stop.replace("\"a\"", "\"b\"");
    let start = start.replace("\"a\"", "\"b\"");
    context
        .attest_with_input(words("start"), start.as_bytes())
        .assert_success();
    run(&context, &launcher, START, &start).assert_success();
    let printed = context.attest_with_input(words("stop"), stop.as_bytes());
    assert!(printed.stdout.contains("ghost.py"), "{printed:?}");
    let printed = run(&context, &launcher, STOP, &stop).assert_success();
    assert_eq!((printed.stdout.as_str(), printed.stderr.as_str()), ("", ""));
    assert_eq!(rows(), 2);
}

#[test]
fn beside_hooks_in_the_settings_the_plugin_is_silent() {
    let context = TestContext::enforcing();
    let launcher = launcher(&context);
    context.attest(["install"]).assert_success();
    let repository = context.repository("r", &[("a.py", "one\n")]);
    let [start, stop] = liar(&repository);
    let printed = run(&context, &launcher, START, &start).assert_success();
    assert_eq!((printed.stdout.as_str(), printed.stderr.as_str()), ("", ""));
    run(&context, &launcher, STOP, &stop).assert_success();
    let history = context.attest(["log", "--json"]).stdout;
    assert!(!history.contains("ghost.py"), "{history}");
    context.attest(["uninstall"]).assert_success();
    run(&context, &launcher, START, &start).assert_success();
    let printed = run(&context, &launcher, STOP, &stop).assert_success();
    assert!(
        printed.stdout.contains(r#""decision":"block""#),
        "{}",
        printed.stdout
    );
}

/// What an agent can write must not silence the plugin: here an entry in the project that runs something
/// else by the name of attest.
#[test]
fn only_this_program_in_the_settings_silences_the_plugin() {
    let context = TestContext::enforcing();
    let launcher = launcher(&context);
    let repository = context.repository("r", &[("a.py", "one\n")]);
    let pretended = repository.join("attest");
    fs::write(&pretended, "#!/bin/sh\n").unwrap();
    let hook = json!({
        "type": "command",
        "command": format!("'{}' hook stop", pretended.display()),
        "timeout": 30,
    });
    let settings = json!({"hooks": {"SubagentStop": [{"hooks": [hook]}]}});
    fs::create_dir_all(repository.join(".claude")).unwrap();
    let project = repository.join(".claude/settings.local.json");
    fs::write(project, settings.to_string()).unwrap();
    context.git(&repository, &["add", "--all"]);
    context.git(&repository, &["commit", "--quiet", "--message=settings"]);
    let [start, stop] = liar(&repository);
    run(&context, &launcher, START, &start).assert_success();
    let printed = run(&context, &launcher, STOP, &stop).assert_success();
    assert!(
        printed.stdout.contains(r#""decision":"block""#),
        "{}",
        printed.stdout
    );
}

/// An entry for this program at an event of a settings file.
fn entry(event: &str, matcher: Option<&str>, verb: &str, form: &str) -> serde_json::Value {
    let words = ["hook", verb];
    let mut hook = json!({"type": "command", "timeout": 30});
    if form == "args" {
        hook["command"] = json!(BINARY);
        hook["args"] = json!(words);
    } else {
        hook["command"] = json!(format!("'{BINARY}' hook {verb}"));
    }
    let mut group = json!({"hooks": [hook]});
    if let Some(matcher) = matcher {
        group["matcher"] = json!(matcher);
    }
    json!({"hooks": {event: [group]}})
}

/// Whether the plugin sends back a liar beside such settings; without words if the host knows none.
fn is_heard(context: &TestContext, launcher: &Path, words: bool) -> bool {
    let repository = context.folder().join("r");
    let [start, stop] = liar(&repository);
    let words = |verb| if words { verb } else { &[] as &[&str] };
    run(context, launcher, words(START), &start).assert_success();
    let printed = run(context, launcher, words(STOP), &stop).assert_success();
    printed.stdout.contains(r#""decision":"block""#)
}

/// Each entry beside one that differs from it only in what keeps the host from running it.
#[test]
fn only_what_the_host_would_run_for_the_event_silences_the_plugin() {
    for (entry, words, is_silent) in [
        (entry("SubagentStop", None, "stop", "shell"), true, true),
        (
            entry("SubagentStop", Some("*"), "stop", "shell"),
            true,
            true,
        ),
        (entry("SubagentStop", Some(""), "stop", "shell"), true, true),
        (
            entry("SubagentStop", Some("Explore"), "stop", "shell"),
            true,
            false,
        ),
        (entry("Notification", None, "stop", "shell"), true, false),
        (entry("SubagentStop", None, "start", "shell"), true, false),
        (entry("SubagentStop", None, "stop", "args"), true, true),
        (entry("SubagentStop", None, "stop", "args"), false, false),
    ] {
        let context = TestContext::enforcing();
        let launcher = launcher(&context);
        context.repository("r", &[("a.py", "one\n")]);
        let settings = context.home().join(".claude/settings.json");
        fs::create_dir_all(settings.parent().unwrap()).unwrap();
        fs::write(&settings, entry.to_string()).unwrap();
        assert_eq!(
            is_heard(&context, &launcher, words),
            !is_silent,
            "{entry} {words}"
        );
    }
}

#[test]
fn settings_of_a_repository_do_not_silence_the_plugin() {
    for place in [
        ".claude/settings.json",
        ".claude/settings.local.json",
        "../.claude/settings.json",
        "../.claude/settings.local.json",
    ] {
        let mut context = TestContext::enforcing();
        // The settings make the start dirty.
        context.set("ATTEST_STRICT", "dirty");
        let launcher = launcher(&context);
        let repository = context.repository("r", &[("a.py", "one\n")]);
        let settings = repository.join(place);
        fs::create_dir_all(settings.parent().unwrap()).unwrap();
        let all = entry("SubagentStop", None, "stop", "shell");
        fs::write(&settings, all.to_string()).unwrap();
        assert!(is_heard(&context, &launcher, true), "{place}");
    }
}

/// Settings of a project also set variables for hooks.
#[test]
fn no_variable_makes_settings_of_a_repository_those_of_the_person() {
    for variable in ["CLAUDE_CONFIG_DIR", "HOME"] {
        let mut context = TestContext::enforcing();
        context.set("ATTEST_STRICT", "dirty");
        let launcher = launcher(&context);
        let repository = context.repository("r", &[("a.py", "one\n")]);
        let state = context.home().join(".attest/state.db");
        context.set("ATTEST_STATE_DB", state);
        let folder = repository.join(".claude");
        fs::create_dir_all(&folder).unwrap();
        let all = entry("SubagentStop", None, "stop", "shell");
        fs::write(folder.join("settings.json"), all.to_string()).unwrap();
        let value = if variable == "HOME" {
            &repository
        } else {
            &folder
        };
        context.set(variable, value);
        assert!(is_heard(&context, &launcher, true), "{variable}");
    }
}

/// The skill asks for what `attest ask` asks for, and a report in its form is read.
#[test]
fn the_skill_asks_for_a_report_that_is_read() {
    let context = TestContext::new();
    let folder = context.folder().join("plugin");
    let into = ["plugin-dir", "--into", folder.to_str().unwrap()];
    context.attest(into).assert_success();
    let skill = fs::read_to_string(folder.join("skills/attest-report/SKILL.md")).unwrap();
    let head = skill
        .strip_prefix("---\nname: attest-report\ndescription: ")
        .unwrap();
    assert!(head.lines().next().unwrap().len() < 1024, "{head}");
    let asked = context.attest(["ask"]).assert_success().stdout;
    for word in [
        "DONE",
        "DONE_WITH_CONCERNS",
        "BLOCKED",
        "NEEDS_CONTEXT",
        "## Handoff",
        "Files changed:",
    ] {
        assert!(skill.contains(word) && asked.contains(word), "{word}");
    }
    let (_, example) = skill.split_once("```text\n").unwrap();
    let example = example.split("```").next().unwrap();
    let read = context.attest_with_input(["claim", "--json"], example.as_bytes());
    let read: serde_json::Value = serde_json::from_str(&read.assert_success().stdout).unwrap();
    assert_eq!(read["status"], "DONE");
    assert_eq!(read["files_changed"], json!(["src/a.py", "src/b.py"]));
}
