//! `attest gc`: forget agents that were last heard of long ago.

use std::path::PathBuf;

use attest_snapshot::Moment;
use attest_store::{Store, StoreError};
use jiff::SignedDuration;

use crate::config::Config;
use crate::env::Env;

/// Forget agents that were last heard of long ago
#[derive(Debug, clap::Args)]
pub(crate) struct GcArgs {
    /// How long ago, such as 30d, 12h or "1 week"
    #[arg(long, value_name = "AGE", default_value = "30d", value_parser = parse_age)]
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
    let path = Config::read(env).state_db.ok_or(GcError::NoStateFile)?;
    if !path.exists() {
        return Ok("nothing to forget: there is no state file yet".to_owned());
    }
    let failed = |source| GcError::Store {
        path: path.clone(),
        source,
    };
    let age = i64::try_from(args.older_than.as_nanos()).unwrap_or(i64::MAX);
    let before = Moment::now().wall_ns.saturating_sub(age);
    let mut store = Store::open(&path).map_err(failed)?;
    let count = if args.dry_run {
        attest_verdict::count_older(store.connection(), before)
    } else {
        store.write(|transaction| attest_verdict::remove_older(transaction, before))
    }
    .map_err(failed)?;
    let agents = if count == 1 { "agent" } else { "agents" };
    let did = if args.dry_run {
        "would forget"
    } else {
        "forgot"
    };
    Ok(format!("{did} {count} {agents}"))
}

/// Days and weeks are of 24 hours: nothing here depends on a time zone.
fn parse_age(text: &str) -> Result<SignedDuration, jiff::Error> {
    let span: jiff::Span = text.parse()?;
    let age = span.to_duration(jiff::SpanRelativeTo::days_are_24_hours())?;
    if age.is_negative() {
        return Err(jiff::Error::from_args(format_args!(
            "an age is not negative"
        )));
    }
    Ok(age)
}
