//! What a hook forgets when its answer is out: once a day what is old, and whenever there is too much what is
//! oldest.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use rusqlite::Transaction;

use super::{
    BASELINES_KEPT_FOR, Forgotten, KEPT_FOR, ago, bytes_in_use, is_due, make_room,
    release_baselines, remove_older, take_turn,
};
use crate::{Patience, Store, StoreError};

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

/// Forgets what is old, if nobody did today, and what is above `most` bytes. Gives what was forgotten, if
/// there was anything to do, and what stopped it.
pub fn collect(
    store: &mut Store,
    most: u64,
    deadline: Option<Instant>,
) -> (Option<Forgotten>, Result<(), StoreError>) {
    let now = Timestamp::now();
    match has_turn(store, most, now) {
        Ok(Some(is_turn)) => {
            let mut spare = Spare::until(deadline);
            let result = spare.forget(store, most, now, is_turn);
            (Some(spare.forgotten), result)
        }
        Ok(None) => (None, Ok(())),
        Err(error) => (None, Err(error)),
    }
}

/// Whether it is this hook that forgets what is old; `None` if there is nothing to do.
fn has_turn(store: &mut Store, most: u64, now: Timestamp) -> Result<Option<bool>, StoreError> {
    let is_due = is_due(&store.connection, CHORE, now)?;
    store.set_patience(Patience::Each(PATIENCE));
    // Of several that find it due, one gets the turn, and the others have nothing to do.
    let is_turn = is_due && store.write(|transaction| take_turn(transaction, CHORE, now))?;
    if !is_turn && bytes_in_use(&store.connection)? <= most {
        return Ok(None);
    }
    Ok(Some(is_turn))
}

/// The time that there is, and what was done in it.
struct Spare {
    end: Instant,
    forgotten: Forgotten,
}

impl Spare {
    fn until(deadline: Option<Instant>) -> Self {
        let end = Instant::now() + BUDGET;
        Self {
            end: deadline.map_or(end, |deadline| deadline.min(end)),
            forgotten: Forgotten::default(),
        }
    }

    fn forget(
        &mut self,
        store: &mut Store,
        most: u64,
        now: Timestamp,
        is_turn: bool,
    ) -> Result<(), StoreError> {
        if is_turn {
            self.repeat(store, |transaction| {
                remove_older(transaction, ago(now, KEPT_FOR), Some(BATCH))
            })?;
            self.repeat(store, |transaction| {
                let before = ago(now, BASELINES_KEPT_FOR);
                let baselines = release_baselines(transaction, before, Some(FEW))?;
                Ok(Forgotten {
                    baselines,
                    ..Forgotten::default()
                })
            })?;
        }
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
