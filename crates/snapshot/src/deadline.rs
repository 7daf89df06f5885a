//! The deadline of a reading.

use std::time::Instant;

use crate::{Limits, Unreadable};

/// Work that a deadline may cut short calls this between its steps.
pub(crate) fn check_time(limits: &Limits) -> Result<(), Unreadable> {
    match limits.deadline {
        Some(deadline) if Instant::now() >= deadline => Err(Unreadable::TooSlow),
        _ => Ok(()),
    }
}
