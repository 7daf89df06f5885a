//! `attest enforce`: turns blocking on or off in the file of attest's own, below the name of each host.

pub(crate) mod dirty;
mod told;
mod truth;
mod wanted;

use attest_host::Host;
use attest_state::history::Of;
use clap::Args;
use dirty::DirtyStarts;

use super::in_force::{Covered, with_hooks};
use super::on_off::OnOff;
use super::own_file::{OwnFile, Variable};
use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::own_settings;
use attest_base::state_file::StateFile;
use attest_base::targets;
use attest_base::ui::Ui;
use attest_history::unseen_type;

/// Turn enforcement on or off for all hosts with hooks or for one, or say what is in force
///
/// With enforcement on, an agent whose DONE is disproved is sent back to work, also if the work tree was
/// dirty when it began. Only `ATTEST_ENFORCE`, `ATTEST_ENFORCE_AGENTS` and the word `dirty` in
/// `ATTEST_STRICT` change, which `on` adds and `off` takes away, below the name of each host in `~/.attest/settings.toml`. Backups are kept in `~/.attest/backups`. The last line says what is in force now in this folder, whichever file
/// decides it.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    attest enforce                               who is blocked here\n  \
    attest enforce on --agent general-purpose    this type of agent, and no other\n  \
    attest enforce on                            all types, in every host with hooks\n  \
    attest enforce on --host NAME                in this host, as the others were\n  \
    attest enforce on --lenient                  only from a clean work tree\n  \
    attest enforce off                           only report, as after `attest install`")]
pub struct EnforceArgs {
    /// What enforcement is to be; without it, nothing changes
    #[arg(value_enum)]
    state: Option<OnOff>,
    /// The host; may be given more than once [default: all that have hooks]
    #[arg(long, value_name = "NAME", value_parser = targets::host_names())]
    host: Vec<&'static dyn Host>,
    /// Only this type of agent from now on, or, behind `off`, this type no more; may be given more than once
    #[arg(long = "agent", value_name = "TYPE", value_parser = agent_type, requires = "state")]
    agents: Vec<String>,
    /// Do not block agents that started with uncommitted changes
    #[arg(long, requires = "state")]
    lenient: bool,
    /// Print what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &EnforceArgs) -> Result<ExitStatus, CommandError> {
    let hosts = match &*args.host {
        [] => with_hooks(env),
        named => named.to_vec(),
    };
    if args.state.is_none() {
        // What a damaged file says counts for nothing, which is why it may be off.
        Config::of_command(ui, env);
        told::now(ui, &hosts, None, env)?;
        return Ok(ExitStatus::Success);
    }
    doubt_types(ui, env, &args.agents);
    let changed = own_file(&hosts, args, env)?.write(ui)?;
    told::now(ui, &hosts, changed.filter(|_| args.dry_run).as_ref(), env)?;
    Ok(ExitStatus::Success)
}

/// Says so of a type that may be typed wrong: enforcement would cover nobody.
fn doubt_types(ui: &mut Ui, env: &Env, types: &[String]) {
    let file = StateFile::of(&Config::read(env), "enforce");
    let store = file.and_then(|file| file.open_if_there()).ok().flatten();
    for typed in types {
        let unseen = store
            .as_ref()
            .and_then(|store| unseen_type(store, &Of::Any, typed).ok()?);
        if let Some(meant) = unseen {
            let meant = meant.map(|meant| format!("; did you mean `{meant}`?"));
            ui.warn(&format!(
                "no agent of the type `{typed}` has stopped so far{}",
                meant.unwrap_or_default()
            ));
        }
    }
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
        (false, Some(OnOff::On)) => starts.counted(below),
        (false, _) => starts,
    };
    let variables = wanted::variables(&after, below).into_iter();
    Ok(variables.chain([starts.variable()]).collect())
}

/// Who is to be covered by the file.
fn after(variables: &own_settings::Variables, args: &EnforceArgs) -> Result<Covered, CommandError> {
    if args.state == Some(OnOff::On) {
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
