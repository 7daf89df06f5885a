//! The words that people read: what became of a block, whose a row is, and what an agent is called.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::TestContext;
use crate::common::agent::{Agent, done, hook};
use crate::common::older::take_back_to;

const FILES: &[(&str, &str)] = &[("a.py", "1\n"), ("b.py", "1\n")];

fn json_of(context: &TestContext, arguments: &[&str]) -> Value {
    let printed = context.attest(arguments).assert_success();
    serde_json::from_str(&printed.stdout).unwrap()
}

/// Every number of `stats`, added up over the types.
fn stats(context: &TestContext, arguments: &[&str]) -> Vec<(String, u64)> {
    let tallies = json_of(context, &[&["stats", "--json"], arguments].concat());
    let mut sums = std::collections::BTreeMap::<String, u64>::new();
    for tally in tallies.as_array().unwrap() {
        for (field, value) in tally.as_object().unwrap() {
            *sums.entry(field.clone()).or_default() += value.as_u64().unwrap_or(0);
        }
    }
    sums.into_iter().filter(|(_, sum)| *sum > 0).collect()
}

fn number(stats: &[(String, u64)], name: &str) -> u64 {
    let found = stats.iter().find(|(field, _)| field == name);
    found.map_or(0, |(_, sum)| *sum)
}

/// Four agents that are sent back: one writes the file, one takes the claim back, one says the same again, and of
/// one nothing more is heard. A fifth is honest from the start.
fn sent_back(context: &TestContext, repo: &Path) {
    for id in ["writes", "withdraws", "repeats", "vanishes", "honest"] {
        Agent::new(id, repo).start(context);
    }
    let stop = |id: &str, files: &str| Agent::new(id, repo).stop(context, &done(files));
    stop("writes", "made.py");
    fs::write(repo.join("made.py"), "1").unwrap();
    stop("writes", "made.py");
    stop("withdraws", "ghost.py");
    stop("withdraws", "made.py");
    stop("repeats", "phantom.py");
    stop("repeats", "phantom.py");
    stop("vanishes", "spectre.py");
    let died = json!({"session_id": "session-1", "agent_id": "vanishes", "error": "overloaded",
        "hook_event_name": "StopFailure"});
    hook(context, "failed", &died);
    stop("honest", "made.py");
}

#[test]
fn what_became_of_a_block_is_a_word_of_its_own() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    sent_back(&context, &repo);
    let stats = stats(&context, &["--all"]);
    let expected = [
        ("agents", 5),
        ("agents_with_claim", 5),
        ("agents_with_false_done", 4),
        ("agents_mended", 2),
        ("blocked", 4),
        ("fixed", 1),
        ("withdrawn", 1),
        ("repeated", 1),
        ("unanswered", 1),
        ("stops", 8),
        ("false_dones", 5),
    ];
    for (name, count) in expected {
        assert_eq!(number(&stats, name), count, "{name} of {stats:?}");
    }
    for (id, word, meanings) in [
        (
            "writes",
            "FIXED",
            ["later, what was missing is there", "wrote what was missing"],
        ),
        (
            "withdraws",
            "WITHDRAWN",
            [
                "later, the claim was withdrawn",
                "no longer claimed all of it",
            ],
        ),
        (
            "repeats",
            "REPEATED",
            [
                "later, the same was claimed again, and let go",
                "claimed the same again",
            ],
        ),
        (
            "vanishes",
            "UNANSWERED",
            ["no stop of the agent was seen"; 2],
        ),
    ] {
        let blocked = ["log", "--all", "--json", "--outcome", "blocked"];
        let log = context.attest(blocked).assert_success().stdout;
        let of_agent = |line: &&str| line.contains(&format!("\"agent_id\":\"{id}\""));
        let line: Value = serde_json::from_str(log.lines().find(of_agent).unwrap()).unwrap();
        let verdict = line["id"].as_str().unwrap();
        assert_eq!(
            json_of(&context, &["show", verdict, "--json"])["fate"],
            word
        );
        for (command, meaning) in ["show", "explain"].into_iter().zip(meanings) {
            let text = context.attest([command, verdict]).assert_success().stdout;
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(
                text.contains(word) && text.contains(meaning),
                "{id}: {text}"
            );
        }
    }
}

#[test]
fn an_agent_that_is_still_at_work_has_not_failed_to_answer() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py"));
    let said = |command: &[&str]| context.attest(command).assert_success().stdout;
    let markdown = ["stats", "--all", "--format", "markdown"];
    for command in [
        &["show", "a1"][..],
        &["explain", "a1"],
        &["show", "a1", "--json"],
    ] {
        assert!(!said(command).contains("UNANSWERED"), "{command:?}");
    }
    assert!(said(&["explain", "a1"]).contains("its next stop has a verdict of its own"));
    assert!(said(&markdown).contains("0 unanswered, 1 at work or called honest."));
    let mut death = agent.start_payload();
    death["hook_event_name"] = "StopFailure".into();
    death["error"] = "overloaded".into();
    hook(&context, "failed", &death);
    for command in [
        &["show", "a1"][..],
        &["explain", "a1"],
        &["show", "a1", "--json"],
    ] {
        assert!(said(command).contains("UNANSWERED"), "{command:?}");
    }
    let explained = said(&["explain", "a1"]);
    assert!(
        explained.contains("- Look at what the agent left, if it matters."),
        "{explained}"
    );
    assert!(!explained.contains("its next stop"), "{explained}");
    assert!(said(&markdown).contains("1 unanswered."));
}

/// The same agents with and without enforcement: an agent that is sent back is no two agents.
#[test]
fn rates_do_not_move_with_enforcement() {
    let rate = |context: &TestContext| {
        let repo = context.repository("repo", FILES);
        sent_back(context, &repo);
        let text = context.attest(["stats", "--all"]).assert_success().stdout;
        let row = text
            .lines()
            .find(|line| line.starts_with("general"))
            .unwrap();
        let numbers: Vec<_> = row.split_whitespace().skip(1).take(7).collect();
        numbers.join(" ")
    };
    // Agents, with a claim, with a false DONE that stands and with one that is mended, and the share of both.
    let expected = "5 5 2 2 4 of 5";
    assert_eq!(rate(&TestContext::enforcing()), expected);
    assert_eq!(rate(&TestContext::new()), expected);
}

/// Two repositories, and agents of which no repository is known, because their start was not seen.
fn mixed() -> (TestContext, [PathBuf; 2]) {
    let context = TestContext::new();
    let repos = ["one", "two"].map(|name| context.repository(name, FILES));
    for (repo, ids) in repos.iter().zip([["a1", "a2"], ["b1", "b2"]]) {
        for (id, files) in ids.into_iter().zip(["a.py", "ghost.py"]) {
            let agent = Agent::new(id, repo);
            agent.start(&context);
            fs::write(repo.join("a.py"), id).unwrap();
            agent.stop(&context, &done(files));
        }
    }
    for id in ["unseen1", "unseen2"] {
        Agent::new(id, &repos[0]).stop(&context, "nothing to say");
    }
    (context, repos)
}

#[test]
fn what_is_of_no_repository_is_in_no_repositorys_list_or_sum() {
    let (context, repos) = mixed();
    let ids_of = |arguments: &[&str]| -> Vec<String> {
        let log = context.attest([&["log", "--json"], arguments].concat());
        let lines = log.assert_success().stdout;
        let lines = lines
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines
            .map(|line| line["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = ids_of(&["--all"]);
    assert_eq!(all.len(), 6);
    let log = context
        .attest(["log", "--all", "--json"])
        .assert_success()
        .stdout;
    let of_none = log
        .lines()
        .filter(|line| line.contains("\"repository\":null"))
        .count();
    assert_eq!(of_none, 2);
    let [one, two] = repos.each_ref().map(|repo| repo.to_str().unwrap());
    let of_two = [one, two].map(|repo| ids_of(&["--repository", repo]));
    assert_eq!(of_two.each_ref().map(Vec::len), [2, 2]);
    // Those of the repositories and those of none are all.
    let sum = |name| {
        let parts = [one, two].map(|repo| number(&stats(&context, &["--repository", repo]), name));
        parts.iter().sum::<u64>()
    };
    let all = stats(&context, &["--all"]);
    assert_eq!((sum("stops"), number(&all, "stops")), (4, 6));
    assert_eq!((sum("agents"), number(&all, "agents")), (4, 6));
    assert_eq!(sum("false_dones"), number(&all, "false_dones"));
    // In a repository each list is of that one, and begins with what is shown if nothing is named.
    for (repo, ids) in repos.iter().zip(&of_two) {
        let here = |arguments: &[&str]| {
            let mut command = context.command(crate::common::BINARY);
            let output = command.args(arguments).current_dir(repo).output().unwrap();
            crate::common::Printed::of(output).assert_success().stdout
        };
        let listed = here(&["log", "--json"]);
        assert_eq!(listed.lines().count(), 2, "{listed}");
        let shown: Value = serde_json::from_str(&here(&["show", "--json"])).unwrap();
        assert_eq!(shown["id"].as_str(), ids.first().map(String::as_str));
        let agents: Value = serde_json::from_str(&here(&["agents", "--json"])).unwrap();
        assert_eq!(agents.as_array().unwrap().len(), 2);
        let page = here(&["report", "-"]);
        assert!(!page.contains("unseen"), "a row of no repository");
    }
}

#[test]
fn a_repository_of_which_nothing_is_recorded_shows_nothing_of_another() {
    let (context, _) = mixed();
    let other = context.repository("three", FILES);
    let there = |arguments: &[&str]| {
        let mut command = context.command(crate::common::BINARY);
        let output = command
            .args(arguments)
            .current_dir(&other)
            .output()
            .unwrap();
        crate::common::Printed::of(output)
    };
    let listed = there(&["log"]).assert_success().stdout;
    let hint = "`attest log --all` lists 6 verdicts of other repositories or of none";
    assert!(
        listed.contains("three") && listed.contains(hint),
        "{listed}"
    );
    for command in ["show", "explain"] {
        let shown = there(&[command]).assert_failure();
        assert!(
            shown.stderr.contains("no verdict is recorded of"),
            "{shown:?}"
        );
        assert!(shown.stderr.contains(hint), "{shown:?}");
    }
}

/// A path that is not on disk is never called present, and says what left it open up to the person.
#[test]
fn a_doubt_keeps_its_reason_up_to_the_person() {
    let mut context = TestContext::new();
    context.set("ATTEST_LOG", "info");
    let repo = context.repository("repo", &[("a.py", "1\n"), (".gitignore", "logs/\n")]);
    let agent = Agent::new("doubted", &repo);
    agent.start(&context);
    let report = "Status: DONE\nFiles changed:\n- logs/out.txt\n- src/x.py — in the stash";
    let stop = agent.stop(&context, report);
    let log = fs::read_to_string(context.home().join(".attest/attest.log")).unwrap();
    let show = context.attest(["show", "doubted"]).assert_success().stdout;
    let explain = context
        .attest(["explain", "doubted"])
        .assert_success()
        .stdout;
    let report = stop.0.stdout.clone();
    for text in [report, log, show.clone(), explain] {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for reason in [
            "the remark «in the stash» is not understood as work (REMARK)",
            "ignored by git (IGNORED)",
        ] {
            assert!(text.contains(reason), "{reason}: {text}");
        }
    }
    assert!(
        show.contains("UNPROVEN") && !show.contains("PRESENT"),
        "{show}"
    );
    // The twin: the ignored file that is there is present, and nothing disproves the claim of it.
    fs::create_dir(repo.join("logs")).unwrap();
    fs::write(repo.join("logs/out.txt"), "1").unwrap();
    let agent = Agent::new("honest", &repo);
    agent.start(&context);
    fs::write(repo.join("logs/out.txt"), "2").unwrap();
    agent.stop(&context, &done("logs/out.txt"));
    let show = context.attest(["show", "honest"]).assert_success().stdout;
    assert!(
        show.contains("PRESENT") && !show.contains("UNPROVEN"),
        "{show}"
    );
}

/// The host keeps beside the transcript what the agent was asked to do.
#[test]
fn an_agent_is_called_by_its_task() {
    let context = TestContext::new();
    let repo = context.repository("repo", FILES);
    let transcripts = context.home().join("subagents");
    fs::create_dir(&transcripts).unwrap();
    let transcript = transcripts.join("agent-a1b2c3d4e5f607182.jsonl");
    fs::write(&transcript, "").unwrap();
    let meta = json!({"agentType": "general-purpose", "description": "Write the\u{1b}[31m parser"});
    fs::write(transcript.with_extension("meta.json"), meta.to_string()).unwrap();
    let agent = Agent::new("a1b2c3d4e5f607182", &repo);
    agent.start(&context);
    let fields = json!({"agent_transcript_path": transcript});
    agent.stop_with(&context, &done("ghost.py"), &fields);
    let told = json!({"session_id": agent.session, "cwd": repo, "hook_event_name": "Stop"});
    let reply: Value = serde_json::from_str(&hook(&context, "session-stop", &told).stdout).unwrap();
    let message = reply["systemMessage"].as_str().unwrap();
    let expected = "attest: 1 agent checked, 1 with something to look at when it stopped:\n\
                    - \"Write the\\u{1b}[31m parser\" (general-purpose): \"ghost.py\": not on disk";
    assert!(message.starts_with(expected), "{message}");
    for command in [
        &["log", "--all"][..],
        &["agents", "--all"],
        &["show"],
        &["explain"],
    ] {
        let text = context.attest(command).assert_success().stdout;
        assert!(
            text.contains("Write the\\u{1b}[31m parser"),
            "{command:?}: {text}"
        );
    }
    let log = context
        .attest(["log", "--all", "--json"])
        .assert_success()
        .stdout;
    let line: Value = serde_json::from_str(&log).unwrap();
    assert_eq!(line["agent_id"], "a1b2c3d4e5f607182");
    // The twin without a task keeps its id, by which it can be shown.
    let other = Agent::new("b1b2c3d4e5f607182", &repo);
    other.start(&context);
    other.stop(&context, &done("ghost.py"));
    let reply: Value = serde_json::from_str(&hook(&context, "session-stop", &told).stdout).unwrap();
    let message = reply["systemMessage"].as_str().unwrap();
    assert!(
        message.contains("- general-purpose b1b2c3d4e5f607182: "),
        "{message}"
    );
}

/// The words in capitals of a text, without what people and files are called.
fn capitals(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_uppercase() || c == '_';
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let words = words.filter(|word| word.len() > 2 && word.chars().all(is_part));
    words
        .filter(|word| !word.starts_with("ATTEST_"))
        .map(str::to_owned)
        .collect()
}

/// Whatever command prints it: each word in capitals is one that `explain` knows.
#[test]
fn every_word_that_is_printed_is_explained() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_LOG", "debug");
    let repo = context.repository("repo", FILES);
    sent_back(&context, &repo);
    context.unset("ATTEST_ENFORCE");
    let doubted = Agent::new("doubted", &repo);
    doubted.start(&context);
    fs::write(repo.join("b.py"), "2").unwrap();
    let report =
        "Status: DONE\nFiles changed:\n- src/x.py — in the stash\n- *.rs\n- a.py\n- /etc/hosts";
    let mut printed = vec![doubted.stop(&context, report).0.stdout];
    Agent::new("unseen", &repo).stop(&context, "nothing");
    printed.push(fs::read_to_string(context.home().join(".attest/attest.log")).unwrap());
    let message = context.home().join("message.txt");
    fs::write(&message, report).unwrap();
    let message = message.to_str().unwrap();
    for command in [
        &["log", "--all"][..],
        &["agents", "--all"],
        &["stats", "--all"],
        &["show", "doubted"],
        &["show", "repeats"],
        &["explain", "doubted"],
        &["explain", "repeats"],
        &["explain", "unseen"],
        &["explain", "--list"],
        &["claim", message],
    ] {
        printed.push(context.attest(command).assert_success().stdout);
    }
    let words: std::collections::BTreeSet<_> = printed.iter().flat_map(|it| capitals(it)).collect();
    assert!(words.len() > 60, "{words:?}");
    let pages = context.explained();
    let known = pages.iter().map(|page| page["word"].as_str().unwrap());
    // Levels of the log, names of git and of another program, formats, and sets of characters.
    let others = "ERROR WARN INFO DEBUG CAST JSON HEAD README URL UTC ATTEST LEVEL ID USER READ AS UTF ASCII"
        .split(' ');
    let known: std::collections::BTreeSet<_> = known
        .flat_map(|word| word.split([' ', ',']))
        .chain(others)
        .map(str::to_ascii_uppercase)
        .collect();
    let unknown: Vec<_> = words.iter().filter(|word| !known.contains(*word)).collect();
    assert!(unknown.is_empty(), "nothing explains {unknown:?}");
    for typed in [
        "NOT blocking",
        "claim source=none",
        "no snapshot found",
        "source",
        "FIXED",
        "RATE",
        "TOLD",
    ] {
        context.attest(["explain", typed]).assert_success();
    }
    // A word of two kinds is explained as both.
    let both = context.attest(["explain", "lost"]).assert_success().stdout;
    assert!(
        both.contains("(finding)") && both.contains("(ATTEST_STRICT)"),
        "{both}"
    );
}

/// A history that an attest wrote which knew no tasks and no fates.
#[test]
fn the_history_of_an_older_version_is_read_with_the_new_words() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    sent_back(&context, &repo);
    let connection = rusqlite::Connection::open(context.home().join(".attest/state.db")).unwrap();
    take_back_to(&connection, 9);
    drop(connection);
    let stats = stats(&context, &["--all"]);
    for name in ["fixed", "withdrawn", "repeated", "unanswered"] {
        assert_eq!(number(&stats, name), 1, "{name}");
    }
    for command in [
        &["log", "--all"][..],
        &["agents", "--all"],
        &["show", "writes"],
        &["report", "-", "--all"],
    ] {
        let printed = context.attest(command).assert_success().stdout;
        assert!(printed.contains("writes"), "{command:?}: {printed}");
    }
}
