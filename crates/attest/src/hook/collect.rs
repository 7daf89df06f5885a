//! Once a day a stop hook forgets what is old, and whenever there is too much what is oldest, when
//! its answer is out.

use std::time::{Duration, Instant};

use attest_store::{Patience, Store, StoreError};
use attest_verdict::{
    Forgotten, bytes_in_use, is_due, make_room, release_baselines, remove_older, take_turn,
};
use jiff::Timestamp;
use rusqlite::{ErrorCode, Transaction};

use super::{Context, shrug};
use crate::cmd;
use crate::log::Level;

/// The name of the chore in the state file.
const CHORE: &str = "gc";
/// How long it may take. What is left then waits for the next day.
const BUDGET: Duration = Duration::from_millis(100);
/// Rows of each table that one transaction forgets: others may want to write.
const BATCH: u32 = 100;
/// Baselines that one transaction lets go: each may take some megabytes.
const FEW: u32 = 10;
/// How long a lock of somebody else is waited for: where many write there is no spare time.
const PATIENCE: Duration = Duration::from_millis(50);

/// Forgets what is old, if nobody did today, and what is too much.
pub(super) fn in_spare_time(context: &Context, store: &mut Store) {
    if let Err(error) = collect(context, store)
        && !is_busy(&error)
    {
        shrug(&context.log, "NOT_COLLECTED", &error);
    }
}

fn collect(context: &Context, store: &mut Store) -> Result<(), StoreError> {
    let now = Timestamp::now();
    let is_due = is_due(store.connection(), CHORE, now)?;
    if !is_due && bytes_in_use(store.connection())? <= context.config.most_state {
        return Ok(());
    }
    store.set_patience(Patience::Each(PATIENCE));
    let is_turn = is_due && store.write(|transaction| take_turn(transaction, CHORE, now))?;
    let end = Instant::now() + BUDGET;
    let spare = Spare {
        end: context
            .limits
            .deadline
            .map_or(end, |deadline| deadline.min(end)),
        forgotten: Forgotten::default(),
    };
    spare.collect(context, store, is_turn)
}

/// The time that there is, and what was done in it.
struct Spare {
    end: Instant,
    forgotten: Forgotten,
}

impl Spare {
    fn collect(
        mut self,
        context: &Context,
        store: &mut Store,
        is_turn: bool,
    ) -> Result<(), StoreError> {
        let result = self.forget(context, store, is_turn);
        let Forgotten {
            agents,
            verdicts,
            baselines,
            ..
        } = self.forgotten;
        let text = format!("{agents} agents, {verdicts} verdicts, {baselines} baselines");
        context.log.write(Level::Info, "COLLECTED", text);
        result
    }

    fn forget(
        &mut self,
        context: &Context,
        store: &mut Store,
        is_turn: bool,
    ) -> Result<(), StoreError> {
        if is_turn {
            let before = cmd::time::before_now(cmd::gc::KEPT_FOR);
            self.repeat(store, |transaction| {
                remove_older(transaction, before, Some(BATCH))
            })?;
            let before = cmd::time::before_now(cmd::gc::BASELINES_KEPT_FOR);
            self.repeat(store, |transaction| {
                let baselines = release_baselines(transaction, before, Some(FEW))?;
                Ok(Forgotten {
                    baselines,
                    ..Forgotten::default()
                })
            })?;
        }
        let (now, most) = (Timestamp::now(), context.config.most_state);
        self.repeat(store, |transaction| {
            if bytes_in_use(transaction)? <= most {
                return Ok(Forgotten::default());
            }
            make_room(transaction, now, FEW)
        })
    }

    /// Repeats a step until it has nothing more to forget, or the time is over.
    fn repeat(
        &mut self,
        store: &mut Store,
        step: impl Fn(&Transaction<'_>) -> Result<Forgotten, StoreError>,
    ) -> Result<(), StoreError> {
        while Instant::now() < self.end {
            let some = store.write(&step)?;
            if some == Forgotten::default() {
                break;
            }
            self.forgotten += some;
        }
        Ok(())
    }
}

fn is_busy(error: &StoreError) -> bool {
    let StoreError::Sqlite(error) = error else {
        return false;
    };
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}
