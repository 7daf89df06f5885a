//! What `attest doctor` finds that a person got wrong or does not see, and whether its advice helps.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{BINARY, Printed, TestContext};
use crate::doctor::{person, set_env, statuses};

/// The settings of a person with one hook of attest changed by hand.
fn edited(from: &str, to: &str) -> TestContext {
    let context = TestContext::new();
    context.attest(["install"]).assert_success();
    let path = context.home().join(".claude/settings.json");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(&path, text.replace(from, to)).unwrap();
    context
}

/// A number that is too large is read, and comes from where it stands. The twin is a value that is not understood.
#[test]
fn a_number_above_the_most_is_not_called_the_default() {
    let context = TestContext::new();
    context.attest(["install"]).assert_success();
    let own = context.home().join(".attest/settings.toml");
    for (line, values) in [
        (
            "ATTEST_MAX_RETRIES = \"99\"",
            [
                "it counts as the most",
                "up to 10 (see ALLOW_STOP_HOOK_ACTIVE) ATTEST_MAX_RETRIES=99 in",
            ],
        ),
        (
            "ATTEST_MAX_RETRIES = \"x\"",
            ["the default is in force", "1 default"],
        ),
    ] {
        fs::write(&own, format!("{line}\n")).unwrap();
        let said = context.attest(["doctor"]).stdout;
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        for value in values {
            assert!(said.contains(value), "{said}");
        }
    }
}

#[test]
fn the_last_line_counts_what_did_not_pass() {
    let context = TestContext::new();
    context.attest(["install"]).assert_success();
    let own = context.home().join(".attest/settings.toml");
    let bad = "ATTEST_MAX_RETRIES = \"x\"\nATTEST_STRICT = \"drity\"\n";
    fs::write(&own, bad).unwrap();
    let said = context.attest(["doctor"]).stdout;
    let count = said.matches("FAIL").count();
    assert!(count > 1, "{said}");
    assert!(
        said.contains(&format!(" {count} problems: correct it; ")),
        "{said}"
    );
}

#[test]
fn what_doctor_says_of_a_hook_in_a_wrong_place_helps() {
    let context = edited("hook session-stop", "hook stop");
    let path = context.home().join(".claude/settings.json");
    let text = fs::read_to_string(&path).unwrap();
    let (before, after) = text.split_once("\"Stop\"").unwrap();
    let gone = after.replacen(BINARY, "/gone/attest", 1);
    fs::write(&path, format!("{before}\"Stop\"{gone}")).unwrap();
    let printed = context.attest(["doctor"]);
    let fix = "→ run `attest uninstall --host claude-code`; then run `attest install`";
    assert!(printed.stdout.contains(fix), "{printed:?}");
    assert!(!printed.stdout.contains("/gone/attest"), "{printed:?}");
    for arguments in [&["uninstall", "--host", "claude-code"][..], &["install"]] {
        context.attest(arguments).assert_success();
    }
    let printed = context.attest(["doctor"]).assert_success();
    assert!(!printed.stdout.contains("elsewhere"), "{printed:?}");
}

#[test]
fn doctor_says_which_hook_the_host_ends_before_its_time() {
    let said = |context: &TestContext| {
        let printed = context.attest(["doctor"]).assert_success();
        printed.stdout.contains("has a timeout of")
    };
    assert!(said(&edited("\"timeout\": 15", "\"timeout\": 9.5")));
    assert!(said(&edited("\"timeout\": 30", "\"timeout\": 20")));
    assert!(!said(&edited("\"timeout\": 30", "\"timeout\": 21")));
    // What only hands on what was found needs no more than it has.
    assert!(!said(&edited("\"timeout\": 10", "\"timeout\": 9")));
    let mut slow = TestContext::new();
    slow.attest(["install"]).assert_success();
    assert!(!said(&slow));
    slow.set("ATTEST_STOP_DEADLINE", "60");
    assert!(said(&slow));
}

#[test]
fn doctor_says_once_that_the_settings_cannot_be_read() {
    let context = edited("{", "{{");
    let printed = context.attest(["doctor", "--json"]).assert_failure();
    let failed = statuses(&printed).into_iter();
    let failed: Vec<_> = failed.filter(|(_, status)| status == "fail").collect();
    assert_eq!(failed, [("hooks".to_owned(), "fail".to_owned())]);
}

#[test]
fn doctor_says_what_does_not_mean_what_it_seems_to() {
    let (context, _) = person();
    let said = |variables: Value| {
        set_env(&context, &variables);
        context.attest(["doctor"]).assert_success().stdout
    };
    for value in ["true", "yes", "on", "2"] {
        let text = said(serde_json::json!({"ATTEST_ENFORCE": value}));
        let warning = format!("ATTEST_ENFORCE={value}: it is off, because only 1 turns it on");
        assert!(text.contains(&warning), "{text}");
    }
    for value in ["1", "0", "off", "False", ""] {
        let text = said(serde_json::json!({"ATTEST_ENFORCE": value, "OTHER_ENFORCED": "x"}));
        assert!(!text.contains("only 1 turns it on"), "{text}");
        assert!(!text.contains("is not a setting"), "{text}");
    }
    let text = said(serde_json::json!({"ATTEST_ENFORCED": "1", "ATTEST_XYZZY_PLUGH": "1"}));
    assert!(text.contains("take it out, or call it ATTEST_ENFORCE if that is meant"));
    assert!(text.contains("→ take it out\n"), "{text}");
}

#[cfg(unix)]
#[test]
fn doctor_without_a_folder_for_temporary_files_says_so() {
    let (mut context, _) = person();
    context.set("TMPDIR", "/nowhere/at/all");
    let printed = context.attest(["doctor"]).assert_failure();
    assert!(
        printed
            .stdout
            .contains("cannot make a folder in /nowhere/at/all: ")
    );
    assert!(
        printed.stdout.contains("name another one in TMPDIR"),
        "{printed:?}"
    );
}

/// What `attest doctor` says in a project.
fn doctor_in(context: &TestContext, project: &Path) -> Printed {
    let mut command = context.command(BINARY);
    Printed::of(command.arg("doctor").current_dir(project).output().unwrap())
}

#[test]
fn hooks_of_the_project_alone_are_checked_there() {
    let (context, _) = person();
    context.attest(["uninstall"]).assert_success();
    let project = context.repository("project", &[("a.py", "1")]);
    let mut install = context.command(BINARY);
    let install = install.args(["install", "--project"]).current_dir(&project);
    Printed::of(install.output().unwrap()).assert_success();
    let file = project.join(".claude/settings.local.json");
    let said = format!("present and synchronous in {}\n", file.display());
    let printed = doctor_in(&context, &project).assert_success();
    assert!(printed.stdout.contains(&said), "{printed:?}");
    // What is wrong there is mended there.
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("SubagentStop", "Elsewhere")).unwrap();
    let printed = doctor_in(&context, &project).assert_failure();
    let fix = "→ run `attest install --host claude-code --project`";
    assert!(printed.stdout.contains(fix), "{printed:?}");
    // Elsewhere the hooks of the person are meant.
    let other = context.repository("other", &[("a.py", "1")]);
    let printed = doctor_in(&context, &other).assert_failure();
    assert!(
        printed.stdout.contains("run `attest install`\n"),
        "{printed:?}"
    );
}

#[test]
fn the_variables_of_the_project_go_over_those_of_the_person_in_one_direction() {
    let (context, _) = person();
    let project = context.repository("project", &[("a.py", "1")]);
    set_env(
        &context,
        &serde_json::json!({"ATTEST_ENFORCE": "0", "ATTEST_MAX_RETRIES": "4", "ATTEST_STRICT": "dirty"}),
    );
    let folder = project.join(".claude");
    fs::create_dir(&folder).unwrap();
    let write = |name: &str, env: Value| {
        let text = serde_json::json!({ "env": env }).to_string();
        fs::write(folder.join(name), text).unwrap();
    };
    write(
        "settings.json",
        serde_json::json!({"ATTEST_ENFORCE": "1", "ATTEST_MAX_RETRIES": "9", "ATTEST_STRICT": "all"}),
    );
    write(
        "settings.local.json",
        serde_json::json!({"ATTEST_MAX_RETRIES": "3", "ATTEST_STRCT": "all"}),
    );
    let printed = doctor_in(&context, &project).assert_success();
    let of_person = context.home().join(".claude/settings.json");
    let (shared, own) = (
        folder.join("settings.json"),
        folder.join("settings.local.json"),
    );
    for (name, value, from, file) in [
        ("enforcement", "on", "ATTEST_ENFORCE=1", &shared),
        (
            "retries",
            "up to 3 (see ALLOW_STOP_HOOK_ACTIVE)",
            "ATTEST_MAX_RETRIES=3",
            &own,
        ),
        ("strict", "dirty", "ATTEST_STRICT=dirty", &of_person),
    ] {
        let from = format!("{from} in {}", file.display());
        let mut lines = printed.stdout.lines().map(str::trim);
        let line = lines.find(|line| line.starts_with(name)).unwrap();
        let words: Vec<_> = line.split("  ").filter(|word| !word.is_empty()).collect();
        assert_eq!(
            words.iter().map(|word| word.trim()).collect::<Vec<_>>(),
            [name, value, &*from]
        );
    }
    for (name, value) in [("ATTEST_MAX_RETRIES", "9"), ("ATTEST_STRICT", "all")] {
        let tried = format!(
            "{name}={value} does not count: {} sets {name}, and a project may not",
            shared.display()
        );
        assert!(printed.stdout.contains(&tried), "{printed:?}");
    }
    let misnamed = "ATTEST_STRCT in";
    assert!(printed.stdout.contains(misnamed), "{printed:?}");
    let elsewhere = context.attest(["doctor"]).assert_success();
    assert!(
        !elsewhere.stdout.contains(project.to_str().unwrap()),
        "{elsewhere:?}"
    );
}

#[test]
fn hooks_that_the_project_turns_off_are_said() {
    let (context, _) = person();
    let project = context.repository("project", &[("a.py", "1")]);
    fs::create_dir(project.join(".claude")).unwrap();
    let file = project.join(".claude/settings.json");
    fs::write(&file, r#"{"disableAllHooks": true}"#).unwrap();
    let printed = doctor_in(&context, &project).assert_failure();
    let said = format!("`disableAllHooks` is true in {}\n", file.display());
    assert!(printed.stdout.contains(&said), "{printed:?}");
    fs::write(&file, r#"{"disableAllHooks": false}"#).unwrap();
    doctor_in(&context, &project).assert_success();
    // And turned on again there, where the person has turned them off.
    let own = context.home().join(".claude/settings.json");
    let text = fs::read_to_string(&own).unwrap();
    fs::write(&own, text.replacen('{', "{\"disableAllHooks\": true,", 1)).unwrap();
    doctor_in(&context, &project).assert_success();
    fs::remove_file(&file).unwrap();
    let printed = doctor_in(&context, &project).assert_failure();
    let said = format!("`disableAllHooks` is true in {}\n", own.display());
    assert!(printed.stdout.contains(&said), "{printed:?}");
}

#[test]
fn a_hook_that_one_file_has_twice_is_said() {
    let (context, _) = person();
    let own = context.home().join(".claude/settings.json");
    let text = fs::read_to_string(&own).unwrap();
    let with = |matcher: &str| {
        let mut settings: Value = serde_json::from_str(&text).unwrap();
        let groups = settings["hooks"]["SubagentStop"].as_array_mut().unwrap();
        let mut second = groups[0].clone();
        second["matcher"] = matcher.into();
        groups.push(second);
        fs::write(&own, settings.to_string()).unwrap();
    };
    for matcher in ["", "Explore"] {
        with(matcher);
        let printed = context.attest(["doctor"]).assert_success();
        let said = "SubagentStop runs `attest hook stop` twice";
        assert!(printed.stdout.contains(said), "{matcher}: {printed:?}");
    }
    with("");
    context.attest(["install"]).assert_success();
    let printed = context.attest(["doctor"]).assert_success();
    assert!(!printed.stdout.contains("twice"), "{printed:?}");
    // Two entries for different agents are no two hooks of one event.
    let mut settings: Value = serde_json::from_str(&text).unwrap();
    let groups = settings["hooks"]["SubagentStop"].as_array_mut().unwrap();
    let mut second = groups[0].clone();
    groups[0]["matcher"] = "Explore".into();
    second["matcher"] = "Plan".into();
    groups.push(second);
    fs::write(&own, settings.to_string()).unwrap();
    let printed = context.attest(["doctor"]).assert_success();
    assert!(!printed.stdout.contains("twice"), "{printed:?}");
}

#[test]
fn a_log_that_cannot_be_written_is_said() {
    let (context, _) = person();
    let log = context.home().join(".attest/attest.log");
    let said = || {
        let printed = context.attest(["doctor"]).assert_success();
        printed.stdout.contains("attest.log cannot be written to: ")
    };
    assert!(!said());
    fs::create_dir(&log).unwrap();
    assert!(said());
    fs::remove_dir(&log).unwrap();
    #[cfg(unix)]
    {
        // Opening it would wait for a reader.
        let made = std::process::Command::new("mkfifo").arg(&log).status();
        assert!(made.unwrap().success());
        assert!(said());
        fs::remove_file(&log).unwrap();
    }
    fs::write(&log, "").unwrap();
    assert!(!said());
}
