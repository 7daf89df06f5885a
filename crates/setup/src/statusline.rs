//! `attest statusline`: has the line shown that a host prints below its prompt.

use std::path::PathBuf;

use attest_host::hosts;
use attest_host::settings::StatusLine;
use clap::Args;

use super::host_file::HostFile;
use super::on_off::OnOff;
use crate::install::this_program;
use crate::install_error::{InstallError, refused};
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::ui::Ui;
use attest_base::{exit_status::ExitStatus, targets};

/// Print one line for the status line of Claude Code, or have it shown there
///
/// The line has how many agents are at work, and how many since midnight were verified (something that was claimed could
/// be judged, and all of that held), mended a false DONE, had nothing to judge, and have a false DONE that stands, in the
/// repository of the folder that the host names. It is empty if there is nothing of that. `on` puts it into
/// the settings file, unless a status line is there already, and `off` takes it out again; so does `attest uninstall`.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    attest statusline               print the line for this folder\n  \
    attest statusline on            have it shown\n  \
    attest statusline off --dry-run")]
pub struct StatuslineArgs {
    /// Whether the host is to show the line; without it, the line is printed
    #[arg(value_enum)]
    state: Option<OnOff>,
    /// The settings file of Claude Code [default: as for install]
    #[arg(long, value_name = "FILE", requires = "state")]
    settings: Option<PathBuf>,
    /// Print what would change, and change nothing
    #[arg(long, requires = "state")]
    dry_run: bool,
}

/// What is there stays.
#[derive(Debug, thiserror::Error)]
#[error("{path:?} has a status line already")]
struct AnotherLine {
    path: PathBuf,
}

pub(super) fn run(
    ui: &mut Ui,
    env: &Env,
    args: &StatuslineArgs,
) -> Result<ExitStatus, CommandError> {
    match args.state {
        None => _ = attest_history::print_line(env),
        Some(state) => set(ui, env, state, args)?,
    }
    Ok(ExitStatus::Success)
}

fn set(ui: &mut Ui, env: &Env, state: OnOff, args: &StatuslineArgs) -> Result<(), CommandError> {
    let host = hosts::usual();
    let place = targets::file(host, args.settings.as_deref(), env);
    let place = place.map_err(|error| InstallError::from(error).hinted())?;
    let file = HostFile::open(&place, args.dry_run, env).map_err(InstallError::hinted)?;
    let program = this_program(env).map_err(InstallError::hinted)?;
    let program = program.to_string_lossy();
    let whose = place.file.status_line(file.content());
    let whose = whose.unwrap_or(Ok(StatusLine::None));
    let whose = whose.map_err(|source| refused(&place.path, source).hinted())?;
    if state == OnOff::On && whose == StatusLine::Other {
        let error = CommandError::from(AnotherLine {
            path: place.path.clone(),
        });
        let hint = "it stays; its command may run `attest statusline`, which takes the same standard input";
        return Err(error.hinted(hint));
    }
    let wanted = (state == OnOff::On).then_some(&*program);
    let changed = place.file.with_status_line(file.content(), wanted);
    let changed = changed.unwrap_or_else(|| Ok(file.content().to_vec()));
    let changed = changed.map_err(|source| refused(&place.path, source).hinted())?;
    let has_changed = file.replace(ui, changed)?.is_some();
    ui.tell(match (state, has_changed, args.dry_run) {
        (_, true, true) => "nothing was written",
        (OnOff::On, true, false) => "`attest statusline off` takes it out again",
        (OnOff::On, false, _) => "the status line is attest's already",
        (OnOff::Off, true, false) => "the status line is out again",
        (OnOff::Off, false, _) => "there is no status line of attest",
    })
}
