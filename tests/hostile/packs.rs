//! Packs in which objects are stored as what differs from each other, and nothing is whole: no reader comes to an end
//! that follows them.

use std::fs;

use super::circle;
use super::limited::Limited;
use crate::common::TestContext;
use crate::common::scene::settle;

#[test]
fn a_circle_that_nothing_leads_to_hides_no_ghost() {
    let context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    circle::plant(&root, 3).unwrap();
    settle();
    let liar = Limited::new(&context, &root, "liar");
    liar.start();
    fs::write(root.join("a.py"), "2").unwrap();
    let reason = liar.stop("a.py, ghost.py").assert_blocked();
    assert!(
        reason.contains("ghost.py") && !reason.contains("a.py\""),
        "{reason}"
    );
    fs::write(root.join("a.py"), "1").unwrap();
    let honest = Limited::new(&context, &root, "honest");
    honest.start();
    fs::write(root.join("a.py"), "3").unwrap();
    honest.stop("a.py").assert_allowed("-> OK");
}

/// They may be work, so nothing is missing for certain.
#[test]
fn circles_that_come_while_an_agent_works_cost_no_more_than_the_budget() {
    let context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    for count in [1, 2, 5_000, 19_000] {
        settle();
        let id = format!("agent-{count}");
        let agent = Limited::new(&context, &root, &id);
        agent.start();
        circle::plant(&root, count).unwrap();
        let stop = agent.stop("a.py, ghost.py");
        assert_eq!(stop.block(), None, "{count}");
        let said = stop.0.stderr;
        assert!(said.contains("ghost.py"), "it is told all the same: {said}");
        fs::remove_dir_all(root.join(".git/objects/pack")).unwrap();
    }
}

#[test]
fn a_branch_that_leads_into_a_circle_is_said_to() {
    let context = TestContext::enforcing();
    let root = context.repository("repo", &[("a.py", "1")]);
    settle();
    let agent = Limited::new(&context, &root, "agent");
    agent.start();
    circle::plant(&root, 3).unwrap();
    let name = format!("{}{}", "00".repeat(4), "07".repeat(16));
    fs::write(root.join(".git/refs/heads/main"), format!("{name}\n")).unwrap();
    let stop = agent.stop("ghost.py");
    assert_eq!(stop.block(), None);
    assert!(stop.0.stderr.contains(&name), "{stop:#?}");
}
