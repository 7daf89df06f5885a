//! What commands print as JSON, checked against the schemas that others build on.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use attest_made_history::{Plan, make};
use attest_verdict::{Fate, Finding, Outcome, ReasonCode};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::common::agent::Agent;
use crate::common::{BINARY, Printed, TestContext};

const TOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schemas");

fn schema(name: &str) -> Value {
    let file = Path::new(TOP).join(format!("{name}.json"));
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// The schema for those who print: it lets no key through that it does not name.
fn strict(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(object) => {
            for (_, part) in object.iter_mut() {
                *part = strict(part.take());
            }
            if object.contains_key("properties") {
                object.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Value::Array(parts) => {
            for part in parts {
                *part = strict(part.take());
            }
        }
        _ => {}
    }
    schema
}

#[track_caller]
fn assert_valid(name: &str, printed: &Value) {
    let validator = jsonschema::validator_for(&strict(schema(name))).unwrap();
    let faults: Vec<_> = validator
        .iter_errors(printed)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{name}: {faults:#?}");
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn every_file_is_a_schema_of_this_version() {
    let mut count = 0;
    for entry in fs::read_dir(TOP).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "json") {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let schema = schema(name);
            jsonschema::meta::validate(&schema).unwrap();
            // What is written for other programs than a person's own counts its versions itself.
            if !["ci", "record"].contains(&name) {
                assert_eq!(schema["$id"], format!("attest/1/{name}.json"));
            }
            count += 1;
        }
    }
    assert_eq!(count, 14);
}

/// Whoever gives a word another name breaks what others have built.
#[test]
fn the_words_of_the_schemas_are_those_of_the_program() {
    fn words(all: impl IntoIterator<Item = &'static str>) -> BTreeSet<String> {
        all.into_iter().map(str::to_owned).collect()
    }
    let known = [
        ("outcome", words(Outcome::ALL.map(Outcome::as_str))),
        ("reason", words(ReasonCode::ALL.map(ReasonCode::as_str))),
        ("finding", words(Finding::ALL.map(Finding::as_str))),
        ("fate", words(Fate::ALL.map(Fate::as_str))),
    ];
    let mut count = 0;
    for name in ["show", "agents", "verify"] {
        let schema = schema(name);
        for (what, expected) in &known {
            if let Some(listed) = schema["$defs"][what]["enum"].as_array() {
                let listed: BTreeSet<_> = listed
                    .iter()
                    .map(|word| word.as_str().unwrap().to_owned())
                    .collect();
                let differ: Vec<_> = listed.symmetric_difference(expected).collect();
                assert!(
                    differ.is_empty(),
                    "docs/schemas/{name}.json, {what}: {differ:?}"
                );
                count += 1;
            }
        }
    }
    assert!(count > 5, "{count}");
}

#[test]
fn what_is_printed_of_the_history_has_its_schema() {
    let context = TestContext::new();
    let state = context.home().join(".attest/state.db");
    make(&state, &Plan::new(&state, 1000, Timestamp::now())).unwrap();
    let printed = |words: &[&str]| context.attest(words).assert_success().stdout;
    let mut shown = BTreeSet::new();
    for line in printed(&["log", "--all", "--json"]).lines() {
        let entry = parsed(line);
        assert_valid("record", &entry);
        // One of each kind.
        let kind = [&entry["outcome"], &entry["reason"]].map(ToString::to_string);
        if shown.insert(kind) {
            let id = entry["id"].as_str().unwrap();
            assert_valid("show", &parsed(&printed(&["show", id, "--json"])));
        }
    }
    assert!(shown.len() > 8, "{shown:?}");
    for by in [
        "type",
        "repository",
        "host",
        "day",
        "week",
        "reason",
        "claim",
    ] {
        let counts = printed(&["stats", "--all", "--since", "7d", "--by", by, "--json"]);
        assert_valid("stats", &parsed(&counts));
    }
    assert_valid("agents", &parsed(&printed(&["agents", "--all", "--json"])));
    assert_valid(
        "explain",
        &parsed(&printed(&["explain", "--list", "--json"])),
    );
    assert_valid("audit", &parsed(&printed(&["audit", "--json"])));
    let doctor = context.attest(["doctor", "--json"]);
    assert_valid("doctor", &parsed(&doctor.stdout));
    let failed = context
        .attest(["snapshot", "--repo", "no-such", "--json"])
        .assert_failure();
    assert_valid("error", &parsed(&failed.stderr));
}

#[test]
fn what_is_printed_of_a_report_has_its_schema() {
    let context = TestContext::new();
    let repository = context.repository("repo", &[("a.py", "1\n")]);
    let file = |name: &str| context.home().join(name).to_str().unwrap().to_owned();
    let run = |words: &[&str]| {
        let mut command = context.command(BINARY);
        Printed::of(
            command
                .current_dir(&repository)
                .args(words)
                .output()
                .unwrap(),
        )
    };
    let snapshot = run(&["snapshot", "--json"]).stdout;
    assert_valid("snapshot", &parsed(&snapshot));
    fs::write(file("before.json"), &snapshot).unwrap();
    fs::write(repository.join("b.py"), "2\n").unwrap();
    let report = "Status: DONE\nFiles changed:\n- b.py\n- ghost.py\n- *.rs\n- c.py — in the stash\n\
                  Commit: 47d0420\nTests: cargo test (42 passed)\n";
    fs::write(file("report.md"), report).unwrap();
    let (claim, before) = (file("report.md"), file("before.json"));
    let verified = run(&[
        "verify",
        "--claim-file",
        &claim,
        "--before",
        &before,
        "--json",
    ]);
    assert_valid("verify", &parsed(&verified.stdout));
    assert_valid("claim", &parsed(&run(&["claim", &claim, "--json"]).stdout));
    fs::create_dir(repository.join(".attest")).unwrap();
    let criteria = "base_case:\n  checklist:\n    \
                    - {item: good, check: {type: command, value: 'true'}}\n    \
                    - {item: bad, check: {type: command, value: 'false'}}\n";
    fs::write(repository.join(".attest/criteria.yaml"), criteria).unwrap();
    let checked = run(&["check", "--yes", "--json"]);
    assert_valid("check", &parsed(&checked.stdout));
    let agent = Agent::new("a1", &repository);
    agent.start(&context);
    agent.stop(&context, report);
    let shown = context.attest(["show", "a1", "--json"]).assert_success();
    assert_valid("show", &parsed(&shown.stdout));
}

/// What an editor says of `~/.attest/settings.toml` is what attest says of it.
#[test]
fn the_schema_of_the_settings_knows_what_attest_knows() {
    let validator = jsonschema::validator_for(&schema("settings")).unwrap();
    let context = TestContext::new();
    let path = context.home().join(".attest/settings.toml");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let is_known = |text: &str| {
        fs::write(&path, text).unwrap();
        let warnings = context.attest(["log"]).stderr;
        let value: Value =
            serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap();
        let (by_schema, by_attest) = (
            validator.is_valid(&value),
            !warnings.contains("settings.toml: "),
        );
        assert_eq!(by_schema, by_attest, "{text}: {warnings}");
        by_schema
    };
    let pages = context.explained();
    let variables = pages.iter().filter(|page| page["kind"] == "variable");
    let variables = variables.map(|page| page["word"].as_str().unwrap());
    let own: Vec<_> = variables.filter(|it| it.starts_with("ATTEST_")).collect();
    assert_eq!(own.len(), 19);
    for name in own {
        let value = if name == "ATTEST_LOG" {
            "'info'"
        } else {
            "'1'"
        };
        assert!(is_known(&format!("{name} = {value}\n")), "{name}");
        assert!(is_known(&format!("[codex]\n{name} = {value}\n")), "{name}");
    }
    for host in attest_host::hosts::ALL {
        let name = host.name();
        assert!(
            is_known(&format!("[{name}]\nATTEST_ENFORCE = 1\n")),
            "{name}"
        );
    }
    for (text, is_right) in [
        (
            "ATTEST_ENFORCE = true\n[kilo]\nATTEST_MAX_RETRIES = 2\n",
            true,
        ),
        ("[export]\nfile = '/a'\nlevel = 'counts'\n", true),
        ("ATTEST_ENFROCE = 1\n", false),
        ("[codx]\nATTEST_ENFORCE = 1\n", false),
        ("PATH = 'x'\n", false),
        ("[export]\nfiles = '/a'\n", false),
        ("ATTEST_STRICT = ['dirty']\n", false),
    ] {
        assert_eq!(is_known(text), is_right, "{text}");
    }
}
