//! `attest enforce`: turns blocking on or off in the settings file of the host.

mod dirty;
mod truth;
mod wanted;

use std::path::{Path, PathBuf};

use attest_host::hosts;
use attest_host::settings::{Inspection, Place};
use clap::{Args, ValueEnum};
use dirty::DirtyStarts;
use truth::Truth;

use super::ExitStatus;
use super::in_force::layers::{self, Layer, Owner};
use super::in_force::{Covered, InForce};
use super::install::InstallError;
use super::targets;
use super::variables::{Variable, Variables};
use crate::env::Env;
use crate::error::CommandError;
use crate::ui::Ui;

/// Turn enforcement on or off in the settings file of Claude Code, or say what is in force
///
/// With enforcement on, an agent whose DONE is disproved is sent back to work, also if the work tree was
/// dirty when it began. Only `ATTEST_ENFORCE`, `ATTEST_ENFORCE_AGENTS` and the word `dirty` in
/// `ATTEST_STRICT` change, in the `env` of the settings file, and `ATTEST_ENFORCE_ADDED`, which keeps that
/// this word was added; a backup of the file is kept in `~/.attest/backups`. The last line says what is in
/// force now in this folder, whichever file decides it.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    attest enforce                               what is in force here, and who says so\n  \
    attest enforce on --agent general-purpose    this type of agent, and no other\n  \
    attest enforce on                            all types\n  \
    attest enforce on --lenient                  only from a clean work tree\n  \
    attest enforce off                           only report, as after `attest install`")]
pub(crate) struct EnforceArgs {
    /// What enforcement is to be; `status` changes nothing
    #[arg(value_enum, default_value = "status")]
    state: State,
    /// Only this type of agent from now on, or, behind `off`, this type no more; may be given more than once
    #[arg(long = "agent", value_name = "TYPE", value_parser = agent_type)]
    agents: Vec<String>,
    /// Let an agent go that began in a dirty work tree
    #[arg(long)]
    lenient: bool,
    /// The settings file [default: as for install]
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Print what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum State {
    On,
    Off,
    Status,
}

#[derive(Debug, thiserror::Error)]
#[error("`--agent` says who is covered from now on, and nothing is to change")]
struct NothingToCover;

pub(super) fn run(ui: &mut Ui, env: &Env, args: &EnforceArgs) -> Result<ExitStatus, CommandError> {
    let hinted = InstallError::hinted;
    let place = targets::file(hosts::usual(), args.settings.as_deref(), env);
    let place = &place.map_err(|error| hinted(error.into()))?;
    if args.state == State::Status {
        if !args.agents.is_empty() {
            let hint = "`attest enforce on --agent TYPE`, or `off`";
            return Err(CommandError::from(NothingToCover).hinted(hint));
        }
        let truth = truth(place, None, args, env);
        truth.say_all(ui)?;
        truth.say(ui, &place.path, "is")?;
        return Ok(ExitStatus::Success);
    }
    let variables = Variables::open(place, args.dry_run, env).map_err(hinted)?;
    let wanted = wanted_of(&variables.inspection, args, env)?;
    let changed = variables.set(ui, &wanted)?;
    let planned = changed.filter(|_| args.dry_run);
    let planned = planned.map(|content| layers::of_content(place, Owner::Person, &content));
    let is = if planned.is_some() { "would be" } else { "is" };
    truth(place, planned.as_ref(), args, env).say(ui, &place.path, is)?;
    Ok(ExitStatus::Success)
}

/// The variables as the command wants them.
fn wanted_of(
    inspection: &Inspection,
    args: &EnforceArgs,
    env: &Env,
) -> Result<Vec<Variable>, CommandError> {
    let after = after(inspection, args)?;
    let starts = DirtyStarts::of(&inspection.env);
    let starts = match (after == Covered::Nobody || args.lenient, args.state) {
        (true, _) => starts.let_go(env),
        (false, State::On) => starts.counted(env),
        (false, _) => starts,
    };
    let variables = wanted::variables(&after, env).into_iter();
    Ok(variables.chain(starts.variables()).collect())
}

/// Who is to be covered by the file.
fn after(inspection: &Inspection, args: &EnforceArgs) -> Result<Covered, CommandError> {
    if args.state == State::On {
        return Ok(wanted::on(&args.agents));
    }
    let before = Covered::of(&Env::default().with(&inspection.env));
    wanted::off(before, &args.agents).map_err(|error| {
        CommandError::from(error)
            .hinted("`attest enforce on --agent TYPE` with each type that is to stay")
    })
}

/// What is in force, as the files say now, or with a layer that is only planned.
fn truth<'e>(
    place: &Place<'_>,
    planned: Option<&Layer>,
    args: &EnforceArgs,
    env: &'e Env,
) -> Truth<'e> {
    let host = hosts::usual();
    let planned = |in_force: InForce<'e>| match planned {
        Some(layer) => in_force.replacing(layer),
        None => in_force,
    };
    let project = targets::project_of_this_folder();
    let of = |project: Option<&Path>| {
        planned(if args.settings.is_some() {
            let layers = vec![layers::of_file(place, Owner::Person)];
            InForce::with(host, layers, env)
        } else {
            InForce::of(host, project, env)
        })
    };
    Truth {
        here: of(project.as_deref()),
        elsewhere: of(None),
    }
}

/// A name that can stand in a list.
fn agent_type(text: &str) -> Result<String, &'static str> {
    match text.trim() {
        "" => Err("a type of agent has a name"),
        name if name.contains(',') => Err("give each type an --agent of its own"),
        name => Ok(name.to_owned()),
    }
}
