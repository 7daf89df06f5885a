//! `attest trust`: lets a criteria file run its commands.

use std::path::PathBuf;

use super::check::{consent, find, parse};
use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::ui::Ui;

/// Allow a criteria file to run its commands, until it changes or moves
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest trust --show\n  \
    attest trust")]
pub(crate) struct TrustArgs {
    /// The criteria file [default: .attest/criteria.yaml here or in a folder above]
    file: Option<PathBuf>,
    /// Only show the commands
    #[arg(long)]
    show: bool,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &TrustArgs) -> Result<ExitStatus, CommandError> {
    let file = find(args.file.as_deref())?;
    let criteria = parse(&file)?;
    let commands = consent::commands(&file, &criteria);
    if args.show {
        ui.print(&commands)?;
    } else {
        consent::remember(&file, &Config::of_command(ui, env))?;
        let sha256 = &file.sha256;
        ui.say(&format!(
            "{commands}trusted as it is, in this place (sha256 {sha256})"
        ))?;
    }
    Ok(ExitStatus::Success)
}
