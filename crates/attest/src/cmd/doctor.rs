//! `attest doctor`: shows whether the hooks are installed and proves that they work.

mod entries;
mod environment;
mod in_force;
mod live;
mod report;
mod round_trip;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use attest_host::{Host, hosts};
use clap::Args;
use thiserror::Error;

use self::in_force::{HookEnv, Setting};
use self::report::Check;
use super::host::OnPath;
use super::install::{InstallError, settings_path};
use crate::env::Env;

/// Check that the hooks are installed and work
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// The settings file [default: as for install]
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
    /// Also drive the Claude Code on the PATH with a scripted model, offline, in a scratch home
    #[arg(long)]
    pub(crate) live: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Why the checks could not be made or shown. A check that fails is no error.
#[derive(Debug, Error)]
pub(crate) enum DoctorError {
    #[error(transparent)]
    Settings(#[from] InstallError),
    #[error("cannot tell where this program is")]
    CurrentProgram(#[source] io::Error),
    #[error("cannot print")]
    Output(#[from] io::Error),
}

impl DoctorError {
    /// What the person can do about it.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Settings(error) => error.hint(),
            Self::CurrentProgram(_) | Self::Output(_) => None,
        }
    }
}

/// Runs the command; `true` when no check failed.
pub(crate) fn run(args: &DoctorArgs, env: &Env) -> Result<bool, DoctorError> {
    let host = hosts::usual();
    let settings = settings_path(host, args.settings.as_deref(), env)?;
    let this = std::env::current_exe().map_err(DoctorError::CurrentProgram)?;
    let (checks, in_force) = check_all(host, &settings, &this, args.live, env);
    let out = &mut anstream::stdout().lock();
    if args.json {
        writeln!(out, "{}", report::json(&checks, &in_force))?;
    } else {
        for check in &checks {
            writeln!(out, "{check}")?;
        }
        writeln!(out, "in force for the hooks:")?;
        for setting in &in_force {
            writeln!(out, "{setting}")?;
        }
    }
    Ok(checks.iter().all(|check| !check.has_failed()))
}

fn check_all(
    host: &dyn Host,
    settings: &Path,
    this: &Path,
    is_live: bool,
    env: &Env,
) -> (Vec<Check>, Vec<Setting>) {
    let found = OnPath::find(host, env);
    let (mut checks, inspection) = entries::check(host, settings, found.version());
    let hooks = HookEnv::new(settings, &inspection.env, env);
    checks.push(environment::host(host, &found));
    checks.extend(hooks.check());
    let (binary, installed) = environment::binary(&inspection.entries, env);
    let git = environment::git(env);
    let has_git = !git.has_failed();
    checks.extend([binary, environment::state_file(&hooks.env), git]);
    // What the host would run, where that works; else this program, which may still show the fault.
    let program = installed.as_deref().unwrap_or(this);
    if has_git {
        checks.push(round_trip::check(host, program, env));
        checks.extend(is_live.then(|| live::check(program, this, env)));
    } else {
        checks.push(Check::warn(
            "round trip",
            "not tried without git",
            "install git, then run this again",
        ));
    }
    (checks, hooks.settings())
}
