//! The completion criteria of a stop: what came of them, and what an agent is sent back with for them.

use attest_evidence::Printable;
use serde::{Deserialize, Serialize};

use crate::reason::{Addressee, FEEDBACK, ask_again, list, said};
use crate::{Unchecked, quoted};

/// A completion criterion that is not met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unmet {
    /// Its full name.
    pub name: String,
    /// Why it is not met.
    pub why: String,
    /// Whether the agent's prompt has it, and not the criteria file.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_prompt: bool,
}

impl Unmet {
    /// That it is not met, in one line.
    pub(crate) fn told(&self) -> String {
        let whose = if self.is_of_prompt {
            " of the prompt"
        } else {
            ""
        };
        format!("criterion{whose} {}", self.statement())
    }

    /// Why it is not met, in one line.
    pub(crate) fn statement(&self) -> String {
        format!("{}: {}", quoted(&self.name), said(&self.why))
    }
}

/// What came of the completion criteria.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Criteria {
    /// All that count are met, and what shows it.
    Met(String),
    /// Some are not.
    Unmet(Vec<Unmet>),
    /// They were not checked.
    NotChecked(Unchecked),
    /// There was nothing to check, in words.
    Skipped(String),
}

/// What came of those of the file, with what the prompt asks for and is not there: that is known, whatever kept the
/// file's from being checked.
pub(crate) fn with_asked(of_file: Option<Criteria>, asked: Vec<Unmet>) -> Option<Criteria> {
    match of_file {
        Some(Criteria::Unmet(mut unmet)) => {
            unmet.extend(asked);
            Some(Criteria::Unmet(unmet))
        }
        _ if !asked.is_empty() => Some(Criteria::Unmet(asked)),
        of_file => of_file,
    }
}

/// What an agent is sent back with that says DONE: which are not met, and what to send instead.
pub(crate) fn revision(unmet: &[Unmet], to: Addressee) -> Printable {
    let mut text = FEEDBACK.to_owned();
    let (of_prompt, of_file): (Vec<_>, Vec<_>) = unmet.iter().partition(|it| it.is_of_prompt);
    let lists = [
        (of_file, ".attest/criteria.yaml"),
        (of_prompt, "the prompt (\"Done when:\")"),
    ];
    let lists = lists.iter().filter(|(unmet, _)| !unmet.is_empty());
    for (number, (unmet, whose)) in lists.enumerate() {
        let and = if number > 0 { "and " } else { "" };
        text.push_str(&format!("{and}criteria of {whose} are not met:\n"));
        list(&mut text, unmet, |unmet| unmet.statement());
    }
    ask_again(&mut text, to);
    Printable::new(&text)
}
