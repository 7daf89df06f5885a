//! What `attest doctor` says of hosts other than Claude Code.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::programs::make_program;
use crate::common::{BINARY, Printed, TestContext};

/// A home in which no host of this machine is found.
fn context() -> TestContext {
    let mut context = TestContext::new();
    let programs = context.folder().join("programs");
    fs::create_dir(&programs).unwrap();
    context.set("PATH", format!("{}:/usr/bin:/bin", programs.display()));
    context
}

/// A program that says its version.
fn set_program(context: &TestContext, name: &str, version: &str) {
    let path = context.folder().join("programs").join(name);
    make_program(&path, &format!("#!/bin/sh\necho '{version}'\n"));
}

/// The status and detail of every check of a name.
fn checks(printed: &Printed, name: &str) -> Vec<(String, String)> {
    let report: Value = serde_json::from_str(&printed.stdout).unwrap();
    let all = report["checks"].as_array().unwrap();
    let text = |check: &Value, key: &str| check[key].as_str().unwrap().to_owned();
    let named = all.iter().filter(|check| check["name"] == name);
    named
        .map(|check| (text(check, "status"), text(check, "detail")))
        .collect()
}

fn doctor(context: &TestContext) -> Printed {
    context.attest(["doctor", "--json"])
}

#[track_caller]
fn assert_says(checks: &[(String, String)], status: &str, words: &str) {
    let found = checks
        .iter()
        .any(|(is, detail)| is == status && detail.contains(words));
    assert!(found, "expected {status} {words:?} in {checks:#?}");
}

/// Each host has a switch of its own; the same file without it is the twin.
#[test]
fn hooks_that_a_host_has_turned_off_are_said() {
    for (host, file, off, words) in [
        (
            "gemini",
            ".gemini/settings.json",
            r#""hooksConfig": {"enabled": false},"#,
            "`hooksConfig.enabled` is false",
        ),
        (
            "qwen",
            ".qwen/settings.json",
            r#""disableAllHooks": true,"#,
            "`disableAllHooks` is true",
        ),
        (
            "droid",
            ".factory/settings.json",
            "HOOKS",
            "`hooks.hooksDisabled` is true",
        ),
    ] {
        let context = context();
        context.attest(["install", "--host", host]).assert_success();
        let path = context.home().join(file);
        let text = fs::read_to_string(&path).unwrap();
        let is_off = |checks: &[(String, String)]| {
            let mut checks = checks.iter();
            checks.any(|(is, detail)| is == "fail" && detail.contains(words))
        };
        assert!(!is_off(&checks(&doctor(&context), host)), "{host}");
        let changed = match off {
            "HOOKS" => text.replacen("\"hooks\": {", "\"hooks\": {\"hooksDisabled\": true,", 1),
            off => text.replacen('{', &format!("{{{off}"), 1),
        };
        assert_ne!(changed, text);
        fs::write(&path, changed).unwrap();
        let printed = doctor(&context).assert_failure();
        assert_says(&checks(&printed, host), "fail", words);
    }
}

/// What the host leaves out one by one, what an administrator says, and what stands in another file.
#[test]
fn lists_of_hooks_that_are_not_to_run_administrators_and_features_are_read() {
    let mut context = context();
    context
        .attest(["install", "--host", "gemini", "--host", "codex"])
        .assert_success();
    let path = context.home().join(".gemini/settings.json");
    let text = fs::read_to_string(&path).unwrap();
    let settings: Value = serde_json::from_str(&text).unwrap();
    let name = &settings["hooks"]["AfterAgent"][0]["hooks"][0]["name"];
    let list = |name: &Value| format!("{{\"hooksConfig\": {{\"disabled\": [{name}]}},");
    fs::write(&path, text.replacen('{', &list(name), 1)).unwrap();
    let printed = doctor(&context);
    assert_says(
        &checks(&printed, "gemini"),
        "fail",
        "leaves out the entry for AfterAgent",
    );
    fs::write(&path, text.replacen('{', &list(&"lint".into()), 1)).unwrap();
    let administrator = context.folder().join("system.json");
    fs::write(&administrator, r#"{"hooksConfig": {"enabled": false}}"#).unwrap();
    let said = |context: &TestContext, host: &str| {
        let found = checks(&doctor(context), host);
        let failed = found.into_iter().filter(|(is, _)| is == "fail");
        failed
            .map(|(_, detail)| detail)
            .collect::<Vec<_>>()
            .join("; ")
    };
    assert_eq!(said(&context, "gemini"), "");
    context.set("GEMINI_CLI_SYSTEM_SETTINGS_PATH", &administrator);
    let gemini = said(&context, "gemini");
    assert!(gemini.contains(administrator.to_str().unwrap()), "{gemini}");
    let config = context.home().join(".codex/config.toml");
    assert!(!said(&context, "codex").contains("features"));
    fs::write(config, "[features]\nhooks = false\n").unwrap();
    let codex = said(&context, "codex");
    assert!(codex.contains("`features.hooks` is false"), "{codex}");
}

#[test]
fn a_host_that_is_only_there_is_named_and_nothing_is_wrong_with_it() {
    let context = context();
    context.attest(["install"]).assert_success();
    fs::create_dir(context.home().join(".gemini")).unwrap();
    set_program(&context, "codex", "codex-cli 0.169.0");
    let printed = doctor(&context).assert_success();
    for host in ["gemini", "codex"] {
        assert_says(&checks(&printed, host), "pass", "is here without hooks");
    }
    assert_eq!(checks(&printed, "qwen"), []);
}

/// Each host is played with its own payloads, and what it would run is what answers.
#[test]
fn every_host_with_hooks_is_checked_and_played() {
    let all = [
        "qwen", "gemini", "copilot", "droid", "cursor", "openclaw", "opencode", "kilo",
    ];
    for host in all {
        let context = context();
        let words = ["install", "--host", host];
        context.attest(words).assert_success();
        if host == "openclaw" {
            let allowed =
                "{plugins: {entries: {attest: {hooks: {allowConversationAccess: true}}}}}";
            fs::write(context.home().join(".openclaw/openclaw.json"), allowed).unwrap();
        }
        let printed = doctor(&context).assert_success();
        let own = checks(&printed, host);
        assert_says(&own, "pass", "hooks: present");
        assert_says(&own, "pass", "round trip: an honest DONE was allowed");
        assert_says(&own, "pass", &format!("binary: {BINARY}"));
        // Nothing is missing for who does not have the usual host.
        assert_eq!(checks(&printed, "hooks"), [], "{host}");
    }
}

#[test]
fn what_is_wrong_in_the_file_of_a_host_is_said_with_the_command_that_mends_it() {
    let context = context();
    context
        .attest(["install", "--host", "cursor"])
        .assert_success();
    let path = context.home().join(".cursor/hooks.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("subagentStop", "later")).unwrap();
    let printed = doctor(&context).assert_failure();
    let own = checks(&printed, "cursor");
    assert_says(
        &own,
        "fail",
        "hooks: subagentStop has no `attest hook stop`",
    );
    assert!(
        printed
            .stdout
            .contains("run `attest install --host cursor`")
    );
}

#[test]
fn the_version_that_was_tested_is_said_if_it_is_another_one() {
    let context = context();
    context
        .attest(["install", "--host", "qwen"])
        .assert_success();
    set_program(&context, "qwen", "0.24.4");
    let own = checks(&doctor(&context), "qwen");
    assert_says(&own, "pass", "host: Qwen Code 0.24.4 at");
    assert!(!own.iter().any(|(_, detail)| detail.contains("tested with")));
    set_program(&context, "qwen", "0.30.0");
    let own = checks(&doctor(&context), "qwen");
    assert_says(
        &own,
        "pass",
        "the hooks were tested with Qwen Code 0.24.3 to 0.24.4",
    );
    set_program(&context, "qwen", "0.15.10");
    let own = checks(&doctor(&context), "qwen");
    assert_says(&own, "warn", "is older than any that was tried");
}

/// The version before the one with the fault mended is the twin of the one with it.
#[test]
fn a_version_that_is_known_to_be_faulty_is_said_before_and_after_installation() {
    for (host, program, faulty, mended, words) in [
        (
            "copilot",
            "copilot",
            "GitHub Copilot CLI 1.0.92.",
            "GitHub Copilot CLI 1.0.102.",
            "does not name a subagent that starts",
        ),
        (
            "openclaw",
            "openclaw",
            "OpenClaw 2026.9.5 (abc)",
            "OpenClaw 2026.9.6 (abc)",
            "ends every turn that is sent back with an error of its own",
        ),
    ] {
        let context = context();
        set_program(&context, program, faulty);
        let said = context.attest(["install", "--host", host]);
        assert!(said.assert_success().stdout.contains(words), "{host}");
        let own = checks(&doctor(&context).assert_failure(), host);
        assert_says(&own, "fail", words);
        set_program(&context, program, mended);
        let own = checks(&doctor(&context), host);
        assert!(
            !own.iter().any(|(_, detail)| detail.contains(words)),
            "{own:#?}"
        );
    }
}

/// As Copilot CLI 1.0.92 sends it: the start has no id of the agent, and the stop has one.
#[test]
fn a_host_that_names_no_agent_is_said_to_be_blind_after_its_first_stop() {
    for (is_named, stops) in [(false, 1), (true, 2)] {
        let context = context();
        let repo = context.repository("repo", &[("a.py", "1")]);
        context
            .attest(["install", "--host", "copilot"])
            .assert_success();
        let mut hook = serde_json::json!({
            "sessionId": "s", "timestamp": 1, "cwd": repo, "transcriptPath": "/e",
            "agentName": "task",
        });
        let run = |verb: &str, payload: &Value| {
            let words = ["hook", verb, "--harness", "copilot"];
            let printed = context.attest_with_input(words, payload.to_string().as_bytes());
            printed.assert_success()
        };
        for id in 0..stops {
            hook["agentId"] = format!("a{id}").into();
            let mut start = hook.clone();
            if !is_named {
                start.as_object_mut().unwrap().remove("agentId");
            }
            run("start", &start);
            let mut stop = hook.clone();
            stop["response"] = "Status: DONE\nFiles changed: a.py".into();
            stop["stopReason"] = "end_turn".into();
            run("stop", &stop);
        }
        let printed = context.attest(["doctor"]);
        let words = printed
            .stdout
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let blind = "Copilot CLI does not name the agents that start";
        assert_eq!(words.contains(blind), !is_named, "{words}");
        let unread = "none judged, because no start of an agent was seen";
        assert_eq!(words.contains(unread), !is_named, "{words}");
        assert!(!words.contains("ask your agents for one"), "{words}");
        assert_eq!(printed.code == Some(0), is_named, "{words}");
    }
}

/// The hash is the one that Codex 0.169.0 computes; see the module that does it here.
fn trust(context: &TestContext, events: &[(&str, &str, u32)]) {
    use sha2::{Digest as _, Sha256};
    let file = attest_snapshot::canonical(&context.home().join(".codex/hooks.json")).unwrap();
    let tables = events.iter().map(|(event, verb, timeout)| {
        let command = format!("'{BINARY}' hook {verb} --harness codex || true");
        let hook = serde_json::json!({"event_name": event, "hooks": [
            {"async": false, "command": command, "timeout": timeout, "type": "command"}]});
        let digest = Sha256::digest(hook.to_string());
        let digits: Vec<_> = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let digest = digits.concat();
        let file = file.display();
        format!("[hooks.state.\"{file}:{event}:0:0\"]\ntrusted_hash = \"sha256:{digest}\"\n")
    });
    let config = context.home().join(".codex/config.toml");
    fs::write(config, tables.collect::<String>()).unwrap();
}

#[test]
fn hooks_that_codex_skips_are_said_until_the_person_trusts_them() {
    let context = context();
    context
        .attest(["install", "--host", "codex"])
        .assert_success();
    let printed = doctor(&context).assert_failure();
    let own = checks(&printed, "codex");
    let all = "skips the hooks for SessionStart";
    assert!(!own.iter().any(|(_, detail)| detail.contains(all)));
    assert_says(&own, "fail", "they are not trusted");
    assert!(printed.stdout.contains("open /hooks and trust them"));
    let stop = [
        ("subagent_start", "start", 15),
        ("subagent_stop", "stop", 30),
        ("stop", "session-stop", 30),
    ];
    trust(&context, &stop);
    let own = checks(&doctor(&context).assert_failure(), "codex");
    assert_says(
        &own,
        "fail",
        "skips the hooks for UserPromptSubmit: they are",
    );
    trust(
        &context,
        &[&stop[..], &[("user_prompt_submit", "prompt", 15)]].concat(),
    );
    doctor(&context).assert_success();
}

#[test]
fn a_plugin_that_openclaw_tells_nothing_is_said_until_the_person_lets_it_see() {
    let context = context();
    context
        .attest(["install", "--host", "openclaw"])
        .assert_success();
    let config = context.home().join(".openclaw/openclaw.json");
    let refused = "{ plugins: { entries: { attest: { enabled: true } } } } // as the host made it";
    fs::write(&config, refused).unwrap();
    let printed = doctor(&context).assert_failure();
    let own = checks(&printed, "openclaw");
    let words =
        "skips the hooks for before_prompt_build, before_agent_finalize: they are not trusted";
    assert_says(&own, "fail", words);
    assert!(
        printed
            .stdout
            .contains("openclaw config set plugins.entries.attest")
    );
    let allowed = refused.replace("true", "true, hooks: { allowConversationAccess: true }");
    fs::write(&config, allowed).unwrap();
    let own = checks(&doctor(&context).assert_success(), "openclaw");
    assert!(!own.iter().any(|(status, _)| status == "fail"), "{own:#?}");
}

#[test]
fn hooks_that_would_run_twice_are_said() {
    let context = context();
    let repo = context.repository("repo", &[("a.py", "1")]);
    let at = |folder: &Path, words: &[&str]| {
        let mut attest = context.command(BINARY);
        attest.current_dir(folder).args(words);
        Printed::of(attest.output().unwrap())
    };
    at(&repo, &["install", "--host", "cursor"]).assert_success();
    let none = at(&repo, &["doctor", "--json"]).assert_success();
    assert_eq!(checks(&none, "hooks"), []);
    // The files of a person and of a project.
    at(&repo, &["install", "--host", "cursor", "--project"]).assert_success();
    let both = at(&repo, &["doctor", "--json"]).assert_success();
    assert_says(&checks(&both, "hooks"), "warn", "Cursor runs the hooks of");
    at(&repo, &["uninstall", "--host", "cursor", "--project"]).assert_success();
    // The files of another host.
    at(&repo, &["install"]).assert_success();
    let borrowed = at(&repo, &["doctor", "--json"]).assert_success();
    assert_says(
        &checks(&borrowed, "hooks"),
        "warn",
        "Cursor runs the hooks of",
    );
    at(&repo, &["uninstall", "--host", "cursor"]).assert_success();
    let one = at(&repo, &["doctor", "--json"]).assert_success();
    assert!(!one.stdout.contains("each of them twice"), "{one:?}");
}

/// Without its configuration, OpenClaw has allowed the plugin nothing.
#[test]
fn openclaw_without_a_configuration_hands_on_nothing() {
    let mut context = TestContext::new();
    context
        .attest(["install", "--host", "openclaw"])
        .assert_success();
    let is_refused = |context: &TestContext| {
        let printed = context.attest(["doctor", "--json"]).stdout;
        printed.contains("OpenClaw skips the hooks for before_prompt_build")
    };
    assert!(is_refused(&context));
    let allowed = "{plugins: {entries: {attest: {hooks: {allowConversationAccess: true}}}}}";
    let elsewhere = context.folder().join("elsewhere.json");
    fs::write(&elsewhere, allowed).unwrap();
    context.set("OPENCLAW_CONFIG_PATH", &elsewhere);
    assert!(!is_refused(&context));
    context.set("OPENCLAW_CONFIG_PATH", context.folder().join("none.json"));
    assert!(is_refused(&context));
}
