//! The beginning and the end of what a command has printed.

use attest_json::Value;

/// How much of the beginning and of the end of what a command printed is looked at.
pub(crate) const PRINTED_BYTES: usize = 400;

/// What a command has printed, as far as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// How it begins: that shows that a command did not begin, or goes on.
    pub first: String,
    /// How it ends, if that is not in it.
    pub last: String,
}

impl Printed {
    /// As much of a text as is kept.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let first = text[..text.floor_char_boundary(PRINTED_BYTES)].to_owned();
        let from = text.ceil_char_boundary(text.len().saturating_sub(PRINTED_BYTES));
        let is_all = first.len() == text.len();
        let last = text
            .get(from..)
            .filter(|_| !is_all)
            .unwrap_or_default()
            .to_owned();
        (!text.is_empty()).then_some(Self { first, last })
    }

    /// The same of a string that is not read in full.
    pub(crate) fn of_value(value: Value<'_>) -> Option<Self> {
        let first = value.beginning(PRINTED_BYTES)?;
        let is_all = value.raw().len() <= first.len() + 2;
        let last = (!is_all).then(|| value.ending(PRINTED_BYTES)).flatten();
        let last = last.filter(|last| *last != first).unwrap_or_default();
        (!first.is_empty()).then_some(Self { first, last })
    }

    /// All of it, if that is kept.
    pub(crate) fn whole(&self) -> Option<&str> {
        self.last.is_empty().then_some(&self.first)
    }

    /// Its lines at the beginning and at the end, without those that are cut.
    pub(crate) fn whole_lines(&self) -> [&str; 2] {
        let Some(all) = self.whole() else {
            let first = self.first.rsplit_once('\n').map_or("", |it| it.0);
            return [first, self.last.split_once('\n').map_or("", |it| it.1)];
        };
        [all, ""]
    }

    /// How it ends.
    pub(crate) fn ending(&self) -> &str {
        if self.last.is_empty() {
            &self.first
        } else {
            &self.last
        }
    }
}
