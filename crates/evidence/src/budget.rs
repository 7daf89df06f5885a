//! How much one hook does with what somebody else wrote.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crate::Doubt;

/// Which bound was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("more than {most} {what}")]
pub struct TooMuch {
    /// The bound.
    pub most: u64,
    /// What it counts.
    pub what: &'static str,
}

impl From<TooMuch> for Doubt {
    fn from(TooMuch { most, what }: TooMuch) -> Self {
        Self::TooMany { most, what }
    }
}

/// The work of one hook on what others wrote: made once, and handed to whoever reads or searches any of it. What it
/// cuts is a doubt, with its reason.
///
/// A clone has what is left of it in common with the first.
#[derive(Debug, Clone)]
pub struct Budget {
    /// When all work is to end, whatever is left of it.
    pub deadline: Option<Instant>,
    left: Arc<AtomicU64>,
    /// Set by whoever wants it to end before that.
    cancelled: Arc<AtomicBool>,
}

impl Budget {
    /// Bytes that are gone through in all, each as often as something is looked for in it: about a second's work.
    pub const BYTES: u64 = 1024 * 1024 * 1024;
    /// Bytes that looking one thing up counts as: an object of a repository, a name in a folder.
    const ITEM: usize = 16 * 1024;

    /// One that ends then.
    #[must_use]
    pub fn until(deadline: Option<Instant>) -> Self {
        Self {
            deadline,
            left: Arc::new(AtomicU64::new(Self::BYTES)),
            cancelled: Arc::default(),
        }
    }

    /// The same that also ends when this is set.
    #[must_use]
    pub fn unless(self, cancelled: Arc<AtomicBool>) -> Self {
        Self { cancelled, ..self }
    }

    /// As much again, which ends when this ends.
    #[must_use]
    pub fn afresh(&self) -> Self {
        Self::until(self.deadline).unless(Arc::clone(&self.cancelled))
    }

    /// What is set if it is to end before its time.
    #[must_use]
    pub fn cancelled(&self) -> &AtomicBool {
        &self.cancelled
    }

    /// The same for work that is to end then at the latest.
    #[must_use]
    pub fn by(&self, deadline: Instant) -> Self {
        let deadline = self.deadline.map_or(deadline, |own| own.min(deadline));
        Self {
            deadline: Some(deadline),
            ..self.clone()
        }
    }

    /// Whether the time is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let is_late = |deadline| Instant::now() >= deadline;
        self.cancelled.load(Ordering::Relaxed) || self.deadline.is_some_and(is_late)
    }

    /// Takes the work of going through so many bytes, unless there is not so much left, which it then is of nobody.
    pub fn take(&self, bytes: usize) -> Result<(), TooMuch> {
        let bytes = bytes as u64;
        let take = |left: u64| Some(left.saturating_sub(bytes));
        let left = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        if left.is_ok_and(|left| left >= bytes) {
            return Ok(());
        }
        Err(TooMuch {
            most: Self::BYTES,
            what: "bytes of others gone through",
        })
    }

    /// Takes the work of looking so many things up.
    pub fn take_items(&self, items: usize) -> Result<(), TooMuch> {
        self.take(items.saturating_mul(Self::ITEM))
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
