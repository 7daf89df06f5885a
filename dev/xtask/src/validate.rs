//! docs/VALIDATION.md: every scenario on every version of the real host, and what came of it.

mod page;

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use attest_scripted_host::{Host, Trial, Workbench, installed};

use self::page::{Ending, Row, Version};

/// Play every scenario on the real Claude Code and write docs/VALIDATION.md
#[derive(Debug, clap::Args)]
pub(crate) struct ValidateArgs {
    /// Where the versions are installed, each in a folder of its name
    #[arg(long, value_name = "DIR", default_value = "target/claude-code")]
    hosts: PathBuf,
}

/// Where the scenarios are, and the list of versions.
const SCENARIOS: &str = "tests/claude_code";
/// Longer than any scenario takes.
const LIMIT: Duration = Duration::from_mins(1);

pub(crate) fn run(args: &ValidateArgs) -> Result<(), Box<dyn Error>> {
    let programs = build()?;
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let hosts = top.join(&args.hosts);
    let trials = trials(&top.join(SCENARIOS))?;
    let list = fs::read_to_string(top.join(SCENARIOS).join("versions.txt"))?;
    let mut versions = Vec::new();
    for name in installed::versions(&list) {
        // A page with a version left out would look like a whole one.
        let program = installed::program(&hosts, &name)
            .ok_or_else(|| format!("Claude Code {name} is not in {}", hosts.display()))?;
        let host = Host {
            program,
            probe: programs.join(executable("attest-scripted-host")),
            limit: LIMIT,
        };
        let mut rows = Vec::new();
        for (scenario, trial) in &trials {
            rows.push(Row {
                scenario,
                about: &trial.scenario.about,
                ending: play(trial, &name, &host, &programs.join(executable("attest")))?,
            });
        }
        versions.push(Version { name, rows });
    }
    fs::write(top.join("docs/VALIDATION.md"), page::text(&versions))?;
    let failed: Vec<_> = versions.iter().flat_map(Version::failed).collect();
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("not as it must be: {}", failed.join(", ")).into())
    }
}

fn play(
    trial: &Trial,
    version: &str,
    host: &Host,
    attest: &Path,
) -> Result<Ending, Box<dyn Error>> {
    if !trial.is_for(version) {
        return Ok(Ending::NotPlayed);
    }
    let bench = Workbench::new(&trial.scenario.files)?;
    let reported = host.version(&bench)?;
    if reported != version {
        return Err(format!("{} is {reported}", host.program.display()).into());
    }
    let played = trial.play(host, bench, attest)?;
    Ok(Ending::of(&played)?)
}

/// The scenarios by name, in its order.
fn trials(folder: &Path) -> Result<Vec<(String, Trial)>, Box<dyn Error>> {
    let mut trials = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            trials.push((name.into_owned(), Trial::load(&path)?));
        }
    }
    trials.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(trials)
}

/// Builds the programs that are played with, and gives their folder.
fn build() -> io::Result<PathBuf> {
    let mut command = Command::new("cargo");
    command.args(["build", "--quiet", "--package", "attest"]);
    command.args(["--package", "attest-scripted-host"]);
    if !command.status()?.success() {
        return Err(io::Error::other("the programs could not be built"));
    }
    // This program lies in the folder of its own profile, beside that of the others.
    let own = std::env::current_exe()?;
    let target = own.ancestors().nth(2).unwrap_or(Path::new("target"));
    Ok(target.join("debug"))
}

fn executable(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}
