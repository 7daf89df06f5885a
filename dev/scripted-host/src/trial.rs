//! A trial: a scenario that is played with attest as the host's hooks, and what must be true at its
//! end.

mod played;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

pub use played::Played;

use crate::installed;
use crate::run::{Host, RunError, run};
use crate::scenario::{Scenario, ScenarioError};
use crate::workbench::Workbench;

/// A scenario and what it is there for.
#[derive(Debug)]
pub struct Trial {
    /// What is said.
    pub scenario: Scenario,
    /// What must be true.
    pub expect: Expect,
}

/// What must be true at the end of a scenario.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// Variables of the host's settings file.
    pub env: BTreeMap<String, String>,
    /// How many `SubagentStart` events there are.
    pub starts: usize,
    /// How many `SubagentStop` events there are.
    pub stops: usize,
    /// How many agents these events tell of, by their ids.
    pub agents: usize,
    /// How many stops were sent back, those of the main agent included.
    pub blocks: usize,
    /// What attest's log holds, in this order.
    pub reports: Vec<String>,
    /// `stop_hook_active` of each stop.
    pub active: Option<Vec<bool>>,
    /// Files that are there.
    #[serde(default)]
    pub tree: Vec<String>,
    /// Files that are not there.
    #[serde(default)]
    pub no_tree: Vec<String>,
    /// What the conversation of a script was told.
    #[serde(default)]
    pub told: BTreeMap<String, Vec<String>>,
    /// What it was not told.
    #[serde(default)]
    pub not_told: BTreeMap<String, Vec<String>>,
    /// What it was told exactly once.
    #[serde(default)]
    pub told_once: BTreeMap<String, Vec<String>>,
    /// What attest showed to the person: one text for each of its notices.
    pub screen: Option<Vec<String>>,
    /// Agents that are left for `attest gc`.
    pub collected: Option<usize>,
    /// The stop hook takes longer than the host waits for it.
    #[serde(default)]
    pub slow_stop: bool,
    /// Agents work beside each other or beside the main conversation, so only the order of each
    /// one's own events is certain.
    #[serde(default)]
    pub concurrent: bool,
    /// It is played on the version that a person has. An older one asks others than the model, who do not answer, and
    /// does not run the probe: neither says anything of the hooks under test.
    #[serde(default)]
    pub any_version: bool,
    /// The first version that can do this.
    pub since: Option<String>,
}

/// Why there is no trial.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// The scenario is none.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// It does not say what must be true.
    #[error("cannot read what is expected: {0}")]
    Expect(#[from] serde_json::Error),
}

impl Trial {
    /// Reads a scenario file.
    pub fn load(path: &Path) -> Result<Self, TrialError> {
        Self::of(Scenario::load(path)?)
    }

    /// Reads the text of a scenario file.
    pub fn parse(text: &str) -> Result<Self, TrialError> {
        Self::of(Scenario::parse(text)?)
    }

    fn of(scenario: Scenario) -> Result<Self, TrialError> {
        let expect = Expect::deserialize(&scenario.expect)?;
        Ok(Self { scenario, expect })
    }

    /// Whether the host of this version is capable of it.
    #[must_use]
    pub fn is_for(&self, version: &str) -> bool {
        let since = self.expect.since.as_deref();
        since.is_none_or(|since| installed::is_since(version, since))
    }

    /// Plays it on `bench` with the program `attest` as the hooks.
    pub fn play(
        &self,
        host: &Host,
        bench: Workbench,
        attest: &Path,
    ) -> Result<Played<'_>, RunError> {
        install(host, &bench, attest, &self.expect.env)?;
        if self.expect.slow_stop {
            make_slow(&settings(&bench))?;
        }
        Ok(Played {
            trial: self,
            attest: attest.to_owned(),
            outcome: host.play(&self.scenario, bench)?,
        })
    }
}

/// Puts the hooks of `attest` into the settings as a person does, beside these variables.
pub fn install(
    host: &Host,
    bench: &Workbench,
    attest: &Path,
    variables: &BTreeMap<String, String>,
) -> Result<(), RunError> {
    let settings = settings(bench);
    let mut variables = json!(variables);
    variables["ATTEST_LOG"] = json!("info");
    if variables["ATTEST_ASK"].is_null() {
        // What an agent is asked for is no part of most trials.
        variables["ATTEST_ASK"] = json!("0");
    }
    std::fs::create_dir_all(bench.configuration())?;
    std::fs::write(&settings, json!({ "env": variables }).to_string())?;
    let mut command = bench.command_beside(attest, &host.program);
    command.arg("install").arg("--settings").arg(&settings);
    let ran = run(command, host.limit)?;
    if !ran.end.is_success() {
        return Err(RunError::Install(ran.stderr));
    }
    Ok(())
}

fn settings(bench: &Workbench) -> PathBuf {
    bench.configuration().join("settings.json")
}

/// Replaces the stop hook by one that sleeps longer than any run may take. The time that the entry
/// gives it is shortened; one that was installed without any waits for ever.
fn make_slow(settings: &Path) -> Result<(), RunError> {
    let mut text: Value = serde_json::from_slice(&std::fs::read(settings)?)?;
    let hook = &mut text["hooks"]["SubagentStop"][0]["hooks"][0];
    hook["command"] = json!("sleep 600");
    if let Some(timeout) = hook.get_mut("timeout") {
        *timeout = json!(1);
    }
    Ok(std::fs::write(settings, text.to_string())?)
}
