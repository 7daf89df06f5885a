//! What an agent claims to have done, read from the text of its final message.
//!
//! A claim takes one of two forms: a section headed `Handoff`, or lines that begin with `Status:`
//! or a files key. Everything else is prose, and no claim; [`said`] reads which files it calls
//! changed. If a text can be understood in two ways, both are kept as readings of one [`Entry`],
//! and each says how sure it is ([`Certainty`]), because calling an honest claim false costs far
//! more than missing a lie.
//!
//! [`parse`] is total: any text gives a [`Claim`], in time and memory linear in its length.

mod aside;
mod assertion;
mod count;
mod data;
mod denied;
mod done_when;
mod entry;
mod frame;
mod item;
mod key;
mod layout;
mod little;
mod loss;
mod markdown;
mod message;
mod named;
mod outline;
mod own;
mod path;
mod place;
mod plain_text;
mod reader;
mod refers;
mod remark;
mod report;
mod said;
mod sentence;
mod split;
mod status;
mod title;
mod unclaimed;
mod undo;
mod unmade;
mod unwritten;
mod wanted_text;
mod words;

use serde::{Deserialize, Serialize};

pub use aside::aside;
pub use assertion::{Assertion, Check, Checked, Kind, Says};
pub use count::{FileCount, file_counts};
pub use denied::Denied;
pub use done_when::{Wanted, done_when};
pub use entry::{Certainty, Doubt, Entry, Meaning, Operation, Reading, Target, Unresolvable};
pub use little::Little;
pub use loss::{Loss, has_no_size, is_unread, loss_in};
pub use message::{MAX_MESSAGE_BYTES, parse};
pub use named::Named;
pub use refers::refers_back;
pub use remark::{Remark, Sense};
pub use said::{Insisted, Said, Told, insisted, said, tells_of_changed_file, told};
pub use sentence::{tells_of_change, tells_of_work};
pub use undo::TakingBack;
pub use wanted_text::asks_for_text;

/// What a message claims.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The form of the claim.
    pub form: Form,
    /// The status, if the message has exactly one.
    pub status: Option<Status>,
    /// Whether its files stand below words that say what was done to them: "Files changed", but not "File list".
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub says_what_was_done: bool,
    /// The words that it begins with, if they call it a review: its files may be what was reviewed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<String>,
    /// The words that make it a message about what was read, where it has no status and would say what was done to its
    /// files: they may be what was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub study: Option<String>,
    /// The words that name a pull request or its author, and no deed of the speaker: its files may be theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<String>,
    /// The words that say of all of it that nothing was written: its files may be those of a plan, or of others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unwritten: Option<String>,
    /// The paths that it says were changed, in its own order.
    pub entries: Vec<Entry>,
    /// What it says beside its files, in its own order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assertions: Vec<Assertion>,
    /// The text under `blockers`; never decides anything.
    pub blockers: Option<String>,
    /// The text under `ran_tests`; never decides anything.
    pub ran_tests: Option<String>,
    /// The text that was read as the claim.
    pub raw: String,
}

impl Claim {
    /// Whether the message makes a claim at all.
    #[must_use]
    pub fn is_claim(&self) -> bool {
        self.form != Form::None
    }

    /// Whether it says something of this kind beside its files.
    #[must_use]
    pub fn has(&self, kind: Kind) -> bool {
        self.is_claim() && self.assertions.iter().any(|it| it.says.kind() == kind)
    }

    /// "Files changed: none"
    #[must_use]
    pub fn says_that_no_file_changed(&self) -> bool {
        (self.says_what_was_done || self.study.is_some()) && self.entries.is_empty()
    }

    /// The preferred reading of each entry; what stands there if it names no path.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let name = |entry: &Entry| match entry.first().map(|reading| &reading.target) {
            Some(Target::File(text) | Target::Dir(text)) => text.clone(),
            Some(Target::Rename { from, to }) => format!("{from} -> {to}"),
            None => entry.raw.clone(),
        };
        self.entries.iter().map(name).collect()
    }
}

/// The form of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// A section headed `Handoff`.
    Handoff,
    /// Lines that begin with a key.
    Lines,
    /// The message makes no claim.
    None,
}

/// What an agent says about its task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// All of it is done.
    Done,
    /// Done, with reservations.
    DoneWithConcerns,
    /// It could not be done.
    Blocked,
    /// It needs more information first.
    NeedsContext,
}

impl Status {
    /// The word that reports print.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Done => "DONE",
            Self::DoneWithConcerns => "DONE_WITH_CONCERNS",
            Self::Blocked => "BLOCKED",
            Self::NeedsContext => "NEEDS_CONTEXT",
        }
    }
}

#[cfg(test)]
mod tests;
