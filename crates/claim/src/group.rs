//! Labels and titles among the files of a list, and what they say about the files below them.

use crate::denial::{is_denying_label, is_of_others};
use crate::elsewhere::is_elsewhere;
use crate::name::{bare, without_position};
use crate::shape::{certainty, has_extension, is_file, trim_end};
use crate::{Certainty, Entry, Meaning, Operation, Reading, Target, lexicon};

/// The most words of a title that is sure to name a part of the project: "Test files".
const MAX_AREA_WORDS: usize = 2;

/// What is said about the files below a label such as "Created:", "Backend (3)" or
/// "src/components/".
#[derive(Debug, Clone)]
pub(crate) struct Group {
    /// The indentation of a label that has a deeper list; `None` for a title whose list is at its
    /// own depth.
    pub(crate) indent: Option<usize>,
    pub(crate) operation: Operation,
    /// The indentation of the items below it.
    pub(crate) item: Option<usize>,
    /// The files below it are not claimed.
    pub(crate) is_ignored: bool,
    pub(crate) trust: Trust,
    /// The folder that contains the names below it.
    pub(crate) folder: Option<String>,
}

/// How sure it is that what stands below a title is claimed, if the list began without titles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    Full,
    /// "Tests": names without a folder may be of tests that were run.
    Paths,
    /// The title may as well begin something else: "Endpoints", "Project structure".
    Nothing,
}

impl Trust {
    /// Whether the entry may be disproved.
    pub(crate) fn covers(self, entry: &Entry) -> bool {
        match self {
            Self::Full => true,
            Self::Paths => entry.raw.contains(['/', '\\']),
            Self::Nothing => false,
        }
    }
}

impl Group {
    pub(crate) fn new(operation: Operation, indent: Option<usize>) -> Self {
        Self {
            indent,
            operation,
            item: None,
            is_ignored: false,
            trust: Trust::Full,
            folder: None,
        }
    }
}

/// The meaning of a title among the files.
pub(crate) enum Title {
    Group(Group),
    /// A title without a meaning: whether it belongs to the list depends on where it stands.
    Unknown(Group),
    /// Something else begins.
    End,
}

impl Title {
    /// Reads a title below a key that says `operation` about its files.
    pub(crate) fn of(text: &str, operation: Operation, indent: Option<usize>) -> Self {
        let (text, count) = without_count(text);
        let text = bare(bare(text.trim_end_matches([':', ' '])).trim_end_matches([':', ' ']));
        let (text, inner_count) = without_count(text);
        let group = Group::new(operation, indent);
        if is_denying_label(text)
            || is_elsewhere(text)
            || is_of_others(text)
            || lexicon::is_pointer(text)
        {
            return Self::Group(Group {
                is_ignored: true,
                ..group
            });
        }
        let mut words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let first = words
            .clone()
            .find(|word| !word.eq_ignore_ascii_case("files"));
        if let Some(operation) = first.and_then(lexicon::change) {
            return Self::Group(Group { operation, ..group });
        }
        if text.contains('/') && !text.contains(' ') && !has_extension(text) {
            return Self::Group(Group {
                folder: Some(text.trim_matches('/').to_owned()),
                ..group
            });
        }
        if words.clone().any(lexicon::ends_a_list) {
            return Self::End;
        }
        if count || inner_count || text.starts_with('@') {
            return Self::Group(group);
        }
        let is_long = words.clone().nth(MAX_AREA_WORDS).is_some();
        // "Files impacted", "Files"
        let is_plain = |word: &str| matches!(word.to_ascii_lowercase().as_str(), "files" | "file");
        let is_open = words.clone().nth(1).is_some()
            && words.clone().any(is_plain)
            && !words
                .clone()
                .any(|word| !is_plain(word) && lexicon::is_area(word));
        let is_weak = is_long || is_open || words.clone().any(lexicon::is_area_of_things);
        let is_of_tests = |word: &str| {
            let word = word.to_ascii_lowercase();
            matches!(word.as_str(), "test" | "tests" | "spec" | "specs")
        };
        let trust = match is_weak {
            true => Trust::Nothing,
            false if words.clone().any(is_of_tests) => Trust::Paths,
            false => Trust::Full,
        };
        let group = Group { trust, ..group };
        if words.any(lexicon::is_area) {
            return Self::Group(group);
        }
        Self::Unknown(Group {
            trust: Trust::Nothing,
            ..group
        })
    }
}

/// A name below a folder's label may be in that folder.
pub(crate) fn put_into(entry: &mut Entry, folder: &str) {
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
    let certainty = match sure {
        Certainty::Likely => Certainty::Likely,
        _ => certainty(&path),
    };
    let target = Target::File(path);
    readings.insert(at, Reading { target, certainty });
}

/// The text of a line that is a label: it ends with a colon, is bold, or has a deeper list, and it
/// does not name a file.
pub(crate) fn label_of(text: &str, is_head: bool) -> Option<&str> {
    let text = text.trim_matches(|c: char| !c.is_ascii() && !c.is_alphanumeric() || c == ' ');
    let (plain, _) = without_count(text);
    let whole = plain.trim_end_matches([':', ' ']);
    let name = bare(bare(whole).trim_end_matches([':', ' ']));
    let is_bold = name.len() < whole.len() && whole.starts_with(['*', '_']) && !name.contains("**");
    let ends = text.trim_end_matches(['*', '_', ' ']).ends_with(':');
    let is_label = ends || is_bold || is_head;
    (is_label && !names_file(without_count(name).0)).then_some(text)
}

/// Whether a label is, or begins with, a name, rather than a quoted word.
fn names_file(name: &str) -> bool {
    let first = name.split_whitespace().next().unwrap_or_default();
    let first = bare(first).trim_matches(['`', '"', '\'', '[', '*']);
    is_file(trim_end(without_position(first))) || name.starts_with('[') && name.contains("](")
}

/// A title, and whether it is followed by a number of files: "Backend (3 files)".
fn without_count(text: &str) -> (&str, bool) {
    let text = text.trim();
    match text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once('('))
    {
        Some((title, count)) if count.starts_with(|c: char| c.is_ascii_digit()) => {
            (title.trim_end(), true)
        }
        _ => (text, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles() {
        let of = |text| Title::of(text, Operation::Changed, None);
        let is_group = |text| matches!(of(text), Title::Group(group) if !group.is_ignored);
        assert!(
            ["Backend", "**Parser (3)**", "Created:", "src/components/"].map(is_group) == [true; 4]
        );
        let is_ignored = |text| matches!(of(text), Title::Group(group) if group.is_ignored);
        assert!(
            ["Planned:", "**Not touched**", "In the other repository:"].map(is_ignored)
                == [true; 3]
        );
        let ends = |text| matches!(of(text), Title::End);
        assert!(["Notes:", "**Verification**", "Please add:"].map(ends) == [true; 3]);
        assert!(matches!(of("Parser"), Title::Unknown(_)));
    }

    #[test]
    fn labels_name_no_file() {
        for text in ["Backend:", "**Parser**", "`auth`:", "**UI (2)**"] {
            assert!(label_of(text, false).is_some(), "{text}");
        }
        for text in ["`src/a.py`:", "**a.py**", "src/a.py", "plain words"] {
            assert!(label_of(text, false).is_none(), "{text}");
        }
        assert!(label_of("Parser", true).is_some());
    }
}
