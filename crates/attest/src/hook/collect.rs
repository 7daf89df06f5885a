//! Once a day a stop hook forgets what is old, when its answer is out.

use std::time::{Duration, Instant};

use attest_store::{Store, StoreError};
use attest_verdict::{Forgotten, is_due, remove_older, take_turn};
use jiff::Timestamp;

use super::{Context, shrug};
use crate::cmd;
use crate::log::Level;

/// The name of the chore in the state file.
const CHORE: &str = "gc";
/// How long it may take. What is left then waits for the next day.
const BUDGET: Duration = Duration::from_millis(100);
/// Rows of each table that one transaction forgets: others may want to write.
const BATCH: u32 = 100;

/// Forgets what is old, if nobody did today.
pub(super) fn in_spare_time(context: &Context, store: &mut Store) {
    match collect(store, context.limits.deadline) {
        Ok(None) => {}
        Ok(Some(forgotten)) => {
            let Forgotten {
                agents, verdicts, ..
            } = forgotten;
            context.log.write(
                Level::Info,
                "COLLECTED",
                format!("{agents} agents, {verdicts} verdicts"),
            );
        }
        Err(error) => shrug(&context.log, "NOT_COLLECTED", &error),
    }
}

/// `None` where it was not due, or another process took the turn.
fn collect(store: &mut Store, deadline: Option<Instant>) -> Result<Option<Forgotten>, StoreError> {
    let now = Timestamp::now();
    if !is_due(store.connection(), CHORE, now)? {
        return Ok(None);
    }
    // Where somebody else is writing, there is no spare time.
    store.connection().busy_timeout(Duration::ZERO)?;
    if !store.write(|transaction| take_turn(transaction, CHORE, now))? {
        return Ok(None);
    }
    let end = Instant::now() + BUDGET;
    let end = deadline.map_or(end, |deadline| deadline.min(end));
    let before = cmd::time::before_now(cmd::gc::KEPT_FOR);
    let mut all = Forgotten::default();
    while Instant::now() < end {
        let some = store.write(|transaction| remove_older(transaction, before, Some(BATCH)))?;
        if some == Forgotten::default() {
            break;
        }
        all += some;
    }
    Ok(Some(all))
}
