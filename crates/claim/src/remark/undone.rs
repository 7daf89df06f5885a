//! What takes back that work was done.

use super::token::{Clause, is_participle};
use crate::words::{self, Closed};

/// What may be done to a file so that it is not here in the end.
pub(super) const UNDONE: &[&str] = &[
    "abandoned",
    "backed",
    "cleaned",
    "deleted",
    "discarded",
    "dropped",
    "gone",
    "lost",
    "moved",
    "overwritten",
    "parked",
    "removed",
    "reverted",
    "rm'd",
    "rolled",
    "scrapped",
    "shelved",
    "stashed",
    "superseded",
    "taken",
    "thrown",
    "trashed",
    "undid",
    "undone",
    "unlinked",
    "wiped",
    "withdrawn",
];

impl Clause<'_> {
    /// "then deleted again", but not "removed the lock": what was done to the file is undone.
    pub(super) fn undoes(&self) -> bool {
        let lead = self
            .words
            .iter()
            .take_while(|word| is_lead_of_undoing(word))
            .count();
        let is_participle = |word: &str| {
            is_participle(word)
                || words::verb(word).is_some()
                || matches!(word, "checked" | "there" | "here")
        };
        // "not committed", "never written"
        let is_denied = self.closed(lead) == Some(Closed::Negation)
            && is_participle(self.word(lead + 1))
            && self.words.len() <= 5;
        is_denied || self.undoes_at(lead)
    }

    /// "created and deleted", "added but reverted"
    pub(super) fn ends_undone(&self) -> bool {
        (1..self.words.len()).any(|at| {
            matches!(
                self.word(at - 1),
                "and" | "then" | "but" | "was" | "now" | "since"
            ) && self.undoes_at(at)
        })
    }

    fn undoes_at(&self, at: usize) -> bool {
        UNDONE.contains(&self.word(at))
            && match self.closed(at + 1) {
                Some(Closed::Preposition) => !matches!(self.word(at + 1), "with"),
                Some(_) => true,
                None => self.words.len() == at + 1,
            }
    }
}

fn is_lead_of_undoing(word: &str) -> bool {
    matches!(
        word,
        "then"
            | "later"
            | "finally"
            | "again"
            | "also"
            | "just"
            | "subsequently"
            | "it"
            | "was"
            | "have"
            | "has"
            | "been"
            | "i"
            | "we"
            | "but"
            | "and"
            | "since"
            | "immediately"
            | "now"
    )
}
