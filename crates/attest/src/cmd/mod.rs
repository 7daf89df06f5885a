//! One file per command. What is here is the list of them, and what several share.

mod check;
mod ci;
mod claim;
mod completions;
mod gc;
mod man;
mod snapshot;
mod trust;
mod verify;

use std::fs;
use std::io::{self, IsTerminal as _, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use attest_host::{Host, hosts};
use clap::Subcommand;

use crate::hook;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::own_settings::OwnSettings;
use attest_base::ui::Ui;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run as a hook of an agent host: reads its payload on standard input
    Hook {
        #[arg(value_enum)]
        event: hook::Event,
        /// The host that calls
        #[arg(long, default_value = hosts::usual().name(), value_parser = hosts::named)]
        harness: &'static dyn Host,
        /// The plugin calls, which is silent if hooks in the host's settings do the same
        #[arg(long)]
        plugin: bool,
    },
    Snapshot(snapshot::SnapshotArgs),
    Verify(verify::VerifyArgs),
    Claim(claim::ClaimArgs),
    Ci(ci::CiArgs),
    Check(Box<check::CheckArgs>),
    Trust(trust::TrustArgs),
    #[command(flatten)]
    Setup(attest_setup::Command),
    #[command(flatten)]
    History(attest_history::Command),
    Gc(gc::GcArgs),
    Completions(completions::CompletionsArgs),
    #[command(hide = true)]
    Man(man::ManArgs),
}

impl Command {
    pub(crate) fn run(&self, env: &Env) -> ExitCode {
        // A hook has its own way to say things, and no time to look at a terminal.
        if let Self::Hook {
            event,
            harness,
            plugin,
        } = self
        {
            let origin = match plugin {
                true => hook::Origin::Plugin,
                false => hook::Origin::Settings,
            };
            return hook::run(*event, *harness, origin, env);
        }
        // What is for one host alone is nothing to a command, but for those that speak of that host.
        let env = &OwnSettings::read(env).below(env, None);
        let mut ui = Ui::new(env);
        self.run_with(&mut ui, env).map_or_else(
            |error| {
                ui.complain(&error);
                ExitCode::FAILURE
            },
            ExitCode::from,
        )
    }

    fn run_with(&self, ui: &mut Ui, env: &Env) -> Result<ExitStatus, CommandError> {
        match self {
            Self::Hook { .. } => Ok(ExitStatus::Success),
            Self::Snapshot(args) => snapshot::run(ui, env, args),
            Self::Verify(args) => verify::run(ui, env, args),
            Self::Claim(args) => claim::run(ui, env, args),
            Self::Ci(args) => ci::run(ui, env, args),
            Self::Check(args) => check::run(ui, env, args),
            Self::Trust(args) => trust::run(ui, env, args),
            Self::Setup(command) => command.run(ui, env),
            Self::History(command) => command.run(ui, env),
            Self::Gc(args) => gc::run(ui, env, args),
            Self::Completions(args) => completions::run(ui, args),
            Self::Man(args) => man::run(ui, args),
        }
    }
}

/// Input that a command cannot use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    #[error("cannot read {path:?}")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path:?} is not a regular file")]
    NotAFile { path: PathBuf },
    #[error("{path:?} is not UTF-8 (byte {at})")]
    NotText { path: PathBuf, at: usize },
}

/// Reads a text file, or standard input for `-`.
fn read_text(path: &Path) -> Result<String, InputError> {
    let failed = |source| InputError::Read {
        path: path.into(),
        source,
    };
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes).map_err(failed)?;
    } else {
        // A pipe that nobody writes to would never end.
        if !fs::metadata(path).map_err(failed)?.is_file() {
            return Err(InputError::NotAFile { path: path.into() });
        }
        bytes = fs::read(path).map_err(failed)?;
    }
    String::from_utf8(bytes).map_err(|error| InputError::NotText {
        path: path.into(),
        at: error.utf8_error().valid_up_to(),
    })
}

/// The same for a message, which a person may have to type.
fn read_message(ui: &mut Ui, path: &Path) -> Result<String, InputError> {
    if path == Path::new("-") && io::stdin().is_terminal() {
        ui.note("reading the message from standard input, up to its end (Ctrl-D)");
    }
    read_text(path)
}
