//! When a run has to end although it is not done.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The end that all programs of a run share.
#[derive(Debug, Clone, Copy)]
pub struct Stop<'a> {
    /// When it is over; `None` for never.
    pub deadline: Option<Instant>,
    /// Set by somebody who wants it to end.
    pub cancelled: &'a AtomicBool,
}

/// What ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// The deadline.
    #[error("no time is left")]
    Deadline,
    /// Somebody.
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
    /// Whether it may go on.
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
