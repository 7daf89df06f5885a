//! The plugin in the real host, installed as a person installs it.

use std::fs;
use std::path::Path;

use attest_scripted_host::{Host, Outcome, Trial, Workbench, installed};
use serde_json::json;

use crate::{BINARY, FOLDER, TOP};

/// What is given the version and its host.
type Body = fn(&str, &Host);

/// Each test with its name. They are for versions that know plugins whose folder a command prints.
pub(crate) const ALL: [(&str, Body); 3] = [
    ("plugin_is_valid", is_valid),
    ("plugin_sends_a_false_done_back", sends_back),
    ("plugin_beside_settings_judges_once", judges_once),
];

/// The first version of `versions.txt` in which it was tried.
const SINCE: &str = "2.1.330";

/// Whether this version is one of them.
pub(crate) fn is_for(version: &str) -> bool {
    installed::is_since(version, SINCE)
}

/// A home in which `attest` is on the PATH, and nothing else.
fn bench(trial: &Trial) -> Workbench {
    let programs = tempfile::tempdir().unwrap().keep();
    std::os::unix::fs::symlink(BINARY, programs.join("attest")).unwrap();
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display());
    Workbench::searching(&trial.scenario.files, path).unwrap()
}

/// Runs the host's own command for plugins.
fn plugin(bench: &Workbench, host: &Host, arguments: &[&str]) -> String {
    let mut command = bench.command(&host.program);
    let output = command
        .env("CLAUDE_CONFIG_DIR", bench.configuration())
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        .arg("plugin")
        .args(arguments)
        .output()
        .unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success(), "{arguments:?}: {text}");
    text
}

/// Settings that enforce, and the plugin.
fn installed_on(bench: &Workbench, host: &Host) {
    let variables = json!({ "env": {"ATTEST_ENFORCE": "1", "ATTEST_LOG": "info"} });
    fs::create_dir_all(bench.configuration()).unwrap();
    let settings = bench.configuration().join("settings.json");
    fs::write(settings, variables.to_string()).unwrap();
    plugin(bench, host, &["marketplace", "add", TOP]);
    plugin(bench, host, &["install", "--yes", "attest@attest"]);
}

fn false_done() -> Trial {
    Trial::load(&Path::new(FOLDER).join("false_done_fixed.toml")).unwrap()
}

fn log(outcome: &Outcome) -> String {
    fs::read_to_string(outcome.bench.home().join(".attest/attest.log")).unwrap()
}

fn is_valid(_version: &str, host: &Host) {
    let bench = bench(&false_done());
    let folder = bench.home().join("plugin");
    let mut command = bench.command(BINARY);
    let output = command.args(["plugin-dir", "--into"]).arg(&folder);
    assert!(output.output().unwrap().status.success());
    plugin(
        &bench,
        host,
        &["validate", "--strict", &folder.to_string_lossy()],
    );
    let report = plugin(&bench, host, &["validate", "--strict", TOP]);
    assert!(report.contains("SubagentStop"), "{report}");
    // What the catalog refuses or warns of, in the folder that is written and in this repository.
    for folder in [&*folder.to_string_lossy(), TOP] {
        let words = ["validate", "--strict", "--profile", "directory", folder];
        plugin(&bench, host, &words);
    }
}

fn sends_back(_version: &str, host: &Host) {
    let trial = false_done();
    let bench = bench(&trial);
    installed_on(&bench, host);
    let outcome = host.play(&trial.scenario, bench).unwrap();
    let log = log(&outcome);
    assert_eq!(
        log.matches("BLOCKED false DONE: ghost.py").count(),
        1,
        "{log}"
    );
    assert!(
        outcome.bench.tree().unwrap().contains_key("ghost.py"),
        "{log}"
    );
    assert_eq!(outcome.unplayed(&trial.scenario), [""; 0]);
}

/// Each stop has one verdict, which is of the hook in the settings.
fn judges_once(_version: &str, host: &Host) {
    let trial = false_done();
    let bench = bench(&trial);
    installed_on(&bench, host);
    let settings = bench.configuration().join("settings.json");
    let mut command = bench.command(BINARY);
    let output = command.args(["install", "--settings"]).arg(settings);
    assert!(output.output().unwrap().status.success());
    let outcome = host.play(&trial.scenario, bench).unwrap();
    let log = log(&outcome);
    assert_eq!(log.matches(" DECISION ").count(), 2, "{log}");
    assert_eq!(
        log.matches("BLOCKED false DONE: ghost.py").count(),
        1,
        "{log}"
    );
    assert!(log.contains("PLUGIN_NOT_NEEDED"), "{log}");
}
