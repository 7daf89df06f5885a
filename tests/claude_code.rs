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

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use attest_scripted_host::{Host, Trial, Workbench, installed};
#[cfg(unix)]
use serde_json::json;

const BINARY: &str = env!("CARGO_BIN_EXE_attest");
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/claude_code");
/// Longer than any scenario takes; a host that hangs is a failure.
const LIMIT: Duration = Duration::from_mins(1);

macro_rules! scenarios {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            play_on_all(stringify!($name));
        })*

        /// The names of all scenarios.
        fn names() -> BTreeSet<String> {
            [$(stringify!($name)),*].map(str::to_owned).into()
        }
    };
}

scenarios! {
    absolute_path_lie absolute_paths advice_background advice_foreground advice_honest_background
    advice_no_write advice_parallel advice_silent_write api_error background bold_and_bulleted bold_and_bulleted_lie
    commit delete_and_commit edit_not_landed edit_not_landed_strict empty_final false_done_fixed
    false_done_reported honest_done honest_done_adds_nothing hook_timeout nested parallel prose
    rename resumed session_ceiling stubborn_liar stubborn_with_tools subdirectory work_on_a_branch
    worktree_isolation worktree_isolation_lie
}

#[test]
fn every_scenario_is_played() {
    let files = fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|e| e == "toml"));
    let files: BTreeSet<_> = files
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(names(), files);
}

fn versions() -> Vec<String> {
    let list = fs::read_to_string(Path::new(FOLDER).join("versions.txt")).unwrap();
    installed::versions(&list)
}

/// The folder into which CI installs the versions.
fn hosts() -> PathBuf {
    std::env::var_os("ATTEST_TEST_CLAUDE_CODE").map_or_else(
        || Path::new(FOLDER).join("../../target/claude-code"),
        PathBuf::from,
    )
}

/// The scripted model's own program stands beside attest's where the whole workspace is tested.
fn probe() -> PathBuf {
    let name = format!("attest-scripted-host{}", std::env::consts::EXE_SUFFIX);
    let probe = Path::new(BINARY).with_file_name(name);
    if !probe.is_file() {
        let arguments = ["build", "--quiet", "--package", "attest-scripted-host"];
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

fn load(name: &str) -> Trial {
    Trial::load(&Path::new(FOLDER).join(name).with_extension("toml")).unwrap()
}

/// The host of a version, if it is installed.
fn host(test: &str, version: &str) -> Option<Host> {
    let Some(program) = installed::program(&hosts(), version) else {
        // Not by `eprintln!`, which is hidden where a test passes.
        let line = format!("SKIPPED: {test}: Claude Code {version} is not installed");
        let _ = writeln!(std::io::stderr(), "{line}");
        return None;
    };
    Some(Host {
        program,
        probe: probe(),
        limit: LIMIT,
    })
}

fn play_on_all(name: &str) {
    let trial = load(name);
    for version in versions() {
        if !trial.is_for(&version) {
            continue;
        }
        let Some(host) = host(name, &version) else {
            continue;
        };
        let bench = Workbench::new(&trial.scenario.files).unwrap();
        let played = trial.play(&host, bench, Path::new(BINARY)).unwrap();
        let faults = played.faults().unwrap();
        assert!(
            faults.is_empty(),
            "{name} on {version}: {faults:#?}\nevents: {:?}\nlog:\n{}\nstderr:\n{}",
            played.outcome.order(),
            played.log(),
            played.outcome.errors
        );
    }
}

/// The entries of an attest from before the shell form: `args` in each.
#[cfg(unix)]
fn with_args(bench: &Workbench) {
    let settings = bench.configuration().join("settings.json");
    let mut hooks = serde_json::Map::new();
    for (event, verb) in [
        ("SubagentStart", "start"),
        ("SubagentStop", "stop"),
        ("Stop", "session-stop"),
        ("PostToolUse", "post-tool-use"),
        ("UserPromptSubmit", "prompt"),
    ] {
        let entry = json!({"type": "command", "command": BINARY, "args": ["hook", verb],
            "timeout": 15, "async": false, "statusMessage": "attest"});
        hooks.insert(event.to_owned(), json!([{ "hooks": [entry] }]));
    }
    fs::create_dir_all(bench.configuration()).unwrap();
    fs::write(settings, json!({ "hooks": hooks }).to_string()).unwrap();
}

/// Runs attest as the person whose `claude` is the given program.
#[cfg(unix)]
fn attest(bench: &Workbench, claude: &Path, arguments: &[&str]) -> String {
    let programs = bench.home().join("programs");
    fs::create_dir_all(&programs).unwrap();
    let _ = std::os::unix::fs::symlink(claude.canonicalize().unwrap(), programs.join("claude"));
    let mut command = bench.command(BINARY);
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display());
    let output = command.args(arguments).env("PATH", path).output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

/// Such a host runs the bare program at every event. Where that fails with status 2, the person's
/// prompt never reaches the model.
#[cfg(unix)]
#[test]
fn on_a_host_that_does_not_know_args_prompts_pass_and_doctor_says_what_is_wrong() {
    let trial = load("honest_done");
    for version in versions() {
        let knows_args = installed::is_since(&version, "2.1.139");
        let Some(host) = host("args", &version) else {
            continue;
        };
        let bench = Workbench::new(&trial.scenario.files).unwrap();
        with_args(&bench);
        let outcome = host.play(&trial.scenario, bench).unwrap();
        assert_eq!(outcome.unplayed(&trial.scenario), [""; 0], "{version}");
        assert_eq!(outcome.events("SubagentStop").count(), 1, "{version}");
        let log = fs::read_to_string(outcome.bench.home().join(".attest/attest.log"));
        let log = log.unwrap_or_default();
        assert_eq!(log.contains("NO_COMMAND"), !knows_args, "{version}: {log}");
        let report = attest(&outcome.bench, &host.program, &["doctor"]);
        let fault = format!("have `args`, which Claude Code {version} does not know");
        assert_eq!(report.contains(&fault), !knows_args, "{report}");
        let installed = attest(&outcome.bench, &host.program, &["install"]);
        assert!(installed.contains("updated SubagentStop"), "{installed}");
        let report = attest(&outcome.bench, &host.program, &["doctor"]);
        assert!(!report.contains("FAIL"), "{report}");
    }
}

/// The page is written by `cargo xtask validate`, so what it lacks was not played for it.
#[test]
fn the_validation_page_has_every_scenario_on_every_version() {
    let page = fs::read_to_string(Path::new(FOLDER).join("../../docs/VALIDATION.md")).unwrap();
    assert!(page.contains("**The model is scripted**"));
    assert!(!page.contains("FAILED"));
    let mut sections = page.split("\n## ");
    sections.next();
    let sections: Vec<_> = sections.collect();
    for version in versions() {
        let heading = format!("Claude Code {version}\n");
        let section = sections.iter().find(|text| text.starts_with(&heading));
        let section = section.unwrap_or_else(|| panic!("no section for {version}"));
        let told: BTreeSet<_> = section
            .split("\n### ")
            .skip(1)
            .map(|text| text.split_once('\n').unwrap())
            .map(|(name, text)| (name.to_owned(), text.contains("\n- Result: as expected\n")))
            .collect();
        let expected: BTreeSet<_> = names()
            .into_iter()
            .map(|name| (name.clone(), load(&name).is_for(&version)))
            .collect();
        assert_eq!(told, expected, "{version}: run `cargo xtask validate`");
    }
}
