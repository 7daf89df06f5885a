//! The command below a notice, typed as it stands, has what the notice is about, wherever it is typed.

use std::path::Path;

use crate::common::agent::{Agent, done, hook, told_person};
use crate::common::{BINARY, Printed, TestContext};

/// What the command of a notice prints in a folder.
fn typed_in(context: &TestContext, folder: &Path) -> String {
    let notice = told_person(context).unwrap();
    let (_, typed) = notice.split_once("More: attest ").unwrap();
    run_in(context, folder, typed)
}

fn run_in(context: &TestContext, folder: &Path, typed: &str) -> String {
    let mut command = context.command(BINARY);
    let output = command.args(typed.split(' ')).current_dir(folder);
    Printed::of(output.output().unwrap())
        .assert_success()
        .stdout
}

#[test]
fn a_session_is_listed_from_any_repository() {
    let context = TestContext::new();
    let [here, there] = ["here", "there"].map(|name| context.repository(name, &[("a.py", "1")]));
    let agent = Agent::new("a1", &there);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py"));
    let listed = typed_in(&context, &here);
    assert!(listed.contains("ghost.py"), "{listed}");
    // Whoever names a repository means it.
    let here = here.to_str().unwrap();
    let narrowed = ["log", "--session", "session-1", "--repository", here];
    let narrowed = context.attest(narrowed).assert_success().stdout;
    assert!(!narrowed.contains("ghost.py"), "{narrowed}");
}

#[test]
fn a_verdict_without_a_repository_is_listed_by_its_session() {
    let context = TestContext::new();
    let here = context.repository("here", &[("a.py", "1")]);
    Agent::new("a1", &here).stop(&context, &done("ghost.py"));
    let listed = run_in(&context, &here, "log --session session-1");
    assert!(listed.contains("NO_SNAPSHOT"), "{listed}");
}

#[test]
fn an_agent_that_died_is_listed_by_the_command_that_is_named() {
    let context = TestContext::new();
    let here = context.repository("here", &[("a.py", "1")]);
    let agent = Agent::new("a1", &here);
    agent.start(&context);
    let mut death = agent.start_payload();
    death["hook_event_name"] = "StopFailure".into();
    death["error"] = "overloaded".into();
    hook(&context, "failed", &death);
    let listed = typed_in(&context, &here);
    assert!(listed.contains("died"), "{listed}");
}
