//! `attest ask`: the words with which an agent is asked for a report that can be judged, and whether the start hook
//! says them.

use std::path::PathBuf;

use attest_host::{Host, SampleAgent, hosts};
use attest_snapshot::Printable;
use clap::{Args, ValueEnum};

use super::in_force::{has_hooks, with_hooks};
use super::moved;
use super::own_file::OwnFile;
use super::variables::Variable;
use attest_base::env::{self, Env};
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::targets;
use attest_base::ui::Ui;

/// Ask subagents to end with the block that attest reads, or print the words for it
///
/// Without a word, the paragraph is printed, for a CLAUDE.md or an AGENTS.md. With `on`, the start hook adds the
/// paragraph to what a new subagent reads first, to which nothing is added otherwise, in every host with hooks that
/// hands it on: `ATTEST_ASK` is put below the name of the host in `~/.attest/settings.toml`.
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
    let (heard, deaf): (Vec<_>, Vec<_>) = hosts.iter().copied().partition(|it| is_heard(*it));
    if !heard.is_empty() {
        let place = moved::place(&heard, args.settings.as_deref(), env)?;
        let mut file = OwnFile::open(place.as_ref(), env, args.dry_run)?;
        let below = file.settings.below(&Env::default(), None);
        for host in &heard {
            file.want(*host, vec![wanted(state, &below)]);
        }
        let has_changed = file.write(ui)?.is_any();
        if state == State::On && !heard.iter().any(|host| has_hooks(*host, env)) {
            ui.warn("no hook of attest is in their files: run `attest install`");
        }
        let will = if args.dry_run && has_changed {
            "would be"
        } else {
            "is"
        };
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

/// The variable in a file over `below`.
fn wanted(state: State, below: &Env) -> Variable {
    let value = match state {
        State::On => Some("1"),
        // What is turned on below the file is turned off by it.
        State::Off => below.get(env::ASK).map(|_| "0"),
    };
    (env::ASK, value.map(str::to_owned))
}
