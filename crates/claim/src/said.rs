//! Which files a message says, outside of any list, to have changed.
//!
//! A file is said to be changed in a sentence of the speaker ("Added the loop to src/a.py"), or where it begins a line
//! below a title of the speaker's own work ("Changes made"). Its name has a separator, so that it is no word of the
//! project, or a sentence calls it new and marks it as code. Nothing of this proves anything: it can only be told.

mod grammar;
mod insisted;
mod kept;
mod passing;
mod passive;
mod prose;
mod reader;
mod study;

use crate::markdown::Document;
use crate::{Assertion, Claim, Entry, Form, MAX_MESSAGE_BYTES, Meaning, Operation, Status, Target};

#[cfg(test)]
pub(crate) use grammar::is_own_title;
pub use insisted::{Insisted, insisted};
pub(crate) use passing::all_tests_pass;
pub(crate) use study::{others, review, study};

/// A file that a message says to have changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The file, with what is said to have happened to it.
    pub entry: Entry,
    /// Whether a sentence says so, and not a title above it.
    pub is_sentence: bool,
}

impl Said {
    /// Whether a sentence calls the file new, which counts beside whatever else the message is about.
    #[must_use]
    pub fn is_of_new_file(&self) -> bool {
        self.is_sentence && self.entry.operation == Operation::Created
    }

    /// The files that count beside what the message claims: nothing where it says that nothing was written, and beside a
    /// list that is judged what it calls new and does not list. Of a file that is there the list is the better word.
    #[must_use]
    pub fn beside<'t>(claim: &Claim, message: &str, told: impl FnOnce() -> &'t Told) -> Vec<Self> {
        if claim.says_that_no_file_changed() || claim.unwritten.is_some() {
            return Vec::new();
        }
        let is_judged = claim.says_what_was_done || claim.status == Some(Status::Done);
        let has_list = is_judged && !claim.entries.is_empty();
        if has_list && !may_name_more(claim, message) {
            return Vec::new();
        }
        let mut said = told().files.clone();
        said.retain(|said| {
            !has_list
                || said.is_of_new_file()
                    && !said.entry.file().is_some_and(|name| is_listed(claim, name))
        });
        said
    }

    /// What a message says to have changed, as a claim of it. None if that is nothing.
    #[must_use]
    pub fn claim(said: &[Self], message: &str) -> Option<Claim> {
        let entries: Vec<_> = said.iter().map(|said| said.entry.clone()).collect();
        (!entries.is_empty()).then(|| Claim {
            form: Form::Lines,
            says_what_was_done: true,
            entries,
            raw: message.to_owned(),
            ..crate::parse("")
        })
    }
}

/// Whether the list of a claim may have the file by any of its names.
fn is_listed(claim: &Claim, name: &str) -> bool {
    let plain = |name: &str| name.trim_start_matches("./").replace('\\', "/");
    let name = plain(name);
    let is_end = |path: &str, end: &str| {
        let before = path.strip_suffix(end);
        before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let is_same = |listed: &str| {
        let listed = plain(listed);
        is_end(&name, &listed) || is_end(&listed, &name)
    };
    let last = name.rsplit('/').next().unwrap_or(&name);
    claim.entries.iter().any(|entry| match &entry.meaning {
        Meaning::Unresolvable(_) => entry.raw.contains(last),
        Meaning::Paths(readings) => readings.iter().any(|reading| match &reading.target {
            Target::File(listed) | Target::Dir(listed) => is_same(listed),
            Target::Rename { from, to } => is_same(from) || is_same(to),
        }),
    })
}

/// Whether a word of a message may be a file that its list does not have. Most messages have none, and need not be read
/// once more; a long one is read at once.
fn may_name_more(claim: &Claim, message: &str) -> bool {
    const LONG: usize = 8 * 1024;
    let may_be_file = |word: &&str| word.contains(['/', '\\', '`']);
    message.len() > LONG
        || message.split_whitespace().filter(may_be_file).any(|word| {
            let name = word.trim_matches(|c: char| !c.is_alphanumeric());
            !is_listed(claim, name)
        })
}

/// What the sentences of a message tell of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// The files that it says to have changed, each once, in its own order.
    pub files: Vec<Said>,
    /// The first sentence in which the speaker says to have added tests, as it is written.
    pub tests: Option<String>,
    /// The first sentence that says that all tests pass, and that of each other check, as they are written.
    pub(crate) passing: Vec<Assertion>,
    /// What the sentences say that git was told to keep.
    pub(crate) kept: Vec<Assertion>,
    /// Whether a sentence says that the speaker changed something, and names any file.
    pub tells_of_changed_file: bool,
}

/// The files that a message says to have changed, each once, in its own order.
#[must_use]
pub fn said(message: &str) -> Vec<Said> {
    told(message).files
}

/// Whether a sentence says that the speaker changed something, and names a file.
#[must_use]
pub fn tells_of_changed_file(message: &str) -> bool {
    told(message).tells_of_changed_file
}

/// All that the sentences of a message tell of.
#[must_use]
pub fn told(message: &str) -> Told {
    if message.len() > MAX_MESSAGE_BYTES {
        return Told::default();
    }
    let document = Document::parse(message);
    let mut told = reader::read(&document.lines);
    let is_study = study(&document).is_some();
    // What a review calls changed need not be changed by who wrote the review; that itself is new.
    told.files.retain(|said| !is_study || said.is_of_new_file());
    told
}

#[cfg(test)]
mod tests;
