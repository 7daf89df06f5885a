//! The files of a list that stand below one title or label.

use crate::Entry;
use crate::item;
use crate::title::Title;
use crate::words::{self, has_word};

/// What is said about the files below a label such as "Created:", "Backend (3)" or "src/components/".
pub(super) struct Group {
    /// The first column in which items of a label may be; `None` for a title whose list may be anywhere.
    least: Option<usize>,
    /// The column of the items below it.
    pub(super) item: Option<usize>,
    pub(super) title: Title,
    /// The words of the title, if the files below them prove nothing.
    doubt: Option<String>,
    /// Only names without a folder prove nothing: below "Tests" they may be of tests that were run.
    pub(super) spares_paths: bool,
}

impl Group {
    pub(super) fn of(title: Title, text: &str, least: Option<usize>) -> Self {
        Self {
            least,
            item: None,
            doubt: (title == Title::Unknown).then(|| text.to_owned()),
            title,
            spares_paths: false,
        }
    }

    /// Whether an item in this column stands behind the items of the group: to the left of its label, or of the first.
    pub(super) fn ends_at(&self, column: usize) -> bool {
        let is_left = |least| column < least || self.item.is_some_and(|item| column + 1 < item);
        self.least.is_some_and(is_left)
    }

    /// A list that began without titles may be followed by one of something else.
    pub(super) fn follow_files(&mut self, text: &str) {
        let is_test = has_word(text, |word| {
            matches!(word, "test" | "tests" | "spec" | "specs")
        });
        // A part of a project or a verb, and no thing that is not a file: "Endpoints".
        let is_other = |word: &str| {
            let is_number = word.chars().all(|c| c.is_ascii_digit());
            !is_number && !words::TITLES.contains(word) && words::change(word).is_none()
        };
        let is_of_areas = !has_word(text, is_other);
        if !matches!(self.title, Title::Folder(_)) && (is_test || !is_of_areas) {
            self.doubt = Some(text.to_owned());
            self.spares_paths = is_of_areas;
        }
    }

    /// Doubts files if they prove nothing.
    pub(super) fn doubt(&self, entries: &mut [Entry]) {
        let is_spared = |entry: &Entry| self.spares_paths && entry.raw.contains(['/', '\\']);
        let doubtful = entries.iter_mut().filter(|entry| !is_spared(entry));
        item::put_below(doubtful, self.doubt.as_deref());
    }
}
