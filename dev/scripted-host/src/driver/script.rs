//! A scenario for any host, with what must be true at its end.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::scenario::Scenario;
use crate::trial::TrialError;

/// A scenario for any host, and what must be true at its end.
#[derive(Debug)]
pub struct Script {
    /// What is said.
    pub scenario: Scenario,
    /// What must be true.
    pub expect: Expect,
}

/// What must be true at the end of a scenario.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// attest's variables.
    pub env: BTreeMap<String, String>,
    /// What the person runs of attest's commands once the hooks are there, each as its words.
    #[serde(default)]
    pub commands: Vec<Vec<String>>,
    /// What the person runs at the end; `doctor` only if attest itself installed the hooks.
    #[serde(default)]
    pub afterwards: Vec<Vec<String>>,
    /// What attest's own commands printed, all together.
    #[serde(default)]
    pub printed: Vec<String>,
    /// What none of them printed, in whatever case.
    #[serde(default)]
    pub not_printed: Vec<String>,
    /// How many reports were sent back.
    pub revisions: usize,
    /// What attest's log holds, in this order.
    pub reports: Vec<String>,
    /// What it holds as well, wherever that is.
    #[serde(default)]
    pub reports_somewhere: Vec<String>,
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
    /// What the person was shown, if the host shows anything.
    #[serde(default)]
    pub person: Vec<String>,
    /// What the person was not shown, on any stream.
    #[serde(default)]
    pub not_person: Vec<String>,
}

impl Script {
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
}
