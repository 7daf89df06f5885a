//! The words before and after a path that say what happened to it.

use crate::denial::is_denial;
use crate::name::without_position;
use crate::shape::{is_path, trim_end};
use crate::{Operation, lexicon};

/// The most words of a label: "the new file".
const MAX_LABEL_WORDS: usize = 4;

/// What the words before a path say.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Label {
    pub(crate) operation: Option<Operation>,
    pub(crate) is_rename: bool,
    pub(crate) is_denial: bool,
}

/// Splits the label from a text: "Created `a.py`", "M a.py", "[NEW] a.py", "New file: a.py",
/// "Planned: a.py".
pub(crate) fn label(text: &str) -> (Label, &str) {
    let mut label = Label::default();
    let mut rest = text;
    for index in 0..MAX_LABEL_WORDS {
        let Some((word, after)) = rest.split_once(char::is_whitespace) else {
            break;
        };
        if index > 0 && begins_with_name(rest) || !label.take(word, index == 0) {
            break;
        }
        rest = after.trim_start();
    }
    if begins_with_name(rest) {
        return (label, rest);
    }
    denying(text).unwrap_or((Label::default(), text))
}

/// "Planned: a.py", "Not changed — a.py", "TODO a.py".
fn denying(text: &str) -> Option<(Label, &str)> {
    if begins_with_name(text) {
        return None;
    }
    let end = text
        .match_indices(char::is_whitespace)
        .take(MAX_LABEL_WORDS)
        .map(|(at, _)| at)
        .find(|at| begins_with_name(text[*at..].trim_start()))?;
    let words = text[..end].trim_end_matches(|c: char| !c.is_alphanumeric());
    let label = Label {
        is_denial: is_denial(words),
        ..Label::default()
    };
    label.is_denial.then_some((label, text[end..].trim_start()))
}

impl Label {
    fn take(&mut self, word: &str, is_first: bool) -> bool {
        let plain = word
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_ascii_lowercase();
        let operation = match plain.as_str() {
            "renamed" | "rename" | "moved" | "move" => {
                self.is_rename = true;
                Some(Operation::Changed)
            }
            "file" | "files" | "path" | "filename" | "name" | "the" | "a" | "in" | "only"
            | "just" | "also" | "both" | "existing" | "test" | "tests" | "source" | "config"
            | "script" | "and" | "mode" | "done" | "ok" => None,
            // "#14 src/a.py"
            number
                if is_first
                    && word.starts_with('#')
                    && number.bytes().all(|b| b.is_ascii_digit()) =>
            {
                None
            }
            _ => match lexicon::change(&plain) {
                Some(operation) => Some(operation),
                None if is_first => match git_letter(word) {
                    Some(operation) => Some(operation),
                    None => return false,
                },
                None => return false,
            },
        };
        self.is_rename |= is_first && word.starts_with('R') && git_letter(word).is_some();
        self.operation = self.operation.or(operation);
        true
    }
}

/// The first column of `git status --short` and `git diff --name-status`.
fn git_letter(word: &str) -> Option<Operation> {
    Some(match word.trim_matches(['[', ']', '(', ')', '`', ':']) {
        "A" | "AM" | "??" | "+" | "+++" => Operation::Created,
        "D" | "-" | "---" => Operation::Deleted,
        "M" | "MM" | "R" | "RM" | "C" | "T" | "U" => Operation::Changed,
        // A box with this sign in it is half ticked.
        "~" if !word.starts_with('[') => Operation::Changed,
        word => {
            let score = word.strip_prefix(['R', 'C'])?;
            (score.len() == 3 && score.bytes().all(|b| b.is_ascii_digit()))
                .then_some(Operation::Changed)?
        }
    })
}

/// Whether the text begins with what may be a name: a marked one, or a word that has the shape of
/// one.
pub(crate) fn begins_with_name(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let is_marked = word.len() > 1 && word.starts_with(['`', '"', '\'', '[', '*']);
    is_marked || is_path(without_position(trim_end(word)))
}

/// What a remark says about the path before it: "(new)", "— deleted", but not "removed the lock".
pub(crate) fn operation_of(remark: &str) -> Option<Operation> {
    let remark = remark.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = remark
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(remark.len());
    let (word, rest) = remark.split_at(end);
    let next = rest.split_whitespace().next().unwrap_or_default();
    let stands_alone = !next.starts_with(char::is_alphanumeric)
        || matches!(
            trim_end(next).trim_end_matches(')'),
            "file" | "as" | "since" | "because" | "entirely"
        );
    if !stands_alone {
        return None;
    }
    match word.to_ascii_lowercase().as_str() {
        "d" => Some(Operation::Deleted),
        "a" => Some(Operation::Created),
        word => lexicon::change(word).filter(|operation| *operation != Operation::Changed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels() {
        for (text, rest, operation) in [
            ("Created `a.py`", "`a.py`", Some(Operation::Created)),
            ("D a.py", "a.py", Some(Operation::Deleted)),
            ("R100 a.py", "a.py", Some(Operation::Changed)),
            ("[NEW] a.py", "a.py", Some(Operation::Created)),
            ("New file: a.py", "a.py", Some(Operation::Created)),
            ("**Removed:** a.py", "a.py", Some(Operation::Deleted)),
            ("modified:   a.py", "a.py", Some(Operation::Changed)),
            ("path: a.py", "a.py", None),
            ("updated parser", "updated parser", None),
            ("a.py", "a.py", None),
            ("The", "The", None),
        ] {
            let (label, found) = label(text);
            assert_eq!(
                (found, label.operation, label.is_denial),
                (rest, operation, false),
                "{text}"
            );
        }
        for text in [
            "Planned: a.py",
            "TODO a.py",
            "Not changed: `a.py`",
            "To do — a.py",
            "Skipped a.py",
        ] {
            assert!(label(text).0.is_denial, "{text}");
        }
    }

    #[test]
    fn marks_around_a_name_are_more_than_one() {
        assert!(begins_with_name("[a] b") && begins_with_name("src/a.py:12 b"));
        assert!(!begins_with_name("[ a") && !begins_with_name("src:12 b"));
    }

    #[test]
    fn remarks_about_the_whole_file() {
        for (remark, operation) in [
            ("(deleted)", Some(Operation::Deleted)),
            ("removed, unused", Some(Operation::Deleted)),
            ("(new file)", Some(Operation::Created)),
            ("removed the lock", None),
            ("added x", None),
            ("", None),
        ] {
            assert_eq!(operation_of(remark), operation, "{remark}");
        }
    }
}
