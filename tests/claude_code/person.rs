//! What a person does with attest beside a real host.

use std::fs;
use std::path::Path;

use attest_scripted_host::{Host, Trial, Workbench, installed};
use serde_json::json;

use crate::{BINARY, FOLDER};

/// What is given the version and its host.
type Body = fn(&str, &Host);

/// Each test with its name.
pub(crate) const ALL: [(&str, Body); 2] = [
    (
        "on_a_host_that_does_not_know_args_prompts_pass_and_doctor_says_what_is_wrong",
        prompts_pass_whatever_the_entries,
    ),
    ("doctor_is_content", doctor_is_content),
];

/// Those that are played on the oldest versions too, in which the scenarios are not.
pub(crate) const OLDEST: [(&str, Body); 1] = [("doctor_is_content", doctor_is_content)];

/// The entries of an attest from before the shell form: `args` in each.
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
fn attest(bench: &Workbench, claude: &Path, arguments: &[&str]) -> String {
    let programs = bench.home().join("programs");
    fs::create_dir_all(&programs).unwrap();
    let _ = std::os::unix::fs::symlink(
        attest_snapshot::canonical(claude).unwrap(),
        programs.join("claude"),
    );
    let mut command = bench.command(BINARY);
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display());
    command
        .args(arguments)
        .env("PATH", path)
        .env("ANTHROPIC_BASE_URL", "http://192.0.2.1");
    let output = command.output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

/// Such a host runs the bare program at every event. If that fails with status 2, the person's
/// prompt never reaches the model.
fn prompts_pass_whatever_the_entries(version: &str, host: &Host) {
    let trial = Trial::load(&Path::new(FOLDER).join("honest_done.toml")).unwrap();
    let knows_args = installed::is_since(version, "2.1.139");
    let bench = Workbench::new(&trial.scenario.files).unwrap();
    with_args(&bench);
    let outcome = host.play(&trial.scenario, bench).unwrap();
    assert_eq!(outcome.unplayed(&trial.scenario), [""; 0]);
    assert_eq!(outcome.events("SubagentStop").count(), 1);
    let log = fs::read_to_string(outcome.bench.home().join(".attest/attest.log"));
    let log = log.unwrap_or_default();
    assert_eq!(log.contains("NO_COMMAND"), !knows_args, "{log}");
    let report = attest(&outcome.bench, &host.program, &["doctor"]);
    let fault = format!("have `args`, which Claude Code {version} does not know");
    assert_eq!(report.contains(&fault), !knows_args, "{report}");
    let installed = attest(&outcome.bench, &host.program, &["install"]);
    assert!(installed.contains("updated SubagentStop"), "{installed}");
    let report = attest(&outcome.bench, &host.program, &["doctor"]);
    assert!(!report.contains("FAIL"), "{report}");
}

/// The whole way of `attest doctor --live`, and nothing of the person is touched by it.
fn doctor_is_content(version: &str, host: &Host) {
    let bench = Workbench::new(&[].into()).unwrap();
    attest(&bench, &host.program, &["install"]);
    let report = attest(&bench, &host.program, &["doctor", "--live"]);
    let expected = format!("pass  live        Claude Code {version} sent a false DONE back");
    assert!(report.contains(&expected), "{report}");
    assert!(!bench.home().join(".attest/attest.log").exists());
    // Beside the settings there is only what says who has made the folder.
    let names = fs::read_dir(bench.configuration())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = names.filter(|name| name != ".made-by-attest").collect();
    assert_eq!(left.len(), 1, "{left:?}");
}
