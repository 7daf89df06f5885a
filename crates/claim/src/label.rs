//! The words before and behind a path that say what happened to it.

use crate::Operation;
use crate::shape::{is_path, trim_end};

/// Words of a label at most: "the new file".
const MOST_WORDS: usize = 3;

/// What the words before a path say.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Label {
    pub(crate) operation: Option<Operation>,
    pub(crate) is_rename: bool,
}

/// Takes the label from a text: "Created `a.py`", "M a.py", "[NEW] a.py", "New file: a.py".
pub(crate) fn label(text: &str) -> (Label, &str) {
    let mut label = Label::default();
    let mut rest = text;
    for index in 0..MOST_WORDS {
        let Some((word, after)) = rest.split_once(char::is_whitespace) else {
            break;
        };
        if index > 0 && begins_with_name(rest) || !label.take(word, index == 0) {
            break;
        }
        rest = after.trim_start();
    }
    if rest.len() < text.len() && begins_with_name(rest) {
        (label, rest)
    } else {
        (Label::default(), text)
    }
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
            "created" | "create" | "added" | "add" | "new" => Some(Operation::Created),
            "deleted" | "delete" | "removed" | "remove" => Some(Operation::Deleted),
            "modified" | "modify" | "changed" | "updated" | "update" | "edited" | "edit"
            | "wrote" | "rewrote" | "touched" | "fixed" | "refactored" => Some(Operation::Changed),
            "file" | "files" | "path" | "filename" | "name" | "the" | "in" | "only" | "just" => {
                None
            }
            _ if is_first => match git_letter(word) {
                Some(operation) => Some(operation),
                None => return false,
            },
            _ => return false,
        };
        self.operation = self.operation.or(operation);
        true
    }
}

/// The first column of `git status --short` and `git diff --name-status`.
fn git_letter(word: &str) -> Option<Operation> {
    Some(match word {
        "A" | "AM" | "??" | "+" => Operation::Created,
        "D" | "-" => Operation::Deleted,
        "M" | "MM" | "R" | "RM" | "C" | "T" | "U" | "~" => Operation::Changed,
        _ => {
            let score = word.strip_prefix(['R', 'C'])?;
            (score.len() == 3 && score.bytes().all(|b| b.is_ascii_digit()))
                .then_some(Operation::Changed)?
        }
    })
}

pub(crate) fn begins_with_name(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let is_marked = word.len() > 1 && word.starts_with(['`', '"', '\'', '[', '*']);
    is_marked || is_path(trim_end(word))
}

/// What a remark says of the path before it: "(new)", "— deleted", but not "removed the lock".
pub(crate) fn operation_of(remark: &str) -> Option<Operation> {
    let remark = remark.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = remark
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(remark.len());
    let (word, rest) = remark.split_at(end);
    let next = rest.split_whitespace().next().unwrap_or_default();
    let stands_alone = next.is_empty()
        || !rest.starts_with(char::is_whitespace)
        || !next.starts_with(char::is_alphanumeric)
        || trim_end(next).trim_end_matches(')') == "file";
    if !stands_alone {
        return None;
    }
    Some(match word.to_ascii_lowercase().as_str() {
        "deleted" | "removed" | "delete" | "d" => Operation::Deleted,
        "new" | "created" | "added" | "a" => Operation::Created,
        _ => return None,
    })
}

/// Words of a remark in which a denial is looked for: "was not needed in the end".
const EARLY: usize = 4;

/// The remark says that nothing happened to the path: "(unchanged)", "— not created".
pub(crate) fn is_denial(remark: &str) -> bool {
    let words: Vec<_> = remark
        .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
        .filter(|word| !word.is_empty())
        .take(EARLY)
        .map(str::to_ascii_lowercase)
        .collect();
    let first_two = (
        words.first().map_or("", String::as_str),
        words.get(1).map_or("", String::as_str),
    );
    let is_about_nothing = match first_two {
        ("no", second) => matches!(second, "change" | "changes" | "edit" | "edits" | "longer"),
        ("read", second) => matches!(second, "" | "only" | "for"),
        ("to", second) => second == "be",
        ("for", second) => second == "reference",
        (first, _) => matches!(first, "reviewed" | "example" | "proposed" | "suggested"),
    };
    let denies = |word: &String| {
        word.ends_with("n't")
            || word.ends_with("n’t")
            || matches!(
                word.as_str(),
                "not"
                    | "never"
                    | "unchanged"
                    | "untouched"
                    | "unmodified"
                    | "unneeded"
                    | "skipped"
                    | "considered"
                    | "planned"
                    | "pending"
                    | "todo"
                    | "would"
                    | "should"
                    | "could"
            )
    };
    is_about_nothing || words.iter().any(denies)
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
            ("path: a.py", "a.py", None),
            ("updated parser", "updated parser", None),
            ("a.py", "a.py", None),
            ("The", "The", None),
        ] {
            let (label, found) = label(text);
            assert_eq!((found, label.operation), (rest, operation), "{text}");
        }
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
        assert!(is_denial("(not created)") && is_denial("unchanged") && is_denial("(read-only)"));
        assert!(is_denial("was not needed") && is_denial("— I didn't need it"));
        assert!(!is_denial("(new)") && !is_denial("reads x"));
    }
}
