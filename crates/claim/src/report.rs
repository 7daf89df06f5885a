//! What a report says under its keys.

use std::ops::Range;

use crate::assertion::{MAX_ASSERTIONS, Topic};
use crate::place::Place;
use crate::{Assertion, Entry, Form, Status, item, key, status};

/// What the lines or the fields of a report say, in the order of the message. Positions are line numbers.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) statuses: Vec<Stated>,
    pub(crate) files: Vec<Files>,
    /// Each with where it stands.
    pub(crate) asserted: Vec<(Place, Assertion)>,
    pub(crate) blockers: Option<String>,
    pub(crate) ran_tests: Option<String>,
    /// What says in data that nothing was written.
    pub(crate) unwritten: Option<String>,
    /// All lines that the claim was read from.
    pub(crate) lines: Vec<usize>,
}

/// One status line.
#[derive(Debug, Clone)]
pub(crate) struct Stated {
    pub(crate) at: usize,
    /// The line of the heading above it.
    pub(crate) section: Option<usize>,
    pub(crate) place: Place,
    /// `None` if the text is not a known status.
    pub(crate) status: Option<Status>,
}

/// One files key with its entries.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) at: usize,
    /// The lines of the key and of its list.
    pub(crate) of: Range<usize>,
    /// The line of the heading above it, or of its own.
    pub(crate) section: Option<usize>,
    pub(crate) place: Place,
    pub(crate) verb: &'static str,
    /// What else its key says: "tests" in "Files changed (tests)".
    pub(crate) said: String,
    /// Whether it is the first in its section, or follows the one before it at once: a second list of one key takes
    /// the place of the first, unless a title stands between them.
    pub(crate) part: usize,
    /// What is said of the key is not understood, so that it corrects none.
    pub(crate) is_doubtful: bool,
    pub(crate) entries: Vec<Entry>,
}

impl Report {
    pub(crate) fn is_empty(&self) -> bool {
        self.form() == Form::None && self.blockers.is_none() && self.ran_tests.is_none()
    }

    pub(crate) fn form(&self) -> Form {
        if self.statuses.is_empty() && self.files.is_empty() {
            Form::None
        } else {
            Form::Lines
        }
    }

    /// Whether each list of files stands below a key with a verb.
    pub(crate) fn says_what_was_done(&self) -> bool {
        !self.files.is_empty() && self.files.iter().all(|files| files.verb != key::LISTED)
    }

    pub(crate) fn push_status(
        &mut self,
        at: usize,
        section: Option<usize>,
        place: Place,
        text: &str,
    ) {
        let status = status::read(text);
        self.statuses.push(Stated {
            at,
            section,
            place,
            status,
        });
    }

    /// Adds what texts say of a topic, with what is said in brackets behind its key, as far as there is room.
    pub(crate) fn assert<'a>(
        &mut self,
        topic: Topic,
        place: &Place,
        said: &str,
        texts: impl IntoIterator<Item = &'a str>,
    ) {
        let room = MAX_ASSERTIONS.saturating_sub(self.asserted.len());
        let found = texts.into_iter().flat_map(|text| match topic {
            // "Tests (npm test): pass"
            Topic::Checks(_) if !said.is_empty() => topic.read(&format!("{said}: {text}")),
            _ => topic.read(text),
        });
        let found = found.take(room).map(|said| (place.clone(), said));
        self.asserted.extend(found);
    }

    /// Sets words above all of its files that are not understood, if there are any.
    pub(crate) fn put_below(&mut self, title: Option<&str>) {
        let entries = self.files.iter_mut().flat_map(|files| &mut files.entries);
        item::put_below(entries, title);
    }

    /// The last status, if it is known and no other contradicts it.
    pub(crate) fn status(&self) -> Option<Status> {
        let last = self.statuses.last()?.status?;
        let mut known = self.statuses.iter().filter_map(|stated| stated.status);
        known.all(|other| other == last).then_some(last)
    }
}
