//! `attest install` and `attest uninstall` through the binary.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

#[cfg(unix)]
use crate::common::Printed;
use crate::common::agent::Agent;
#[cfg(unix)]
use crate::common::programs::{make_program, put_binary};
use crate::common::{BINARY, TestContext};

/// The file in each folder that attest made.
const MARKER: &str = ".made-by-attest";
const THEIRS: &str = "{\n  // mine\n  \"model\": \"opus\",\n}\n";

/// The default settings file of a context, with the given content.
fn settings(context: &TestContext, text: &str) -> PathBuf {
    let path = context.home().join(".claude/settings.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

/// The names of the backups.
fn backups(context: &TestContext) -> Vec<String> {
    let Ok(entries) = fs::read_dir(context.home().join(".attest/backups")) else {
        return Vec::new();
    };
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name != MARKER).collect()
}

/// What lies beside the settings file, by name.
fn beside(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path.parent().unwrap()).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != MARKER)
        .collect();
    names.sort();
    names
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// The entries of one event.
fn handlers(path: &Path, event: &str) -> Vec<Value> {
    let settings: Value = serde_json::from_str(&read(path)).unwrap();
    let groups = settings["hooks"][event].as_array().unwrap().clone();
    groups
        .iter()
        .flat_map(|group| group["hooks"].as_array().unwrap().clone())
        .collect()
}

#[test]
fn a_new_file_in_a_home_with_spaces() {
    let context = TestContext::with_home("my home");
    let path = context.home().join(".claude/settings.json");
    context.attest(["install"]).assert_success();
    for (event, verb, timeout) in [
        ("SubagentStart", "start", 15),
        ("SubagentStop", "stop", 30),
        ("Stop", "session-stop", 30),
        ("PostToolUse", "post-tool-use", 10),
        ("UserPromptSubmit", "prompt", 15),
    ] {
        assert_eq!(
            handlers(&path, event),
            [serde_json::json!({
                "type": "command",
                "command": format!("'{BINARY}' hook {verb} || true"),
                "timeout": timeout,
                "async": false,
                "statusMessage": "attest",
            })]
        );
    }
    assert_eq!(beside(&path), ["settings.json"]);
    context.attest(["uninstall"]).assert_success();
    assert!(!path.exists());
}

#[test]
fn the_pair_alone_on_demand() {
    let context = TestContext::new();
    let path = settings(&context, THEIRS);
    context.attest(["install", "--core-only"]).assert_success();
    let pair = read(&path);
    assert!(pair.contains("SubagentStop") && !pair.contains("session-stop"));
    let report = context.attest(["doctor"]).assert_success();
    assert!(
        report.stdout.contains("warn  hooks       Stop has no"),
        "{report:?}"
    );
    let all = context.attest(["install"]).assert_success();
    assert!(
        all.stdout.contains("added Stop: attest hook session-stop"),
        "{all:?}"
    );
    let back = context.attest(["install", "--core-only"]).assert_success();
    assert!(
        back.stdout
            .contains("removed UserPromptSubmit: attest hook prompt"),
        "{back:?}"
    );
    assert_eq!(read(&path), pair);
    context.attest(["uninstall"]).assert_success();
    assert_eq!(read(&path), THEIRS);
}

#[test]
fn the_ten_newest_backups_are_kept_and_those_of_other_files() {
    let context = TestContext::new();
    let path = settings(&context, THEIRS);
    let other = context.folder().join("settings.json");
    fs::write(&other, THEIRS).unwrap();
    let named = ["install", "--settings", other.to_str().unwrap()];
    context.attest(named).assert_success();
    let of_the_other = backups(&context);
    assert_eq!(of_the_other.len(), 1);
    for _ in 0..7 {
        context.attest(["install"]).assert_success();
        context.attest(["uninstall"]).assert_success();
        assert_eq!(read(&path), THEIRS);
    }
    let kept = backups(&context);
    assert_eq!(kept.len(), 11, "{kept:?}");
    assert!(kept.contains(&of_the_other[0]), "{kept:?}");
    // What is left is enough to restore the other file byte for byte.
    context
        .attest(["uninstall", "--settings", other.to_str().unwrap()])
        .assert_success();
    assert_eq!(read(&other), THEIRS);
}

/// An earlier attest left it there.
#[test]
fn a_backup_that_cannot_be_made_is_named_and_nothing_is_changed() {
    let context = TestContext::new();
    let path = settings(&context, THEIRS);
    fs::write(context.home().join(".attest"), "").unwrap();
    let printed = context.attest(["install"]).assert_failure();
    let folder = context.home().join(".attest/backups");
    let said = format!("error: cannot make a backup in {}\n", folder.display());
    assert!(printed.stderr.contains(&said), "{printed:?}");
    assert_eq!(read(&path), THEIRS);
}

#[test]
fn purging_removes_what_attest_has_kept_and_nothing_else() {
    let context = TestContext::new();
    let path = settings(&context, THEIRS);
    context.attest(["install", "--no-ask"]).assert_success();
    let folder = context.home().join(".attest");
    let log = "2026-11-22T10:11:12.000Z WARN stop CODE text\n";
    // Each with whether attest can show that it is its own.
    let files = [
        ("attest.log", log, true),
        ("report.html", "<title>attest report</title>", true),
        ("captures/start-a1-1764000000000000000.json", "{}", true),
        ("captures/notes.json", "{}", false),
        ("backups/notes", "", false),
        ("attest.log.1", "my log", false),
        ("theirs", "", false),
    ];
    fs::create_dir_all(folder.join("captures")).unwrap();
    for (name, text, _) in files {
        fs::write(folder.join(name), text).unwrap();
    }
    context.attest(["plugin-dir"]).assert_success();
    context.attest(["gc"]).assert_success();
    let repo = context.repository("repo", &[("a.py", "1")]);
    Agent::new("a1", &repo).start(&context);
    // Nobody can be asked here, so only the hooks go.
    let printed = context.attest(["uninstall", "--purge"]).assert_failure();
    assert!(printed.stderr.contains("--yes"), "{printed:?}");
    assert_eq!(read(&path), THEIRS);
    assert!(folder.join("state.db").exists());
    let printed = context
        .attest(["uninstall", "--purge", "--dry-run"])
        .assert_success();
    assert!(printed.stdout.contains("would remove"), "{printed:?}");
    assert!(folder.join("state.db").exists());
    context
        .attest(["uninstall", "--purge", "--yes"])
        .assert_success();
    for (name, _, is_own) in files {
        assert_eq!(folder.join(name).exists(), !is_own, "{name}");
    }
    assert!(!folder.join("state.db").exists() && !folder.join("plugin").exists());
    for (name, ..) in files.iter().filter(|(.., is_own)| !is_own) {
        fs::remove_file(folder.join(name)).unwrap();
    }
    let printed = context
        .attest(["uninstall", "--purge", "--yes"])
        .assert_success();
    // The test has made that one.
    let left = format!("left {}: it is empty", folder.join("captures").display());
    assert!(printed.stdout.contains(&left), "{printed:?}");
    fs::remove_dir(folder.join("captures")).unwrap();
    context
        .attest(["uninstall", "--purge", "--yes"])
        .assert_success();
    assert!(!folder.exists());
    let printed = context.attest(["uninstall", "--purge"]).assert_success();
    assert!(
        printed.stdout.contains("nothing else is kept"),
        "{printed:?}"
    );
    for conflict in ["--project", "--settings=x", "--host=claude-code"] {
        assert_eq!(
            context.attest(["uninstall", "--purge", conflict]).code,
            Some(2)
        );
    }
    assert_eq!(context.attest(["uninstall", "--yes"]).code, Some(2));
}

#[test]
fn a_plugin_that_stays_is_named() {
    let context = TestContext::new();
    let on = r#"{"enabledPlugins": {"attest@attest": true}}"#;
    let path = settings(&context, on);
    for hooks in [false, true] {
        if hooks {
            context.attest(["install"]).assert_success();
        }
        let printed = context.attest(["uninstall"]).assert_success();
        let command = "`claude plugin uninstall attest@attest` removes it";
        assert!(printed.stdout.contains(command), "{printed:?}");
        assert_eq!(read(&path), on);
    }
    settings(&context, &on.replace("true", "false"));
    let printed = context.attest(["uninstall"]).assert_success();
    assert!(!printed.stdout.contains("plugin"), "{printed:?}");
}

/// The folder of a version in it goes with the next update.
#[cfg(unix)]
#[test]
fn the_hooks_name_the_bin_of_homebrew_and_not_its_cellar() {
    let context = TestContext::new();
    let brew = context.folder().join("brew");
    let cellar = brew.join("Cellar/attest/0.0.0/bin");
    fs::create_dir_all(&cellar).unwrap();
    fs::create_dir(brew.join("bin")).unwrap();
    let program = cellar.join("attest");
    put_binary(&program);
    let installed = || {
        let mut command = context.command(&program);
        Printed::of(command.arg("install").output().unwrap()).assert_success();
        let settings = context.home().join(".claude/settings.json");
        fs::read_to_string(settings).unwrap()
    };
    // Without that link there is nothing that lasts.
    assert!(installed().contains("Cellar"));
    let link = brew.join("bin/attest");
    std::os::unix::fs::symlink(&program, &link).unwrap();
    let settings = installed();
    assert!(!settings.contains("Cellar"), "{settings}");
    assert!(settings.contains(link.to_str().unwrap()), "{settings}");
}

#[test]
fn install_twice_and_uninstall_leave_the_file_as_it_was() {
    let context = TestContext::new();
    let path = settings(&context, THEIRS);
    let first = context.attest(["install"]).assert_success();
    assert!(first.stdout.contains("added SubagentStop"), "{first:?}");
    let installed = read(&path);
    let second = context.attest(["install"]).assert_success();
    assert!(second.stdout.contains("nothing to change"), "{second:?}");
    assert_eq!(read(&path), installed);
    assert_eq!(beside(&path), ["settings.json"]);
    assert_eq!(backups(&context).len(), 1, "one backup, of the first run");
    context.attest(["uninstall"]).assert_success();
    assert_eq!(read(&path), THEIRS);
    let again = context.attest(["uninstall"]).assert_success();
    assert!(again.stdout.contains("nothing to remove"), "{again:?}");
}

#[test]
fn the_settings_file_is_chosen_by_option_variable_folder_and_home_in_this_order() {
    let mut context = TestContext::new();
    let at = |context: &TestContext, name: &str| context.folder().join(name);
    context.attest(["install"]).assert_success();
    let folder = at(&context, "config");
    context
        .set("CLAUDE_CONFIG_DIR", &folder)
        .attest(["install"])
        .assert_success();
    let variable = at(&context, "variable.json");
    context
        .set("ATTEST_SETTINGS", &variable)
        .attest(["install"])
        .assert_success();
    context
        .attest(["install", "--settings", "option.json"])
        .assert_success();
    for path in [
        context.home().join(".claude/settings.json"),
        folder.join("settings.json"),
        variable,
        at(&context, "option.json"),
    ] {
        assert_eq!(
            handlers(&path, "SubagentStop").len(),
            1,
            "{}",
            path.display()
        );
    }
}

#[test]
fn without_a_home_the_file_has_to_be_named() {
    let mut context = TestContext::new();
    context.unset("HOME");
    let printed = context.attest(["install"]).assert_failure();
    assert!(printed.stderr.contains("HOME is not set"), "{printed:?}");
    context.set("HOME", "relative");
    for command in [
        &["install"][..],
        &["doctor"],
        &["enforce", "on"],
        &["plugin-dir"],
    ] {
        let printed = context.attest(command).assert_failure();
        assert!(
            printed
                .stderr
                .contains("HOME is \"relative\", which is not an absolute path")
                && !printed.stderr.contains("is not set"),
            "{printed:?}"
        );
    }
    context
        .attest(["install", "--settings", "here.json"])
        .assert_success();
}

#[test]
fn a_dry_run_prints_a_diff_and_writes_nothing() {
    let context = TestContext::new();
    let path = settings(&context, "{\n  \"model\": \"opus\"\n}");
    let printed = context
        .attest([
            "install",
            "--core-only",
            "--no-ask",
            "--dry-run",
            "--binary",
            "/opt/attest",
        ])
        .assert_success();
    insta::assert_snapshot!(context.named(&printed.stdout), @r#"
    --- [HOME]/.claude/settings.json
    +++ [HOME]/.claude/settings.json
    @@ -1,3 +1,31 @@
     {
    -  "model": "opus"
    +  "model": "opus",
    +  "hooks": {
    +    "SubagentStart": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "'/opt/attest' hook start || true",
    +            "timeout": 15,
    +            "async": false,
    +            "statusMessage": "attest"
    +          }
    +        ]
    +      }
    +    ],
    +    "SubagentStop": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "'/opt/attest' hook stop || true",
    +            "timeout": 30,
    +            "async": false,
    +            "statusMessage": "attest"
    +          }
    +        ]
    +      }
    +    ]
    +  }
     }
    \ No newline at end of file
    --- /dev/null
    +++ [HOME]/.attest/settings.toml
    @@ -0,0 +1,5 @@
    +# The settings of attest for the hooks of all hosts; below [NAME], for that host alone.
    +# What the environment of a hook or the settings of its host say counts more.
    +
    +[claude-code]
    +ATTEST_ASK = "0" # set by attest
    new subagents would not be asked for a report: `attest ask on` changes that
    "#);
    assert_eq!(beside(&path), ["settings.json"]);
    assert_eq!(read(&path), "{\n  \"model\": \"opus\"\n}");
    context.attest(["install"]).assert_success();
    let installed = read(&path);
    let printed = context.attest(["uninstall", "--dry-run"]).assert_success();
    assert!(printed.stdout.contains("-          {"), "{printed:?}");
    assert_eq!(read(&path), installed);

    let empty = TestContext::new();
    empty.attest(["install", "--dry-run"]).assert_success();
    assert_eq!(fs::read_dir(empty.home()).unwrap().count(), 0);
}

#[test]
fn an_empty_file_is_left_to_its_owner() {
    let context = TestContext::new();
    let path = settings(&context, "");
    for arguments in [&["install"][..], &["install", "--dry-run"]] {
        let printed = context.attest(arguments).assert_failure();
        assert!(printed.stderr.contains("is empty"), "{printed:?}");
        assert_eq!(beside(&path), ["settings.json"]);
        assert_eq!(read(&path), "");
    }
    let printed = context.attest(["uninstall"]).assert_success();
    assert!(printed.stdout.contains("nothing to remove"), "{printed:?}");
}

#[test]
fn an_entry_with_another_path_is_updated_in_place() {
    let context = TestContext::new();
    let path = settings(&context, "{}\n");
    context.attest(["install"]).assert_success();
    let moved = read(&path)
        .replace(BINARY, "/old place/attest")
        .replace("30", "45");
    fs::write(&path, &moved).unwrap();
    let printed = context.attest(["install"]).assert_success();
    assert!(
        printed.stdout.contains("updated SubagentStop"),
        "{printed:?}"
    );
    assert_eq!(read(&path), moved.replace("/old place/attest", BINARY));
}

#[test]
fn a_file_that_cannot_be_read_as_settings_is_left_alone() {
    let context = TestContext::new();
    for content in [
        "{\n  \"a\": 1,,\n}",
        "[1]",
        "{\"hooks\": []}",
        "{\"hooks\": {}, \"hooks\": {}}",
    ] {
        let path = settings(&context, content);
        for command in ["install", "uninstall"] {
            let printed = context.attest([command]).assert_failure();
            assert!(printed.stderr.contains("cannot edit"), "{printed:?}");
            assert_eq!(read(&path), content);
            assert_eq!(beside(&path), ["settings.json"]);
        }
    }
    let path = settings(&context, "");
    fs::write(&path, b"{\"a\": \"\xff\"}").unwrap();
    let printed = context.attest(["install"]).assert_failure();
    assert!(
        printed.stderr.contains("line 1, column 8: not UTF-8"),
        "{printed:?}"
    );
}

#[test]
fn installers_at_the_same_time_lose_nothing() {
    let context = TestContext::new();
    let path = settings(&context, THEIRS);
    let children: Vec<_> = (0..8)
        .map(|_| {
            let mut command = context.command(BINARY);
            command
                .arg("install")
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    context.attest(["uninstall"]).assert_success();
    assert_eq!(read(&path), THEIRS);
}

#[test]
fn a_program_that_could_not_be_recognised_again_is_refused() {
    let context = TestContext::new();
    for program in ["/bin/sh", "/nowhere/attest"] {
        let printed = context
            .attest(["install", "--binary", program])
            .assert_failure();
        assert!(printed.stderr.contains("cannot use"), "{printed:?}");
    }
}

/// Puts a `claude` first on the PATH that says to be of a version.
#[cfg(unix)]
fn set_claude(context: &mut TestContext, version: &str) {
    let folder = context.folder().join("claude");
    make_program(
        &folder.join("claude"),
        &format!("#!/bin/sh\necho '{version}'\n"),
    );
    context.set("PATH", format!("{}:/usr/bin:/bin", folder.display()));
}

#[cfg(unix)]
#[test]
fn a_host_that_cannot_run_the_hooks_is_refused_unless_forced() {
    let mut context = TestContext::new();
    let path = settings(&context, THEIRS);
    set_claude(&mut context, "2.0.42 (Claude Code)");
    for arguments in [&["install"][..], &["install", "--dry-run"]] {
        let printed = context.attest(arguments).assert_failure();
        assert!(
            printed.stderr.contains("Claude Code 2.0.42 at ")
                && printed.stderr.contains("the hooks need 2.0.44 or newer")
                && printed.stderr.contains("--force"),
            "{printed:?}"
        );
        assert_eq!(
            (read(&path).as_str(), printed.stdout.as_str()),
            (THEIRS, "")
        );
    }
    let forced = context.attest(["install", "--force"]).assert_success();
    assert!(forced.stdout.contains("here is 2.0.42"), "{forced:?}");
    context.attest(["uninstall"]).assert_success();
    assert_eq!(read(&path), THEIRS);
}

/// A file that names an event which the host does not know is invalid for it, with all that a person has in it.
#[cfg(unix)]
#[test]
fn an_event_that_the_host_does_not_know_is_not_named() {
    let mut context = TestContext::new();
    let path = settings(&context, THEIRS);
    for (version, is_named) in [
        ("2.1.77", false),
        ("2.1.78", true),
        ("2.1.330", true),
        ("2.0.44", false),
    ] {
        set_claude(&mut context, &format!("{version} (Claude Code)"));
        context.attest(["install"]).assert_success();
        assert_eq!(read(&path).contains("StopFailure"), is_named, "{version}");
        context.attest(["install", "--core-only"]).assert_success();
        assert!(!read(&path).contains("StopFailure"), "{version}");
    }
    set_claude(&mut context, "2.1.330 (Claude Code)");
    context.attest(["install"]).assert_success();
    let fault = "does not know StopFailure";
    let newest = context.attest(["doctor"]).stdout;
    assert!(!newest.contains(fault), "{newest}");
    set_claude(&mut context, "2.1.77 (Claude Code)");
    let older = context.attest(["doctor"]).assert_failure().stdout;
    assert!(older.contains(fault), "{older}");
    context.attest(["uninstall"]).assert_success();
    assert_eq!(read(&path), THEIRS);
}

/// One that is slow may be too old as well, and would then ignore the whole file.
#[cfg(unix)]
#[test]
fn a_host_that_does_not_say_its_version_in_time_is_refused_unless_forced() {
    let mut context = TestContext::new();
    let path = settings(&context, THEIRS);
    set_claude(&mut context, "'; sleep 60; echo '2.1.330");
    let printed = context.attest(["install"]).assert_failure();
    assert!(
        printed.stderr.contains("cannot be told") && printed.stderr.contains("--force"),
        "{printed:?}"
    );
    assert_eq!(read(&path), THEIRS);
    set_claude(&mut context, "'; sleep 1; echo '2.1.330");
    context.attest(["install"]).assert_success();
}

/// A matcher that a person chose stays, and doctor says what it leaves out.
#[test]
fn the_matcher_of_a_person_stays() {
    let context = TestContext::new();
    let path = settings(&context, "{}");
    context.attest(["install"]).assert_success();
    let mut chosen: Value = serde_json::from_str(&read(&path)).unwrap();
    chosen["hooks"]["SubagentStop"][0]["matcher"] = "Explore".into();
    fs::write(&path, chosen.to_string()).unwrap();
    context.attest(["install"]).assert_success();
    assert_eq!(serde_json::from_str::<Value>(&read(&path)).unwrap(), chosen);
    let doctor = context.attest(["doctor"]).stdout;
    assert!(
        doctor.contains("the entry for SubagentStop runs only for `Explore`"),
        "{doctor}"
    );
}

#[cfg(unix)]
#[test]
fn the_version_of_the_host_is_said_and_one_that_says_none_is_no_obstacle() {
    for (version, said) in [
        ("2.0.44 (Claude Code)", "here is 2.0.44"),
        ("10.0.0", "here is 10.0.0"),
        ("a shim", "does not say which it is"),
        ("", "does not say which it is"),
    ] {
        let mut context = TestContext::new();
        set_claude(&mut context, version);
        let printed = context.attest(["install"]).assert_success();
        assert!(
            printed.stdout.contains("need Claude Code 2.0.44 or newer")
                && printed.stdout.contains(said),
            "{version}: {printed:?}"
        );
    }
    let mut context = TestContext::new();
    context.set("PATH", "/nowhere");
    let printed = context.attest(["install"]).assert_success();
    assert!(
        printed.stdout.contains("no `claude` on the PATH"),
        "{printed:?}"
    );
}

#[test]
fn disabled_hooks_are_warned_about() {
    let context = TestContext::new();
    settings(&context, "{\n  \"disableAllHooks\": true\n}\n");
    let printed = context.attest(["install"]).assert_success();
    assert!(printed.stderr.contains("disableAllHooks"), "{printed:?}");
    let report = context.attest(["doctor"]).assert_failure();
    assert!(
        report
            .stdout
            .contains("FAIL  hooks       `disableAllHooks`"),
        "{report:?}"
    );
}
