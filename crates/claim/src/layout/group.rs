//! The files of a list that stand below one title or label.

use crate::item;
use crate::remark::Sense;
use crate::title::Title;
use crate::words::{self, has_word};
use crate::{Entry, Operation, Remark};

/// What is said about the files below a label such as "Created:", "Backend (3)" or "src/components/".
pub(super) struct Group {
    /// The first column in which items of a label may be; `None` for a title whose list may be anywhere.
    least: Option<usize>,
    /// The column of the items below it.
    pub(super) item: Option<usize>,
    pub(super) title: Title,
    /// The words of the title, if the files below them prove nothing.
    doubt: Option<String>,
}

impl Group {
    pub(super) fn of(title: Title, text: &str, least: Option<usize>) -> Self {
        Self {
            least,
            item: None,
            doubt: (title == Title::Unknown).then(|| text.to_owned()),
            title,
        }
    }

    /// Whether an item in this column stands behind the items of the group: to the left of its label, or of the first.
    pub(super) fn ends_at(&self, column: usize) -> bool {
        let is_left = |least| column < least || self.item.is_some_and(|item| column + 1 < item);
        self.least.is_some_and(is_left)
    }

    /// A list that began without titles may be followed by one of something else, such as tests that were run, unless its
    /// title says what was done ("Created") or speaks of more ("Other files").
    pub(super) fn follow_files(&mut self, text: &str) {
        let is_part = |word: &str| words::TITLES.contains(word);
        // "Tests" is no verb here.
        let is_deed = |word: &str| {
            words::mark(word).is_some() || !is_part(word) && words::verb(word).is_some()
        };
        let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
        let is_other = |word: &str| !is_number(word) && !is_part(word) && !is_deed(word);
        let is_file = |word: &str| words::KEYS.class(word) == Some("noun");
        let is_test = |word: &str| words::CHECKS.class(word) == Some("tests");
        let is_of_more = || has_word(text, is_file) && !has_word(text, is_test);
        let is_work = !has_word(text, is_other) && (has_word(text, is_deed) || is_of_more());
        if !is_work && !matches!(self.title, Title::Folder(_)) {
            self.doubt = Some(text.to_owned());
        }
    }

    /// Doubts files if they prove nothing; below a title that is understood, not those that are said to be worked on.
    pub(super) fn doubt(&self, entries: &mut [Entry], operation: Operation) {
        let is_work = |entry: &Entry| {
            // "documents it" says what a file does.
            let is_deed = |remark: &Remark| {
                let first = remark.text.split(' ').next().unwrap_or_default();
                matches!(remark.sense, Sense::Work(_)) && !first.ends_with('s')
            };
            let is_said =
                entry.remark.as_ref().is_some_and(is_deed) || entry.operation != operation;
            self.title != Title::Unknown && is_said
        };
        let doubtful = entries.iter_mut().filter(|entry| !is_work(entry));
        item::put_below(doubtful, self.doubt.as_deref());
    }
}
