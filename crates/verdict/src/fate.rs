//! What became of a block, in one word.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What became of a false DONE that was sent back, by the next stop of the same agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Fate {
    /// What was missing was written.
    Fixed,
    /// The claim was taken back, as a whole or in part.
    Withdrawn,
    /// The same was said again.
    Repeated,
    /// No further stop was seen, or it could not be judged.
    Unanswered,
}

impl Fate {
    /// Every one, the best first.
    pub const ALL: [Self; 4] = [
        Self::Fixed,
        Self::Withdrawn,
        Self::Repeated,
        Self::Unanswered,
    ];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fixed => "FIXED",
            Self::Withdrawn => "WITHDRAWN",
            Self::Repeated => "REPEATED",
            Self::Unanswered => "UNANSWERED",
        }
    }

    /// What it means, for a person.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Fixed => "after a block, the agent wrote what was missing",
            Self::Withdrawn => {
                "after a block, the agent took the claim back, as a whole or in part"
            }
            Self::Repeated => "after a block, the agent claimed the same again",
            Self::Unanswered => "after a block, no stop of the agent was seen that could be judged",
        }
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}
