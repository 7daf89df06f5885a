//! `attest ask`: the words with which an agent is asked for a report that can be judged, and whether the start hook
//! says them.

use std::path::PathBuf;

use attest_host::{Host, SampleAgent, hosts};
use attest_snapshot::Printable;
use clap::{Args, ValueEnum};

use super::in_force::with_hooks;
use super::install::InstallError;
use super::own_file::OwnFile;
use super::variables::{Variable, Variables};
use attest_base::env::{self, Env};
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::own_settings::OwnSettings;
use attest_base::targets;
use attest_base::ui::Ui;

/// Ask subagents to end with the block that attest reads, or print the words for it
///
/// Without a word, the paragraph is printed, for a CLAUDE.md or an AGENTS.md. With `on`, the start hook adds the
/// paragraph to what a new subagent reads first, to which nothing is added otherwise, in every host with hooks that
/// hands it on: `ATTEST_ASK=1` is put into the `env` of the settings file of Claude Code, and for every other host
/// below its name in `~/.attest/settings.toml`.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    attest ask                  print the words\n  \
    attest ask on               every new subagent is asked\n  \
    attest ask off              nobody is asked, as after `attest install`")]
pub struct AskArgs {
    /// Whether subagents are to be asked
    #[arg(value_enum)]
    state: Option<State>,
    /// The host; may be given more than once [default: all that have hooks]
    #[arg(long, value_name = "NAME", value_parser = targets::host_names(), requires = "state", conflicts_with = "settings")]
    host: Vec<&'static dyn Host>,
    /// The settings file of Claude Code [default: as for install]
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
        // Whether or not anybody is asked.
        ui.print(attest_base::paragraph::WORDS)?;
        return Ok(ExitStatus::Success);
    };
    set(ui, env, state, args)?;
    Ok(ExitStatus::Success)
}

fn set(ui: &mut Ui, env: &Env, state: State, args: &AskArgs) -> Result<(), CommandError> {
    let hosts = match (&*args.host, &args.settings) {
        (_, Some(_)) => vec![hosts::usual()],
        ([], None) => with_hooks(env),
        (named, None) => named.to_vec(),
    };
    let is_usual = |host: &&'static dyn Host| host.name() == hosts::usual().name();
    let (usual, others): (Vec<_>, Vec<_>) = hosts.iter().copied().partition(is_usual);
    let (heard, deaf): (Vec<_>, Vec<_>) = others.into_iter().partition(|host| is_heard(*host));
    let own = match &*heard {
        [] => None,
        heard => Some(own_file(heard, state, args, env)?),
    };
    let mut has_changed = false;
    if !usual.is_empty() {
        has_changed |= set_usual(ui, env, state, args)?;
    }
    if let Some(own) = own {
        has_changed |= own.write(ui)?.is_some();
    }
    let will = if args.dry_run && has_changed {
        "would be"
    } else {
        "is"
    };
    if usual.len() + heard.len() > 0 {
        ui.tell(&match state {
            State::On => format!("each new subagent {will} asked for the block that attest reads"),
            State::Off => format!("no agent {will} asked for anything"),
        })?;
    }
    for host in deaf.iter().filter(|_| state == State::On) {
        let title = host.executable().title;
        ui.warn(&format!(
            "{title} hands nothing on to a subagent that starts: put what `attest ask` prints into \
             the instructions that its agents read"
        ));
    }
    Ok(())
}

/// Whether what its hooks say at the start of a subagent is handed on.
fn is_heard(host: &'static dyn Host) -> bool {
    let sample = host.sample(&SampleAgent {
        session: "s",
        id: "a",
        folder: std::path::Path::new("/"),
        message: None,
    });
    let payload = host.parse(sample.as_bytes());
    payload.is_ok_and(|payload| host.context(&payload, &Printable::new("x")).is_some())
        && host.wiring().hooks().iter().any(|it| it.verb == "start")
}

/// Changes the settings file of the usual host. Whether it was another one before.
fn set_usual(ui: &mut Ui, env: &Env, state: State, args: &AskArgs) -> Result<bool, CommandError> {
    let host = hosts::usual();
    let place = targets::file(host, args.settings.as_deref(), env);
    let place = place.map_err(|error| InstallError::from(error).hinted())?;
    let variables = Variables::open(&place, args.dry_run, env).map_err(InstallError::hinted)?;
    if variables.inspection.entries.is_empty() && state == State::On {
        ui.warn("no hook of attest is in that file: run `attest install`");
    }
    let below = OwnSettings::read(env).below(env, Some(host.name()));
    let changed = variables.set(ui, &[wanted(state, &below)])?;
    Ok(changed.is_some())
}

/// The file of attest's own, with what it is to say for these hosts.
fn own_file(
    hosts: &[&'static dyn Host],
    state: State,
    args: &AskArgs,
    env: &Env,
) -> Result<OwnFile, CommandError> {
    let mut file = OwnFile::open(env, args.dry_run)?;
    let below = file.settings.below(&Env::default(), None);
    for host in hosts {
        file.want(*host, vec![wanted(state, &below)]);
    }
    Ok(file)
}

/// The variable in a file over `below`.
fn wanted(state: State, below: &Env) -> Variable {
    let value = match state {
        State::On => Some("1"),
        // What is turned on below the file is turned off by it.
        State::Off => below.get(env::ASK).map(|_| "0"),
    };
    (env::ASK, value.map(str::to_owned))
}
