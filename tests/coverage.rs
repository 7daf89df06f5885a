//! How much of what agents report can be judged, with and without asking them for it.

use std::fs;

use serde_json::{Value, json};

use crate::common::TestContext;
#[cfg(unix)]
use crate::common::agent::told_person;
use crate::common::agent::{Agent, done, hook};

/// An agent that is asked for a report or not, and what it ends with.
fn run(context: &mut TestContext, id: &str, is_asked: bool, report: &str) {
    let repo = context.folder().join("repo");
    context.set("ATTEST_ASK", if is_asked { "1" } else { "0" });
    let agent = Agent::new(id, &repo);
    hook(context, "start", &agent.start_payload());
    fs::write(repo.join("a.py"), id).unwrap();
    agent.stop(context, report);
}

fn history() -> TestContext {
    let mut context = TestContext::new();
    context.repository("repo", &[("a.py", "one\n")]);
    let clean = "Status: DONE\nFiles changed: a.py\nWorking tree: clean\n";
    run(&mut context, "a1", true, clean);
    run(&mut context, "a2", true, &done("a.py"));
    run(
        &mut context,
        "a3",
        false,
        "I looked at all of it, and it is fine.",
    );
    run(&mut context, "a4", false, &done("src/*.py"));
    run(&mut context, "a5", false, &done("a.py"));
    context
}

#[test]
fn the_share_of_stops_is_counted_by_kind_and_by_whether_agents_were_asked() {
    let context = history();
    let stats = context
        .attest(["stats", "--all", "--json"])
        .assert_success();
    let stats: Value = serde_json::from_str(&stats.stdout).unwrap();
    let coverage = &stats[0]["coverage"];
    assert_eq!(
        coverage["all"],
        json!({"stops": 5, "claims": 4, "judged": 3})
    );
    assert_eq!(
        coverage["asked"],
        json!({"stops": 2, "claims": 2, "judged": 2})
    );
    assert_eq!(
        coverage["not_asked"],
        json!({"stops": 3, "claims": 2, "judged": 1})
    );
    assert_eq!(coverage["kinds"]["files"], 3);
    assert_eq!(coverage["kinds"]["tree"], 1);
    assert_eq!(coverage["kinds"]["commits"], 0);
    let shown = context.attest(["stats", "--all"]).assert_success().stdout;
    let sentence = "agents that were asked for a report claimed something in 2 of 2 stops, and in 2 of 3 stops of those that were not";
    assert!(shown.contains(sentence), "{shown}");
    assert!(!shown.contains("no claim in"), "{shown}");
    let sentence = "could be judged at 3 of 5 stops (60%): files at 60%, tree at 20%";
    assert!(shown.contains(sentence), "{shown}");
}

/// One that is resumed was asked at its first start.
#[test]
fn an_agent_that_is_resumed_stays_asked() {
    let mut context = TestContext::new();
    context.repository("repo", &[("a.py", "one\n")]);
    run(&mut context, "a1", true, &done("a.py"));
    run(&mut context, "a1", false, &done("a.py"));
    let stats = context
        .attest(["stats", "--all", "--json"])
        .assert_success();
    let stats: Value = serde_json::from_str(&stats.stdout).unwrap();
    assert_eq!(stats[0]["coverage"]["asked"]["stops"], 2, "{stats}");
}

#[cfg(unix)]
#[test]
fn the_sessions_message_says_of_how_many_agents_nothing_could_be_judged() {
    let mut context = TestContext::new();
    context.repository("repo", &[("a.py", "one\n")]);
    for (id, report) in [
        ("a1", &*done("a.py")),
        ("a2", "It is fine."),
        ("a3", "Done."),
    ] {
        run(&mut context, id, false, report);
    }
    assert_eq!(
        told_person(&context),
        None,
        "where all holds, nothing is said"
    );
    run(&mut context, "a6", false, &done("a.py, ghost.py"));
    let told = told_person(&context).unwrap();
    assert!(
        told.starts_with(
            "attest: 2 agents checked, 2 with nothing to judge, 1 with something to look at when it stopped:"
        ),
        "{told}"
    );
    run(&mut context, "a7", false, &done("a.py, other.py"));
    let told = told_person(&context).unwrap();
    assert!(
        told.starts_with("attest: 1 agent checked, 1 with something to look at when it stopped:"),
        "{told}"
    );
}
