//! `attest snapshot`: what the work tree is now, as JSON. Needs no state file and makes none.

use std::path::PathBuf;

use attest_snapshot::{DocumentError, Format, Snapshot, Unreadable, document};

use super::ExitStatus;
use crate::config::Config;
use crate::env::Env;
use crate::error::CommandError;
use crate::ui::{Ui, progress};

/// Print a snapshot of a git work tree
#[derive(Debug, clap::Args)]
pub(crate) struct SnapshotArgs {
    /// Any folder of the work tree
    #[arg(long, value_name = "DIR", default_value = ".")]
    repo: PathBuf,
    /// What to print: the versioned document, or a flat map from path to hash
    #[arg(long, value_enum, default_value = "json")]
    format: FormatArg,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum FormatArg {
    Json,
    Flat,
}

#[derive(Debug, thiserror::Error)]
enum SnapshotError {
    #[error("cannot read the work tree")]
    Unreadable(#[source] Unreadable),
    #[error("cannot print the snapshot")]
    Document(#[source] DocumentError),
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &SnapshotArgs) -> Result<ExitStatus, CommandError> {
    ui.speak_json();
    let limits = Config::of_command(ui, env).limits(None);
    let format = match args.format {
        FormatArg::Json => Format::Json,
        FormatArg::Flat => Format::Flat,
    };
    let take = || Snapshot::take(&args.repo, &limits, |_| None);
    match progress::during("reading the work tree", take) {
        Snapshot::Readable(tree) => {
            ui.say(&document(&tree, format).map_err(SnapshotError::Document)?)?;
            Ok(ExitStatus::Success)
        }
        Snapshot::Unreadable(why) => Err(SnapshotError::Unreadable(why).into()),
    }
}
