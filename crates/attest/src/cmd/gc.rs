//! `attest gc`: forget what was last heard of long ago.

use std::path::PathBuf;

use attest_store::StoreError;
use jiff::SignedDuration;

use super::{counted, time};
use crate::config::Config;
use crate::env::Env;
use crate::log::Log;
use crate::state;

/// How long what is forgotten by itself was kept.
pub(crate) const KEPT_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Forget agents and verdicts that are old
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
    let count = if args.dry_run {
        attest_verdict::count_older(store.connection(), before)
    } else {
        store.write(|transaction| attest_verdict::remove_older(transaction, before, None))
    }
    .map_err(failed)?;
    let did = if args.dry_run {
        "would forget"
    } else {
        "forgot"
    };
    let agents = counted(count.agents, "agent");
    let verdicts = counted(count.verdicts, "verdict");
    Ok(format!("{did} {agents} and {verdicts}"))
}
