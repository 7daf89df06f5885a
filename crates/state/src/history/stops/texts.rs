//! The texts that stops have in common, each once, with all that one may stand for.

use std::collections::HashMap;

use attest_verdict::{Outcome, ReasonCode};

use crate::history::counted::Counted;
use crate::history::coverage::{Kinds, kinds_in};

/// The place of a text among [`Texts`]; the first is that of no text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::history) struct Name(u32);

impl Name {
    pub(in crate::history) fn place(self) -> usize {
        self.0 as usize
    }
}

/// Columns with texts of which there are few. Their order is that in which they are folded.
#[derive(Debug, Clone, Copy)]
pub(in crate::history) enum Column {
    AgentType,
    Repository,
    Host,
    Outcome,
    Reason,
    Judged,
    Counted,
}

/// How many there are.
pub(super) const COLUMNS: usize = Column::Counted as usize + 1;

/// A text, and what it means in whichever column it stands. `None` for words that this version does not know.
#[derive(Debug, Default)]
struct Text {
    bytes: Option<Vec<u8>>,
    outcome: Option<Outcome>,
    reason: Option<ReasonCode>,
    judged: Option<Kinds>,
    counted: Counted,
}

#[derive(Debug)]
pub(in crate::history) struct Texts {
    all: Vec<Text>,
    places: HashMap<Vec<u8>, Name>,
    /// Those that were met last, which are most often the next as well.
    last: [Name; COLUMNS],
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            all: vec![Text::default()],
            places: HashMap::new(),
            last: [Name::default(); COLUMNS],
        }
    }
}

impl Texts {
    pub(super) fn of_column(&mut self, column: Column, bytes: Option<&[u8]>) -> Name {
        let Some(bytes) = bytes else {
            return Name::default();
        };
        let last = self.last[column as usize];
        if self.bytes(last) == Some(bytes) {
            return last;
        }
        let name = self.of(bytes);
        self.last[column as usize] = name;
        name
    }

    pub(super) fn of(&mut self, bytes: &[u8]) -> Name {
        if let Some(known) = self.places.get(bytes) {
            return *known;
        }
        let name = u32::try_from(self.all.len()).map_or_else(|_| Name::default(), Name);
        let text = str::from_utf8(bytes).unwrap_or_default();
        let is_object = text.starts_with('{');
        self.all.push(Text {
            bytes: Some(bytes.to_owned()),
            outcome: Outcome::ALL.into_iter().find(|it| it.as_str() == text),
            reason: ReasonCode::ALL.into_iter().find(|it| it.as_str() == text),
            judged: Some(kinds_in(text)),
            counted: if is_object {
                Counted::read(text)
            } else {
                Counted::default()
            },
        });
        self.places.insert(bytes.to_owned(), name);
        name
    }

    fn meant(&self, name: Name) -> &Text {
        &self.all[name.place()]
    }

    pub(super) fn bytes(&self, name: Name) -> Option<&[u8]> {
        self.meant(name).bytes.as_deref()
    }

    pub(in crate::history) fn text(&self, name: Name) -> Option<String> {
        let text = String::from_utf8_lossy(self.bytes(name)?);
        Some(text.into_owned())
    }

    /// The text at a place.
    pub(in crate::history) fn at(&self, place: usize) -> Option<&[u8]> {
        self.all.get(place)?.bytes.as_deref()
    }

    pub(super) fn outcome(&self, name: Name) -> Option<Outcome> {
        self.meant(name).outcome
    }

    pub(super) fn reason(&self, name: Name) -> Option<ReasonCode> {
        self.meant(name).reason
    }

    pub(super) fn judged(&self, name: Name) -> Option<Kinds> {
        self.meant(name).judged
    }

    pub(super) fn counted(&self, name: Name) -> &Counted {
        &self.meant(name).counted
    }

    /// Whether each is a text that is asked for, by its place.
    pub(super) fn that(&self, is_asked: impl Fn(Option<&[u8]>) -> bool) -> Vec<bool> {
        let all = self.all.iter();
        all.map(|text| is_asked(text.bytes.as_deref())).collect()
    }
}
