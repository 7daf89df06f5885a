//! What is said about a part of a list: by a title, a label or the folder that it is in.

use crate::path::shape::certainty;
use crate::{Certainty, Entry, Meaning, Operation, Reading, Target, words};

/// What is said about the files below a label such as "Created:", "Backend (3)" or "src/components/".
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// The column of a label that has a deeper list; `None` for a title whose list is at its own depth.
    pub(super) indent: Option<usize>,
    pub(super) operation: Operation,
    /// The column of the items below it.
    pub(super) item: Option<usize>,
    /// The files below it are not claimed.
    pub(super) is_ignored: bool,
    /// The title, if the files below it prove nothing.
    pub(super) doubt: Option<String>,
    /// The title of tests: names without a folder may be of tests that were run.
    pub(super) is_of_tests: bool,
    /// The folder that contains the names below it.
    pub(super) folder: Option<String>,
}

/// Whether a title consists of parts of a project and verbs, and of no things that are not files: "Endpoints".
pub(super) fn words_of_area(title: &str) -> bool {
    let words = title
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_lowercase).all(|word| {
        words::title(&word).is_some()
            || words::change(&word).is_some()
            || word.chars().all(|c| c.is_ascii_digit())
    })
}

/// A name below a folder's label may be in that folder.
pub(super) fn put_into(entry: &mut Entry, folder: &str) {
    let Meaning::Paths(readings) = &mut entry.meaning else {
        return;
    };
    let Some(Reading {
        target: Target::File(name),
        certainty: sure,
    }) = readings.first()
    else {
        return;
    };
    let path = format!("{folder}/{name}");
    // A name that has folders of its own may also be relative to the root.
    let at = usize::from(name.contains(['/', '\\']));
    let certainty = if *sure == Certainty::Likely {
        Certainty::Likely
    } else {
        certainty(&path)
    };
    let target = Target::File(path);
    readings.insert(at, Reading { target, certainty });
}
