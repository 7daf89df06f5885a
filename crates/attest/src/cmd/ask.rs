//! `attest ask`: the words with which an agent is asked for a report that can be judged, and whether the start hook
//! says them.

use std::path::PathBuf;

use attest_host::hosts;
use clap::{Args, ValueEnum};

use super::ExitStatus;
use super::install::InstallError;
use super::targets;
use super::variables::Variables;
use crate::config::Config;
use crate::env::{self, Env};
use crate::error::CommandError;
use crate::ui::Ui;

/// Ask subagents to end with the block that attest reads, or print the words for it
///
/// Without a word, the paragraph is printed, for a CLAUDE.md or an AGENTS.md. With `on`, `ATTEST_ASK=1` is put into
/// the `env` of the settings file of Claude Code, and the start hook adds the paragraph to what a new subagent reads
/// first, to which nothing is added otherwise. `ATTEST_ASK_FILE` names a file with other words.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    attest ask                  print the words\n  \
    attest ask on               every new subagent is asked\n  \
    attest ask off              nobody is asked, as after `attest install`")]
pub(crate) struct AskArgs {
    /// Whether subagents are to be asked
    #[arg(value_enum)]
    state: Option<State>,
    /// The settings file [default: as for install]
    #[arg(long, value_name = "FILE", requires = "state")]
    settings: Option<PathBuf>,
    /// Print what would change, and change nothing
    #[arg(long, requires = "state")]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum State {
    On,
    Off,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &AskArgs) -> Result<ExitStatus, CommandError> {
    let Some(state) = args.state else {
        // Those of the person are printed whether or not anybody is asked.
        let config = Config::of_command(ui, env);
        let cwd = std::env::current_dir().unwrap_or_default();
        ui.print(&config.ask_words.read(&cwd, config.folder.as_deref())?)?;
        return Ok(ExitStatus::Success);
    };
    set(ui, env, state, args)?;
    Ok(ExitStatus::Success)
}

fn set(ui: &mut Ui, env: &Env, state: State, args: &AskArgs) -> Result<(), CommandError> {
    let place = targets::file(hosts::usual(), args.settings.as_deref(), env);
    let place = place.map_err(|error| InstallError::from(error).hinted())?;
    let variables = Variables::open(&place, args.dry_run, env).map_err(InstallError::hinted)?;
    let has_hooks = !variables.inspection.entries.is_empty();
    let value = match state {
        State::On => Some("1"),
        // What the environment turns on is turned off by the settings, which count more.
        State::Off => env.get(env::ASK).map(|_| "0"),
    };
    let changed = variables.set(ui, &[(env::ASK, value.map(str::to_owned))])?;
    let will = if args.dry_run && changed.is_some() {
        "would be"
    } else {
        "is"
    };
    ui.tell(&match state {
        State::On => format!("each new subagent {will} asked for the block that attest reads"),
        State::Off => format!("no agent {will} asked for anything"),
    })?;
    if !has_hooks && state == State::On {
        ui.warn("no hook of attest is in that file: run `attest install`");
    }
    Ok(())
}
