//! `attest install --host` and `attest uninstall` for hosts other than Claude Code, through the binary.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::{BINARY, TestContext};

/// What stands behind a call, so that a host reads nothing of a program that is gone; the second where the host
/// shows standard error.
const GUARD: &str = " || true";
const SILENT: &str = " 2>/dev/null || true";

/// A host, and what is written for it.
struct Host {
    name: &'static str,
    title: &'static str,
    /// Its file in the home folder; `None` if it reads those of projects only.
    file: Option<&'static str>,
    /// Its file in a project.
    project: &'static str,
    /// Each event with the word behind `attest hook`.
    hooks: &'static [(&'static str, &'static str)],
    /// The entry for the last event.
    entry: fn(command: &str) -> Value,
    /// Whether a matcher group is around it.
    is_grouped: bool,
}

/// An entry of a host that speaks of it by name, and has units of time of its own.
fn named(command: &str, timeout: u32) -> Value {
    json!({ "type": "command", "command": command, "timeout": timeout, "name": "attest" })
}

fn command(command: &str) -> Value {
    json!({ "type": "command", "command": command, "timeout": 15 })
}

const FAMILY: &[(&str, &str)] = &[
    ("SubagentStart", "start"),
    ("SubagentStop", "stop"),
    ("Stop", "session-stop"),
    ("UserPromptSubmit", "prompt"),
];

const HOSTS: &[Host] = &[
    Host {
        name: "codex",
        title: "Codex",
        file: Some(".codex/hooks.json"),
        project: ".codex/hooks.json",
        hooks: FAMILY,
        entry: command,
        is_grouped: true,
    },
    Host {
        name: "qwen",
        title: "Qwen Code",
        file: Some(".qwen/settings.json"),
        project: ".qwen/settings.json",
        hooks: FAMILY,
        entry: |command| named(command, 15),
        is_grouped: true,
    },
    Host {
        name: "gemini",
        title: "Gemini CLI",
        file: Some(".gemini/settings.json"),
        project: ".gemini/settings.json",
        hooks: &[("BeforeAgent", "prompt"), ("AfterAgent", "session-stop")],
        entry: |command| named(command, 30000),
        is_grouped: true,
    },
    Host {
        name: "copilot",
        title: "Copilot CLI",
        file: Some(".copilot/hooks/attest.json"),
        project: ".github/hooks/attest-copilot.json",
        hooks: &[
            ("subagentStart", "start"),
            ("subagentStop", "stop"),
            ("agentStop", "session-stop"),
            ("userPromptSubmitted", "prompt"),
        ],
        entry: |command| json!({ "type": "command", "bash": command, "timeoutSec": 15 }),
        is_grouped: false,
    },
    Host {
        name: "droid",
        title: "droid",
        file: Some(".factory/settings.json"),
        project: ".factory/settings.local.json",
        hooks: &[
            ("SessionStart", "prompt"),
            ("UserPromptSubmit", "prompt"),
            ("Stop", "session-stop"),
        ],
        entry: |command| json!({ "type": "command", "command": command, "timeout": 30 }),
        is_grouped: true,
    },
    Host {
        name: "cursor",
        title: "Cursor",
        file: Some(".cursor/hooks.json"),
        project: ".cursor/hooks.json",
        hooks: &[("subagentStart", "start"), ("subagentStop", "stop")],
        entry: |command| json!({ "command": command, "timeout": 30, "loop_limit": 10 }),
        is_grouped: false,
    },
    Host {
        name: "vscode",
        title: "VS Code",
        file: None,
        project: ".github/hooks/attest.json",
        hooks: FAMILY,
        entry: command,
        is_grouped: false,
    },
];

/// What a person may have in a file of this host, with a hook of their own for its last event.
fn theirs(host: &Host) -> String {
    let (event, _) = host.hooks.last().unwrap();
    let handler = r#"{"type": "command", "command": "true", "timeout": 5}"#;
    let item = if host.is_grouped {
        format!(r#"{{"hooks": [{handler}]}}"#)
    } else {
        handler.to_owned()
    };
    format!("{{\n  // mine\n  \"version\": 1,\n  \"hooks\": {{\"{event}\": [{item}]}}\n}}\n")
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// The file of a host in the home folder or, if it has none there, in a project; and the words that mean it.
fn place(context: &TestContext, host: &Host) -> (PathBuf, Vec<&'static str>) {
    match host.file {
        Some(file) => (context.home().join(file), vec!["--host", host.name]),
        None => (
            context.folder().join(host.project),
            vec!["--host", host.name, "--project"],
        ),
    }
}

fn run(context: &TestContext, command: &str, words: &[&str]) -> crate::common::Printed {
    context.attest([command].iter().chain(words))
}

#[test]
fn every_hook_is_written_in_the_form_of_its_host() {
    for host in HOSTS {
        let context = TestContext::with_home("my home");
        let (path, words) = place(&context, host);
        let printed = run(&context, "install", &words).assert_success();
        assert!(printed.stdout.contains(host.title), "{printed:?}");
        let file: Value = serde_json::from_str(&read(&path)).unwrap();
        let events = file["hooks"].as_object().unwrap();
        assert_eq!(events.len(), host.hooks.len(), "{}", host.name);
        for (event, verb) in host.hooks {
            let words = format!("hook {verb} --harness {}", host.name);
            assert!(events[*event].to_string().contains(&words), "{event}");
        }
        let (event, verb) = host.hooks.last().unwrap();
        let item = &events[*event][0];
        let handler = if host.is_grouped {
            &item["hooks"][0]
        } else {
            item
        };
        let shows_errors = matches!(host.name, "gemini" | "qwen");
        let guard = if shows_errors { SILENT } else { GUARD };
        let line = format!("'{BINARY}' hook {verb} --harness {}{guard}", host.name);
        assert_eq!(*handler, (host.entry)(&line), "{}", host.name);
        run(&context, "uninstall", &words).assert_success();
        assert!(!path.exists(), "{}", host.name);
    }
}

#[test]
fn a_second_run_changes_nothing_and_uninstalling_gives_every_byte_back() {
    for host in HOSTS {
        let context = TestContext::new();
        let (path, words) = place(&context, host);
        let theirs = theirs(host);
        put(&path, &theirs);
        run(&context, "install", &words).assert_success();
        let installed = read(&path);
        assert!(installed.contains("// mine") && installed.contains(BINARY));
        let again = run(&context, "install", &words).assert_success();
        assert!(again.stdout.contains("nothing to change"), "{again:?}");
        assert_eq!(read(&path), installed);
        run(&context, "uninstall", &words).assert_success();
        assert_eq!(read(&path), theirs, "{}", host.name);
    }
}

/// Without a backup to compare with, all that is somebody else's stays.
#[test]
fn what_was_added_since_survives_uninstalling() {
    for host in HOSTS {
        let context = TestContext::new();
        let (path, words) = place(&context, host);
        run(&context, "install", &words).assert_success();
        let edited = read(&path).replacen('{', "{\n  \"later\": \"mine\",", 1);
        put(&path, &edited);
        run(&context, "uninstall", &words).assert_success();
        let rest: Value = serde_json::from_str(&read(&path)).unwrap();
        assert_eq!(rest["later"], "mine");
        assert!(!read(&path).contains("attest"), "{}", read(&path));
    }
}

#[test]
fn an_entry_of_an_earlier_place_is_updated_where_it_is() {
    for host in HOSTS {
        let context = TestContext::new();
        let (path, words) = place(&context, host);
        run(&context, "install", &words).assert_success();
        let installed = read(&path);
        put(&path, &installed.replace(BINARY, "/old place/attest"));
        let printed = run(&context, "install", &words).assert_success();
        assert!(printed.stdout.contains("updated "), "{printed:?}");
        assert_eq!(read(&path), installed, "{}", host.name);
    }
}

/// The command lines in an entry's file.
#[cfg(unix)]
fn command_lines(value: &Value) -> Vec<String> {
    match value {
        Value::Object(object) => {
            let own = ["command", "bash"]
                .iter()
                .filter_map(|key| object.get(*key)?.as_str());
            let inner = object.values().flat_map(command_lines);
            own.map(str::to_owned).chain(inner).collect()
        }
        Value::Array(items) => items.iter().flat_map(command_lines).collect(),
        _ => Vec::new(),
    }
}

/// Programs that no host may take for a denial: what is in the file, and its mode; without one, it is not there.
#[cfg(unix)]
const BROKEN: &[(&str, &str, u32)] = &[
    ("empty", "", 0o755),
    ("torn", "binary ( no program", 0o755),
    ("of another machine", "\x7fELF\x02\x01\x01\0\0(((", 0o755),
    ("not to be run", "#!/bin/sh\nexit 0\n", 0o644),
    (
        "another's",
        "#!/bin/sh\necho no such command >&2\nexit 2\n",
        0o755,
    ),
    ("killed", "#!/bin/sh\nkill -9 $$\n", 0o755),
    ("gone", "", 0),
];

#[cfg(unix)]
#[test]
fn a_program_that_is_gone_or_damaged_is_a_success_without_output_in_every_host() {
    use std::os::unix::fs::PermissionsExt as _;
    let claude_code = [(
        "claude-code",
        Some(".claude/settings.json"),
        ".claude/settings.local.json",
    )];
    let others = HOSTS
        .iter()
        .map(|host| (host.name, host.file, host.project));
    for (name, file, project) in claude_code.into_iter().chain(others) {
        let context = TestContext::with_home("my home");
        let folder = context.folder().join("my bin");
        fs::create_dir(&folder).unwrap();
        let program = folder.join("attest");
        fs::write(&program, "#!/bin/sh\n").unwrap();
        let mut words = vec!["--host", name, "--binary", program.to_str().unwrap()];
        let path = match file {
            Some(file) => context.home().join(file),
            None => context.folder().join(project),
        };
        words.extend(file.is_none().then_some("--project"));
        run(&context, "install", &words).assert_success();
        let lines = command_lines(&serde_json::from_str(&read(&path)).unwrap());
        assert!(lines.len() >= 2, "{name} {lines:?}");
        for (what, content, mode) in BROKEN {
            fs::remove_file(&program).unwrap();
            if *mode != 0 {
                fs::write(&program, content).unwrap();
                fs::set_permissions(&program, fs::Permissions::from_mode(*mode)).unwrap();
            }
            for shell in ["sh", "bash", "dash", "zsh", "fish"] {
                for line in &lines {
                    let ran = std::process::Command::new(shell)
                        .args(["-c", line])
                        .output();
                    // Not every machine has every shell.
                    let Ok(ran) = ran else { break };
                    let says = (ran.status.code(), ran.stdout.as_slice());
                    // It ends a line at a program that it cannot start, and says so, whatever follows.
                    if shell == "fish" {
                        assert!(matches!(says, (Some(0 | 126 | 127), b"")), "{name} {ran:?}");
                        continue;
                    }
                    assert_eq!(says, (Some(0), &b""[..]), "{name} {what} {shell} {ran:?}");
                    // A shell may tell of a signal by itself.
                    let is_silent = matches!(name, "gemini" | "qwen") && *what != "killed";
                    assert!(!is_silent || ran.stderr.is_empty(), "{name} {what} {ran:?}");
                }
            }
        }
    }
}

/// A line that ends as the program does gets an end by which the host goes on.
#[test]
fn installing_puts_entries_without_a_guard_right() {
    for host in HOSTS.iter().filter(|host| host.file.is_some()) {
        let context = TestContext::new();
        let (path, words) = place(&context, host);
        run(&context, "install", &words).assert_success();
        let new = read(&path);
        put(&path, &new.replace(SILENT, "").replace(GUARD, ""));
        assert_ne!(read(&path), new, "{}", host.name);
        run(&context, "install", &words).assert_success();
        assert_eq!(read(&path), new, "{}", host.name);
    }
}

#[test]
fn what_to_do_next_is_what_the_host_has() {
    for (words, ends, asks) in [
        (&["--host=gemini"][..], "let an agent end its turn", false),
        (&["--host=codex"], "let a subagent stop", true),
        (&["--host=claude-code"], "let a subagent stop", true),
        (
            &["--host=claude-code", "--host=droid"],
            "let an agent stop",
            true,
        ),
    ] {
        let context = TestContext::new();
        let printed = run(&context, "install", words).assert_success().stdout;
        let printed = printed.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(printed.contains(ends), "{printed}");
        assert_eq!(
            printed.contains("are asked for a report"),
            asks,
            "{printed}"
        );
    }
}

/// Whoever has another host is told which, and whoever has this one hears nothing of it.
#[test]
fn a_host_that_is_not_here_is_said_with_those_that_are() {
    let mut context = TestContext::new();
    context.set("PATH", "/usr/local/bin:/usr/bin:/bin");
    let said = |words: &[&str]| {
        let printed = context.attest(words).assert_success();
        let said = printed.stderr.split_whitespace().collect::<Vec<_>>();
        said.join(" ")
    };
    let none = said(&["install"]);
    assert!(
        none.contains("neither Claude Code nor any other host"),
        "{none}"
    );
    context.attest(["uninstall"]).assert_success();
    for folder in [".codex", ".gemini"] {
        fs::create_dir(context.home().join(folder)).unwrap();
    }
    let others = said(&["install"]);
    assert!(
        others.contains("Claude Code was not found on this machine, but Codex, Gemini CLI: `attest install --detected`"),
        "{others}"
    );
    // The folder of Claude Code is there by now, and attest has made it.
    let third = said(&["install", "--host", "qwen"]);
    assert!(
        third.contains("Qwen Code was not found on this machine, but Codex, Gemini CLI: "),
        "{third}"
    );
    let here = said(&["install", "--host", "codex"]);
    assert!(!here.contains("not found"), "{here}");
}

#[test]
fn a_damaged_file_is_refused_and_left_as_it_is() {
    for host in HOSTS {
        let context = TestContext::new();
        let (path, words) = place(&context, host);
        for damaged in ["{\"a\": 1,,}", "[]", "{\"hooks\": []}"] {
            put(&path, damaged);
            for command in ["install", "uninstall"] {
                let printed = run(&context, command, &words).assert_failure();
                assert!(printed.stderr.contains("cannot edit"), "{printed:?}");
                assert_eq!(read(&path), damaged);
            }
        }
    }
}

#[test]
fn a_dry_run_writes_nothing() {
    for host in HOSTS {
        let context = TestContext::new();
        let (path, mut words) = place(&context, host);
        words.push("--dry-run");
        let printed = run(&context, "install", &words).assert_success();
        assert!(printed.stdout.contains("+++ "), "{printed:?}");
        assert!(!path.exists() && !path.parent().unwrap().exists());
    }
}

#[test]
fn a_project_has_hooks_of_its_own() {
    for host in HOSTS {
        let context = TestContext::new();
        let repo = context.repository("repo", &[("src/a.py", "1")]);
        let inside = |command: &str| {
            let mut attest = context.command(BINARY);
            attest.current_dir(repo.join("src"));
            attest.args([command, "--host", host.name, "--project"]);
            crate::common::Printed::of(attest.output().unwrap())
        };
        let printed = inside("install").assert_success();
        assert!(printed.stdout.contains("version control"), "{printed:?}");
        assert!(repo.join(host.project).is_file(), "{}", host.name);
        assert_eq!(fs::read_dir(context.home()).unwrap().count(), 0);
        inside("uninstall").assert_success();
        assert!(!repo.join(host.project).exists());
    }
}

#[cfg(unix)]
#[test]
fn a_project_whose_folder_is_gone_is_not_taken_for_the_person() {
    let context = TestContext::new();
    context.attest(["install"]).assert_success();
    let path = context.home().join(".claude/settings.json");
    let before = read(&path);
    let script = "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" \"$@\"";
    for words in [
        &["install", "--project", "--core-only"][..],
        &["install", "--project", "--detected"],
        &["uninstall", "--project"],
    ] {
        let mut shell = context.command("sh");
        shell.args(["-c", script, BINARY]).args(words);
        let output = shell.current_dir(context.folder()).output().unwrap();
        let printed = crate::common::Printed::of(output).assert_failure();
        let said = "error: cannot tell what the current folder is\n\
            hint: change to the folder of the project, then run this again\n";
        assert_eq!(printed.stderr, said, "{words:?}");
        assert_eq!(read(&path), before);
    }
}

#[test]
fn a_host_without_hooks_for_a_person_says_so() {
    let context = TestContext::new();
    let printed = context
        .attest(["install", "--host", "vscode"])
        .assert_failure();
    assert!(printed.stderr.contains("from projects only"), "{printed:?}");
    assert!(printed.stderr.contains("--project"), "{printed:?}");
}

#[test]
fn the_names_of_the_hosts_are_in_the_help_and_in_the_error() {
    let context = TestContext::new();
    let help = context.attest(["install", "--help"]).assert_success();
    let error = context.attest(["install", "--host", "codx"]);
    assert_eq!(error.code, Some(2));
    assert!(error.stderr.contains("similar value exists: 'codex'"));
    for host in attest_host::hosts::ALL {
        assert!(help.stdout.contains(host.name()), "{help:?}");
        assert!(error.stderr.contains(host.name()), "{error:?}");
    }
}

#[test]
fn one_file_is_not_for_several_hosts() {
    let context = TestContext::new();
    let words = ["--host", "codex", "--host", "qwen", "--settings", "x.json"];
    for command in ["install", "uninstall"] {
        let printed = run(&context, command, &words).assert_failure();
        assert!(printed.stderr.contains("several hosts"), "{printed:?}");
    }
    let named = ["--host", "codex", "--settings", "x.json"];
    run(&context, "install", &named).assert_success();
    assert!(read(&context.folder().join("x.json")).contains("--harness codex"));
}

#[test]
fn the_hosts_whose_folders_are_there_are_detected() {
    let mut context = TestContext::new();
    // Nothing of this machine's.
    context.set("PATH", "/usr/bin:/bin");
    let none = context.attest(["install", "--detected"]).assert_failure();
    assert!(none.stderr.contains("no host was found"), "{none:?}");
    for folder in [".codex", ".gemini", ".cursor"] {
        fs::create_dir(context.home().join(folder)).unwrap();
    }
    put(&context.home().join(".gemini/settings.json"), "{,}");
    let printed = context.attest(["install", "--detected"]).assert_failure();
    // One that cannot be read does not keep the others from being told.
    assert!(printed.stderr.contains(".gemini"), "{printed:?}");
    for file in [".codex/hooks.json", ".cursor/hooks.json"] {
        assert!(context.home().join(file).is_file(), "{file}");
    }
    assert!(!context.home().join(".claude").exists());
    assert!(!context.home().join(".qwen").exists());
}

#[test]
fn uninstalling_takes_the_hooks_out_of_every_host() {
    let context = TestContext::new();
    for host in HOSTS.iter().filter(|host| host.file.is_some()) {
        run(&context, "install", &["--host", host.name]).assert_success();
    }
    context.attest(["install"]).assert_success();
    let printed = context.attest(["uninstall"]).assert_success();
    for host in HOSTS {
        if let Some(file) = host.file {
            assert!(!context.home().join(file).exists(), "{}", host.name);
            assert!(printed.stdout.contains(file), "{printed:?}");
        }
    }
    assert!(!context.home().join(".claude/settings.json").exists());
}

#[test]
fn a_host_whose_hooks_are_gone_is_not_detected_by_what_they_leave() {
    let mut context = TestContext::new();
    context.set("PATH", "/usr/local/bin:/usr/bin:/bin");
    let kept = context.home().join(".qwen");
    fs::create_dir_all(kept.join("theirs")).unwrap();
    let hosts = ["codex", "qwen", "copilot", "openclaw", "opencode"];
    let install = hosts.map(|host| format!("--host={host}"));
    context
        .attest(
            ["install"]
                .into_iter()
                .chain(install.iter().map(String::as_str)),
        )
        .assert_success();
    context.attest(["uninstall"]).assert_success();
    for gone in [".codex", ".copilot", ".openclaw", ".config"] {
        assert!(!context.home().join(gone).exists(), "{gone}");
    }
    assert!(kept.join("theirs").exists());
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_a_link_stays() {
    let context = TestContext::new();
    let dotfiles = context.folder().join("dotfiles");
    fs::create_dir(&dotfiles).unwrap();
    std::os::unix::fs::symlink(&dotfiles, context.home().join(".codex")).unwrap();
    context
        .attest(["install", "--host", "codex"])
        .assert_success();
    context.attest(["uninstall"]).assert_success();
    assert!(dotfiles.exists());
    assert!(!dotfiles.join("hooks.json").exists());
}

#[test]
fn a_damaged_file_of_a_host_that_has_no_hooks_is_no_concern_of_uninstalling() {
    let context = TestContext::new();
    context.attest(["install"]).assert_success();
    let damaged = context.home().join(".gemini/settings.json");
    put(&damaged, "{,}");
    context.attest(["uninstall"]).assert_success();
    assert!(!context.home().join(".claude/settings.json").exists());
    put(&damaged, "{, \"attest\"}");
    let printed = context.attest(["uninstall"]).assert_failure();
    assert!(printed.stderr.contains(".gemini"), "{printed:?}");
}

#[test]
fn what_only_the_person_can_do_is_said_when_the_hooks_change() {
    let context = TestContext::new();
    let words = ["--host", "codex"];
    let printed = run(&context, "install", &words).assert_success();
    assert!(
        printed.stdout.contains("open /hooks and trust"),
        "{printed:?}"
    );
    let again = run(&context, "install", &words).assert_success();
    assert!(!again.stdout.contains("/hooks and"), "{again:?}");
}

#[test]
fn the_variable_of_a_host_names_its_folder() {
    for (host, variable, file) in [
        ("codex", "CODEX_HOME", "hooks.json"),
        ("copilot", "COPILOT_HOME", "hooks/attest.json"),
    ] {
        let mut context = TestContext::new();
        let folder = context.folder().join("elsewhere");
        context.set(variable, &folder);
        run(&context, "install", &["--host", host]).assert_success();
        assert!(folder.join(file).is_file(), "{host}");
    }
}
