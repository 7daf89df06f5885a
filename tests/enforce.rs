//! `attest enforce`: blocking is turned on and off in the settings file, and nothing else is.

use std::fs;
use std::path::PathBuf;

use crate::common::TestContext;

fn settings(context: &TestContext) -> PathBuf {
    context.home().join(".claude/settings.json")
}

#[test]
fn enforcement_is_turned_on_for_one_type_for_all_and_off_again() {
    let context = TestContext::new();
    context.attest(["install"]).assert_success();
    let installed = fs::read_to_string(settings(&context)).unwrap();
    let run = |arguments: &[&str]| {
        let arguments = ["enforce"].iter().chain(arguments);
        let printed = context.attest(arguments).assert_success();
        (
            printed.stdout,
            fs::read_to_string(settings(&context)).unwrap(),
        )
    };
    let (said, same) = run(&["on", "--dry-run"]);
    assert!(
        said.contains('+') && said.ends_with("would be on for every type of agent\n"),
        "{said}"
    );
    assert_eq!(same, installed, "a dry run changes nothing");
    let (said, one) = run(&["on", "--agent", "Explore"]);
    assert!(said.contains("+    \"ATTEST_ENFORCE\": \"1\""), "{said}");
    assert!(
        said.contains("backup: ") && said.ends_with("enforcement is on for Explore\n"),
        "{said}"
    );
    assert!(
        one.contains("\"ATTEST_ENFORCE_AGENTS\": \"Explore\""),
        "{one}"
    );
    let (_, two) = run(&["on", "--agent", "general-purpose"]);
    assert!(two.contains("\"Explore,general-purpose\""), "{two}");
    let (said, all) = run(&["on"]);
    assert!(
        said.ends_with("enforcement is on for every type of agent\n"),
        "{said}"
    );
    assert!(!all.contains("ATTEST_ENFORCE_AGENTS"), "{all}");
    let (said, again) = run(&["on"]);
    assert_eq!(
        (said.as_str(), &again),
        ("enforcement is on for every type of agent\n", &all)
    );
    let (_, off) = run(&["off"]);
    assert_eq!(off, installed, "what was there comes back");
}

#[test]
fn what_cannot_be_done_is_said() {
    let context = TestContext::new();
    let printed = context.attest(["enforce", "on"]).assert_success();
    assert!(
        printed.stderr.contains("run `attest install`"),
        "{printed:?}"
    );
    let printed = context
        .attest(["enforce", "off", "--agent", "Explore"])
        .assert_failure();
    assert!(
        printed.stderr.contains("hint: `attest enforce off`"),
        "{printed:?}"
    );
    assert_eq!(
        context.attest(["enforce", "on", "--agent", "a,b"]).code,
        Some(2)
    );
    fs::write(settings(&context), "{\"env\": []}").unwrap();
    let printed = context.attest(["enforce", "on"]).assert_failure();
    assert!(
        printed.stderr.contains("`env` must be an object"),
        "{printed:?}"
    );
    assert_eq!(
        fs::read_to_string(settings(&context)).unwrap(),
        "{\"env\": []}"
    );
}

/// What enforcement in the environment says is overruled, not left in force.
#[test]
fn off_means_off_whatever_the_environment_says() {
    let mut context = TestContext::enforcing();
    context.attest(["enforce", "off"]).assert_success();
    let text = fs::read_to_string(settings(&context)).unwrap();
    assert!(text.contains("\"ATTEST_ENFORCE\": \"0\""), "{text}");
    context.unset("ATTEST_ENFORCE");
    context.attest(["enforce", "off"]).assert_success();
    let text = fs::read_to_string(settings(&context)).unwrap();
    assert!(!text.contains("ATTEST_ENFORCE"), "{text}");
}
