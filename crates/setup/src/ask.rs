//! `attest ask`: the words with which an agent is asked for a report that can be judged, and whether the start hook
//! says them.

use attest_host::Host;
use clap::Args;

use super::in_force::{has_hooks, hears_at_start, with_hooks};
use super::on_off::OnOff;
use super::own_file::{OwnFile, Variable};
use attest_base::env::{self, Env};
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::own_settings::{OwnSettings, Whose};
use attest_base::paragraph;
use attest_base::targets;
use attest_base::ui::Ui;

/// Ask subagents for a report that attest can check, or print the words for it
///
/// Without a word, the paragraph is printed, for a CLAUDE.md or an AGENTS.md. With `on`, as after `attest install`, the
/// start hook adds the paragraph to what a new subagent reads first, in every host with hooks that hands it on; with
/// `off` it adds nothing, and a later install keeps that: `ATTEST_ASK` is put below the name of the host in
/// `~/.attest/settings.toml`.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    attest ask                  print the words\n  \
    attest ask on               every new subagent is asked, as after `attest install`\n  \
    attest ask off              no subagent is asked")]
pub struct AskArgs {
    /// Whether subagents are to be asked
    #[arg(value_enum)]
    state: Option<OnOff>,
    /// The host; may be given more than once [default: all that have hooks]
    #[arg(long, value_name = "NAME", value_parser = targets::host_names(), requires = "state")]
    host: Vec<&'static dyn Host>,
    /// Print what would change, and change nothing
    #[arg(long, requires = "state")]
    dry_run: bool,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &AskArgs) -> Result<ExitStatus, CommandError> {
    let Some(state) = args.state else {
        // Whether or not anybody is asked.
        ui.print(paragraph::WORDS)?;
        return Ok(ExitStatus::Success);
    };
    set(ui, env, state, args)?;
    Ok(ExitStatus::Success)
}

fn set(ui: &mut Ui, env: &Env, state: OnOff, args: &AskArgs) -> Result<(), CommandError> {
    let hosts = match &*args.host {
        [] => with_hooks(env),
        named => named.to_vec(),
    };
    let (heard, deaf): (Vec<_>, Vec<_>) = hosts.iter().copied().partition(|it| hears_at_start(*it));
    if !heard.is_empty() {
        let mut file = OwnFile::open(env, args.dry_run)?;
        if state == OnOff::Off {
            file.whose = Whose::Person;
        }
        for host in &heard {
            file.want(*host, vec![wanted(state)]);
        }
        let has_changed = file.write(ui)?.is_some();
        if state == OnOff::On && !heard.iter().any(|host| has_hooks(*host, env)) {
            ui.warn("no hook of attest is in their files: run `attest install`");
        }
        let asks = state == OnOff::On;
        let asked = asked(asks, args.dry_run && has_changed);
        ui.tell(&format!("new subagents {asked} for a report"))?;
    }
    for host in deaf.iter().filter(|_| state == OnOff::On) {
        let title = host.profile().executable.title;
        ui.warn(&format!(
            "{title} passes no words on to new subagents: put what `attest ask` prints into \
             the instructions that its agents read"
        ));
    }
    Ok(())
}

/// The variable in the file. One that is off stays there, so that no installation turns it on again; what `attest ask
/// off` said stays even if attest goes.
fn wanted(state: OnOff) -> Variable {
    let value = match state {
        OnOff::On => "1",
        OnOff::Off => "0",
    };
    (env::ASK, Some(value.to_owned()))
}

/// Whether they are asked, or would be.
fn asked(asks: bool, is_planned: bool) -> &'static str {
    match (asks, is_planned) {
        (true, false) => "are asked",
        (true, true) => "would be asked",
        (false, false) => "are not asked",
        (false, true) => "would not be asked",
    }
}

/// What a person wants of an installation.
pub(super) struct Wanted {
    pub(super) leaves_out: bool,
    pub(super) is_dry_run: bool,
}

/// Has the subagents of these hosts asked, unless somebody has said already whether they are, and says so.
pub(super) fn install(
    ui: &mut Ui,
    env: &Env,
    hosts: &[&'static dyn Host],
    wants: &Wanted,
) -> Result<(), CommandError> {
    if OwnSettings::read(env).path.is_none() {
        return Ok(());
    }
    let heard: Vec<_> = hosts
        .iter()
        .copied()
        .filter(|it| hears_at_start(*it))
        .collect();
    let mut file = OwnFile::open(env, wants.is_dry_run)?;
    let mut asked = Vec::new();
    for host in &heard {
        let said = file.settings.below(env, Some(host.name()));
        let said = said.text(env::ASK);
        let state = match said {
            _ if wants.leaves_out => OnOff::Off,
            None | Some("1") => OnOff::On,
            Some(_) => OnOff::Off,
        };
        if wants.leaves_out || said.is_none() {
            file.want(*host, vec![wanted(state)]);
        }
        if state == OnOff::On {
            asked.push(host.profile().executable.title);
        }
    }
    let has_changed = file.write(ui)?.is_some();
    if heard.is_empty() {
        return Ok(());
    }
    let will = self::asked(!asked.is_empty(), wants.is_dry_run && has_changed);
    ui.tell(&if asked.is_empty() {
        format!("new subagents {will} for a report: `attest ask on` changes that")
    } else {
        let of = if asked.len() < hosts.len() {
            format!(" of {}", asked.join(" and "))
        } else {
            String::new()
        };
        format!(
            "new subagents{of} {will} for a report, in {}, until you run `attest ask off`: {}",
            paragraph::cost(),
            paragraph::in_one_line()
        )
    })
}
