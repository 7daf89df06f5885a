//! When a run has to end although it is not finished.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limits that all programs of a run share.
#[derive(Debug, Clone, Copy)]
pub struct Stop<'a> {
    /// When the time is over; `None` for never.
    pub deadline: Option<Instant>,
    /// Set by whoever wants the run to end.
    pub cancelled: &'a AtomicBool,
}

/// Why a run was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// Its time was over.
    #[error("no time is left")]
    Deadline,
    /// Somebody cancelled it.
    #[error("interrupted")]
    Cancelled,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Stop<'static> {
    /// Nothing but the deadline ends it.
    #[must_use]
    pub fn at(deadline: Option<Instant>) -> Self {
        Self {
            deadline,
            cancelled: &NEVER,
        }
    }
}

impl Stop<'_> {
    /// Whether the run may go on.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Stopped::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stopped::Deadline),
            _ => Ok(()),
        }
    }

    pub(crate) fn time_left(&self) -> Duration {
        self.deadline.map_or(Duration::MAX, |deadline| {
            deadline.saturating_duration_since(Instant::now())
        })
    }
}
