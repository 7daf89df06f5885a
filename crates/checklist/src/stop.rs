//! When a check has to end although it is not done.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The end that all checks of a run share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stop<'a> {
    pub(crate) deadline: Option<Instant>,
    pub(crate) cancelled: &'a AtomicBool,
}

/// What ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Stopped {
    #[error("no time is left")]
    Deadline,
    #[error("interrupted")]
    Cancelled,
}

impl Stop<'_> {
    pub(crate) fn check(&self) -> Result<(), Stopped> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Stopped::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stopped::Deadline),
            _ => Ok(()),
        }
    }
}
