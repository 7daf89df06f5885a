//! One flat record a verdict: what `attest log --json` prints and `export.file` gets.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::ci::assert_schema;
use crate::common::agent::Agent;
use crate::common::scene::settle;
use crate::common::{BINARY, TestContext};

/// The keys of a list, which stand beside the record in `attest log --json`.
const OF_LISTS: [&str; 13] = [
    "id",
    "disputed",
    "at",
    "session_id",
    "agent_id",
    "agent_type",
    "task",
    "repository",
    "outcome",
    "reason",
    "is_claim",
    "blocks_before",
    "summary",
];

struct World {
    context: TestContext,
    repository: PathBuf,
    file: PathBuf,
}

impl World {
    /// A home in which verdicts are exported, and a repository that was cloned.
    fn new(more: &str) -> Self {
        let context = TestContext::new();
        let repository = context.repository("secret-project", &[("a.py", "a = 1\n")]);
        let url = "https://alice:token@secret-host.example/secret-team/secret-project.git";
        context.git(&repository, &["remote", "add", "origin", url]);
        let file = context.folder().join("verdicts.jsonl");
        let world = Self {
            context,
            repository,
            file,
        };
        world.set(&format!(
            "file = {:?}\n{more}",
            world.file.to_str().unwrap()
        ));
        world
    }

    fn set(&self, export: &str) {
        let folder = self.context.home().join(".attest");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("settings.toml"), format!("[export]\n{export}")).unwrap();
    }

    /// An agent that starts and stops with this report.
    fn run(&self, id: &str, report: &str) {
        let agent = Agent::new(id, &self.repository);
        agent.start(&self.context);
        agent.stop(&self.context, report);
    }

    fn lines(&self) -> Vec<Value> {
        let text = fs::read_to_string(&self.file).unwrap_or_default();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn log(&self) -> Vec<Value> {
        let text = self
            .context
            .attest(["log", "--all", "--json"])
            .assert_success()
            .stdout;
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

fn sequences(lines: &[Value]) -> Vec<i64> {
    lines
        .iter()
        .map(|line| line["attest.sequence"].as_i64().unwrap())
        .collect()
}

#[test]
fn each_stop_adds_a_line_that_the_log_has_as_well() {
    let world = World::new("");
    world.run("a1", "Status: DONE\nFiles changed: ghost.py");
    world.run("a2", "No report.");
    let lines = world.lines();
    assert_eq!(sequences(&lines), [1, 2]);
    for line in &lines {
        assert_schema(line, "record.json");
        for key in OF_LISTS {
            assert!(line.get(key).is_none(), "{key} is of lists alone");
        }
    }
    let first = &lines[0];
    assert_eq!(first["severity"], "ERROR");
    assert_eq!(first["body"], "attest: MISMATCH general-purpose");
    assert_eq!(
        (&first["attest.false_done"], &first["attest.judged"]),
        (&true.into(), &true.into())
    );
    assert_eq!(first["attest.against.kinds"], "files");
    assert_eq!(lines[1]["attest.judged"], false);
    let uids: BTreeSet<_> = lines
        .iter()
        .map(|line| line["log.record.uid"].to_string())
        .collect();
    assert_eq!(uids.len(), 2);
    // The log has the newest first, and with names.
    let log = world.log();
    for (line, listed) in lines.iter().zip(log.iter().rev()) {
        for same in [
            "log.record.uid",
            "attest.sequence",
            "attest.instance",
            "time",
        ] {
            assert_eq!(line[same], listed[same]);
        }
        assert_schema(listed, "record.json");
        assert_eq!(
            listed["vcs.repository.name"],
            "secret-host.example/secret-team/secret-project"
        );
    }
}

/// An OK that nothing was seen of is no confirmation, and an honest twin of which something was is one.
#[test]
fn a_claim_that_could_not_be_judged_passes_nothing() {
    let world = World::new("level = \"full\"");
    world.run("a1", "Status: DONE\nFiles changed: none\nTests: 12 passed");
    let agent = Agent::new("a2", &world.repository);
    agent.start(&world.context);
    fs::write(world.repository.join("a.py"), "a = 2\n").unwrap();
    let report = "Status: DONE\nFiles changed: a.py\nTests: 12 passed";
    agent.stop(&world.context, report);
    let lines = world.lines();
    let of = |at: usize, key: &str| lines[at][key].as_str().unwrap().to_owned();
    let (label, summary) = ("gen_ai.evaluation.score.label", "attest.summary");
    assert_eq!(
        (of(0, "attest.outcome"), of(0, label)),
        ("OK".to_owned(), "unproven".to_owned())
    );
    assert_eq!(of(0, summary), "not judged: 12 passed");
    assert_eq!(
        (of(1, label), of(1, summary)),
        ("pass".to_owned(), "a.py".to_owned())
    );
}

#[test]
fn numbers_go_on_when_all_is_forgotten_and_a_new_file_has_another_name() {
    let world = World::new("");
    for id in ["a1", "a2", "a3"] {
        world.run(id, "Status: DONE\nFiles changed: none");
    }
    world
        .context
        .attest(["gc", "--older-than", "0d"])
        .assert_success();
    assert_eq!(world.log().len(), 0);
    world.run("a4", "Status: DONE\nFiles changed: none");
    assert_eq!(sequences(&world.lines()), [1, 2, 3, 4]);
    fs::remove_dir_all(world.context.home().join(".attest")).unwrap();
    world.set(&format!("file = {:?}\n", world.file.to_str().unwrap()));
    world.run("a5", "Status: DONE\nFiles changed: none");
    let lines = world.lines();
    assert_eq!(sequences(&lines), [1, 2, 3, 4, 1]);
    assert_ne!(lines[4]["attest.instance"], lines[3]["attest.instance"]);
}

#[test]
fn a_file_is_made_anew_when_it_is_renamed_and_goes_on_when_it_is_emptied() {
    let world = World::new("");
    world.run("a1", "Done.");
    fs::rename(&world.file, world.file.with_extension("1")).unwrap();
    world.run("a2", "Done.");
    assert_eq!(sequences(&world.lines()), [2]);
    fs::File::options()
        .write(true)
        .open(&world.file)
        .unwrap()
        .set_len(0)
        .unwrap();
    world.run("a3", "Done.");
    assert_eq!(sequences(&world.lines()), [3]);
    assert!(fs::read(&world.file).unwrap().starts_with(b"{"));
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_is_a_line_in_the_log_and_a_hole() {
    let world = World::new("");
    world.run("a1", "Done.");
    let log =
        || fs::read_to_string(world.context.home().join(".attest/attest.log")).unwrap_or_default();
    assert!(!log().contains("NOT_EXPORTED"));
    // A pipe that nobody reads, and a folder.
    for made in ["mkfifo", "mkdir"] {
        fs::rename(&world.file, world.file.with_extension(made)).unwrap();
        let mut make = world.context.command(made);
        assert!(make.arg(&world.file).status().unwrap().success());
        world.run(made, "Done.");
    }
    assert_eq!(log().matches("NOT_EXPORTED").count(), 2, "{}", log());
    fs::remove_dir(&world.file).unwrap();
    world.run("a4", "Done.");
    assert_eq!(sequences(&world.lines()), [4]);
}

#[test]
fn a_setting_that_is_not_understood_exports_nothing_and_is_told() {
    for wrong in ["level = \"all\"", "lvl = \"counts\""] {
        let world = World::new(wrong);
        world.run("a1", "Done.");
        assert!(!world.file.exists());
        let log = fs::read_to_string(world.context.home().join(".attest/attest.log")).unwrap();
        assert!(
            log.contains("BAD_SETTINGS") && log.contains("nothing is exported"),
            "{log}"
        );
    }
}

#[test]
fn one_salt_is_one_id_on_all_machines_and_another_is_another() {
    let id = |salt: &str| {
        let world = World::new(&format!("salt = {salt:?}"));
        world.run("a1", "Done.");
        world.lines()[0]["attest.repository"].clone()
    };
    assert_eq!(id("team"), id("team"));
    assert_ne!(id("team"), id("other"));
}

#[test]
fn what_a_repository_was_cloned_from_is_known_when_it_is_gone() {
    let world = World::new("");
    world.run("a1", "Status: DONE\nFiles changed: ghost.py");
    fs::remove_dir_all(&world.repository).unwrap();
    assert_eq!(
        world.log()[0]["vcs.repository.name"],
        "secret-host.example/secret-team/secret-project"
    );
}

/// Both hooks of an agent, with what they open, write and connect to.
fn traced(world: &World, id: &str) -> String {
    let agent = Agent::new(id, &world.repository);
    let report = "Status: DONE\nFiles changed: ghost.py";
    let payloads = [
        ("start", agent.start_payload()),
        ("stop", agent.stop_payload(report, &json!({}))),
    ];
    let mut all = String::new();
    for (verb, payload) in payloads {
        let trace = world.context.folder().join("trace");
        let input = world.context.folder().join("payload");
        fs::write(&input, payload.to_string()).unwrap();
        let mut command = world.context.command("strace");
        world.context.be_patient(&mut command);
        let command = command
            .args([
                "-f",
                "-qq",
                "-y",
                "-e",
                "trace=%network,openat,write,writev",
                "-o",
            ])
            .args([&trace, Path::new(BINARY)])
            .args(["hook", verb])
            .stdin(fs::File::open(&input).unwrap());
        assert!(command.output().unwrap().status.success());
        all += &fs::read_to_string(trace).unwrap();
    }
    all
}

#[attest_needs::needs(strace)]
#[test]
fn a_hook_opens_the_file_once_writes_once_and_connects_to_nothing() {
    let world = World::new("");
    // The first makes the file, and the log.
    world.run("a0", "Status: DONE\nFiles changed: ghost.py");
    // What is young is looked at more closely.
    settle();
    let with = traced(&world, "a1");
    world.set("");
    let without = traced(&world, "a2");
    let calls = |trace: &str, call: &str, of: &str| {
        let lines = trace.lines().filter(|line| line.contains(of));
        lines.filter(|line| line.contains(call)).count()
    };
    let of_file = |trace: &str, call: &str| calls(trace, call, "verdicts.jsonl");
    assert_eq!(
        (of_file(&with, " openat("), of_file(&with, "")),
        (1, 2),
        "{with}"
    );
    assert_eq!(of_file(&without, ""), 0, "{without}");
    for call in [" openat(", " write"] {
        let more = calls(&with, call, "").checked_sub(calls(&without, call, ""));
        assert_eq!(more, Some(1), "{call}: {with}\n{without}");
    }
    for trace in [with, without] {
        assert!(trace.contains("state.db"), "{trace}");
        let calls = trace
            .lines()
            .filter_map(|line| line.split_whitespace().nth(1));
        let others = calls.filter(|call| {
            let known = ["openat(", "write(", "writev(", "<...", "+++", "---"];
            !known.iter().any(|known| call.starts_with(known))
        });
        assert_eq!(others.collect::<Vec<_>>(), [""; 0], "{trace}");
    }
}

/// Reports, branches, tasks and places with names: at `counts` nothing of them leaves.
fn leaks(count: usize) {
    let mut world = World::new("");
    for (name, value) in [
        ("USER", "secret-user"),
        ("LOGNAME", "secret-user"),
        ("HOSTNAME", "secret-host"),
    ] {
        world.context.set(name, value);
    }
    let git = |args: &[&str]| world.context.git(&world.repository, args);
    git(&["checkout", "--quiet", "-b", "secret-branch"]);
    for at in 0..count {
        let report = format!(
            "Status: DONE\nFiles changed: secret-folder{at}/secret{at}.py, src/secretfile.py (secret words)\n\
             Commits: abcdef1\nBranch: secret-branch\nTests: 3 passed"
        );
        world.run(&format!("secret/agent {at}"), &report);
    }
    let text = fs::read_to_string(&world.file).unwrap();
    assert_eq!(text.lines().count(), count);
    for secret in ["secret", "alice", "token", "a.py", "/", "src", "abcdef1"] {
        // What is OpenTelemetry's or attest's own has none of them.
        assert!(
            !text.contains(secret),
            "{secret}: {}",
            text.lines().next().unwrap()
        );
    }
}

#[test]
fn at_counts_no_name_leaves() {
    leaks(5);
}

#[test]
#[ignore = "takes minutes: 10,000 stops; .ci/full engines"]
fn at_counts_no_name_of_10_000_leaves() {
    leaks(10_000);
}

#[test]
fn at_full_names_leave() {
    let world = World::new("level = \"full\"");
    world.run("a1", "Status: DONE\nFiles changed: ghost.py");
    let line = &world.lines()[0];
    assert_schema(line, "record.json");
    assert!(
        line["attest.summary"]
            .as_str()
            .unwrap()
            .contains("ghost.py")
    );
    assert!(!line.to_string().contains("token"), "{line}");
}
