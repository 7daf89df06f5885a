//! `attest doctor` through the binary.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::programs::{make_program, put_binary};
use crate::common::{BINARY, Printed, TestContext};

/// The report of doctor, one status by check.
pub fn statuses(printed: &Printed) -> Vec<(String, String)> {
    let report: Value = serde_json::from_str(&printed.stdout).unwrap();
    let text = |check: &Value, key: &str| check[key].as_str().unwrap().to_owned();
    let checks = report["checks"].as_array().unwrap();
    checks
        .iter()
        .map(|check| (text(check, "name"), text(check, "status")))
        .collect()
}

/// A program that answers like attest, with the given answer to every stop.
fn stand_in(context: &TestContext, on_stop: &str) -> PathBuf {
    let path = context.folder().join("attest");
    let version = env!("CARGO_PKG_VERSION");
    let script = format!(
        "#!/bin/sh\ninput=$(cat)\ncase \"$1 $2\" in\n'--version ') echo 'attest {version}' ;;\n\
         'hook stop') {on_stop} ;;\nesac\n"
    );
    make_program(&path, &script);
    path
}

#[test]
fn doctor_is_content_after_an_installation() {
    let mut context = TestContext::with_home("my home");
    let programs = context.folder().join("programs");
    fs::create_dir(&programs).unwrap();
    make_program(
        &programs.join("claude"),
        "#!/bin/sh\necho '2.1.330 (Claude Code)'\n",
    );
    context.set(
        "PATH",
        format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display()),
    );
    context.attest(["install"]).assert_success();
    let printed = context.attest(["doctor"]).assert_success();
    assert_eq!(
        printed
            .stdout
            .lines()
            .filter(|line| line.starts_with("✓ pass  "))
            .count(),
        6,
        "{printed:?}"
    );
    assert!(
        !printed.stdout.contains('\u{1b}'),
        "colour belongs on a terminal"
    );
}

#[test]
fn doctor_says_what_is_wrong() {
    let mut context = TestContext::new();
    context.attest(["install"]).assert_success();
    let path = context.home().join(".claude/settings.json");
    let broken = fs::read_to_string(&path)
        .unwrap()
        .replace(BINARY, "/gone/attest")
        .replace("\"async\": false", "\"async\": true");
    fs::write(&path, broken).unwrap();
    let state = context.folder().join("state.db");
    fs::create_dir(&state).unwrap();
    context.set("ATTEST_STATE_DB", &state);
    let printed = context.attest(["doctor", "--json"]).assert_failure();
    let failed: Vec<String> = statuses(&printed)
        .into_iter()
        .filter(|(_, status)| status == "fail")
        .map(|(name, _)| name)
        .collect();
    assert_eq!(
        failed[..7],
        [
            "hooks", "hooks", "hooks", "hooks", "hooks", "binary", "state"
        ],
        "{printed:?}"
    );
}

#[test]
fn doctor_without_git_says_so() {
    let mut context = TestContext::new();
    context.attest(["install"]).assert_success();
    context.set("PATH", "/nowhere");
    let printed = context.attest(["doctor", "--json"]).assert_failure();
    assert!(
        statuses(&printed).contains(&("git".to_owned(), "fail".to_owned())),
        "{printed:?}"
    );
    assert!(
        statuses(&printed).contains(&("round trip".to_owned(), "warn".to_owned())),
        "{printed:?}"
    );
    // Also before hooks that are missing, which would be of no use.
    context.attest(["uninstall"]).assert_success();
    let printed = context.attest(["doctor"]).assert_failure();
    let git = printed.stdout.find("FAIL  git ");
    assert!(git < printed.stdout.find("FAIL  hooks "), "{printed:?}");
    let last = "the first: install git and put it on the PATH\n";
    assert!(printed.stdout.ends_with(last), "{printed:?}");
}

#[test]
fn doctor_touches_neither_the_state_nor_the_repository_of_the_person() {
    let mut context = TestContext::new();
    let repository = context.repository("project", &[("a.py", "1\n")]);
    context.attest(["install"]).assert_success();
    context.set("GIT_DIR", repository.join(".git"));
    context.set("ATTEST_ENFORCE_AGENTS", "nobody");
    context.attest(["doctor"]).assert_success();
    context.unset("GIT_DIR");
    assert_eq!(
        context
            .git(&repository, &["log", "--oneline"])
            .stdout
            .lines()
            .count(),
        1
    );
    assert_eq!(
        context.git(&repository, &["status", "--porcelain"]).stdout,
        ""
    );
    assert!(!context.home().join(".attest/attest.log").exists());
}

#[test]
fn doctor_tries_the_program_that_the_hooks_name() {
    const BLOCK: &str = r#"echo '{"decision":"block","reason":"x"}'"#;
    let judging = format!(r#"case "$input" in *ghost.py*) {BLOCK} ;; esac"#);
    for (on_stop, expected) in [
        (
            judging.as_str(),
            "pass  round trip  an honest DONE was allowed",
        ),
        (BLOCK, "FAIL  round trip  an honest DONE was not allowed"),
        (":", "FAIL  round trip  a false DONE was not blocked"),
        (
            "exit 3",
            "FAIL  round trip  `attest hook stop` ended with exit status 3",
        ),
    ] {
        let context = TestContext::new();
        let program = stand_in(&context, on_stop);
        context
            .attest(["install", "--binary", program.to_str().unwrap()])
            .assert_success();
        let printed = context.attest(["doctor"]);
        assert!(printed.stdout.contains(expected), "{printed:?}");
        assert_eq!(printed.code == Some(0), expected.starts_with("pass"));
    }
}

#[test]
fn doctor_notices_a_program_of_another_version() {
    let context = TestContext::new();
    let program = stand_in(&context, ":");
    let other = fs::read_to_string(&program)
        .unwrap()
        .replace(env!("CARGO_PKG_VERSION"), "9.9.9");
    fs::write(&program, other).unwrap();
    context
        .attest(["install", "--binary", program.to_str().unwrap()])
        .assert_success();
    let printed = context.attest(["doctor"]).assert_failure();
    assert!(printed.stdout.contains("found attest 9.9.9"), "{printed:?}");
}

/// A person with attest installed, and on the PATH git and whatever else a test puts into the
/// folder that is given back.
pub fn person() -> (TestContext, PathBuf) {
    let mut context = TestContext::new();
    context.attest(["install"]).assert_success();
    let programs = context.folder().join("programs");
    fs::create_dir(&programs).unwrap();
    for name in ["cat", "git", "sh"] {
        let mut which = context.command("sh");
        let which = which.args(["-c", "command -v \"$0\"", name]);
        let found = Printed::of(which.output().unwrap()).assert_success();
        symlink(found.stdout.trim_end(), programs.join(name)).unwrap();
    }
    context.set("PATH", &programs);
    (context, programs)
}

/// What `attest doctor` says of a host of this version, with entries that have `args` or not.
fn report_on(version: Option<&str>, has_args: bool) -> Printed {
    let (context, programs) = person();
    if let Some(version) = version {
        let script = format!("#!/bin/sh\necho '{version} (Claude Code)'\n");
        make_program(&programs.join("claude"), &script);
    }
    if has_args {
        let path = context.home().join(".claude/settings.json");
        let text = fs::read_to_string(&path).unwrap();
        let mut text: Value = serde_json::from_str(&text).unwrap();
        for groups in text["hooks"].as_object_mut().unwrap().values_mut() {
            let handler = &mut groups[0]["hooks"][0];
            let line = handler["command"].as_str().unwrap().to_owned();
            let verb = line
                .trim_end_matches(" || true")
                .rsplit(' ')
                .next()
                .unwrap();
            handler["args"] = serde_json::json!(["hook", verb]);
            handler["command"] = BINARY.into();
        }
        fs::write(&path, text.to_string()).unwrap();
    }
    context.attest(["doctor"])
}

#[test]
fn doctor_knows_the_version_of_the_host_and_what_it_can_do() {
    // The order of the test's own writing.
    const ALL: &str = "PostToolUse, Stop, SubagentStart, SubagentStop, UserPromptSubmit";
    for (version, has_args, code, expected) in [
        (
            Some("2.1.138"),
            false,
            0,
            "pass  host        Claude Code 2.1.138 at ",
        ),
        (
            Some("2.0.44"),
            false,
            0,
            "pass  host        Claude Code 2.0.44 at ",
        ),
        (
            Some("2.0.42"),
            false,
            1,
            "FAIL  host        Claude Code 2.0.42 at ",
        ),
        (
            None,
            false,
            0,
            "warn  host        there is no `claude` on the PATH",
        ),
        (
            Some("2.1.138"),
            true,
            1,
            "FAIL  hooks       the entries for [ALL] have `args`, which Claude Code 2.1.138 does \
             not know: it runs no hook of attest\n  → run `attest install`\n",
        ),
        (
            Some("2.1.139"),
            true,
            0,
            "pass  hooks       present and synchronous",
        ),
        (
            None,
            true,
            0,
            "warn  hooks       the entries for [ALL] have `args`, which Claude Code before 2.1.139 \
             does not know",
        ),
    ] {
        let printed = report_on(version, has_args);
        assert_eq!(printed.code, Some(code), "{printed:?}");
        let expected = expected.replace("[ALL]", ALL);
        assert!(
            printed.stdout.contains(&expected),
            "{expected}: {printed:?}"
        );
    }
}

/// A person's settings with these variables for the hooks.
pub fn set_env(context: &TestContext, variables: &Value) {
    let path = context.home().join(".claude/settings.json");
    let text = fs::read_to_string(&path).unwrap();
    let mut settings: Value = serde_json::from_str(&text).unwrap();
    settings["env"] = variables.clone();
    fs::write(&path, settings.to_string()).unwrap();
}

#[test]
fn doctor_shows_what_is_in_force_and_who_says_so() {
    let (mut context, _) = person();
    set_env(
        &context,
        &serde_json::json!({"ATTEST_ENFORCE": 1, "ATTEST_STRICT": "untouched,dirty", "ATTEST_STATE_DB": "~/x/state.db"}),
    );
    context.set("ATTEST_ENFORCE", "0");
    context.set("ATTEST_MAX_RETRIES", "3");
    context.set("ATTEST_ENFORCE_AGENTS", " , ");
    context.set("ATTEST_STATE_DB", "~/x/state.db");
    let printed = context.attest(["doctor"]).assert_success();
    let (_, in_force) = printed
        .stdout
        .split_once("in force for the hooks\n")
        .unwrap();
    let (in_force, _) = in_force.split_once("\nlast stops\n").unwrap();
    // The column of values is as wide as the name of a folder of the run.
    let lines = in_force.lines().map(|line| {
        let columns: Vec<_> = line.split("  ").map(str::trim).collect();
        let columns = columns.into_iter().filter(|column| !column.is_empty());
        columns.collect::<Vec<_>>().join(" | ")
    });
    let in_force = lines.collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(context.named(&in_force), @r"
    SETTING | VALUE | FROM
    enforcement | on | ATTEST_ENFORCE=1 in [HOME]/.claude/settings.json
    agent types | all | ATTEST_ENFORCE_AGENTS= , | in this environment
    strict | dirty, untouched | ATTEST_STRICT=untouched,dirty in [HOME]/.claude/settings.json
    retries | up to 3 (see ALLOW_STOP_HOOK_ACTIVE) | ATTEST_MAX_RETRIES=3 in this environment
    session ceiling | 10 | default
    turns | as is usual for the host | default
    asking | on | ATTEST_ASK=1 in [HOME]/.attest/settings.toml
    check | off | default
    gates | none | default
    advise | on | default
    state file | [HOME]/x/state.db | ATTEST_STATE_DB=~/x/state.db in [HOME]/.claude/settings.json
    ");
    assert!(context.home().join("x/state.db").is_file(), "{printed:?}");
    let json = context.attest(["doctor", "--json"]).assert_success();
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    let first = serde_json::json!({"name": "enforcement", "value": "on",
        "variable": "ATTEST_ENFORCE", "raw": "1", "from": "settings",
        "path": context.home().join(".claude/settings.json")});
    assert_eq!(json["in_force"][0], first);
}

#[test]
fn doctor_says_which_settings_cannot_be_read_and_where_they_stand() {
    let (mut context, _) = person();
    let other = context.home().join("other.db");
    context.set("ATTEST_MAX_RETRIES", "x");
    context.set("ATTEST_STATE_DB", other);
    set_env(
        &context,
        &serde_json::json!({"ATTEST_STRICT": "untoched", "ATTEST_STATE_DB": "~/hooks.db"}),
    );
    let printed = context.attest(["doctor"]).assert_failure();
    for expected in [
        "FAIL  settings    ATTEST_STRICT=\"untoched\": unknown proof \"untoched\", expected dirty",
        "or all (in [HOME]/.claude/settings.json)",
        "\n  → correct it; until then the default is in force\n",
        "FAIL  settings    ATTEST_MAX_RETRIES=\"x\": expected a whole number of 0 or more (in this \
         environment)",
        "warn  settings    the hooks use the state file [HOME]/hooks.db, and commands in this shell \
         [HOME]/other.db",
    ] {
        let printed = context.named(&printed.stdout);
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    for setting in [["strict", "none", "default"], ["retries", "1", "default"]] {
        let mut lines = printed.stdout.lines();
        let is_shown = lines.any(|line| line.split_whitespace().eq(setting));
        assert!(is_shown, "{setting:?}: {printed:?}");
    }
}

#[test]
fn doctor_without_the_host_says_so() {
    let (context, _) = person();
    let printed = context.attest(["doctor", "--live"]).assert_failure();
    let expected = "FAIL  live        there is no `claude` on the PATH";
    assert!(printed.stdout.contains(expected), "{printed:?}");
    context.attest(["doctor"]).assert_success();
}

/// attest as it is installed in a folder of its own, beside a player that does `script`, if any.
fn beside(context: &TestContext, script: Option<&str>) -> PathBuf {
    let folder = context.folder().join("bin");
    fs::create_dir(&folder).unwrap();
    let program = folder.join("attest");
    put_binary(&program);
    if let Some(script) = script {
        let script = format!("#!/bin/sh\n{script}\n");
        make_program(&folder.join("attest-scripted-host"), &script);
    }
    program
}

/// What `attest doctor --live` says with a player that does `script`, if any.
fn live(script: Option<&str>, on_path: Option<&str>) -> Printed {
    let (context, programs) = person();
    make_program(&programs.join("claude"), "#!/bin/sh\necho 2.1.330\n");
    if let Some(script) = on_path {
        let script = format!("#!/bin/sh\n{script}\n");
        make_program(&programs.join("attest-scripted-host"), &script);
    }
    let mut attest = context.command(beside(&context, script));
    let printed = Printed::of(attest.args(["doctor", "--live"]).output().unwrap());
    let passes = printed.stdout.contains("pass  live ");
    assert_eq!(printed.code, Some(i32::from(!passes)), "{printed:?}");
    printed
}

#[test]
fn doctor_says_how_to_get_the_program_that_plays_the_model() {
    let printed = live(None, None);
    let expected = "FAIL  live        there is no attest-scripted-host beside attest or on the PATH, \
        so nothing was tried\n  → run `./install.sh --live` in a clone of attest\n";
    assert!(printed.stdout.contains(expected), "{printed:?}");
}

#[test]
fn doctor_tells_what_the_player_found() {
    const GOOD: &str = r#"echo '{"version":"9.9.9","faults":[]}'"#;
    const BAD: &str = "exit 9";
    let good = "pass  live        Claude Code 9.9.9 sent a false DONE back";
    for (beside, on_path, expected) in [
        (Some(GOOD), Some(BAD), good),
        (None, Some(GOOD), good),
        (
            Some(r#"echo '{"version":"9.9.9","faults":["one","two"]}'"#),
            None,
            "claude 9.9.9: one; two\n  → the versions that were tried",
        ),
        (
            Some("echo 'why not' >&2; exit 4"),
            None,
            "claude: attest-scripted-host ended with exit status 4: why not",
        ),
        (Some("echo hello"), None, "does not say what it found"),
    ] {
        let printed = live(beside, on_path);
        assert!(printed.stdout.contains(expected), "{expected}: {printed:?}");
    }
}

#[test]
fn the_player_is_told_the_host_the_hooks_and_where_programs_are() {
    let printed = live(Some("echo \"$*\" >&2; exit 4"), None);
    let (_, told) = printed.stdout.split_once("status 4: live --host ").unwrap();
    let (host, rest) = told.split_once(" --attest ").unwrap();
    assert!(host.ends_with("/programs/claude"), "{told}");
    let (attest, path) = rest.split_once(" --path ").unwrap();
    assert_eq!(attest, BINARY, "what the entries name");
    let path = path.lines().next().unwrap();
    assert!(path.ends_with("/programs"), "{told}");
}

#[test]
fn the_plugin_is_as_good_as_entries_and_leaves_the_events_to_them() {
    let context = TestContext::new();
    let settings = context.home().join(".claude/settings.json");
    let hooks = || {
        let printed = context.attest(["doctor", "--json"]);
        let report: Value = serde_json::from_str(&printed.stdout).unwrap();
        let checks = report["checks"].as_array().unwrap();
        let hooks = checks.iter().find(|check| check["name"] == "hooks");
        let hooks = hooks.unwrap();
        let detail = hooks["detail"].as_str().unwrap().to_owned();
        (hooks["status"].clone(), detail)
    };
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    fs::write(&settings, r#"{"enabledPlugins": {"attest@attest": true}}"#).unwrap();
    let (status, detail) = hooks();
    assert_eq!(status, "pass", "{detail}");
    assert!(
        detail.starts_with("by the plugin attest@attest"),
        "{detail}"
    );
    context.attest(["install"]).assert_success();
    let (status, detail) = hooks();
    assert_eq!(status, "pass", "{detail}");
    assert!(detail.contains("leaves each event to them"), "{detail}");
    fs::write(&settings, r#"{"enabledPlugins": {"attest@attest": false}}"#).unwrap();
    assert_eq!(hooks().0, "fail");
}
