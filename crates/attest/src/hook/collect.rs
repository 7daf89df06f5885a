//! Once a day a stop hook forgets what is old, when its answer is out.

use std::time::{Duration, Instant};

use attest_store::{Patience, Store, StoreError};
use attest_verdict::{Forgotten, is_due, remove_older, take_turn};
use jiff::Timestamp;
use rusqlite::ErrorCode;

use super::{Context, shrug};
use crate::cmd;
use crate::log::Level;

/// The name of the chore in the state file.
const CHORE: &str = "gc";
/// How long it may take. What is left then waits for the next day.
const BUDGET: Duration = Duration::from_millis(100);
/// Rows of each table that one transaction forgets: others may want to write.
const BATCH: u32 = 100;

/// How long a lock of somebody else is waited for: where many write there is no spare time.
const PATIENCE: Duration = Duration::from_millis(50);

/// Forgets what is old, if nobody did today.
pub(super) fn in_spare_time(context: &Context, store: &mut Store) {
    if let Err(error) = collect(context, store)
        && !is_busy(&error)
    {
        shrug(&context.log, "NOT_COLLECTED", &error);
    }
}

fn collect(context: &Context, store: &mut Store) -> Result<(), StoreError> {
    let now = Timestamp::now();
    if !is_due(store.connection(), CHORE, now)? {
        return Ok(());
    }
    store.set_patience(Patience::Each(PATIENCE));
    if !store.write(|transaction| take_turn(transaction, CHORE, now))? {
        return Ok(());
    }
    let mut forgotten = Forgotten::default();
    let result = forget(store, context.limits.deadline, &mut forgotten);
    let Forgotten {
        agents, verdicts, ..
    } = forgotten;
    let text = format!("{agents} agents, {verdicts} verdicts");
    context.log.write(Level::Info, "COLLECTED", text);
    result
}

fn forget(
    store: &mut Store,
    deadline: Option<Instant>,
    forgotten: &mut Forgotten,
) -> Result<(), StoreError> {
    let end = Instant::now() + BUDGET;
    let end = deadline.map_or(end, |deadline| deadline.min(end));
    let before = cmd::time::before_now(cmd::gc::KEPT_FOR);
    while Instant::now() < end {
        let some = store.write(|transaction| remove_older(transaction, before, Some(BATCH)))?;
        if some == Forgotten::default() {
            break;
        }
        *forgotten += some;
    }
    Ok(())
}

fn is_busy(error: &StoreError) -> bool {
    let StoreError::Sqlite(error) = error else {
        return false;
    };
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}
