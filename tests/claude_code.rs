//! The real Claude Code, driven offline by a scripted model, with attest as its hooks.
//!
//! Each file of `tests/claude_code/` is a scenario and says what must be true at its end. It is
//! played on every version in `versions.txt` that is installed; see CONTRIBUTING.md.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that cannot go on fails, and the host has to be found"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use attest_scripted_model::{Host, Outcome, Scenario, Workbench};
use serde::Deserialize;
use serde_json::{Value, json};

const BINARY: &str = env!("CARGO_BIN_EXE_attest");
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/claude_code");
/// Longer than any scenario takes; a host that hangs is a failure.
const LIMIT: Duration = Duration::from_mins(1);

/// What must be true at the end of a scenario.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    /// Variables of the host's settings file.
    env: BTreeMap<String, String>,
    /// How many `SubagentStart` and `SubagentStop` events there are.
    starts: usize,
    stops: usize,
    /// How many stops were sent back.
    blocks: usize,
    /// What the log holds, in this order.
    reports: Vec<String>,
    /// `stop_hook_active` of each stop.
    active: Option<Vec<bool>>,
    /// Files that are there, and files that are not.
    #[serde(default)]
    tree: Vec<String>,
    #[serde(default)]
    no_tree: Vec<String>,
    /// What the conversation of a script was told, and what not.
    #[serde(default)]
    told: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    not_told: BTreeMap<String, Vec<String>>,
    /// The most characters that a block may have.
    longest_block: Option<usize>,
    /// Agents that are left for `attest gc`.
    collected: Option<usize>,
    /// The stop hook takes longer than the host waits for it.
    #[serde(default)]
    slow_stop: bool,
    /// The version that can do this.
    only_on: Option<String>,
}

macro_rules! scenarios {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            play_on_all(stringify!($name));
        })*

        #[test]
        fn every_scenario_is_played() {
            let names: BTreeSet<_> = [$(stringify!($name)),*].map(str::to_owned).into();
            let files = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path());
            let files = files.filter(|path| path.extension().is_some_and(|e| e == "toml"));
            let files: BTreeSet<_> =
                files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
            assert_eq!(names, files);
        }
    };
}

scenarios! {
    absolute_path_lie absolute_paths api_error background bold_and_bulleted bold_and_bulleted_lie
    commit delete_and_commit edit_not_landed edit_not_landed_strict empty_final false_done_fixed
    false_done_reported honest_done honest_done_adds_nothing hook_timeout nested parallel prose
    rename resumed session_ceiling stubborn_liar stubborn_with_tools subdirectory work_on_a_branch
    worktree_isolation worktree_isolation_lie
}

fn versions() -> Vec<String> {
    let text = fs::read_to_string(Path::new(FOLDER).join("versions.txt")).unwrap();
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

/// The program of a version, below the folder into which CI installs them.
fn program(version: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("ATTEST_TEST_CLAUDE_CODE").map_or_else(
        || Path::new(FOLDER).join("../../target/claude-code"),
        PathBuf::from,
    );
    let packages = folder.join(version).join("node_modules/@anthropic-ai");
    let packages = fs::read_dir(packages).ok()?;
    packages
        .map(|package| {
            package
                .unwrap()
                .path()
                .join(format!("claude{}", std::env::consts::EXE_SUFFIX))
        })
        .find(|program| program.is_file())
}

/// The scripted model's own program stands beside attest's where the whole workspace is tested.
fn probe() -> PathBuf {
    let name = format!("scripted-model{}", std::env::consts::EXE_SUFFIX);
    let probe = Path::new(BINARY).with_file_name(name);
    if !probe.is_file() {
        let arguments = ["build", "--quiet", "--package", "attest-scripted-model"];
        assert!(
            Command::new(env!("CARGO"))
                .args(arguments)
                .status()
                .unwrap()
                .success()
        );
    }
    probe
}

fn play_on_all(name: &str) {
    let path = Path::new(FOLDER).join(name).with_extension("toml");
    let scenario = Scenario::load(&path).unwrap();
    let expect: Expect = serde_json::from_value(scenario.expect.clone()).unwrap();
    for version in versions() {
        if expect.only_on.as_ref().is_some_and(|only| *only != version) {
            continue;
        }
        let Some(program) = program(&version) else {
            // Not by `eprintln!`, which is hidden where a test passes.
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED: {name}: Claude Code {version} is not installed"
            );
            continue;
        };
        let host = Host {
            program,
            probe: probe(),
            limit: LIMIT,
        };
        let bench = Workbench::new(&scenario.files).unwrap();
        install(&bench, &expect);
        let outcome = host.play(&scenario, bench).unwrap();
        Played {
            name,
            version: &version,
            scenario: &scenario,
            outcome,
        }
        .check(&expect);
    }
}

/// Puts the hooks into the settings as a person does.
fn install(bench: &Workbench, expect: &Expect) {
    let settings = bench.configuration().join("settings.json");
    let mut variables = expect.env.clone();
    variables.insert("ATTEST_LOG".to_owned(), "info".to_owned());
    fs::create_dir_all(bench.configuration()).unwrap();
    fs::write(&settings, json!({ "env": variables }).to_string()).unwrap();
    let mut command = bench.command(BINARY);
    command.arg("install").arg("--settings").arg(&settings);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    if expect.slow_stop {
        let mut text: Value = serde_json::from_slice(&fs::read(&settings).unwrap()).unwrap();
        let hook = &mut text["hooks"]["SubagentStop"][0]["hooks"][0];
        hook["command"] = json!("sh");
        hook["args"] = json!(["-c", "sleep 30"]);
        hook["timeout"] = json!(1);
        fs::write(&settings, text.to_string()).unwrap();
    }
}

/// A scenario that has been played.
struct Played<'a> {
    name: &'a str,
    version: &'a str,
    scenario: &'a Scenario,
    outcome: Outcome,
}

impl Played<'_> {
    fn check(&self, expect: &Expect) {
        let outcome = &self.outcome;
        // Not the requests themselves: they hold the host's own prompts.
        let strays: Vec<_> = outcome
            .strays()
            .map(|entry| (&entry.path, &entry.script, entry.turn))
            .collect();
        self.assert(
            strays.is_empty(),
            &format!("requests that nobody wrote: {strays:?}"),
        );
        let unplayed = outcome.unplayed(self.scenario);
        self.assert(
            unplayed.is_empty(),
            &format!("scripts left early: {unplayed:?}"),
        );
        self.assert_eq(
            "starts",
            &outcome.events("SubagentStart").count(),
            &expect.starts,
        );
        self.assert_eq(
            "stops",
            &outcome.events("SubagentStop").count(),
            &expect.stops,
        );
        let blocks = self.blocks();
        self.assert_eq("blocks", &blocks.len(), &expect.blocks);
        for block in blocks {
            let longest = expect.longest_block.unwrap_or(usize::MAX);
            self.assert(block.chars().count() <= longest, "a block is too long");
        }
        if let Some(active) = &expect.active {
            let seen = outcome
                .events("SubagentStop")
                .map(|stop| stop["stop_hook_active"] == true);
            self.assert_eq("stop_hook_active", &seen.collect::<Vec<_>>(), active);
        }
        self.check_log(&expect.reports);
        self.check_tree(expect);
        for (told, is_told) in [(&expect.told, true), (&expect.not_told, false)] {
            for (script, texts) in told {
                let heard = outcome.told(script).join("\n");
                for text in texts {
                    let what = format!("{script} is told {text:?}: {is_told}\n{heard}");
                    self.assert(heard.contains(text) == is_told, &what);
                }
            }
        }
        if let Some(count) = expect.collected {
            let mut gc = outcome.bench.command(BINARY);
            let output = gc.args(["gc", "--older-than", "0s"]).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            self.assert(text.starts_with(&format!("forgot {count} ")), &text);
        }
    }

    /// The reasons of all blocks, as the host received them.
    fn blocks(&self) -> Vec<String> {
        let replies = self
            .outcome
            .replies
            .iter()
            .filter(|reply| reply.event == "SubagentStop");
        replies
            .filter_map(|reply| serde_json::from_str::<Value>(&reply.stdout).ok())
            .filter(|reply| reply["decision"] == "block")
            .map(|reply| reply["reason"].as_str().unwrap().to_owned())
            .collect()
    }

    fn log(&self) -> String {
        let path = self.outcome.bench.home().join(".attest/attest.log");
        fs::read_to_string(path).unwrap_or_default()
    }

    fn check_log(&self, reports: &[String]) {
        let log = self.log();
        let mut rest = log.as_str();
        for report in reports {
            let at = rest.find(report.as_str());
            self.assert(
                at.is_some(),
                &format!("the log lacks {report:?}, or has it too early"),
            );
            rest = &rest[at.unwrap()..];
        }
        self.assert(!log.contains(" ERROR "), "the log has an error");
    }

    fn check_tree(&self, expect: &Expect) {
        let tree = self.outcome.bench.tree().unwrap();
        for path in &expect.tree {
            self.assert(tree.contains_key(path), &format!("{path} is not there"));
        }
        for path in &expect.no_tree {
            self.assert(!tree.contains_key(path), &format!("{path} is there"));
        }
    }

    #[track_caller]
    fn assert_eq<T: PartialEq + std::fmt::Debug>(&self, what: &str, found: &T, expected: &T) {
        let text = format!("{what}: found {found:?}, expected {expected:?}");
        self.assert(found == expected, &text);
    }

    #[track_caller]
    fn assert(&self, holds: bool, what: &str) {
        if holds {
            return;
        }
        panic!(
            "{} on {}: {what}\nevents: {:?}\nlog:\n{}\nstderr:\n{}",
            self.name,
            self.version,
            self.outcome.order(),
            self.log(),
            self.outcome.errors
        );
    }
}
