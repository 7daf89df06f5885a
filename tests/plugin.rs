//! The plugin, played as a host plays it: its launcher, and what it does beside hooks in the settings.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::common::{Printed, TestContext};

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
