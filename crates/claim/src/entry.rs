//! A claimed path: as it is written, what is said of it, and what it may mean.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::remark::{self, Remark, Sense};
use crate::title::title_text;
use crate::{item, words};

/// One claimed path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The text as the agent wrote it.
    pub raw: String,
    /// What is claimed to have happened to the path.
    pub operation: Operation,
    /// The path, or why there is none.
    pub meaning: Meaning,
    /// The words beside the path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<Remark>,
    /// The words above it that are not understood: a title, or what introduces the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// Words that were not understood, so that the path beside or below them proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt<'a> {
    /// The words beside it.
    Remark(&'a str),
    /// The words above it, or in front of it.
    Title(&'a str),
}

impl Entry {
    /// The words that were not understood, if there are any.
    #[must_use]
    pub fn doubt(&self) -> Option<Doubt<'_>> {
        match &self.remark {
            Some(remark) if remark.sense == Sense::Other => Some(Doubt::Remark(&remark.text)),
            _ => self.title.as_deref().map(Doubt::Title),
        }
    }

    /// Whether it stands behind a letter as git writes it, and so perhaps in a list of all that differs from the commit,
    /// whoever changed it: "M src/a.py".
    #[must_use]
    pub fn is_of_git(&self) -> bool {
        item::has_git_letter(&self.raw)
    }

    /// Whether it says so plainly that the file is gone: by the list that it is in, by the letter of git, or in one word
    /// with nothing behind it. "Removed: the old half" may be said of what is in the file.
    #[must_use]
    pub fn says_that_it_is_gone(&self) -> bool {
        let is_plain = match &self.remark {
            None => !self.raw.trim_start().starts_with(['-', '[']),
            Some(remark) => {
                let end = self.raw.trim_end_matches(|c: char| !c.is_alphanumeric());
                let is_word = remark.text.chars().all(char::is_alphanumeric);
                is_word
                    && remark.sense == Sense::Work(Operation::Deleted)
                    && end.ends_with(&remark.text)
            }
        };
        self.operation == Operation::Deleted && self.doubt().is_none() && is_plain
    }

    /// Whether it says so plainly that the file went from one name to another, so that none is left behind: by the letter
    /// of git, or in a word beside the names: "src/a.py → src/b.py (moved)", "`src/a.py` renamed to `src/b.py`". "Moved the
    /// parser" may be said of what is in it.
    #[must_use]
    pub fn says_that_it_moved(&self) -> bool {
        let raw = self.raw.to_lowercase();
        let words: Vec<_> = words::words_of(&raw, "").collect();
        let is_remark = self
            .remark
            .as_ref()
            .is_some_and(|it| words::is_move(&it.text));
        let is_first = words.first().is_some_and(|word| words::is_move(word));
        let mut pairs = words.windows(2);
        let is_beside = pairs.any(|pair| words::is_move(pair[0]) && pair[1] == "to");
        let is_letter = self.is_of_git() && self.raw.trim_start().starts_with('R');
        self.doubt().is_none() && (is_remark || is_first || is_beside || is_letter)
    }

    /// "Files renamed: src/a.py -> src/b.py" says so of each.
    pub(crate) fn put_below_moved(&mut self) {
        let target = self.first().map(|reading| &reading.target);
        if self.remark.is_none() && matches!(target, Some(Target::Rename { .. })) {
            self.put_remark("renamed");
        }
    }

    /// Whether all that is said of the file is that it has another name now: "src/a.py (renamed to src/b.py)".
    #[must_use]
    pub fn says_that_it_went(&self) -> bool {
        let remark = self.remark.as_ref().filter(|_| self.title.is_none());
        remark.is_some_and(|remark| {
            let verb = remark.text.split(' ').next().unwrap_or_default();
            words::is_move(&verb.to_lowercase())
                && remark.goals().len() == 1
                && remark.text.split_whitespace().count() == 3
        })
    }

    /// The name that the file had before, where the words beside it say that and no more: "src/b.py (renamed from
    /// src/a.py)".
    #[must_use]
    pub fn moved_from(&self) -> Option<&str> {
        let remark = self.remark.as_ref().filter(|_| self.doubt().is_none())?;
        remark.origin()
    }

    /// The preferred reading.
    pub(crate) fn first(&self) -> Option<&Reading> {
        match &self.meaning {
            Meaning::Paths(readings) => readings.first(),
            Meaning::Unresolvable(_) => None,
        }
    }

    /// The file, if it can only be the name of one.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        match self.first()? {
            Reading {
                target: Target::File(name),
                certainty: Certainty::Certain,
            } => Some(name),
            _ => None,
        }
    }

    /// Sets the words beside the path, with what they say of it.
    pub(crate) fn put_remark(&mut self, text: &str) {
        let Some(remark) = Remark::of(text) else {
            return;
        };
        match remark.sense {
            Sense::Untouched => self.meaning = Meaning::Unresolvable(Unresolvable::Denied),
            Sense::Work(operation) if operation != Operation::Changed => self.operation = operation,
            Sense::Work(_) | Sense::Description | Sense::Other => {}
        }
        self.remark = Some(remark);
    }

    /// Sets what a field or a cell says was done: one word is a demand or a fact, so that "create" counts too. A fact may
    /// be about no work: "preserved".
    pub(crate) fn put_action(&mut self, text: &str) {
        let word = text.trim().to_lowercase();
        let is_done = words::is_demand(&word) || remark::read(&word) != Sense::Other;
        self.put_remark(match words::change(&word).filter(|_| is_done) {
            Some(Operation::Created) => "created",
            Some(Operation::Deleted) => "deleted",
            Some(Operation::Changed) => "changed",
            None => text,
        });
    }

    /// Hears what is said of the file in a line of its own: one that is understood is enough, and one that denies
    /// takes the file away.
    pub(crate) fn add_note(&mut self, text: &str) {
        let Some(note) = Remark::of(text) else {
            return;
        };
        let says_more = |known: &Remark| !known.sense.is_understood() && note.sense.is_understood();
        if note.sense == Sense::Untouched {
            self.put_remark(text);
        } else if self.remark.as_ref().is_none_or(says_more) {
            self.remark = Some(note);
        }
    }

    /// Sets the words above it that are not understood.
    pub(crate) fn put_below(&mut self, title: &str) {
        self.title
            .get_or_insert_with(|| title_text(title).to_owned());
    }
}

/// What is claimed to have happened to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// It was changed, or the claim says nothing more specific.
    Changed,
    /// It was made.
    Created,
    /// It was removed.
    Deleted,
}

/// What an entry means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Meaning {
    /// Paths that it may mean, the most likely first; never empty.
    Paths(Vec<Reading>),
    /// No path can be read from it.
    Unresolvable(Unresolvable),
}

/// One way to understand an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// The file or folder that it names.
    #[serde(flatten)]
    pub target: Target,
    /// Whether it names a path at all.
    #[serde(default)]
    pub certainty: Certainty,
}

/// How sure it is that a reading is a path that the agent claims. Only a certain one can ever
/// disprove a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// It may be a path: it counts if exactly that name is found, and proves nothing otherwise.
    Likely,
    /// It has the separator of a path but nothing else of one, like `bin/run` and `feature/login`:
    /// it is certain if the folder that it begins with exists. `~/project/a.py` is if it lies in the work tree.
    Folder,
    /// It stands where a path is expected, and looks like a path.
    #[default]
    Certain,
}

/// What a reading names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// A file.
    File(String),
    /// A folder, written with a slash at the end.
    Dir(String),
    /// A file that changed its name.
    Rename {
        /// The old name.
        from: String,
        /// The new name.
        to: String,
    },
}

/// Why no path can be read from an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Unresolvable {
    /// A pattern for several names.
    Glob,
    /// The address of something elsewhere.
    Url,
    /// A number of files.
    Count,
    /// A path that only a shell can complete.
    HomeOrVariable,
    /// A reference to another part of the message.
    Reference,
    /// The entry says that there are more.
    AndMore,
    /// A name that is still to be filled in.
    Placeholder,
    /// The name contains characters that text does not carry faithfully.
    Garbled,
    /// The entry says that it was not changed.
    Denied,
    /// Words that do not have the shape of a path.
    Prose,
}

impl fmt::Display for Unresolvable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Glob => "a pattern",
            Self::Url => "a URL",
            Self::Count => "a number of files",
            Self::HomeOrVariable => "a path that needs a shell",
            Self::Reference => "a reference to another place",
            Self::AndMore => "more files that are not named",
            Self::Placeholder => "a placeholder",
            Self::Garbled => "a name with unreadable characters",
            Self::Denied => "said to be unchanged",
            Self::Prose => "no path",
        })
    }
}
