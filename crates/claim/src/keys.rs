//! The words that begin a line of a claim.

use crate::Operation;

/// What a key announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Status,
    Files(FilesKey),
    Blockers,
    RanTests,
    /// A key that says nothing here, but ends what came before.
    Other,
}

/// The files keys that mean the same are one: the last of them in a claim counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FilesKey {
    Changed,
    Modified,
    Created,
    Added,
    Deleted,
    Removed,
    Touched,
}

impl FilesKey {
    pub(crate) fn operation(self) -> Operation {
        match self {
            Self::Created | Self::Added => Operation::Created,
            Self::Deleted | Self::Removed => Operation::Deleted,
            Self::Changed | Self::Modified | Self::Touched => Operation::Changed,
        }
    }
}

/// Longest text before a colon that is looked at, in bytes.
const LONGEST_KEY: usize = 64;
/// Most words of a key that is not known.
const MOST_WORDS: usize = 3;

/// A line that begins with a key: the key, and what follows the colon.
pub(crate) fn key_line(line: &str) -> Option<(Key, &str)> {
    let (at, colon) = line
        .char_indices()
        .take_while(|(at, _)| *at <= LONGEST_KEY)
        .find(|(_, c)| matches!(c, ':' | '\u{ff1a}'))?;
    let name = &line[..at];
    let value = &line[at + colon.len_utf8()..];
    // "src/a.py:12" and "C:\x" are no keys: a key stands alone before white space or the end.
    let value_follows = value.trim_start_matches(['*', '_', '"', '\'', '`']);
    let stands_alone = value_follows.is_empty() || value_follows.starts_with(char::is_whitespace);
    let known = known(name);
    if known.is_none() && (!stands_alone || !is_key_like(name)) {
        return None;
    }
    // "**Status:** DONE": the emphasis of the key ends behind its colon.
    let value = closed(name, value.trim_start_matches(['*', '_']).trim());
    Some((known.unwrap_or(Key::Other), value))
}

/// The value without the end of an emphasis that began before the key: "**Files changed: a.py**".
fn closed<'a>(name: &str, value: &'a str) -> &'a str {
    let name = name.trim();
    for mark in ["**", "__", "*", "_"] {
        if let Some(rest) = name.strip_prefix(mark) {
            let is_open = !rest.ends_with(mark) && value.matches(mark).count() == 1;
            let plain = value.strip_suffix(mark).filter(|_| is_open);
            return plain.unwrap_or(value).trim_end();
        }
    }
    value
}

/// A text that is nothing but a key, as a heading is.
pub(crate) fn bare(text: &str) -> Option<Key> {
    known(text)
}

/// A word of a nested list that says what happened to the files below it.
pub(crate) fn group(label: &str) -> Option<Operation> {
    Some(match normalized(label).as_str() {
        "created" | "added" | "new" | "new files" => Operation::Created,
        "deleted" | "removed" => Operation::Deleted,
        "modified" | "changed" | "updated" | "edited" | "renamed" => Operation::Changed,
        _ => return None,
    })
}

fn known(name: &str) -> Option<Key> {
    use FilesKey::{Added, Changed, Created, Deleted, Modified, Removed, Touched};
    // "Files changed (3)": how many there are is no part of the key.
    let name = name.split('(').next().unwrap_or(name);
    Some(match normalized(name).as_str() {
        "status" => Key::Status,
        "files changed" | "changed files" => Key::Files(Changed),
        "files modified" | "modified files" => Key::Files(Modified),
        "files created" => Key::Files(Created),
        "files added" => Key::Files(Added),
        "files deleted" => Key::Files(Deleted),
        "files removed" => Key::Files(Removed),
        "files touched" => Key::Files(Touched),
        "blockers" => Key::Blockers,
        "ran tests" | "tests run" => Key::RanTests,
        _ => return None,
    })
}

/// Lower-case words with one space between them, without decoration.
fn normalized(name: &str) -> String {
    // Emphasis, quotes and pictures. A back-tick makes code of the word, and a separator says
    // that something else stands before it.
    let is_decoration =
        |c: char| !c.is_alphanumeric() && !matches!(c, '`' | '<' | '>' | '/' | '|' | ';');
    let words: Vec<_> = name
        .trim_matches(is_decoration)
        .split(|c: char| c.is_whitespace() || matches!(c, '_' | '-'))
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    words.join(" ")
}

fn is_key_like(name: &str) -> bool {
    let name = name.trim_matches(['*', '_', '"', '\'']).trim();
    let is_word = |word: &str| {
        word.chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '&'))
    };
    !name.is_empty()
        && name.split_whitespace().count() <= MOST_WORDS
        && name.split_whitespace().all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_in_every_decoration() {
        for line in [
            "Status: DONE",
            "status: DONE",
            "**Status:** DONE",
            "**Status**: DONE",
            "__Status__: DONE",
            "STATUS : DONE",
            "\"status\": DONE",
            "Status\u{ff1a} DONE",
            "*Status:* DONE",
        ] {
            assert_eq!(key_line(line), Some((Key::Status, "DONE")), "{line}");
        }
        for line in [
            "files_changed: x",
            "Files Changed: x",
            "files-changed: x",
            "**Changed files**: x",
        ] {
            assert_eq!(
                key_line(line),
                Some((Key::Files(FilesKey::Changed), "x")),
                "{line}"
            );
        }
    }

    #[test]
    fn paths_and_sentences_are_no_keys() {
        for line in [
            "src/a.py:12",
            "C:\\x\\y",
            "https://example.org",
            "I set the files changed: x today",
        ] {
            assert_eq!(key_line(line), None, "{line}");
        }
        assert_eq!(key_line("key_decisions: x"), Some((Key::Other, "x")));
    }
}
