//! What the hooks leave for the person, and the commands that show it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

use crate::common::agent::{Agent, all_at_once, done, hook};
use crate::common::scene::settle;
use crate::common::{TestContext, assert_within};
use rusqlite::Connection;
use serde_json::Value;

const FILES: &[(&str, &str)] = &[("a.py", "1\n"), ("b.py", "1\n")];

fn state(context: &TestContext) -> Connection {
    Connection::open(context.home().join(".attest/state.db")).unwrap()
}

fn count(context: &TestContext, what: &str) -> u32 {
    let sql = format!("SELECT count(*) FROM {what}");
    state(context)
        .query_row(&sql, [], |row| row.get(0))
        .unwrap()
}

fn log(context: &TestContext) -> String {
    fs::read_to_string(context.home().join(".attest/attest.log")).unwrap_or_default()
}

#[test]
fn fifty_starts_and_stops_at_once_lose_no_record() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_SESSION_BLOCK_CEILING", "7");
    let repo = context.repository("repo", FILES);
    let outputs = all_at_once(&context, &repo, 50, &done("ghost.py"));
    assert!(outputs.iter().all(|output| output.status.success()));
    assert_eq!(count(&context, "runs"), 50, "{}", log(&context));
    assert_eq!(count(&context, "verdicts"), 50, "{}", log(&context));
    assert_eq!(count(&context, "verdicts WHERE outcome = 'BLOCKED'"), 7);
    assert_eq!(
        count(&context, "verdicts WHERE reason = 'ALLOW_SESSION_CEILING'"),
        43
    );
    assert_eq!(count(&context, "runs WHERE stopped_at IS NULL"), 7);
}

#[test]
fn a_record_that_cannot_be_written_changes_no_decision() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let (liar, honest) = (Agent::new("liar", &repo), Agent::new("honest", &repo));
    settle();
    liar.start(&context);
    honest.start(&context);
    state(&context)
        .execute_batch(
            "CREATE TRIGGER refuse BEFORE INSERT ON verdicts
             BEGIN SELECT raise(FAIL, 'the history is full'); END;",
        )
        .unwrap();
    liar.stop(&context, &done("ghost.py")).assert_blocked();
    honest.stop(&context, &done("a.py")).assert_allowed("WARN");
    assert_eq!(count(&context, "verdicts"), 0);
    assert_eq!(
        count(&context, "agents WHERE agent = 'liar' AND block_count = 1"),
        1
    );
    assert_eq!(
        count(&context, "agents WHERE agent = 'honest' AND open = 0"),
        1
    );
    let refused = log(&context);
    let lines = refused
        .lines()
        .filter(|line| line.contains("HISTORY_NOT_RECORDED") && line.contains("is full"));
    assert_eq!(lines.count(), 2, "{refused}");
}

#[test]
fn a_start_whose_record_fails_has_its_baseline_all_the_same() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    Agent::new("first", &repo).start(&context);
    state(&context)
        .execute_batch("DROP TABLE verdicts; DROP TABLE runs;")
        .unwrap();
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py")).assert_blocked();
}

/// A world with one agent of each kind: let through, sent back, honest, and never seen.
fn four_stops() -> (TestContext, std::path::PathBuf) {
    let mut context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let mut agents = ["aaaa1", "aaaa2", "aaaa3"].map(|id| Agent::new(id, &repo));
    agents[1].kind = "Explore".into();
    for agent in &agents {
        agent.start(&context);
    }
    agents[0].stop(&context, &done("*.rs, ghost.py, red\u{1b}[31m.py"));
    context.set("ATTEST_ENFORCE", "1");
    agents[1].stop(&context, &done("ghost.py"));
    context.unset("ATTEST_ENFORCE");
    fs::write(repo.join("a.py"), "2\n").unwrap();
    fs::write(repo.join("c.py"), "2\n").unwrap();
    agents[2].stop(&context, &done("a.py"));
    let mut unseen = Agent::new("aaaa4", &repo);
    unseen.session = "session-2".into();
    unseen.stop(&context, "nothing to say");
    (context, repo)
}

fn shown(context: &TestContext, arguments: &[&str]) -> String {
    let printed = context.attest(arguments).assert_success();
    assert!(!printed.stdout.contains('\u{1b}'), "{printed:?}");
    context.named(&printed.stdout)
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Ids, times and commits are of the run.
macro_rules! assert_shown {
    ($text:expr, @$expected:literal) => {
        insta::with_settings!({filters => vec![
            (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "[TIME]             "),
            (r"\b[0-9a-f]{16}\b", "[ID]"),
            (r"(show|dispute) [0-9a-f]{8}( --|`)", "$1 [ID]$2"),
            (r"  [0-9a-f]{8}  ", "  [ID]      "),
            (r"  [0-9a-f]{12}  main", "  [COMMIT]      main"),
            (r"\(just now\)|\(\d+ seconds ago\)", "(just now)"),
            (r"\b\d+\.\ds\b", "0.1s"),
        ]}, { insta::assert_snapshot!($text, @$expected) });
    };
}

#[test]
fn the_log_is_newest_first_and_can_be_narrowed() {
    let (context, repo) = four_stops();
    let log = |arguments: &[&str]| shown(&context, &[&["log"], arguments].concat());
    assert_shown!(log(&[]), @r##"
TIME                 OUTCOME        ID        TYPE             AGENT  REPOSITORY  WHAT
[TIME]               · NO_SNAPSHOT  [ID]      general-purpose  aaaa4  -
[TIME]               ! SCOPE_CREEP  [ID]      general-purpose  aaaa3  repo        c.py
[TIME]               ✗ BLOCKED      [ID]      Explore          aaaa2  repo        ghost.py
[TIME]               ✗ MISMATCH     [ID]      general-purpose  aaaa1  repo        ghost.py
"##);
    let narrowed = |arguments: &[&str]| -> Vec<String> {
        let lines = json_lines(&log(&[&["--json"], arguments].concat()));
        let agents = lines.iter().map(|line| &line["agent_id"]);
        agents.map(|id| id.as_str().unwrap().to_owned()).collect()
    };
    let repo = repo.to_str().unwrap();
    assert_eq!(narrowed(&[]), ["aaaa4", "aaaa3", "aaaa2", "aaaa1"]);
    assert_eq!(narrowed(&["-n", "1"]), ["aaaa4"]);
    assert_eq!(narrowed(&["--session", "session-2"]), ["aaaa4"]);
    assert_eq!(narrowed(&["--agent-type", "explore"]), ["aaaa2"]);
    assert_eq!(
        narrowed(&["--outcome", "blocked,scope-creep"]),
        ["aaaa3", "aaaa2"]
    );
    assert_eq!(
        narrowed(&["--repository", repo]),
        ["aaaa3", "aaaa2", "aaaa1"]
    );
    assert_eq!(narrowed(&["--since", "1h"]).len(), 4);
    assert_eq!(narrowed(&["--until", "1h"]), [""; 0]);
    assert_eq!(narrowed(&["--since", "2099-01-01"]), [""; 0]);
    assert_eq!(context.attest(["log", "--outcome", "bad"]).code, Some(2));
    let outside = context
        .attest(["log", "--repository", "/"])
        .assert_failure();
    assert!(outside.stderr.contains("in no repository"), "{outside:?}");
}

#[test]
fn one_verdict_is_shown_whole_by_the_beginning_of_its_id() {
    let (context, _) = four_stops();
    assert_shown!(shown(&context, &["show", "aaaa1"]), @r##"
verdict    [ID]
outcome    ✗ MISMATCH
decision   ALLOW_NOT_ENFORCING: enforcement is off
agent      aaaa1 (general-purpose)
session    session-1
time       [TIME]              (just now)
repository [FOLDER]/repo
claim      DONE, 3 paths, from the payload

findings
  FINDING       CLAIMED           WHY
  UNRESOLVABLE  *.rs              a pattern
  ABSENT        ghost.py          it is not on disk, never was, and no work on it was found
  UNRESOLVABLE  red\u{1b}[31m.py  a name with unreadable characters

the work tree
            TIME                 HEAD          BRANCH  UNCOMMITTED
  at start  [TIME]               [COMMIT]      main        0 paths
  at stop   [TIME]               [COMMIT]      main        0 paths

changed between start and stop: 0 paths
  nothing
"##);
    let lines = json_lines(&shown(&context, &["log", "--json"]));
    for line in &lines {
        let id = line["id"].as_str().unwrap();
        let whole: Value =
            serde_json::from_str(&shown(&context, &["show", &id[..8], "--json"])).unwrap();
        assert_eq!(whole["id"], id);
        assert_eq!(whole["agent_id"], line["agent_id"]);
    }
    let blocked: Value =
        serde_json::from_str(&shown(&context, &["show", "aaaa2", "--json"])).unwrap();
    assert_eq!(blocked["claim"]["status"], "DONE");
    assert_eq!(blocked["findings"][0]["finding"], "ABSENT");
    assert_eq!(blocked["reason"], "BLOCK_FALSE_DONE");
    assert!(blocked["block"].as_str().unwrap().contains("\"ghost.py\""));
    let creep: Value =
        serde_json::from_str(&shown(&context, &["show", "aaaa3", "--json"])).unwrap();
    assert_eq!(creep["delta"]["count"], 2);
    assert_eq!(creep["unclaimed"]["first"], serde_json::json!(["c.py"]));
    let unknown = context.attest(["show", "nobody"]).assert_failure();
    assert!(unknown.stderr.contains("hint: `attest log`"), "{unknown:?}");
}

/// A ghost that is in doubt is let through under every word, so that none would have had it blocked.
#[test]
fn no_word_is_advised_that_would_change_nothing() {
    for (strict, advised) in [("all", false), ("", true)] {
        let mut context = TestContext::new();
        let repo = context.repository("repo", FILES);
        context.set("ATTEST_ENFORCE", "1");
        context.set("ATTEST_STRICT", strict);
        let agent = Agent::new("aaaa1", &repo);
        fs::write(repo.join("gone.txt"), "1\n").unwrap();
        settle();
        agent.start(&context);
        fs::remove_file(repo.join("gone.txt")).unwrap();
        let claimed = if advised { "a.py" } else { "ghost.py" };
        agent.stop(&context, &done(claimed));
        let text = shown(&context, &["explain", "aaaa1"]);
        assert_eq!(text.contains("had had `untouched`"), advised, "{text}");
        assert_eq!(text.contains("would have been blocked"), advised, "{text}");
    }
}

#[test]
fn a_verdict_is_explained_in_sentences() {
    let (context, _) = four_stops();
    assert_shown!(shown(&context, &["explain", "aaaa1"]), @r##"
✗ MISMATCH: 1 of 3 claims is disproved

What the agent said
- The report of aaaa1 has the status DONE and names 3 paths.

What was seen
- "*.rs" is UNRESOLVABLE: a pattern.
- "ghost.py" is ABSENT: it is not on disk, never was, and no work on it was found. This disproves the DONE.
- "red\u{1b}[31m.py" is UNRESOLVABLE: a name with unreadable characters.

What was decided
- The agent was let through by ALLOW_NOT_ENFORCING: enforcement is off.

What to do now
- Do not build on the report: ask for "ghost.py", or for a report without it.
- `attest enforce on --agent general-purpose` sends such a report back to its agent.
- If the report was true, say so: `attest dispute [ID] --honest`; `attest show [ID] --redact` is for an issue.
- Anything else: `attest explain questions`.

It would have been blocked if
- ATTEST_ENFORCE had been 1 (`attest enforce on`).
"##);
    assert_shown!(shown(&context, &["explain", "aaaa2"]), @r##"
✗ BLOCKED: the claim is disproved

What the agent said
- The report of aaaa2 has the status DONE and names 1 path.

What was seen
- "ghost.py" is ABSENT: it is not on disk, never was, and no work on it was found. This disproves the DONE.

What was decided
- The agent was sent back by BLOCK_FALSE_DONE: the DONE is disproved, and nothing stood against a block.

What to do now
- Nothing: the agent was told, and its next stop has a verdict of its own.
- `attest show [ID]` has the words that it was told.
- If the report was true, say so: `attest dispute [ID] --honest`; `attest show [ID] --redact` is for an issue.
- Anything else: `attest explain questions`.
"##);
    assert_shown!(shown(&context, &["explain", "aaaa3"]), @r##"
! SCOPE_CREEP: the claim holds, and 1 path changed that no claim accounts for

What the agent said
- The report of aaaa3 has the status DONE and names 1 path.

What was seen
- "a.py" is CHANGED: it changed between start and stop.
- The report does not mention "c.py".

What was decided
- The agent was let through by ALLOW_NOT_ENFORCING: enforcement is off.

What to do now
- Check "c.py": the report does not mention the change.
"##);
}

/// `stats` without OVER TIME: in which part of a moment an agent stopped is chance.
fn without_line(text: &str) -> String {
    let header = text.lines().next().unwrap();
    let (from, to) = (
        header.find("OVER TIME").unwrap(),
        header.find("BLOCKED").unwrap(),
    );
    let rows = text.split_inclusive('\n').take_while(|line| *line != "\n");
    let rows: Vec<_> = rows.collect();
    let rest = &text[rows.concat().len()..];
    let cut = rows.iter().map(|row| {
        let columns = row.chars().enumerate();
        let kept = columns.filter(|(column, _)| !(from..to).contains(column));
        kept.map(|(_, sign)| sign).collect::<String>()
    });
    cut.collect::<String>() + rest
}

#[test]
fn types_of_agents_are_counted() {
    let (context, repo) = four_stops();
    // The agent that was sent back makes the file.
    let mut agent = Agent::new("aaaa2", &repo);
    agent.kind = "Explore".into();
    fs::write(repo.join("ghost.py"), "2\n").unwrap();
    agent.stop(&context, &done("ghost.py"));
    assert_shown!(without_line(&shown(&context, &["stats"])), @r##"
TYPE             AGENTS  CLAIMS  FALSE  MENDED    RATE  BLOCKED  FIXED  WITHDRAWN  REPEATED  RATE AS A BAR
general-purpose       3       2      1       0  1 of 2        0      0          0         0  ███████████████░░░░░░░░░░░░░░░
Explore               1       1      0       1  1 of 1        1      1          0         0  ██████████████████████████████
all                   4       3      1       1  2 of 3        1      1          0         0  ████████████████████░░░░░░░░░░

1 agent with a false DONE was let go: enforcement is off (ALLOW_NOT_ENFORCING). `attest enforce on` sends such agents back; `attest doctor` shows what is in force.
after 1 block its agent worked on for 0.1s; no transcript says what that cost
something that was claimed could be judged at 4 of 5 stops (80%): files at 80%
1 stop could not be compared with a start: 1 NO_SNAPSHOT, the start of the agent was not seen (`attest explain WORD`)
"##);
    let explore = shown(&context, &["stats", "--json", "--agent-type", "Explore"]);
    let mut explore: Value = serde_json::from_str(&explore).unwrap();
    // Of one agent there is one time.
    let over_time = explore[0]
        .as_object_mut()
        .unwrap()
        .remove("over_time")
        .unwrap();
    assert_eq!(over_time.as_array().unwrap().len(), 12);
    explore[0]["after_blocks"]["seconds"] = 0.into();
    assert_eq!(
        explore,
        serde_json::json!([{"agent_type": "Explore", "agents": 1, "agents_with_claim": 1,
            "agents_with_false_done": 1, "agents_mended": 1, "stops": 2, "claims": 2, "false_dones": 1, "blocked": 1,
            "fixed": 1, "withdrawn": 0, "repeated": 0, "unanswered": 0, "lost_to_dirty_start": 0,
            "after_blocks": {"blocks": 1, "seconds": 0, "transcripts": 0, "turns": 0,
                "input_tokens": 0, "output_tokens": 0},
            "coverage": {"all": {"stops": 2, "claims": 2, "judged": 2}, "asked": {"stops": 0, "claims": 0, "judged": 0},
                "not_asked": {"stops": 2, "claims": 2, "judged": 2},
                "kinds": {"files": 2, "commits": 0, "checks": 0, "reads": 0, "tree": 0}},
            "doubts": {}}])
    );
}

#[test]
fn a_list_of_agents_says_that_it_is_not_all_of_them() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    for id in ["a1", "a2", "a3"] {
        Agent::new(id, &repo).start(&context);
    }
    let note = "these are the newest 2; `--limit` shows more\n";
    let shown = |limit: &str| {
        let printed = context.attest(["agents", "--all", "--limit", limit]);
        printed.assert_success().stdout
    };
    assert!(shown("2").ends_with(note), "{}", shown("2"));
    assert!(!shown("2").contains("a1"));
    assert!(shown("3").contains("a1") && !shown("3").contains("newest"));
    let json = context.attest(["agents", "--all", "--json", "--limit", "2"]);
    let json: Value = serde_json::from_str(&json.assert_success().stdout).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 2);
}

#[test]
fn agents_are_listed_with_what_their_transcripts_tell() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let transcript = context.folder().join("t.jsonl");
    fs::write(
        &transcript,
        r#"{"type":"assistant","message":{"model":"claude-x","usage":{"input_tokens":4,"cache_creation_input_tokens":1000,"cache_read_input_tokens":48000,"output_tokens":996}}}
{"type":"user","message":{}}
{"type":"assistant","mess"#,
    )
    .unwrap();
    settle();
    for id in ["lost", "active", "over", "died"] {
        Agent::new(id, &repo).start(&context);
    }
    let mut death = Agent::new("died", &repo).start_payload();
    death["hook_event_name"] = "StopFailure".into();
    death["error"] = "rate_limit".into();
    assert_eq!(hook(&context, "failed", &death).stdout, "");
    let fields = serde_json::json!({"agent_transcript_path": transcript});
    Agent::new("over", &repo).stop_with(&context, &done("a.py"), &fields);
    state(&context)
        .execute_batch(
            "UPDATE runs SET started_at = '2026-01-01T00:00:00.000000Z' WHERE agent_id = 'lost'",
        )
        .unwrap();
    assert_shown!(shown(&context, &["agents"]), @r##"
AGENT   STATUS     OUTCOME     STARTED              TOOK  FULL  CONTEXT  OUTPUT  TYPE             FOLDER
died    died       rate_limit  [TIME]               0.1s     -        -       -  general-purpose  [FOLDER]/repo
over    completed  ! WARN      [TIME]               0.1s   25%    50.0k     996  general-purpose  [FOLDER]/repo
active  active     -           [TIME]               0.1s     -        -       -  general-purpose  [FOLDER]/repo
lost    lost       -           [TIME]                  -     -        -       -  general-purpose  [FOLDER]/repo
"##);
    let all: Value = serde_json::from_str(&shown(&context, &["agents", "--json"])).unwrap();
    assert_eq!(
        (&all[0]["status"], &all[0]["failure"]),
        (&"died".into(), &"rate_limit".into())
    );
    let over = &all[1];
    assert_eq!(over["agent_id"], "over");
    assert_eq!(over["transcript_path"], "[FOLDER]/t.jsonl");
    assert_eq!(over["status"], "completed");
    assert_eq!(over["context_tokens"], 50_000);
    assert_eq!(over["context_percent"], 25.0);
    assert_eq!(over["output_tokens"], 996);
    let stopped: jiff::Timestamp = over["stopped_at"].as_str().unwrap().parse().unwrap();
    assert!(jiff::Timestamp::now().duration_since(stopped).as_secs() < 60);
    let status = |n: usize| all[n]["status"].as_str().unwrap();
    assert_eq!((status(2), status(3)), ("active", "lost"));
}

#[test]
fn an_agent_that_an_error_ended_and_that_stops_all_the_same_is_one_row() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    let mut death = agent.start_payload();
    death["hook_event_name"] = "StopFailure".into();
    death["error"] = "rate_limit".into();
    assert_eq!(hook(&context, "failed", &death).stdout, "");
    agent.stop(&context, &done("a.py"));
    assert_eq!(hook(&context, "failed", &death).stdout, "", "too late");
    let all = shown(&context, &["agents", "--all", "--json"]);
    let all: Value = serde_json::from_str(&all).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 1, "{all}");
    assert_eq!(all[0]["status"], "completed");
    assert_eq!(all[0]["failure"], Value::Null);
    let runs: u32 = state(&context)
        .query_row("SELECT count(*) FROM runs", [], |row| row.get(0))
        .unwrap();
    assert_eq!(runs, 1);
}

#[test]
fn nothing_recorded_is_said_and_makes_no_state_file() {
    let context = TestContext::new();
    for command in ["agents", "log", "stats"] {
        let printed = context.attest([command]).assert_success();
        assert!(printed.stdout.starts_with("no "), "{printed:?}");
        let json = context.attest([command, "--json"]).assert_success();
        assert!(["[]\n", ""].contains(&json.stdout.as_str()), "{json:?}");
    }
    for command in ["show", "explain"] {
        let printed = context.attest([command]).assert_failure();
        assert!(
            printed.stderr.contains("no verdict is recorded"),
            "{printed:?}"
        );
    }
    assert!(!context.home().join(".attest").exists());
}

#[test]
fn a_follower_sees_each_verdict_once_as_it_comes() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let mut command = context.command(crate::common::BINARY);
    command
        .args(["log", "--follow", "--json"])
        .stdout(Stdio::piped());
    let mut follower = command.spawn().unwrap();
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    for id in ["a1", "a2"] {
        Agent::new(id, &repo).stop(&context, &done("a.py"));
        let line: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(line["agent_id"], id);
    }
    follower.kill().unwrap();
    follower.wait().unwrap();
    assert_eq!(lines.count(), 0);
}

#[test]
fn colour_is_for_terminals_and_for_who_asks() {
    let (mut context, _) = four_stops();
    let coloured = |context: &TestContext| {
        let printed = context.attest(["log"]).assert_success().stdout;
        printed.contains("\u{1b}[")
    };
    assert!(!coloured(&context));
    context.set("CLICOLOR_FORCE", "1");
    assert!(coloured(&context));
    context.set("NO_COLOR", "1");
    assert!(!coloured(&context));
}

/// Needs the program that lends a terminal to another one.
#[cfg(target_os = "linux")]
#[attest_needs::needs(script)]
#[test]
fn a_terminal_gets_its_width_and_a_pager_where_the_text_is_long() {
    let (mut context, _) = four_stops();
    let on_terminal = |context: &TestContext, lines: u32| {
        let line = format!("stty rows {lines} cols 60; {} log", crate::common::BINARY);
        let mut command = context.command("script");
        command.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
        command.output().unwrap()
    };
    context
        .set("PAGER", "sed s/^/PAGED:/")
        .set("NO_COLOR", "1")
        .set("TERM", "xterm");
    let long = on_terminal(&context, 3);
    let long = crate::common::Printed::of(long).assert_success().stdout;
    let paged = long.lines().filter(|line| line.starts_with("PAGED:"));
    assert_eq!(paged.count(), 5, "the header and four verdicts: {long}");
    let short = crate::common::Printed::of(on_terminal(&context, 40)).assert_success();
    let mut lines = short.stdout.lines();
    let is_shown =
        |line: &str| line.contains("✗ MISMATCH") && line.trim_end().ends_with("ghost.py");
    assert!(lines.any(is_shown), "{short:?}");
    assert!(!short.stdout.contains("PAGED:"), "{short:?}");
    for line in short.stdout.lines() {
        assert!(line.trim_end().chars().count() <= 60, "{line:?}");
    }
}

#[test]
fn a_database_of_cast_gets_each_verdict_and_is_never_made() {
    let mut context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    let usual = context.home().join(".claude/cast.db");
    agent.stop(&context, &done("ghost.py"));
    assert!(!usual.exists());
    fs::create_dir(usual.parent().unwrap()).unwrap();
    let named = context.folder().join("named.db");
    let numbered = "CREATE TABLE attestations (id INTEGER PRIMARY KEY, agent_key TEXT,
                    false_done INTEGER, payload TEXT, created_at TEXT)";
    for (path, schema) in [(&usual, "CREATE TABLE other (x)"), (&named, numbered)] {
        let cast = Connection::open(path).unwrap();
        cast.execute_batch(schema).unwrap();
        if path == &named {
            context.set("CAST_DB_PATH", &named);
        }
        agent.start(&context);
        agent.stop(&context, &done("ghost.py"));
        let (key, is_false, payload, at): (String, bool, String, String) = cast
            .query_row(
                "SELECT agent_key, false_done, payload, created_at FROM attestations",
                [],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
            )
            .unwrap();
        let payload: Value = serde_json::from_str(&payload).unwrap();
        assert_eq!((key.as_str(), is_false), ("a1", true));
        assert_eq!(payload["findings"][0]["claimed"], "ghost.py");
        assert_eq!(payload["at"], at);
    }
    assert!(
        !log(&context).contains("CAST_NOT_WRITTEN"),
        "{}",
        log(&context)
    );
}

#[test]
fn a_database_of_cast_that_is_locked_or_none_costs_little() {
    let mut context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let path = context.folder().join("cast.db");
    context.set("CAST_DB_PATH", &path);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    fs::write(&path, "no database, but long enough to be looked at as one").unwrap();
    agent.stop(&context, &done("ghost.py")).assert_blocked();
    fs::remove_file(&path).unwrap();
    let holder = Connection::open(&path).unwrap();
    holder
        .execute_batch("CREATE TABLE t (x); BEGIN EXCLUSIVE")
        .unwrap();
    let mut stops = 0;
    assert_within(Duration::from_secs(2), |_| {
        agent.stop(&context, &done("ghost.py"));
        stops += 1;
    });
    let lines = log(&context);
    let count = lines.matches("CAST_NOT_WRITTEN").count();
    assert_eq!(count, 1 + stops, "{lines}");
}

fn next_day(context: &TestContext) {
    state(context)
        .execute_batch("UPDATE chores SET begun_at = begun_at - 25 * 3600 * 1000000000")
        .unwrap();
}

#[test]
fn what_is_old_is_forgotten_by_one_stop_a_day() {
    let mut context = TestContext::new();
    context.set("ATTEST_LOG", "info");
    let repo = context.repository("repo", FILES);
    let age = |context: &TestContext| {
        state(context)
            .execute_batch(
                "UPDATE verdicts SET at = '2020-01-01T00:00:00.000000Z';
                 UPDATE runs SET started_at = at_, stopped_at = at_
                 FROM (SELECT '2020-01-01T00:00:00.000000Z' AS at_);
                 UPDATE agents SET started_at = 1, stopped_at = 1;",
            )
            .unwrap();
    };
    let agents: Vec<_> = (0..20)
        .map(|n| Agent::new(&format!("a{n}"), &repo))
        .collect();
    for agent in &agents {
        agent.start(&context);
    }
    // The first stop ever takes the turn of the day, and finds nothing.
    agents[0].stop(&context, &done("a.py"));
    age(&context);
    agents[1].stop(&context, &done("a.py"));
    assert_eq!(count(&context, "agents"), 20, "not twice a day");
    age(&context);
    next_day(&context);
    let stops: Vec<_> = (0..20)
        .map(|n| {
            let unseen = Agent::new(&format!("new{n}"), &repo);
            unseen.spawn_stop(&context, &done("a.py"), Stdio::null())
        })
        .collect();
    for stop in stops {
        stop.wait_with_output().unwrap();
    }
    let lines = log(&context);
    // One of the first stop, which found nothing, and one of all these.
    assert_eq!(lines.matches("COLLECTED").count(), 2, "{lines}");
    // Where too many wrote at once for anything to be forgotten, it waits for the next day.
    next_day(&context);
    Agent::new("last", &repo).stop(&context, &done("a.py"));
    assert_eq!(count(&context, "agents"), 0, "{}", log(&context));
    assert_eq!(count(&context, "verdicts WHERE at < '2021'"), 0);
    assert_eq!(count(&context, "runs WHERE stopped_at < '2021'"), 0);
    assert_eq!(count(&context, "verdicts"), 21);
}

#[test]
fn what_sqlite_keeps_beside_the_file_does_not_pile_up() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let log = context.home().join(".attest/state.db-wal");
    let mut largest = 0;
    for n in 0..40 {
        let agent = Agent::new(&format!("a{n}"), &repo);
        agent.start(&context);
        agent.stop(&context, &done("a.py"));
        largest = fs::metadata(&log).unwrap().len().max(largest);
    }
    assert!(largest < 600 * 1024, "{largest} bytes");
}
