//! The real hosts beside Claude Code, driven offline by a scripted model, with attest as their hooks.
//!
//! Each scenario is played on every host of `versions.txt` that can, in the host's own words: those in
//! `enforced_subagent/` or `enforced_turn/` with no variable that says what is enforced, those in `broken/` with a
//! program that is gone, damaged, another's or hanging, those in a folder of a host's name on that one and on those
//! that are like it. A host that is not installed has its tests reported as ignored; `.ci/hosts` installs them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that cannot go on fails, and the host has to be found"
)]

mod seen;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use attest_scripted_host::driver::{self, Broken, Driver, Installed, Player, Script, Way};
use libtest_mimic::{Arguments, Failed, Trial as Test};

const BINARY: &str = env!("CARGO_BIN_EXE_attest");
const TOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// Longer than any run takes; the slowest host needs most of a minute on a busy machine.
const LIMIT: Duration = Duration::from_mins(4);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    // They take minutes each: `.ci/full` plays them, which sets `ATTEST_TEST_HOSTS`, and who names one.
    let is_full = std::env::var_os("ATTEST_TEST_HOSTS").is_some() || arguments.filter.is_some();
    let tests = hosts().into_iter().flat_map(|host| tests_on(&host));
    let tests = tests.map(|test| {
        let is_ignored = !is_full || test.has_ignored_flag();
        test.with_ignored_flag(is_ignored)
    });
    let mut tests: Vec<_> = tests.collect();
    tests.push(Test::test("the_table_has_what_is_played", || {
        Ok(seen::check_table(&hosts())?)
    }));
    let conclusion = libtest_mimic::run(&arguments, tests);
    if !is_full {
        let line = "the trials of these hosts are left to `.ci/full hosts`";
        let _ = writeln!(std::io::stderr(), "{line}");
    } else if conclusion.num_ignored > 0 {
        let line = "NOT RUN: the hosts that are not installed; `.ci/hosts` installs them";
        let _ = writeln!(std::io::stderr(), "{line}");
    }
    conclusion.exit_code()
}

fn hosts() -> Vec<Installed> {
    let list = Path::new(TOP).join("tests/hosts/versions.txt");
    driver::list(&fs::read_to_string(list).unwrap())
}

fn tests_on(host: &Installed) -> Vec<Test> {
    let driver = driver::named(&host.name);
    let driver = driver.unwrap_or_else(|| panic!("{} has no driver", host.name));
    let modules = modules(host);
    let is_missing = !driver.program(&modules).iter().all(|path| is_there(path));
    let tests = trials(driver, &host.version)
        .into_iter()
        .map(|(name, script, way)| {
            let name = format!("{}::{name}::{}", host.name, host.version);
            let modules = modules.clone();
            let body = move || play(driver, &modules, &script, way);
            Test::test(name, body).with_ignored_flag(is_missing)
        });
    tests.collect()
}

/// What is played on this version of a host, each with its name.
fn trials(driver: &dyn Driver, version: &str) -> Vec<(String, Arc<Script>, Way)> {
    let has_subagents = !driver.agent("").is_empty();
    let folders = [
        ("turn", driver.revises_turns()),
        ("subagent", has_subagents),
        ("enforced_turn", !has_subagents),
        ("enforced_subagent", has_subagents),
        (
            "parallel",
            !driver.agents(&["", ""]).is_empty() && has_subagents,
        ),
        ("resumed_subagent", !driver.again("").is_empty()),
        (
            "resumed_turn",
            driver.revises_turns() && driver.resume("", "").is_some(),
        ),
        ("asked", driver.hears_at_start()),
        // What is peculiar to it.
        (driver.like(), true),
    ];
    let folders = folders.into_iter().filter(|(_, is_for)| *is_for);
    let mut all: Vec<_> = folders
        .flat_map(|(folder, _)| scripts(folder))
        .map(|(name, script)| (name, script, Way::Settings))
        .collect();
    let usual = if has_subagents { "subagent" } else { "turn" };
    let ways = [
        (Way::Settings, "", true),
        (Way::Plugin, "plugin_", !driver.plugin("").is_empty()),
        (Way::Package, "package_", !driver.package("").is_empty()),
    ];
    for (way, name, is_for) in &ways[1..] {
        let scripts = scripts(usual).into_iter().filter(|_| *is_for);
        all.extend(scripts.map(|(script, content)| (format!("{name}{script}"), content, *way)));
    }
    let first = if has_subagents {
        "first_subagent"
    } else {
        "first_turn"
    };
    for (way, name, is_for) in ways {
        let scripts = scripts(first).into_iter().filter(|_| is_for);
        all.extend(scripts.map(|(script, content)| (format!("{name}{script}"), content, way)));
    }
    let is_for = |how: &Broken| *how != Broken::Hanging || driver.ends_what_hangs(version);
    for how in Broken::ALL.into_iter().filter(is_for) {
        let scripts = scripts("broken").into_iter();
        let named = |name: String| name.replace("broken", how.name());
        all.extend(scripts.map(|(name, script)| (named(name), script, Way::Broken(how))));
    }
    all
}

fn play(
    driver: &'static dyn Driver,
    modules: &Path,
    script: &Script,
    way: Way,
) -> Result<(), Failed> {
    let player = Player {
        driver,
        modules: modules.to_owned(),
        attest: Path::new(BINARY),
        limit: LIMIT,
        way,
    };
    let (performance, mut faults) = player.play(script)?;
    if way == Way::Settings {
        faults.extend(seen::faults(driver, script, &performance));
    }
    if faults.is_empty() {
        return Ok(());
    }
    let (ran, log) = (&performance.ran, &performance.log);
    let text = format!(
        "{faults:#?}\nlog:\n{log}\nstdout:\n{}\nstderr:\n{}",
        ran.stdout, ran.stderr
    );
    Err(text.into())
}

/// The scenarios of a folder, in the order of their names. Most hosts have no folder of their own.
fn scripts(folder: &str) -> Vec<(String, Arc<Script>)> {
    let files = fs::read_dir(Path::new(TOP).join("tests/hosts").join(folder));
    let files = files.into_iter().flatten();
    let mut files: Vec<_> = files.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
        .iter()
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let script = Script::load(path).unwrap_or_else(|error| panic!("{name}: {error}"));
            (format!("{folder}_{name}"), Arc::new(script))
        })
        .collect()
}

/// Where `.ci/hosts` puts what npm installs.
fn modules(host: &Installed) -> PathBuf {
    let folder = Path::new(TOP).join("target/hosts");
    folder
        .join(&host.name)
        .join(&host.version)
        .join("node_modules")
}

/// A file, or a name to look for on the PATH.
fn is_there(program: &Path) -> bool {
    let is_name = program.components().count() == 1;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path);
    program.is_file() || is_name && folders.any(|folder| folder.join(program).is_file())
}
