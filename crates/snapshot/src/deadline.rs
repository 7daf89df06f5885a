//! The deadline of a reading.

use crate::{Limits, Unreadable};

/// Work that a deadline may cut short calls this between its steps.
pub(crate) fn check_time(limits: &Limits) -> Result<(), Unreadable> {
    if limits.budget.is_over() {
        return Err(Unreadable::TooSlow);
    }
    Ok(())
}
