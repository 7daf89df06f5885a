//! `attest snapshot`: what the work tree is now, as JSON. Needs no state file and makes none.

use std::path::PathBuf;

use attest_snapshot::{DocumentError, Format, Snapshot, Unreadable, document};

use super::progress;
use crate::config::Config;
use crate::env::Env;

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
pub(crate) enum SnapshotError {
    #[error("cannot read the work tree")]
    Unreadable(#[from] Unreadable),
    #[error("cannot print the snapshot")]
    Document(#[from] DocumentError),
}

pub(crate) fn run(args: &SnapshotArgs, env: &Env) -> Result<String, SnapshotError> {
    let limits = Config::of_command(env).limits(None);
    let format = match args.format {
        FormatArg::Json => Format::Json,
        FormatArg::Flat => Format::Flat,
    };
    let take = || Snapshot::take(&args.repo, &limits, |_| None);
    match progress::during("reading the work tree", take) {
        Snapshot::Readable(tree) => Ok(document(&tree, format)?),
        Snapshot::Unreadable(why) => Err(why.into()),
    }
}
