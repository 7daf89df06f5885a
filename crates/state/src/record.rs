//! What a start and a stop write, each in one transaction: what later hooks need, and the history. If the
//! history is what fails, the rest is written without it.

use std::cell::Cell;

use attest_snapshot::Snapshot;
use rusqlite::Transaction;

use crate::history::{self, RunStart, Stop};
use crate::{Advisory, Registration, Store, StoreError, agents, baselines, notifications, trust};

/// What an agent found when it first started.
#[derive(Debug)]
pub struct Baseline<'a> {
    /// Nanoseconds since the epoch.
    pub taken_at: i64,
    /// The work tree.
    pub snapshot: &'a Snapshot,
    /// The digest of its criteria file, if a person trusts that.
    pub criteria: Option<&'a str>,
}

/// The end of an agent's generation.
#[derive(Debug)]
pub struct Closing<'a> {
    /// Row id of the agent.
    pub agent: i64,
    /// Whether the host gave it an id of its own. One without is forgotten, since the next of its kind would
    /// be taken for it.
    pub has_agent_id: bool,
    /// What is to be told of it.
    pub told: Option<Advisory<'a>>,
    /// Nanoseconds since the epoch.
    pub now: i64,
}

/// Records a start; the baseline only of an agent that has none. `not_recorded` hears why the history lacks
/// it, if it does.
pub fn record_start(
    store: &mut Store,
    registration: &Registration<'_>,
    baseline: Option<&Baseline<'_>>,
    run: &RunStart<'_>,
    not_recorded: impl FnOnce(&StoreError),
) -> Result<(), StoreError> {
    let needed = |transaction: &Transaction<'_>| {
        let (agent, is_new) = agents::register(transaction, registration)?;
        if let (true, Some(baseline)) = (is_new, baseline) {
            baselines::save(transaction, agent, baseline.taken_at, baseline.snapshot)?;
            if let Some(sha256) = baseline.criteria {
                trust::record(transaction, agent, sha256)?;
            }
        }
        Ok(())
    };
    let history = |transaction: &Transaction<'_>| history::record_start(transaction, run);
    store
        .write_with_history(needed, history, not_recorded)
        .map(|_| ())
}

/// Records a stop, and with it the end of the generation unless the agent goes on or was never seen. Gives
/// the id of the verdict; `None` if the history lacks it, and `not_recorded` hears why.
pub fn record_stop(
    store: &mut Store,
    stop: &Stop<'_>,
    closing: Option<&Closing<'_>>,
    not_recorded: impl FnOnce(&StoreError),
) -> Result<Option<String>, StoreError> {
    let history = |transaction: &Transaction<'_>| history::record_stop(transaction, stop);
    let Some(closing) = closing else {
        return Ok(store.write(history).inspect_err(not_recorded).ok());
    };
    let needed = |transaction: &Transaction<'_>| {
        if let Some(told) = &closing.told {
            notifications::advise(transaction, told)?;
        }
        if closing.has_agent_id {
            agents::close(transaction, closing.agent, closing.now)
        } else {
            agents::forget(transaction, closing.agent)
        }
    };
    store.write_with_history(needed, history, not_recorded)
}

impl Store {
    fn write_with_history<T>(
        &mut self,
        needed: impl Fn(&Transaction<'_>) -> Result<(), StoreError>,
        history: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
        not_recorded: impl FnOnce(&StoreError),
    ) -> Result<Option<T>, StoreError> {
        let is_needed_done = Cell::new(false);
        let both = self.write(|transaction| {
            needed(transaction)?;
            is_needed_done.set(true);
            history(transaction).map(Some)
        });
        match both {
            Err(error) if is_needed_done.get() => {
                not_recorded(&error);
                self.write(needed).map(|()| None)
            }
            other => other,
        }
    }
}
