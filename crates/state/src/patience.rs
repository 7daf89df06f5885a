//! How long others that are at work in the file are waited for.

use std::time::{Duration, Instant};

/// How long a step waits where there is no deadline.
const USUAL: Duration = Duration::from_secs(2);
/// SQLite counts milliseconds in 31 bits.
const LONGEST: Duration = Duration::from_hours(24);

/// How long a step waits for another process before it gives up.
#[derive(Debug, Clone, Copy)]
pub enum Patience {
    /// Each step as long as this.
    Each(Duration),
    /// All steps until then.
    Until(Instant),
}

impl Default for Patience {
    fn default() -> Self {
        Self::Each(USUAL)
    }
}

impl Patience {
    /// Gives up at once.
    #[must_use]
    pub const fn none() -> Self {
        Self::Each(Duration::ZERO)
    }

    /// What a step that begins now may wait.
    pub(crate) fn left(self) -> Duration {
        match self {
            Self::Each(most) => most.min(LONGEST),
            Self::Until(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                left.min(LONGEST)
            }
        }
    }

    /// The same, but for this step not longer than is usual: what is waited for may go on for ever.
    pub(crate) fn usual(self) -> Self {
        Self::Each(self.left().min(USUAL))
    }

    /// Begins a step that waits by itself.
    pub(crate) fn begin(self) -> Wait {
        Wait {
            give_up: Instant::now() + self.left(),
        }
    }
}

/// One step that waits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wait {
    give_up: Instant,
}

impl Wait {
    pub(crate) fn is_over(self) -> bool {
        Instant::now() >= self.give_up
    }
}
