//! `attest man`: the manual, one page for each command, from the definition of the command line.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::CommandFactory as _;
use thiserror::Error;

use super::ExitStatus;
use crate::Cli;
use crate::error::CommandError;
use crate::ui::Ui;

/// Write the pages of the manual into a folder
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// The folder, which is made if there is none
    folder: PathBuf,
}

#[derive(Debug, Error)]
#[error("cannot write the manual to {folder:?}")]
struct ManError {
    folder: PathBuf,
    source: io::Error,
}

pub(super) fn run(ui: &mut Ui, args: &ManArgs) -> Result<ExitStatus, CommandError> {
    let written = fs::create_dir_all(&args.folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), &args.folder));
    written.map_err(|source| ManError {
        folder: args.folder.clone(),
        source,
    })?;
    ui.say(&format!("wrote the manual to {}", args.folder.display()))?;
    Ok(ExitStatus::Success)
}
