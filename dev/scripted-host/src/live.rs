//! The person's own host, tried with one scenario: does it still treat hooks as attest needs it to?
//!
//! Nothing of the person is used but the program and the PATH: home, settings, key and repository
//! are made for it, and the only server that it is told of is ours, on loopback.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use crate::run::{Host, RunError};
use crate::trial::{Trial, TrialError};
use crate::workbench::Workbench;

/// An agent reports a file that it did not make, is sent back, makes it, and may stop.
const SCENARIO: &str = include_str!("../../../tests/claude_code/false_done_fixed.toml");

/// What is tried.
#[derive(Debug, clap::Args)]
pub struct Live {
    /// The host's program.
    #[arg(long)]
    pub host: PathBuf,
    /// The program that is its hooks.
    #[arg(long)]
    pub attest: PathBuf,
    /// Where the host and the hooks look for programs.
    #[arg(long)]
    pub path: OsString,
    /// How long the host may take to say its version, and how long to play, in seconds.
    #[arg(long, default_value_t = 45)]
    pub limit: u64,
}

/// What came of it.
#[derive(Debug, Serialize)]
pub struct Tried {
    /// The host's version.
    pub version: String,
    /// What did not come out as it must.
    pub faults: Vec<String>,
}

/// Why nothing came of it.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The scenario cannot be read.
    #[error(transparent)]
    Trial(#[from] TrialError),
    /// It was not played to its end.
    #[error(transparent)]
    Run(#[from] RunError),
    /// This program does not know where it is.
    #[error("cannot tell where this program is: {0}")]
    CurrentProgram(std::io::Error),
}

impl Live {
    /// Plays the scenario.
    pub fn run(&self) -> Result<Tried, LiveError> {
        let mut trial = Trial::parse(SCENARIO)?;
        trial.expect.any_version = true;
        let bench = Workbench::searching(&trial.scenario.files, &self.path)?;
        let host = Host {
            program: self.host.clone(),
            probe: std::env::current_exe().map_err(LiveError::CurrentProgram)?,
            limit: Duration::from_secs(self.limit),
        };
        let version = host.version(&bench)?;
        let faults = trial.play(&host, bench, &self.attest)?.faults()?;
        Ok(Tried { version, faults })
    }
}
