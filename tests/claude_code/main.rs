//! The real Claude Code, driven offline by a scripted model, with attest as its hooks.
//!
//! Each `.toml` file of this folder is a scenario and says what must be true at its end. It is played
//! on every version in `versions.txt`; those that are not installed are reported as ignored. See
//! CONTRIBUTING.md.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that cannot go on fails, and the host has to be found"
)]

#[cfg(unix)]
mod context;
#[cfg(unix)]
mod honest;
#[cfg(unix)]
mod person;
#[cfg(unix)]
mod plugin;
#[cfg(unix)]
mod seen;
#[cfg(unix)]
mod switches;
mod validation;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use attest_scripted_host::page::Ending;
use attest_scripted_host::{Host, Trial, Workbench, installed};
use libtest_mimic::{Arguments, Failed, Trial as Test};

use self::validation::Results;

const BINARY: &str = env!("CARGO_BIN_EXE_attest");
const TOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/claude_code");
/// Longer than any scenario takes; a host that hangs is a failure.
const LIMIT: Duration = Duration::from_mins(1);

/// What is played with `cargo test --workspace`, on the newest version. The rest is played in `.ci/full`, which sets
/// `ATTEST_TEST_HOSTS`, and if it is named on the command line.
const MAIN: [&str; 6] = [
    "absolute_path_lie",
    "false_done_fixed",
    "false_done_reported",
    "honest_done",
    "session_false_done_fixed",
    "stubborn_liar",
];

/// A scenario by its name.
type Scenario = (String, Arc<Trial>);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let (scenarios, versions) = (scenarios(), listed("versions.txt"));
    let results = Arc::new(Results::default());
    let mut tests = vec![validation::of_the_page(&scenarios, &versions)];
    let is_full = std::env::var_os("ATTEST_TEST_HOSTS").is_some() || arguments.filter.is_some();
    let mut left_for_later = 0;
    for (index, version) in versions.iter().enumerate() {
        let tests_of_it = tests_on(version, &scenarios, &results).into_iter();
        #[cfg(unix)]
        let tests_of_it = {
            let honest = program(version).map(|_| honest::tests(version, index == 0));
            tests_of_it.chain(honest.into_iter().flatten())
        };
        for test in tests_of_it {
            let (name, _) = test.name().split_once("::").unwrap_or_default();
            let is_main = index == 0 && MAIN.contains(&name);
            let is_left = !is_full && !is_main && !test.has_ignored_flag();
            left_for_later += u64::from(is_left && !test.name().starts_with("honest::"));
            let is_ignored = is_left || test.has_ignored_flag();
            tests.push(test.with_ignored_flag(is_ignored));
        }
    }
    #[cfg(unix)]
    for version in listed("oldest.txt") {
        let is_missing = program(&version).is_none() || !is_full;
        let tests_of_it = person::OLDEST.into_iter();
        let tests_of_it = tests_of_it.map(|test| own_test(&version, test));
        tests.extend(tests_of_it.map(|test| test.with_ignored_flag(is_missing)));
    }

    let is_on_request = |test: &&Test| test.has_ignored_flag() && test.name().contains("honest::");
    let on_request = tests.iter().filter(is_on_request).count() as u64;
    let conclusion = libtest_mimic::run(&arguments, tests);
    validation::write(&results, &scenarios, &versions);
    let left_out = conclusion
        .num_ignored
        .saturating_sub(on_request + left_for_later);
    say_what_was_left_out(left_out, &versions);
    if left_for_later > 0 {
        let line = format!("{left_for_later} tests of the host are left to `.ci/full claude-code`");
        let _ = writeln!(std::io::stderr(), "{line}");
    }
    conclusion.exit_code()
}

fn tests_on(version: &str, scenarios: &[Scenario], results: &Arc<Results>) -> Vec<Test> {
    let program = program(version);
    let mut tests = Vec::new();
    for (name, trial) in scenarios.iter().filter(|(_, trial)| trial.is_for(version)) {
        let (version, name) = (version.to_owned(), name.clone());
        let (trial, results) = (Arc::clone(trial), Arc::clone(results));
        tests.push(Test::test(format!("{name}::{version}"), move || {
            play(&trial, &version, &name, &results)
        }));
    }
    #[cfg(unix)]
    tests.extend(own_tests(version).map(|test| own_test(version, test)));
    let is_missing = program.is_none();
    tests
        .into_iter()
        .map(|test| test.with_ignored_flag(is_missing))
        .collect()
}

#[cfg(unix)]
fn own_test(version: &str, (name, test): (&str, fn(&str, &Host))) -> Test {
    let version = version.to_owned();
    Test::test(format!("{name}::{version}"), move || {
        test(&version, &host(&version)?);
        Ok(())
    })
}

/// What is not a scenario.
#[cfg(unix)]
fn own_tests(version: &str) -> impl Iterator<Item = (&'static str, fn(&str, &Host))> {
    let plugin = plugin::is_for(version).then_some(plugin::ALL);
    let tests = context::ALL.into_iter().chain(person::ALL);
    let tests = tests.chain(switches::ALL);
    tests.chain(plugin.into_iter().flatten())
}

fn play(trial: &Trial, version: &str, name: &str, results: &Results) -> Result<(), Failed> {
    let host = host(version)?;
    let bench = Workbench::new(&trial.scenario.files)?;
    let reported = host.version(&bench)?;
    if reported != version {
        return Err(format!("{} is {reported}", host.program.display()).into());
    }
    let played = trial.play(&host, bench, Path::new(BINARY))?;
    let faults = played.faults()?;
    results.add(version, name, Ending::of(&played, &faults));
    if faults.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{faults:#?}\nevents: {:?}\nlog:\n{}\nstderr:\n{}",
        played.outcome.order(),
        played.log(),
        played.outcome.errors
    )
    .into())
}

/// The scenarios, in the order of their names.
fn scenarios() -> Vec<Scenario> {
    let files = fs::read_dir(FOLDER).unwrap();
    let files = files.map(|entry| entry.unwrap().path());
    let mut scenarios: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let trial = Trial::load(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, Arc::new(trial))
        })
        .collect();
    scenarios.sort_by(|(one, _), (other, _)| one.cmp(other));
    scenarios
}

/// The versions that a file of the folder names.
fn listed(name: &str) -> Vec<String> {
    let list = fs::read_to_string(Path::new(FOLDER).join(name)).unwrap();
    installed::versions(&list)
}

/// The program of a version, if it is installed where CI installs it.
fn program(version: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("ATTEST_TEST_CLAUDE_CODE")
        .map_or_else(|| Path::new(TOP).join("target/claude-code"), PathBuf::from);
    installed::program(&folder, version)
}

fn host(version: &str) -> Result<Host, Failed> {
    let program = program(version).ok_or_else(|| {
        format!("Claude Code {version} is not installed; `.ci/claude-code` does that")
    })?;
    Ok(Host {
        program,
        probe: PLAYER.clone(),
        limit: LIMIT,
    })
}

/// The scripted host's own program. It stands beside attest's where the whole workspace is tested.
static PLAYER: LazyLock<PathBuf> = LazyLock::new(|| {
    let name = format!("attest-scripted-host{}", std::env::consts::EXE_SUFFIX);
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--package", "attest-scripted-host"]);
    assert!(build.status().unwrap().success());
    Path::new(BINARY).with_file_name(name)
});

/// One line, where the list of tests is long and nobody reads it.
fn say_what_was_left_out(left_out: u64, versions: &[String]) {
    let missing = versions.iter().filter(|version| program(version).is_none());
    let missing: Vec<_> = missing.map(String::as_str).collect();
    if left_out > 0 && !missing.is_empty() {
        let line = format!(
            "NOT RUN: {} tests, since Claude Code {} is not installed; `.ci/claude-code` installs it",
            left_out,
            missing.join(", ")
        );
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}
