//! What a person trusts: a content, in a place, that is the person's own.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{attest, folder};
use crate::common::agent::{Agent, done};
use crate::common::terminal::Terminal;
use crate::common::{BINARY, Printed, TestContext};

const CRITERIA: &str = "base_case: {type: command, value: touch ran}";

#[test]
fn an_untrusted_file_runs_nothing_and_says_how_to_look_at_it() {
    let context = TestContext::new();
    let work = folder(&context, CRITERIA);
    let refused = attest(&context, &work, &["check"]).assert_failure();
    assert_eq!(refused.stdout, "");
    insta::assert_snapshot!(context.named(&refused.stderr), @r#"
    error: "[FOLDER]/work/.attest/criteria.yaml" is not trusted here, and its content may run commands
    hint: see what it runs with `attest trust --show [FOLDER]/work/.attest/criteria.yaml`, allow it with `attest trust [FOLDER]/work/.attest/criteria.yaml`, or run it this once with --yes
    "#);
    assert!(!work.join("ran").exists());
    let machine = attest(&context, &work, &["check", "--json"]).assert_failure();
    let error: Value = serde_json::from_str(&machine.stderr).unwrap();
    assert!(
        error["error"]
            .as_str()
            .unwrap()
            .contains("is not trusted here")
    );
    let shown = attest(&context, &work, &["trust", "--show"]).assert_success();
    assert!(
        shown.stdout.ends_with("  base_case: touch ran\n"),
        "{shown:?}"
    );
    attest(&context, &work, &["check"]).assert_failure();
}

#[test]
fn trust_is_for_a_content() {
    let context = TestContext::new();
    let work = folder(&context, CRITERIA);
    attest(&context, &work, &["trust"]).assert_success();
    attest(&context, &work, &["check"]).assert_success();
    assert!(work.join("ran").exists());
    folder(&context, "base_case: {type: command, value: touch other}");
    attest(&context, &work, &["check"]).assert_failure();
    assert!(!work.join("other").exists());
    folder(&context, CRITERIA);
    attest(&context, &work, &["check"]).assert_success();
}

#[test]
fn what_trust_does_not_cover_is_shown_before() {
    let context = TestContext::new();
    let work = folder(
        &context,
        "base_case: {checklist: [
           {item: built, check: {type: command, value: make test}},
           {item: read, check: {type: command, value: grep -q x README.md}}]}",
    );
    let shown = attest(&context, &work, &["trust", "--show"]).assert_success();
    insta::assert_snapshot!(context.named(&shown.stdout), @r"
    [FOLDER]/work/.attest/criteria.yaml
      built: make test
      read: grep -q x README.md
      not covered: `make test` runs the Makefile, which can change without asking again
    ");
    let terminal = Terminal::open();
    at(&terminal, &context, &work, "n\n");
    // What was typed comes back first.
    let mut shown = terminal.shown();
    while !shown.contains("[y/N]") {
        shown.push_str(&terminal.shown());
    }
    assert!(
        shown.contains("not covered: `make test` runs the Makefile"),
        "{shown}"
    );
}

/// Every repository with a Makefile gets the same file from `attest check --init`.
#[test]
fn trust_is_for_a_place() {
    let context = TestContext::new();
    let files = [("Makefile", "test:\n\ttouch ran\n")];
    let [mine, strangers] = ["mine", "strangers"].map(|name| context.repository(name, &files));
    for repository in [&mine, &strangers] {
        attest(&context, repository, &["check", "--init"]).assert_success();
    }
    attest(&context, &mine, &["trust"]).assert_success();
    let refused = attest(&context, &strangers, &["check"]).assert_failure();
    assert!(
        refused.stderr.contains("is not trusted here"),
        "{refused:?}"
    );
    assert!(!strangers.join("ran").exists());
    // Neither for the same file, named from elsewhere.
    let named = mine.join(".attest/criteria.yaml");
    let copy = mine.join("copy.yaml");
    fs::copy(named, &copy).unwrap();
    attest(&context, &mine, &["trust", "copy.yaml"]).assert_success();
    let copy = copy.to_str().unwrap();
    attest(&context, &strangers, &["check", copy]).assert_failure();
    assert!(!strangers.join("ran").exists());
    // What was moved is asked about again.
    let moved = context.folder().join("moved");
    fs::rename(&mine, &moved).unwrap();
    attest(&context, &moved, &["check"]).assert_failure();
}

#[test]
fn trust_holds_in_every_work_tree_of_the_repository() {
    let context = TestContext::new();
    let main = context.repository("main", &[(".attest/criteria.yaml", CRITERIA)]);
    let linked = context.folder().join("linked");
    let name = linked.to_str().unwrap();
    context
        .git(&main, &["worktree", "add", "--quiet", name])
        .assert_success();
    attest(&context, &linked, &["trust"]).assert_success();
    attest(&context, &main, &["check"]).assert_success();
    attest(&context, &linked, &["check"]).assert_success();
    assert!(main.join("ran").exists() && linked.join("ran").exists());
    let elsewhere = folder(&context, CRITERIA);
    fs::copy(linked.join(".git"), elsewhere.join(".git")).unwrap();
    attest(&context, &elsewhere, &["check"]).assert_failure();
    assert!(!elsewhere.join("ran").exists(), "it only says so");
}

/// Gives a file or folder to somebody else, which only the administrator can.
fn give_away(path: &Path) {
    std::os::unix::fs::chown(path, Some(65_534), None).unwrap();
}

#[attest_needs::needs(root)]
#[test]
fn what_somebody_else_owns_is_never_trusted() {
    for name in ["", ".attest", ".attest/criteria.yaml", ".git"] {
        let mut context = TestContext::new();
        context.set("ATTEST_CHECK", "1");
        let work = context.repository(
            "work",
            &[("a.py", "1\n"), (".attest/criteria.yaml", CRITERIA)],
        );
        attest(&context, &work, &["trust"]).assert_success();
        give_away(&work.join(name));
        for command in ["trust", "check"] {
            let refused = attest(&context, &work, &[command]).assert_failure();
            assert!(
                refused.stderr.contains("belongs to another user"),
                "{name:?}: {refused:?}"
            );
        }
        // git itself reads no repository of another owner, so that there is nothing to check.
        if name.starts_with(".attest") {
            let agent = Agent::new("a1", &work);
            agent.start(&context);
            fs::write(work.join("a.py"), "2\n").unwrap();
            agent.stop(&context, &done("a.py"));
            let log = fs::read_to_string(context.home().join(".attest/attest.log")).unwrap();
            assert!(log.contains("CRITERIA_FOREIGN"), "{log}");
        }
        assert!(!work.join("ran").exists(), "{name:?}");
        attest(&context, &work, &["check", "--yes"]).assert_success();
    }
}

#[test]
fn yes_runs_once_and_remembers_nothing() {
    let context = TestContext::new();
    let work = folder(&context, CRITERIA);
    attest(&context, &work, &["check", "--yes"]).assert_success();
    assert!(!context.home().join(".attest").exists());
    attest(&context, &work, &["check"]).assert_failure();
}

/// Runs attest on a terminal at which a person has typed `answer`.
fn at_a_terminal(context: &TestContext, folder: &Path, answer: &str) -> Printed {
    at(&Terminal::open(), context, folder, answer)
}

fn at(terminal: &Terminal, context: &TestContext, folder: &Path, answer: &str) -> Printed {
    terminal.type_in(answer);
    let mut command = context.command(BINARY);
    command.current_dir(folder).arg("check");
    command.stdin(terminal.end()).stderr(terminal.end());
    Printed::of(command.output().unwrap())
}

#[test]
fn a_person_at_a_terminal_is_asked_once_for_every_content() {
    let context = TestContext::new();
    let work = folder(&context, CRITERIA);
    let refused = at_a_terminal(&context, &work, "n\n");
    assert_eq!((refused.code, work.join("ran").exists()), (Some(1), false));
    let allowed = at_a_terminal(&context, &work, "y\n");
    assert_eq!((allowed.code, work.join("ran").exists()), (Some(0), true));
    assert!(allowed.stdout.contains("passed: 1 of 1"), "{allowed:?}");
    assert_eq!(at_a_terminal(&context, &work, "").code, Some(0));
    folder(&context, "base_case: {type: command, value: 'false'}");
    assert_eq!(at_a_terminal(&context, &work, "\n").code, Some(1));
}

#[test]
fn a_command_cannot_paint_over_itself() {
    let context = TestContext::new();
    let work = folder(
        &context,
        r#"base_case: {type: command, value: "rm x\u001b[2K\rls"}"#,
    );
    let shown = attest(&context, &work, &["trust", "--show"]).assert_success();
    assert!(
        !shown.stdout.contains('\u{1b}') && shown.stdout.contains("rm x"),
        "{shown:?}"
    );
}
