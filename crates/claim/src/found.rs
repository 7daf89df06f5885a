//! What the lines or the fields of a report say, before it becomes a claim.

use crate::keys::FilesKey;
use crate::{Entry, Status};

/// What was found, in the order of the message. Positions are line numbers.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) statuses: Vec<Stated>,
    pub(crate) files: Vec<Files>,
    pub(crate) blockers: Option<String>,
    pub(crate) ran_tests: Option<String>,
    /// All lines that the claim was read from.
    pub(crate) lines: Vec<usize>,
}

/// One status line.
#[derive(Debug)]
pub(crate) struct Stated {
    pub(crate) at: usize,
    /// The line of the heading above it.
    pub(crate) section: Option<usize>,
    /// `None` if the text is not a known status.
    pub(crate) status: Option<Status>,
}

/// One files key with its entries.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) at: usize,
    /// The line of the heading above it, or of its own.
    pub(crate) section: Option<usize>,
    pub(crate) key: FilesKey,
    pub(crate) entries: Vec<Entry>,
}

impl Found {
    pub(crate) fn is_empty(&self) -> bool {
        self.statuses.is_empty()
            && self.files.is_empty()
            && self.blockers.is_none()
            && self.ran_tests.is_none()
    }

    /// The last status, if it is known and no other contradicts it.
    pub(crate) fn status(&self) -> Option<Status> {
        let last = self.statuses.last()?.status?;
        let mut known = self.statuses.iter().filter_map(|stated| stated.status);
        known.all(|other| other == last).then_some(last)
    }
}
