//! Programs that a person has asked about each stop.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::agent::{Agent, Stop, done, told_person};
use crate::common::programs::make_program;
use crate::common::{SOON, TestContext, assert_within};

const FILES: &[(&str, &str)] = &[("a.py", "one\n")];
const REVISE: &str = r#"echo '{"decision":"revise","reason":"run the linter"}'"#;
const CONTINUE: &str = r#"echo '{"decision":"continue"}'"#;

/// A script that can be run, in a folder that is there.
fn script(path: &Path, body: &str) -> PathBuf {
    make_program(path, &format!("#!/bin/sh\n{body}\n"));
    path.to_owned()
}

/// The person's gates, each a script with such a body, in this order.
fn gates(context: &mut TestContext, bodies: &[&str]) {
    let folder = context.folder().join("gates");
    let paths = bodies
        .iter()
        .enumerate()
        .map(|(number, body)| script(&folder.join(format!("gate-{number}")), body));
    let list = std::env::join_paths(paths.collect::<Vec<_>>()).unwrap();
    context.set("ATTEST_GATES", list);
}

/// A context that enforces, with gates, and an agent at work in a repository.
fn world(bodies: &[&str]) -> (TestContext, PathBuf, Agent) {
    let mut context = TestContext::enforcing();
    gates(&mut context, bodies);
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    (context, repo, agent)
}

/// The stop of an agent that did what it says.
fn honest(context: &TestContext, repo: &Path, agent: &Agent) -> Stop {
    fs::write(repo.join("a.py"), "two\n").unwrap();
    agent.stop(context, &done("a.py"))
}

fn log(context: &TestContext) -> String {
    fs::read_to_string(context.home().join(".attest/attest.log")).unwrap_or_default()
}

#[test]
fn a_gate_sends_back_an_agent_once() {
    let (context, repo, agent) = world(&[REVISE]);
    let first = honest(&context, &repo, &agent);
    assert_eq!(first.assert_blocked(), "run the linter");
    assert!(
        first.0.stderr.contains("GATE \"gate-0\": revise"),
        "{first:?}"
    );
    let second = agent.stop(&context, &done("a.py"));
    second.assert_allowed("GATE \"gate-0\": revise (\"run the linter\")");
    let shown = context.attest(["log"]).assert_success().stdout;
    assert!(
        shown.contains("✓ OK") && shown.contains("! SENT_BACK"),
        "{shown}"
    );
    let first = context
        .attest(["log", "--outcome", "sent-back"])
        .assert_success();
    assert_eq!(first.stdout.matches("gate-0").count(), 1, "{first:?}");
    let explained = context.attest(["explain", "SENT_BACK"]).assert_success();
    assert!(explained.stdout.contains("ATTEST_GATES"), "{explained:?}");
}

/// The same gate at a false DONE that it has nothing against: what is sent back is a false DONE.
#[test]
fn a_false_done_is_no_stop_that_a_gate_sent_back() {
    let (context, _, agent) = world(&[REVISE]);
    agent.stop(&context, &done("ghost.py")).assert_blocked();
    let shown = context.attest(["log"]).assert_success().stdout;
    assert!(
        shown.contains("BLOCKED") && !shown.contains("SENT_BACK"),
        "{shown}"
    );
}

/// A host that cannot be told shows nothing, so the person hears it with the next notice, and the log has it.
#[test]
fn why_a_gate_ended_an_agent_is_told() {
    let end = r#"echo '{"decision":"finalize","reason":"enough"}'"#;
    let (context, repo, agent) = world(&[end]);
    honest(&context, &repo, &agent).assert_allowed("GATE \"gate-0\": finalize (\"enough\")");
    let told = told_person(&context).unwrap();
    assert!(
        told.contains("a1 was ended by gate \"gate-0\": \"enough\""),
        "{told}"
    );
    assert_eq!(told_person(&context), None);
    let show = context.attest(["show"]).assert_success().stdout;
    assert!(
        show.contains("finalize") && show.contains("enough"),
        "{show}"
    );
    let (context, repo, agent) = world(&[CONTINUE]);
    honest(&context, &repo, &agent).assert_allowed("-> OK");
    assert_eq!(told_person(&context), None);
}

/// Two late answers in a row, and the gate gets a second; one that answers in time has all of its time again.
#[test]
fn a_gate_that_is_late_again_and_again_costs_little_and_is_told_of_once() {
    let mut context = TestContext::enforcing();
    let switch = context.folder().join("quick");
    let body = format!("test -e {} || sleep 60; {CONTINUE}", switch.display());
    gates(&mut context, &[&body]);
    context.set("ATTEST_STOP_DEADLINE", "4");
    let repo = context.repository("repo", FILES);
    let stop = |id: &str| {
        let agent = Agent::new(id, &repo);
        agent.start(&context);
        let began = Instant::now();
        let stop = agent.stop(&context, "Nothing to report.");
        (stop, began.elapsed())
    };
    for id in ["a1", "a2"] {
        let (stop, took) = stop(id);
        stop.assert_allowed("no answer (timed out after");
        assert!(took > Duration::from_millis(2500), "{took:?}");
    }
    assert!(log(&context).contains("GATE_LATE"));
    let told = told_person(&context).unwrap();
    assert_eq!(told.matches("GATE_LATE").count(), 1, "{told}");
    let mut late = 2;
    assert_within(Duration::from_millis(2500), |at| {
        let (stop, _) = stop(&format!("late{at}"));
        stop.assert_allowed("no answer (timed out after 1");
        late += 1;
    });
    assert_eq!(told_person(&context), None);
    let doctor = context.attest(["doctor"]).stdout;
    let doctor = doctor.split_whitespace().collect::<Vec<_>>().join(" ");
    let count = format!("gate-0 at {late} stops");
    assert!(doctor.contains(&count), "{doctor}");
    fs::write(&switch, "").unwrap();
    stop("a4").0.assert_allowed("GATE \"gate-0\": continue");
    fs::remove_file(&switch).unwrap();
    let (_, took) = stop("a5");
    assert!(took > Duration::from_millis(2500), "{took:?}");
}

#[test]
fn a_gate_that_has_nothing_against_it_is_not_heard_by_the_host() {
    let end = r#"echo '{"decision":"finalize","reason":"enough"}'"#;
    for body in [CONTINUE, end] {
        let (context, repo, agent) = world(&[body]);
        honest(&context, &repo, &agent).assert_allowed("-> OK");
    }
}

#[test]
fn the_verdict_speaks_first_and_each_reason_once() {
    let (context, _, agent) = world(&[REVISE, CONTINUE, REVISE]);
    let reason = agent.stop(&context, &done("ghost.py")).assert_blocked();
    let (verdict, gates) = reason.split_once("\n\n").unwrap();
    assert!(verdict.starts_with("attest: the report says Status: DONE, but"));
    assert!(
        verdict.ends_with("only your last message is kept."),
        "{verdict}"
    );
    assert_eq!(gates, "run the linter");
}

#[test]
fn no_gate_takes_back_what_the_verdict_asks_for() {
    let end = r#"echo '{"decision":"finalize"}'"#;
    let (context, _, agent) = world(&[end, "exit 1"]);
    let reason = agent.stop(&context, &done("ghost.py")).assert_blocked();
    assert!(!reason.contains("\n\n"), "{reason}");
}

#[test]
fn a_gate_that_fails_has_no_say() {
    for (body, why) in [
        ("echo to nobody >&2; exit 3", "exit status 3: to nobody"),
        ("kill -9 $$", "ended by signal 9"),
        ("", "its answer is not valid"),
        ("echo revise", "its answer is not valid"),
        (
            r#"echo '{"decision":"block","reason":"x"}'"#,
            "its answer is not valid",
        ),
        (r#"echo '{"decision":"revise"}'"#, "gives no reason"),
        (
            r#"echo '{"decision":"revise","reason":" "}'"#,
            "gives no reason",
        ),
        (
            "head -c 100000 /dev/zero",
            "its answer is longer than 64 KiB",
        ),
    ] {
        let (context, repo, agent) = world(&[body]);
        let stop = honest(&context, &repo, &agent);
        stop.assert_allowed("GATE \"gate-0\": no answer (");
        assert!(stop.0.stderr.contains(why), "{why}: {stop:?}");
        let log = log(&context);
        assert!(log.contains("GATE_FAILED") && log.contains(why), "{log}");
    }
}

#[test]
fn a_gate_that_is_not_there_has_no_say() {
    let (mut context, repo, agent) = world(&[]);
    context.set("ATTEST_GATES", context.folder().join("nothing"));
    honest(&context, &repo, &agent).assert_allowed("no answer (it is not there");
}

#[test]
fn a_gate_that_hangs_is_ended_with_all_that_it_started_and_the_next_is_asked() {
    let mut context = TestContext::enforcing();
    // It is at its end when nobody can write to it any more.
    let alive = context.folder().join("alive");
    assert!(
        context
            .command("mkfifo")
            .arg(&alive)
            .status()
            .unwrap()
            .success()
    );
    let hangs = format!("exec 3>'{}'; sleep 300 & sleep 300", alive.display());
    let last = std::thread::spawn(move || fs::read(alive));
    gates(&mut context, &[&hangs, REVISE]);
    context.set("ATTEST_STOP_DEADLINE", "3");
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    let stop = honest(&context, &repo, &agent);
    assert_eq!(stop.assert_blocked(), "run the linter");
    assert!(
        stop.0.stderr.contains("no answer (timed out after"),
        "{stop:?}"
    );
    let began = Instant::now();
    last.join().unwrap().unwrap();
    assert!(began.elapsed() < SOON, "it outlived the hook");
}

/// The settings of a project may set variables, and the project is not the person's.
#[test]
fn nothing_in_the_repository_is_run() {
    let (mut context, repo, agent) = world(&[]);
    let ran = context.folder().join("ran");
    let body = format!("touch {}; {REVISE}", ran.display());
    let inside = script(&repo.join("gate"), &body);
    let in_git = script(&repo.join(".git/gate"), &body);
    let outside = script(&context.folder().join("gates/own"), &body);
    let tree = context.folder().join("tree");
    context.git(
        &repo,
        &["worktree", "add", "--quiet", tree.to_str().unwrap()],
    );
    let in_tree = script(&tree.join("gate"), &body);
    let to_inside = context.folder().join("to-inside");
    symlink(&inside, &to_inside).unwrap();
    let from_inside = repo.join("from-inside");
    symlink(&outside, &from_inside).unwrap();
    for gate in [inside, in_git, in_tree, to_inside, from_inside] {
        context.set("ATTEST_GATES", &gate);
        let stop = agent.stop(&context, "Nothing to report.");
        stop.assert_allowed("no answer (it is in the repository)");
        assert!(!ran.exists(), "{}", gate.display());
        agent.start(&context);
    }
    assert!(log(&context).contains("GATE_REFUSED"));
    context.set("ATTEST_GATES", &outside);
    agent.stop(&context, "Nothing to report.").assert_blocked();
}

#[test]
fn without_enforcement_a_gate_is_only_reported() {
    let (mut context, repo, agent) = world(&[REVISE]);
    context.unset("ATTEST_ENFORCE");
    let stop = honest(&context, &repo, &agent);
    stop.assert_reported("attest: stop: a1: GATE \"gate-0\": revise (\"run the linter\")");
    assert_eq!(stop.block(), None);
}

#[test]
fn a_gate_gets_what_is_documented_and_no_secret() {
    let mut context = TestContext::enforcing();
    let asked = context.folder().join("asked.json");
    let variables = context.folder().join("variables");
    let body = format!(
        "cat >{}; env >{}; pwd >>{}; {CONTINUE}",
        asked.display(),
        variables.display(),
        variables.display()
    );
    gates(&mut context, &[&body]);
    context
        .set("TOKEN", "secret")
        .set("LINT_LEVEL", "high")
        .set("ATTEST_CHECK_ENV", "LINT_*");
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py")).assert_blocked();
    let question: Value = serde_json::from_str(&fs::read_to_string(asked).unwrap()).unwrap();
    for (field, value) in [
        ("version", json!(1)),
        ("host", json!("claude-code")),
        ("event", json!("SubagentStop")),
        ("session", json!("session-1")),
        (
            "agent",
            json!({"id": "a1", "type": "general-purpose", "turn": null, "revisions": 0}),
        ),
        ("cwd", json!(repo)),
        ("message", json!(done("ghost.py"))),
        ("claim", json!({"status": "DONE", "files": ["ghost.py"]})),
        (
            "findings",
            json!([{"path": "ghost.py", "finding": "ABSENT", "disproves": true}]),
        ),
        ("unmet_criteria", json!([])),
        ("changed", json!([])),
        ("outcome", json!("BLOCKED")),
        ("is_continuing", json!(false)),
    ] {
        assert_eq!(question[field], value, "{field}: {question}");
    }
    assert_eq!(question["decision"]["decision"], "revise");
    assert_eq!(question["decision"]["code"], "BLOCK_FALSE_DONE");
    let variables = fs::read_to_string(variables).unwrap();
    assert!(!variables.contains("secret") && variables.contains("LINT_LEVEL=high"));
    assert!(
        variables.ends_with(&format!("{}\n", repo.display())),
        "{variables}"
    );

    let page = include_str!("../docs/GATES.md");
    let documented = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let documented = documented.filter_map(|line| line.split('`').next());
    let documented: Vec<_> = documented.collect();
    for field in question.as_object().unwrap().keys() {
        assert!(
            documented.contains(&field.as_str()),
            "{field} is not documented"
        );
    }
    assert_eq!(
        documented.len(),
        question.as_object().unwrap().len() + 3,
        "and the answers"
    );
}

#[test]
fn a_gate_ends_an_agent_in_the_words_of_the_host() {
    let end = r#"echo '{"decision":"finalize","reason":"enough"}'"#;
    let mut context = TestContext::enforcing();
    gates(&mut context, &[CONTINUE, end]);
    let repo = context.repository("repo", FILES);
    let payload = |event: &str, message: &str| {
        let payload = json!({
            "session_id": "s", "turn_id": "t", "agent_id": "a1", "agent_type": "default",
            "cwd": repo, "hook_event_name": event, "model": "m", "permission_mode": "default",
            "stop_hook_active": false, "last_assistant_message": message,
        });
        payload.to_string().into_bytes()
    };
    let hook = |verb: &str, payload: Vec<u8>| {
        let printed = context.attest_with_input(["hook", verb, "--harness", "codex"], &payload);
        printed.assert_success().stdout
    };
    hook("start", payload("SubagentStart", ""));
    fs::write(repo.join("a.py"), "two\n").unwrap();
    let answer = hook("stop", payload("SubagentStop", &done("a.py")));
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer, json!({"continue": false, "stopReason": "enough"}));
    hook("start", payload("SubagentStart", ""));
    let lie = hook("stop", payload("SubagentStop", &done("ghost.py")));
    let lie: Value = serde_json::from_str(&lie).unwrap();
    assert_eq!(lie["decision"], "block", "{lie}");
}

/// A gate cannot make a host print what it likes.
#[test]
fn what_a_gate_says_is_escaped_and_bounded() {
    let body = r#"printf '{"decision":"revise","reason":"a\\u001b[31m%s"}' "$(head -c 5000 /dev/zero | tr '\0' x)""#;
    let (context, repo, agent) = world(&[body]);
    let reason = honest(&context, &repo, &agent).assert_blocked();
    assert!(
        reason.starts_with("a\\u{1b}[31mxxx") && reason.ends_with("x…"),
        "{reason}"
    );
    assert!(reason.chars().count() < 4100);
}

/// A host that has an entry in two places runs both at once. The gate keeps each until both have read the report.
#[test]
fn two_hooks_of_one_stop_are_one_row() {
    for (is_honest, enforces) in [(true, true), (false, true), (false, false)] {
        let mut context = if enforces {
            TestContext::enforcing()
        } else {
            TestContext::new()
        };
        let seen = context.folder().join("seen");
        let wait = format!(
            "echo >>'{0}'; until [ $(wc -l <'{0}') -ge 2 ]; do sleep 0.02; done\n{CONTINUE}",
            seen.display()
        );
        gates(&mut context, &[&wait]);
        let repo = context.repository("repo", FILES);
        let agent = Agent::new("a1", &repo);
        agent.start(&context);
        if is_honest {
            fs::write(repo.join("a.py"), "two\n").unwrap();
        }
        let report = done(if is_honest { "a.py" } else { "ghost.py" });
        let both: Vec<_> = std::thread::scope(|scope| {
            let hooks: Vec<_> = (0..2)
                .map(|_| scope.spawn(|| agent.stop(&context, &report)))
                .collect();
            hooks.into_iter().map(|hook| hook.join().unwrap()).collect()
        });
        assert_eq!(fs::read_to_string(&seen).unwrap().lines().count(), 2);
        let blocks = both
            .iter()
            .filter(|stop| stop.0.stdout.contains("\"block\""))
            .count();
        assert_eq!(blocks, usize::from(enforces && !is_honest));
        let history = context.attest(["log", "--json"]).stdout;
        assert_eq!(history.matches("\"outcome\"").count(), 1, "{history}");
        // The next stop of the agent is another row.
        agent.start(&context);
        fs::write(&seen, "\n\n").unwrap();
        agent.stop(&context, &report);
        let history = context.attest(["log", "--json"]).stdout;
        assert_eq!(history.matches("\"outcome\"").count(), 2, "{history}");
    }
}
