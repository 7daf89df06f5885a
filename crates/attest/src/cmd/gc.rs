//! `attest gc`: forget what was last heard of long ago.

use std::fs;
use std::path::{Path, PathBuf};

use attest_state::StoreError;
use attest_state::retention::{self, Forgotten};
use jiff::SignedDuration;

use super::{counted, time};
use crate::config::Config;
use crate::env::Env;
use crate::log::Log;
use crate::state;

/// What a person is told of that was given back to the disk, in bytes.
const WORTH_TELLING: u64 = 100_000;

/// Forget agents and verdicts that are old, and give their space back to the disk
#[derive(Debug, clap::Args)]
pub(crate) struct GcArgs {
    /// How long ago, such as 30d, 12h or "1 week"
    #[arg(long, value_name = "AGE", default_value = "30d", value_parser = time::parse_age)]
    older_than: SignedDuration,
    /// Only say how many there are
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum GcError {
    #[error("no state file: HOME is not set")]
    NoStateFile,
    #[error("cannot use the state file {path:?}")]
    Store { path: PathBuf, source: StoreError },
}

pub(crate) fn run(args: &GcArgs, env: &Env) -> Result<String, GcError> {
    let config = Config::of_command(env);
    let log = Log::new(&config, "gc");
    let path = config.state_db.ok_or(GcError::NoStateFile)?;
    if !path.exists() {
        return Ok("nothing to forget: there is no state file yet".to_owned());
    }
    let failed = |source| GcError::Store {
        path: path.clone(),
        source,
    };
    let before = time::before_now(args.older_than);
    let mut store = state::open(&path, &log).map_err(failed)?;
    let words = |count: Forgotten| {
        let agents = counted(count.agents, "agent");
        let verdicts = counted(count.verdicts, "verdict");
        format!("{agents} and {verdicts}")
    };
    if args.dry_run {
        let count = retention::count_older(&store, before).map_err(failed)?;
        return Ok(format!("would forget {}", words(count)));
    }
    let size = size_of(&path);
    let count = retention::forget(&mut store, before, config.most_state).map_err(failed)?;
    store.compact().map_err(failed)?;
    let mut text = format!("forgot {}", words(count));
    let smaller = size.saturating_sub(size_of(&path));
    if smaller >= WORTH_TELLING {
        let megabytes = bytes_in_words(smaller);
        text.push_str(&format!("; the state file is {megabytes} smaller"));
    }
    Ok(text)
}

/// The file and what is beside it.
fn size_of(path: &Path) -> u64 {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let size = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
    size(path) + size(Path::new(&log))
}

fn bytes_in_words(bytes: u64) -> String {
    let tenths = bytes / 100_000;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}
