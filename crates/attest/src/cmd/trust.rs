//! `attest trust`: lets a criteria file run its commands.

use std::path::PathBuf;

use super::check::CheckError;
use super::check::consent;
use crate::config::Config;
use crate::criteria::CriteriaFile;
use crate::env::Env;

/// Let a criteria file run its commands, as long as it stays as it is and where it is
#[derive(Debug, clap::Args)]
pub(crate) struct TrustArgs {
    /// The criteria file [default: .attest/criteria.yaml here or in a folder above]
    file: Option<PathBuf>,
    /// Only show the commands
    #[arg(long)]
    show: bool,
}

/// What to print.
pub(crate) fn run(args: &TrustArgs, env: &Env) -> Result<String, CheckError> {
    let start = std::env::current_dir().map_err(CheckError::NoFolder)?;
    let file = CriteriaFile::find(args.file.as_deref(), &start)?;
    let criteria = file.parse()?;
    let commands = consent::commands(&file, &criteria);
    if args.show {
        return Ok(commands.trim_end().to_owned());
    }
    consent::remember(&file, &Config::of_command(env))?;
    Ok(format!(
        "{commands}trusted as it is, in this place (sha256 {})",
        file.sha256
    ))
}
