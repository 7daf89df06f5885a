//! What attest has set goes when it is uninstalled: the files of hosts are as they were, to the byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::agent::{Agent, done};
use crate::common::{TestContext, size};

/// The hosts with a file of the person's own, each with what leads to its hooks there.
const FILES: &[(&str, &str)] = &[
    ("claude-code", ".claude/settings.json"),
    ("codex", ".codex/hooks.json"),
    ("qwen", ".qwen/settings.json"),
    ("gemini", ".gemini/settings.json"),
    ("droid", ".factory/settings.json"),
    ("cursor", ".cursor/hooks.json"),
];
/// Those that have a file of attest's own instead.
const OWN: &[&str] = &["copilot", "openclaw", "opencode", "kilo"];

/// All that is in a folder, but for what attest keeps.
fn seen(home: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![home.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path.clone());
            }
            let content = fs::read(&path).unwrap_or_default();
            let name = path.strip_prefix(home).unwrap().to_owned();
            all.insert(name, content);
        }
    }
    all
}

/// What a person may have in a file, in as many forms as there are ways to write it.
fn forms() -> Vec<String> {
    let bodies = [
        "{\n}",
        "{\n>\"model\": \"opus\"\n}",
        "{\n>// mine\n>\"version\": 1, // of the format\n>\"env\": {\"EDITOR\": \"vi\"}\n}",
        "{\n>\"hooks\": {},\n>\"env\": {\n>>\"A\" : \"1\"\n>}\n}",
        "{\"a\":[1,2 ,3],\n\n>\"version\":1,\"b\":{}}",
    ];
    let mut all = Vec::new();
    for body in bodies {
        for indent in ["  ", "    ", "\t"] {
            for end in ["", "\n", "\n\n\n"] {
                for line in ["\n", "\r\n"] {
                    let text = format!("{body}{end}").replace('>', indent);
                    all.push(text.replace('\n', line));
                }
            }
        }
    }
    all
}

/// Everything that a person may turn on.
fn turn_all_on(context: &TestContext, host: &str) {
    for words in [
        &["install", "--force", "--host", host][..],
        &["enforce", "on", "--host", host],
        &["ask", "on", "--host", host],
        &["statusline", "on"],
        &["off"],
    ] {
        context.attest(words).assert_success();
    }
}

#[test]
fn the_files_of_every_host_are_as_they_were_to_the_byte() {
    let forms = forms();
    assert!(forms.len() > 50);
    let step = size(19, 1);
    for (host, file) in FILES {
        for form in forms.iter().step_by(step) {
            let context = TestContext::new();
            let path = context.home().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, form).unwrap();
            let before = seen(context.home());
            turn_all_on(&context, host);
            assert_ne!(fs::read_to_string(&path).unwrap(), *form, "{host}");
            context.attest(["uninstall"]).assert_success();
            let mut after = seen(context.home());
            after.retain(|path, _| !path.starts_with(".attest"));
            assert_eq!(after, before, "{host}: {form:?}");
            context
                .attest(["uninstall", "--purge", "--yes"])
                .assert_success();
            assert_eq!(seen(context.home()), before, "{host}: {form:?}");
        }
    }
}

#[test]
fn an_empty_home_is_empty_again() {
    for host in FILES
        .iter()
        .map(|(host, _)| *host)
        .chain(OWN.iter().copied())
    {
        let context = TestContext::new();
        turn_all_on(&context, host);
        context.attest(["uninstall"]).assert_success();
        let mut after = seen(context.home());
        after.retain(|path, _| !path.starts_with(".attest"));
        assert!(after.is_empty(), "{host}: {:?}", after.keys());
        let settings = context.home().join(".attest/settings.toml");
        assert!(!settings.exists(), "{host}");
        context
            .attest(["uninstall", "--purge", "--yes"])
            .assert_success();
        assert!(seen(context.home()).is_empty(), "{host}");
    }
}

/// Whoever installs it again has not turned anything on. The twin: without that, a liar is sent back.
#[test]
fn a_later_installation_begins_with_reports() {
    for is_removed in [true, false] {
        let context = TestContext::new();
        let repo = context.repository("repo", &[("a.py", "1")]);
        let install = ["install", "--no-ask"];
        context.attest(install).assert_success();
        context.attest(["enforce", "on"]).assert_success();
        if is_removed {
            context.attest(["uninstall"]).assert_success();
        }
        context.attest(install).assert_success();
        let liar = Agent::new("liar", &repo);
        liar.start(&context);
        let stop = liar.stop(&context, &done("ghost.py"));
        assert_ne!(stop.0.stdout.contains("\"block\""), is_removed);
        let log = context.attest(["log", "--json", "--all"]).assert_success();
        assert_eq!(log.stdout.contains("ALLOW_NOT_ENFORCING"), is_removed);
    }
}

#[test]
fn what_a_person_has_set_is_named_and_stays() {
    let context = TestContext::new();
    let path = context.home().join(".attest/settings.toml");
    let own =
        "# mine\nATTEST_LOG = \"info\"\n\n[claude-code] # mine\nATTEST_STRICT = \"untouched\"\n";
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, own).unwrap();
    let host = context.home().join(".claude/settings.json");
    let theirs = "{\n  \"env\": {\n    \"ATTEST_ADVISE\": \"0\"\n  }\n}\n";
    fs::create_dir_all(host.parent().unwrap()).unwrap();
    fs::write(&host, theirs).unwrap();
    turn_all_on(&context, "claude-code");
    let set = fs::read_to_string(&path).unwrap();
    assert!(set.contains("ATTEST_STRICT = \"untouched,dirty\""), "{set}");
    let dry = context.attest(["uninstall", "--dry-run"]).assert_success();
    assert!(dry.stdout.contains("-ATTEST_ENFORCE"), "{dry:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), set);
    let said = context.attest(["uninstall"]).assert_success().stdout;
    for (names, file) in [
        ("ATTEST_LOG, ATTEST_STRICT", &path),
        ("ATTEST_ADVISE", &host),
    ] {
        let line = format!("left {names} in {}: you have set that", file.display());
        assert!(said.contains(&line), "{said}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), own);
    assert_eq!(fs::read_to_string(&host).unwrap(), theirs);
    // The twin: of what attest has set nothing is left that could be named.
    let context = TestContext::new();
    turn_all_on(&context, "claude-code");
    let said = context.attest(["uninstall"]).assert_success().stdout;
    assert!(!said.contains("left ATTEST"), "{said}");
}

/// The same lines as attest's are a person's if they wrote them, whichever host has hooks.
#[test]
fn what_a_person_wrote_before_stays_to_the_byte() {
    for host in ["claude-code", "codex"] {
        let context = TestContext::new();
        let path = context.home().join(".attest/settings.toml");
        let own = format!(
            "\u{feff}# team rule\r\n[{host}]\r\nATTEST_ENFORCE = \"1\"\r\n\
             ATTEST_ENFORCE_AGENTS = \"reviewer\" # mine\r\nATTEST_ASK = \"1\"\r\n"
        );
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &own).unwrap();
        context.attest(["install"]).assert_success();
        let said = context.attest(["uninstall"]).assert_success().stdout;
        assert!(said.contains("you have set that"), "{said}");
        assert_eq!(fs::read_to_string(&path).unwrap(), own);
    }
}

/// The twin is in the file of attest's own, which says of each value who has set it.
#[test]
fn what_a_person_wrote_into_the_settings_of_a_host_stays() {
    let context = TestContext::new();
    let path = context.home().join(".claude/settings.json");
    let own = "{\n  \"env\": {\n    \"ATTEST_ENFORCE\": \"1\",\n    \"ATTEST_ENFORCE_AGENTS\": \"reviewer\",\n    \
               \"ATTEST_ASK\": \"1\",\n    \"ATTEST_STRICT\": \"dirty,untouched\"\n  }\n}\n";
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, own).unwrap();
    turn_all_on(&context, "claude-code");
    let said = context.attest(["uninstall"]).assert_success().stdout;
    let names = "ATTEST_ASK, ATTEST_ENFORCE, ATTEST_ENFORCE_AGENTS, ATTEST_STRICT";
    let line = format!("left {names} in {}: you have set that", path.display());
    assert!(said.contains(&line), "{said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), own);
    assert!(!context.home().join(".attest/settings.toml").exists());
}

#[test]
fn a_plugin_that_was_made_is_named_with_what_removes_it() {
    let context = TestContext::new();
    let said = context.attest(["uninstall"]).assert_success().stdout;
    assert!(!said.contains("plugin"), "{said}");
    context.attest(["plugin-dir"]).assert_success();
    let said = context.attest(["uninstall"]).assert_success().stdout;
    assert!(said.contains("claude plugin uninstall attest"), "{said}");
}

/// One that attest cannot show to be its own stays, and the folder that it is in is attest's.
#[test]
fn a_file_that_is_left_is_named_once() {
    let context = TestContext::new();
    context.attest(["install"]).assert_success();
    let state = context.home().join(".attest/state.db");
    fs::write(&state, "of somebody else").unwrap();
    let printed = context.attest(["uninstall", "--purge", "--yes"]);
    let said = printed.stdout + &printed.stderr;
    let named = said.matches(state.to_str().unwrap()).count();
    assert_eq!(named, 1, "{said}");
    assert!(state.is_file());
}
