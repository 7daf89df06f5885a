//! `attest status`: one screen for whoever asks what goes on.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::agent::{Agent, done};
use crate::common::{BINARY, Printed, TestContext};

fn status_in(context: &TestContext, folder: &Path) -> Printed {
    let mut command = context.command(BINARY);
    let output = command.arg("status").current_dir(folder).output().unwrap();
    Printed::of(output).assert_success()
}

/// A repository and a context in which one agent has stopped.
fn world() -> (TestContext, PathBuf) {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    context.attest(["install", "--no-ask"]).assert_success();
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py"));
    (context, repo)
}

/// Every page has the same number of what could be judged.
#[test]
fn verified_is_only_what_could_be_judged() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    for (name, file, report) in [
        ("a1", None, "Status: DONE"),
        ("a2", None, "Status: BLOCKED"),
        ("a3", Some("b.py"), "Status: DONE\nFiles changed: b.py"),
    ] {
        let agent = Agent::new(name, &repo);
        agent.start(&context);
        if let Some(file) = file {
            fs::write(repo.join(file), "2").unwrap();
        }
        agent.stop(&context, report);
    }
    let said = status_in(&context, &repo).stdout;
    let line = "attest: 1 verified, 2 with nothing to judge and 0 false today";
    assert!(said.contains(line), "{said}");
    let stats = context.attest(["stats", "--all"]).assert_success().stdout;
    let share = "could be judged at 1 of 3 stops (33%)";
    assert!(stats.contains(share), "{stats}");
    let report = context.attest(["report", "--all", "-"]).assert_success();
    assert!(
        report.stdout.contains(": 1 of 3</title>"),
        "{}",
        report.stdout
    );
    assert!(
        !report.stdout.contains(": 3 of 3</title>"),
        "{}",
        report.stdout
    );
}

#[test]
fn it_says_what_is_in_force_and_what_came_of_it_on_one_screen() {
    let (context, repo) = world();
    let said = status_in(&context, &repo).stdout;
    for line in [
        "Claude Code: enforcement is off: nothing is blocked, only reported; new subagents are not asked",
        "attest: 0 verified and 1 false today",
        "MISMATCH",
    ] {
        assert!(said.contains(line), "{said}");
    }
    context.attest(["enforce", "on"]).assert_success();
    context.attest(["ask", "on"]).assert_success();
    context
        .attest(["install", "--host", "codex"])
        .assert_success();
    context.attest(["ask", "off"]).assert_success();
    for number in 0..8 {
        let agent = Agent::new(&format!("more{number}"), &repo);
        agent.start(&context);
        agent.stop(&context, "nothing");
    }
    context.attest(["ask", "on"]).assert_success();
    let said = status_in(&context, &repo).stdout;
    for line in [
        "Claude Code: enforcement is on for every type of agent; new subagents are asked for a report",
        "Codex: enforcement is off",
    ] {
        assert!(said.contains(line), "{said}");
    }
    assert_eq!(said.matches("NO_CLAIM").count(), 5, "{said}");
    assert!(said.lines().count() <= 24, "{said}");
}

#[test]
fn what_keeps_it_from_working_is_said_with_what_to_do() {
    let context = TestContext::new();
    let folder = context.home().to_owned();
    let said = status_in(&context, &folder).stdout;
    assert!(
        said.contains("no hooks of attest in its settings; `attest install` adds"),
        "{said}"
    );
    assert!(said.contains("no verdict is recorded here yet"), "{said}");
    // A command is named only where it has something to say.
    assert!(!said.contains("attest explain"), "{said}");
    context.attest(["install"]).assert_success();
    assert_eq!(status_in(&context, &folder).stderr, "");
    context.attest(["off"]).assert_success();
    let printed = status_in(&context, &folder);
    assert!(printed.stderr.contains("run `attest on`"), "{printed:?}");
}

/// A host reads its settings when a session begins; the twin is a session that began later.
#[test]
fn a_session_that_runs_with_older_settings_is_counted() {
    let (context, repo) = world();
    let at_work = Agent::new("a2", &repo);
    at_work.start(&context);
    let older = "1 session began before";
    assert!(!status_in(&context, &repo).stdout.contains(older));
    let settings = context.home().join(".claude/settings.json");
    let same = fs::read(&settings).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    fs::write(&settings, same).unwrap();
    let said = status_in(&context, &repo).stdout;
    assert!(said.contains(older), "{said}");
    assert!(said.contains("settings.json was changed"), "{said}");
    // It ends, and so does what it said.
    let (context, repo) = world();
    std::thread::sleep(std::time::Duration::from_millis(20));
    let settings = context.home().join(".claude/settings.json");
    fs::write(&settings, fs::read(&settings).unwrap()).unwrap();
    let said = status_in(&context, &repo).stdout;
    assert!(!said.contains(older), "{said}");
}
