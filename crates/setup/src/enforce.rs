//! `attest enforce`: turns blocking on or off where each host reads it: in the settings file of the usual host, and for
//! all others in the file of attest's own.

mod dirty;
mod told;
mod truth;
mod wanted;

use std::path::PathBuf;

use attest_host::{Host, hosts};
use attest_state::history::Of;
use clap::{Args, ValueEnum};
use dirty::DirtyStarts;

use super::in_force::layers::{self, Layer, Owner};
use super::in_force::{Covered, with_hooks};
use super::install::InstallError;
use super::own_file::OwnFile;
use super::variables::{Variable, Variables};
use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::own_settings::{self, OwnSettings};
use attest_base::state_file::StateFile;
use attest_base::targets;
use attest_base::ui::Ui;
use attest_history::type_meant;

/// Turn enforcement on or off for all hosts with hooks or for one, or say what is in force
///
/// With enforcement on, an agent whose DONE is disproved is sent back to work, also if the work tree was
/// dirty when it began. Only `ATTEST_ENFORCE`, `ATTEST_ENFORCE_AGENTS` and the word `dirty` in
/// `ATTEST_STRICT` change, which `on` adds and `off` takes away: for Claude Code in the `env` of its settings file, for every other host below its name in `~/.attest/settings.toml`. Backups
/// are kept in `~/.attest/backups`. The last line says what is in force now in this folder, whichever file
/// decides it.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    attest enforce                               what is in force here, and who says so\n  \
    attest enforce on --agent general-purpose    this type of agent, and no other\n  \
    attest enforce on                            all types, in every host with hooks\n  \
    attest enforce on --host NAME                in this host, as the others were\n  \
    attest enforce on --lenient                  only from a clean work tree\n  \
    attest enforce off                           only report, as after `attest install`")]
pub struct EnforceArgs {
    /// What enforcement is to be; `status` changes nothing
    #[arg(value_enum, default_value = "status")]
    state: State,
    /// The host; may be given more than once [default: all that have hooks]
    #[arg(long, value_name = "NAME", value_parser = targets::host_names(), conflicts_with = "settings")]
    host: Vec<&'static dyn Host>,
    /// Only this type of agent from now on, or, behind `off`, this type no more; may be given more than once
    #[arg(long = "agent", value_name = "TYPE", value_parser = agent_type)]
    agents: Vec<String>,
    /// Let an agent go that began in a dirty work tree
    #[arg(long)]
    lenient: bool,
    /// The settings file of Claude Code [default: as for install]
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

/// What is to change, or would be in a dry run, and has been worked out.
#[derive(Default)]
struct Planned {
    /// The settings file of the usual host.
    layer: Option<Layer>,
    own: Option<OwnSettings>,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &EnforceArgs) -> Result<ExitStatus, CommandError> {
    let hosts = match (&*args.host, &args.settings) {
        (_, Some(_)) => vec![hosts::usual()],
        ([], None) => with_hooks(env),
        (named, None) => named.to_vec(),
    };
    if args.state == State::Status {
        if !args.agents.is_empty() {
            let hint = "`attest enforce on --agent TYPE`, or `off`";
            return Err(CommandError::from(NothingToCover).hinted(hint));
        }
        told::all_of(ui, &hosts, args, env)?;
        return Ok(ExitStatus::Success);
    }
    doubt_types(ui, env, &args.agents);
    // Both are known to be usable before either is written.
    let is_usual = |host: &&'static dyn Host| host.name() == hosts::usual().name();
    let others: Vec<_> = hosts.iter().copied().filter(|it| !is_usual(it)).collect();
    let own = match &*others {
        [] => None,
        others => Some(own_file(others, args, env)?),
    };
    let mut planned = Planned::default();
    if hosts.iter().any(is_usual) {
        planned.layer = of_usual(ui, args, env)?;
    }
    let own = own.map(|file| file.write(ui)).transpose()?.flatten();
    planned.own = own.filter(|_| args.dry_run);
    told::now(ui, &hosts, &planned, (args, env))?;
    Ok(ExitStatus::Success)
}

/// Says so if a type was probably typed wrong: enforcement would cover nobody.
fn doubt_types(ui: &mut Ui, env: &Env, types: &[String]) {
    let file = StateFile::of(&Config::read(env), "enforce");
    let store = file.and_then(|file| file.open_if_there()).ok().flatten();
    for typed in types {
        let meant = store
            .as_ref()
            .map(|store| type_meant(store, &Of::Any, typed));
        if let Some(Ok(Some(meant))) = meant {
            ui.warn(&format!(
                "no agent of the type `{typed}` has stopped so far; did you mean `{meant}`?"
            ));
        }
    }
}

/// Changes the settings file of the usual host. What it would say then, if that is not written.
fn of_usual(ui: &mut Ui, args: &EnforceArgs, env: &Env) -> Result<Option<Layer>, CommandError> {
    let host = hosts::usual();
    let hinted = InstallError::hinted;
    let place = targets::file(host, args.settings.as_deref(), env);
    let place = &place.map_err(|error| hinted(error.into()))?;
    let variables = Variables::open(place, args.dry_run, env).map_err(hinted)?;
    let below = OwnSettings::read(env).below(env, Some(host.name()));
    let wanted = wanted_of(&variables.inspection.env, args, &below)?;
    let changed = variables.set(ui, &wanted)?.filter(|_| args.dry_run);
    Ok(changed.map(|content| layers::of_content(place, Owner::Person, &content)))
}

/// The file of attest's own, with what it is to say for these hosts.
fn own_file(
    hosts: &[&'static dyn Host],
    args: &EnforceArgs,
    env: &Env,
) -> Result<OwnFile, CommandError> {
    let mut file = OwnFile::open(env, args.dry_run)?;
    for host in hosts {
        // The environment counts more than the file, so that only the rest of the file is below its section.
        let below = file.settings.below(&Env::default(), None);
        let section = file.settings.section(host.name());
        file.want(*host, wanted_of(&section, args, &below)?);
    }
    Ok(file)
}

/// The variables as the command wants them, where a file has these and `below` is said below it.
fn wanted_of(
    variables: &own_settings::Variables,
    args: &EnforceArgs,
    below: &Env,
) -> Result<Vec<Variable>, CommandError> {
    let after = after(variables, args)?;
    let starts = DirtyStarts::of(variables);
    let starts = match (after == Covered::Nobody || args.lenient, args.state) {
        (true, _) => starts.let_go(below),
        (false, State::On) => starts.counted(below),
        (false, _) => starts,
    };
    let variables = wanted::variables(&after, below).into_iter();
    Ok(variables.chain(starts.variables()).collect())
}

/// Who is to be covered by the file.
fn after(variables: &own_settings::Variables, args: &EnforceArgs) -> Result<Covered, CommandError> {
    if args.state == State::On {
        return Ok(wanted::on(&args.agents));
    }
    let before = Covered::of(&Env::default().with(variables));
    wanted::off(before, &args.agents).map_err(|error| {
        CommandError::from(error)
            .hinted("`attest enforce on --agent TYPE` with each type that is to stay")
    })
}

/// A name that can stand in a list.
fn agent_type(text: &str) -> Result<String, &'static str> {
    match text.trim() {
        "" => Err("a type of agent has a name"),
        name if name.contains(',') => Err("give each type an --agent of its own"),
        name => Ok(name.to_owned()),
    }
}
