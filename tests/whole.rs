//! Whether a report reaches its reader whole: what keeps it from that is told once, to parent and person.

use std::time::Duration;

use serde_json::{Value, json};

use crate::common::agent::{Agent, done, hook, told_person};
use crate::common::in_one_of_some_tries;
use crate::common::lines::Lines;
use crate::common::scene::write;
use crate::common::stage::Stage;

fn stage() -> Stage {
    Stage::new(&[("a.py", "1\n")])
}

/// The person is told the same, and nobody hears it twice.
#[track_caller]
fn assert_told(stage: &Stage, id: &str, told: &str, line: &str) {
    assert_eq!(told, format!("attest: {line}"));
    let person = told_person(&stage.scene.context).unwrap_or_default();
    assert!(person.starts_with(&format!("attest: {line}\n")), "{person}");
    assert_eq!(stage.told_parent(id), "");
    assert_eq!(told_person(&stage.scene.context), None);
}

#[track_caller]
fn assert_silent(stage: &Stage, told: &str) {
    assert_eq!(told, "");
    assert_eq!(told_person(&stage.scene.context), None);
}

/// What was seen of agents that the host has stopped, or that had no turns left: no stop is announced.
#[test]
fn an_agent_that_ends_without_a_report_is_told_of_at_once() {
    let input = json!({"command": "sleep 20"});
    let rejected = "The user doesn't want to proceed with this tool use.";
    let ends = [
        (None, "before any call"),
        (Some(None), "at a call (Bash at "),
        (Some(Some(Err(rejected))), "at a call (Bash at "),
        (Some(Some(Ok("done"))), "at a call (Bash at "),
    ];
    for (call, says) in ends {
        for is_later in [false, true] {
            let stage = stage();
            let mut lines = stage.begin("worker", "Do it.");
            if let Some(result) = call {
                lines.call("Bash", &input, result);
            }
            stage.keep("worker", &lines);
            let told = if is_later {
                stage.told_later("worker", "killed")
            } else {
                stage.told_parent("worker")
            };
            let (begin, end) = (
                "attest: agent worker ended ",
                ", without a report: nothing of its work was checked",
            );
            let how = told.strip_prefix(begin).and_then(|it| it.strip_suffix(end));
            assert!(how.is_some_and(|how| how.starts_with(says)), "{told}");
            assert_told(&stage, "worker", &told, told.trim_start_matches("attest: "));
            let shown = stage
                .scene
                .context
                .attest(["agents", "--json"])
                .assert_success();
            assert!(shown.stdout.contains("\"failure\""), "{}", shown.stdout);
        }
    }
}

/// A host writes late in what an agent ended, or that it did report, and may not have begun to write at all.
#[test]
fn the_end_of_a_transcript_is_waited_for() {
    let input = json!({"command": "sleep 20"});
    for has_begun in [true, false] {
        in_one_of_some_tries(|_| {
            let told = |has_report: bool| {
                let stage = stage();
                let mut lines = stage.begin("worker", "Do it.");
                if has_begun {
                    stage.keep("worker", &lines);
                }
                lines.call("Bash", &input, None);
                if has_report {
                    lines.end("All is well.");
                }
                std::thread::scope(|scope| {
                    let late = scope.spawn(|| stage.told_parent("worker"));
                    std::thread::sleep(Duration::from_millis(60));
                    stage.keep("worker", &lines);
                    late.join().unwrap()
                })
            };
            told(false).contains("at a call (Bash at ") && told(true).is_empty()
        });
    }
}

#[test]
fn an_error_of_the_host_is_told_of() {
    let stage = stage();
    let lines = stage.begin("worker", "Do it.");
    stage.keep("worker", &lines);
    let mut death = Agent::new("worker", &stage.scene.repo).start_payload();
    death["hook_event_name"] = "StopFailure".into();
    death["error"] = "overloaded".into();
    hook(&stage.scene.context, "failed", &death);
    let told = stage.told_parent("worker");
    let line = "agent worker ended in an error of the host (\"overloaded\"), without a report: nothing of its work was \
                checked";
    assert_told(&stage, "worker", &told, line);
}

/// A host that is overloaded ends one after the other.
#[test]
fn many_ends_are_counted() {
    let stage = stage();
    for number in 0..25 {
        let id = format!("w{number}");
        stage.keep(&id, &stage.begin(&id, "Do it."));
        assert_ne!(stage.told_parent(&id), "");
    }
    let person = told_person(&stage.scene.context).unwrap();
    assert_eq!(person.matches("without a report").count(), 20, "{person}");
    assert!(person.contains("\nattest: and 5 more\n"), "{person}");
}

/// The twins: an agent that has stopped, and one that may still be about to.
#[test]
fn an_agent_with_a_report_is_not_told_of() {
    let stage = stage();
    let mut lines = stage.begin("worker", "Do it.");
    lines.bash("true", 0, "");
    let told = stage.stop("worker", lines, "All is well.");
    assert_silent(&stage, &told);
    // Its stop was not seen, and it has said something in the end.
    let mut lines = stage.begin("late", "Do it.");
    lines.bash("true", 0, "");
    lines.end("All is well.");
    stage.keep("late", &lines);
    assert_silent(&stage, &stage.told_later("late", "completed"));
    // Its transcript is not known.
    stage.begin("unknown", "Do it.");
    assert_silent(&stage, &stage.told_later("unknown", "killed"));
}

/// The host ended with the session, which goes on later: no stop and no report of its agents is announced.
#[test]
fn an_agent_that_is_not_listed_where_the_main_agent_stops_is_over() {
    let call = json!({"command": "sleep 20"});
    let started = || {
        let stage = stage();
        let mut lines = stage.begin("worker", "Do it.");
        lines.call("Bash", &call, None);
        stage.keep("worker", &lines);
        stage
    };
    let told = |stage: &Stage, more: &Value| {
        let mut payload = json!({"session_id": "session-1", "cwd": "/", "hook_event_name": "Stop"});
        let fields = more.as_object().unwrap().clone();
        payload.as_object_mut().unwrap().extend(fields);
        let reply = hook(&stage.scene.context, "session-stop", &payload).stdout;
        let reply: Value = serde_json::from_str(&reply).unwrap_or_default();
        reply["systemMessage"].as_str().map(str::to_owned)
    };
    let stage = started();
    let line = told(&stage, &at_work(&[])).unwrap();
    assert!(
        line.starts_with("attest: agent worker ended at a call (Bash at "),
        "{line}"
    );
    assert_eq!(told(&stage, &at_work(&[])), None);
    let workflow =
        json!({"background_tasks": [{"id": "w1", "type": "workflow", "status": "running"}]});
    // One that is at work may have started it.
    for running in [
        at_work(&["worker"]),
        at_work(&["other"]),
        workflow,
        json!({}),
    ] {
        assert_eq!(told(&started(), &running), None, "{running}");
    }
    // One that the person has interrupted, one that has said something in the end, and one of a team.
    let stage = self::stage();
    let mut lines = stage.begin("worker", "Do it.");
    lines.call("Bash", &call, Some(Err("The tool use was rejected.")));
    lines.asked("[Request interrupted by user for tool use]");
    stage.keep("worker", &lines);
    assert_eq!(told(&stage, &at_work(&[])), None);
    // If its parent has stopped it, that is said later.
    let line = stage.told_later("worker", "killed");
    assert!(line.contains("ended at a call (Bash at "), "{line}");
    let stage = started();
    let mut lines = Lines::default();
    lines.asked("Do it.");
    lines.end("All is well.");
    stage.keep("worker", &lines);
    assert_eq!(told(&stage, &at_work(&[])), None);
    let stage = started();
    let beside = stage.transcript_of("worker").with_extension("meta.json");
    write(
        &beside,
        r#"{"agentType":"bob","spawnedAgentType":"general-purpose"}"#,
    );
    assert_eq!(told(&stage, &at_work(&[])), None);
}

fn at_work(ids: &[&str]) -> Value {
    let tasks = ids.iter();
    let tasks = tasks
        .map(|id| json!({"id": id, "type": "subagent", "status": "running", "description": "x"}));
    json!({"background_tasks": tasks.collect::<Vec<_>>()})
}

#[test]
fn an_agent_that_another_one_has_started_and_not_heard_is_told_of() {
    let launched = "Async agent launched successfully.\nagentId: inner (internal ID)";
    let input =
        json!({"description": "inner", "prompt": "Do a part of it.", "run_in_background": true});
    let started = |stage: &Stage| {
        let mut lines = stage.begin("worker", "Do it.");
        lines.call("Agent", &input, Some(Ok(launched)));
        lines
    };
    let report = "The parser is fixed.";
    let stage = stage();
    let lines = started(&stage);
    let told = stage.stop_with("worker", lines, report, at_work(&["worker", "inner"]));
    let line = "agent worker ended while agent inner was at work, which it had started";
    assert_told(&stage, "worker", &told, line);
    for (running, report, is_own) in [
        // It has ended.
        (at_work(&["worker"]), report, true),
        // Another one has started it.
        (at_work(&["worker", "inner"]), report, false),
        // The report says so.
        (
            at_work(&["worker", "inner"]),
            "The parser is fixed. The other agent is still running.",
            true,
        ),
    ] {
        let stage = self::stage();
        let lines = if is_own {
            started(&stage)
        } else {
            stage.begin("worker", "Do it.")
        };
        let told = stage.stop_with("worker", lines, report, running);
        assert_silent(&stage, &told);
    }
}

#[test]
fn a_message_that_only_refers_to_an_earlier_one_says_where_that_is() {
    let long = format!(
        "{}\n\nThe parser reads comments now.",
        done("a.py, b.py").repeat(4)
    );
    let with = |stage: &Stage, texts: &[&str]| -> Lines {
        let mut lines = stage.begin("worker", "Do it.");
        for text in texts {
            lines.says(text);
        }
        lines.bash("true", 0, "");
        lines
    };
    let last = "Done, as reported above.";
    let stage = stage();
    let told = stage.stop("worker", with(&stage, &["First", &long]), last);
    let file = stage.transcript_of("worker");
    let line = format!(
        "the last message of agent worker refers to an earlier one: the longest is line 3 of {}",
        file.display()
    );
    assert_told(&stage, "worker", &told, &line);
    for (texts, last) in [
        // There is none.
        (&["First"][..], last),
        // It has its own report.
        (&[&long], "The line above the parser is fixed."),
        (&[&long], "As reported above.\n\nStatus: BLOCKED"),
    ] {
        let stage = self::stage();
        let told = stage.stop("worker", with(&stage, texts), last);
        assert_silent(&stage, &told);
    }
}

#[test]
fn a_start_that_was_not_seen_is_said_once() {
    let stage = stage();
    for id in ["one", "two"] {
        let mut lines = Lines::default();
        lines.asked("Do it.");
        assert_eq!(stage.stop(id, lines, &done("ghost.py")), "");
    }
    let person = told_person(&stage.scene.context).unwrap();
    let line = "attest: the start of an agent of this session was not seen, so its report was not checked (NO_SNAPSHOT)";
    assert_eq!(person.matches(line).count(), 1, "{person}");
    assert_eq!(told_person(&stage.scene.context), None);
    // Nothing shows that it has begun.
    let stage = self::stage();
    Agent::new("three", &stage.scene.repo).stop(&stage.scene.context, &done("ghost.py"));
    assert_eq!(told_person(&stage.scene.context), None);
}
