//! What one stop came to, in one word.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What one stop came to. The words are those of the report and of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Outcome {
    /// Every claimed path is accounted for, and nothing else changed.
    Ok,
    /// The same, but more changed than was claimed.
    ScopeCreep,
    /// A claimed path shows no change, and that disproves nothing.
    Warn,
    /// A false DONE that was let through.
    Mismatch,
    /// A false DONE that was sent back.
    Blocked,
    /// No false DONE, and sent back all the same: a gate asked for that.
    SentBack,
    /// The work tree or the baseline could not be read.
    Unverifiable,
    /// The report makes no claim.
    NoClaim,
    /// The start of the agent was not seen.
    NoSnapshot,
}

/// A word that names no outcome.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown outcome {0:?}, expected {all}", all = Outcome::ALL.map(Outcome::as_str).join(", "))]
pub struct UnknownOutcome(String);

impl Outcome {
    /// Every outcome, the best first.
    pub const ALL: [Self; 9] = [
        Self::Ok,
        Self::ScopeCreep,
        Self::Warn,
        Self::Mismatch,
        Self::Blocked,
        Self::SentBack,
        Self::Unverifiable,
        Self::NoClaim,
        Self::NoSnapshot,
    ];

    /// The word as reports print it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::ScopeCreep => "SCOPE_CREEP",
            Self::Warn => "WARN",
            Self::Mismatch => "MISMATCH",
            Self::Blocked => "BLOCKED",
            Self::SentBack => "SENT_BACK",
            Self::Unverifiable => "UNVERIFIABLE",
            Self::NoClaim => "NO_CLAIM",
            Self::NoSnapshot => "NO_SNAPSHOT",
        }
    }

    /// Whether the report was proven false.
    #[must_use]
    pub const fn is_false_done(self) -> bool {
        matches!(self, Self::Mismatch | Self::Blocked)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

impl FromStr for Outcome {
    type Err = UnknownOutcome;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let word = text.to_ascii_uppercase().replace('-', "_");
        Self::ALL
            .into_iter()
            .find(|outcome| outcome.as_str() == word)
            .ok_or_else(|| UnknownOutcome(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back_in_any_case() {
        for outcome in Outcome::ALL {
            assert_eq!(outcome.as_str().parse(), Ok(outcome));
            let typed = outcome.as_str().to_ascii_lowercase().replace('_', "-");
            assert_eq!(typed.parse(), Ok(outcome));
            assert_eq!(serde_json::to_value(outcome).unwrap(), outcome.as_str());
        }
        assert!("fine".parse::<Outcome>().is_err());
    }

    #[test]
    fn a_false_done_is_one_that_was_let_through_or_sent_back() {
        let of = |outcome: &Outcome| outcome.is_false_done();
        let all: Vec<_> = Outcome::ALL.iter().copied().filter(of).collect();
        assert_eq!(all, [Outcome::Mismatch, Outcome::Blocked]);
    }
}
