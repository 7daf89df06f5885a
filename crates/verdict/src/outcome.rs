//! What one stop came to, in one word.

use std::str::FromStr;

use crate::word_enum::words;

words! {
    /// What one stop came to, the best first. The words are those of the report and of the history.
    pub enum Outcome {
        Ok = "OK": "every claimed path that can be read is accounted for, and nothing else changed",
        ScopeCreep = "SCOPE_CREEP": "every claimed path is accounted for, but more changed than was claimed",
        Warn = "WARN": "a claimed path shows no change, and that disproves nothing",
        Mismatch = "MISMATCH": "a false DONE that was let through",
        Blocked = "BLOCKED": "a false DONE that was sent back to its agent",
        SentBack = "SENT_BACK": "a gate sent the agent back, and no claim is disproved",
        Unverifiable = "UNVERIFIABLE": "the work tree or what was recorded of it could not be read in full",
        NoClaim = "NO_CLAIM": "the report makes no claim that can be checked",
        NoSnapshot = "NO_SNAPSHOT": "the start of the agent was not seen",
    }
}

/// A word that names no outcome.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown outcome {0:?}, expected {all}", all = Outcome::ALL.map(Outcome::as_str).join(", "))]
pub struct UnknownOutcome(String);

impl Outcome {
    /// Whether the report was proven false.
    #[must_use]
    pub const fn is_false_done(self) -> bool {
        matches!(self, Self::Mismatch | Self::Blocked)
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
