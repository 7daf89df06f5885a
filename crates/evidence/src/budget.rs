//! How much one hook does with what somebody else wrote.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::Doubt;

/// The work of one hook on what others wrote: made once, and handed to whoever reads or searches any of it. What it
/// cuts is a doubt, with its reason.
#[derive(Debug)]
pub struct Budget {
    /// When all work is to end, whatever is left of it.
    pub deadline: Option<Instant>,
    left: AtomicU64,
}

impl Budget {
    /// Bytes that are gone through in all, each as often as something is looked for in it: about a second's work.
    pub const BYTES: u64 = 1024 * 1024 * 1024;

    /// One that ends then.
    #[must_use]
    pub fn until(deadline: Option<Instant>) -> Self {
        Self {
            deadline,
            left: AtomicU64::new(Self::BYTES),
        }
    }

    /// Takes the work of going through so many bytes, unless there is not so much left, which it then is of nobody.
    pub fn take(&self, bytes: usize) -> Result<(), Doubt> {
        let bytes = bytes as u64;
        let take = |left: u64| Some(left.saturating_sub(bytes));
        let left = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        if left.is_ok_and(|left| left >= bytes) {
            return Ok(());
        }
        Err(Doubt::TooMany {
            most: Self::BYTES,
            what: "bytes gone through",
        })
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::until(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_is_a_doubt_and_so_is_all_behind_it() {
        let budget = Budget::default();
        let half = usize::try_from(Budget::BYTES / 2).unwrap();
        assert_eq!(budget.take(half), Ok(()));
        let why = budget.take(half + 1).unwrap_err().to_string();
        assert!(why.contains("more than 1073741824 bytes"), "{why}");
        assert!(budget.take(1).is_err());
    }
}
