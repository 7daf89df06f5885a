//! The words at the beginning of a claim line.

use crate::Operation;
use crate::denial::{is_denying_label, is_of_others};
use crate::elsewhere::is_elsewhere;
use crate::lexicon::is_in;

/// What a key announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Status,
    Files(FilesKey),
    Blockers,
    RanTests,
    /// A key that has no meaning here, but ends what came before.
    Other,
}

/// What a files key says was done. Keys that say the same are equal: in one section, the last of
/// them counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FilesKey {
    /// Changed, modified, updated, touched, or several of these at once.
    Changed(Verb),
    Created,
    Deleted,
}

/// The verb of a key for changed files: "files changed" and "files modified" may both occur in a
/// claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Verb {
    Changed,
    Modified,
    Updated,
    Touched,
    Several,
}

impl FilesKey {
    pub(crate) fn operation(self) -> Operation {
        match self {
            Self::Created => Operation::Created,
            Self::Deleted => Operation::Deleted,
            Self::Changed(_) => Operation::Changed,
        }
    }
}

/// The longest text before a colon that is considered, in bytes.
const MAX_KEY_BYTES: usize = 64;
/// The most words of a files key.
const MAX_KEY_WORDS: usize = 8;
/// The most words of an unknown key.
const MAX_UNKNOWN_KEY_WORDS: usize = 3;

/// A line that begins with a key: the key, and what follows the colon.
pub(crate) fn key_line(line: &str) -> Option<(Key, &str)> {
    if let Some(found) = with_sign(line) {
        return Some(found);
    }
    let (at, colon) = colon(line)?;
    let name = &line[..at];
    let value = &line[at + colon.len_utf8()..];
    // "src/a.py:12" and "C:\\x" are not keys: white space or the end follows the colon of a key.
    let value_follows = value.trim_start_matches(['*', '_', '"', '\'', '`']);
    let stands_alone = value_follows.is_empty() || value_follows.starts_with(char::is_whitespace);
    let known = known(name);
    if known.is_none() && (!stands_alone || !is_key_like(name)) {
        return None;
    }
    // "**Status:** DONE": the emphasis of the key ends after its colon.
    let value = closed(name, value.trim_start_matches(['*', '_']).trim());
    Some((known.unwrap_or(Key::Other), value))
}

/// "Status = DONE", "**Files changed** — a.py": another sign in place of the colon, behind a key that is known.
fn with_sign(line: &str) -> Option<(Key, &str)> {
    let (name, value) = [" = ", " — ", " – ", " - "]
        .iter()
        .find_map(|sign| line.split_once(sign))?;
    let key = known(name).filter(|key| matches!(key, Key::Status | Key::Files(_)))?;
    Some((key, closed(name, value.trim())))
}

/// The first colon outside parentheses.
fn colon(line: &str) -> Option<(usize, char)> {
    let mut depth = 0_usize;
    line.char_indices()
        .take_while(|(at, _)| *at <= MAX_KEY_BYTES)
        .find(|(_, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && matches!(c, ':' | '\u{ff1a}')
        })
}

/// The value without the end of an emphasis that began before the key: "**Files changed: a.py**".
fn closed<'a>(name: &str, value: &'a str) -> &'a str {
    let name = name.trim();
    for mark in ["**", "__", "*", "_"] {
        if let Some(rest) = name.strip_prefix(mark) {
            // Exactly one mark has no partner in the value: "__init__.py__" has two that belong to a name.
            let is_open = !rest.ends_with(mark) && value.matches(mark).count() % 2 == 1;
            let plain = value.strip_suffix(mark).filter(|_| is_open);
            return plain.unwrap_or(value).trim_end();
        }
    }
    value
}

/// A text that consists of a key alone, such as a heading.
pub(crate) fn bare(text: &str) -> Option<Key> {
    known(text)
}

fn known(name: &str) -> Option<Key> {
    let (name, said) = annotated(name);
    if let Some(key) = files_key(name) {
        // "Files changed (planned)" and "Files created and deleted" do not claim anything.
        let is_away = name.contains(" and ") || !said.is_empty();
        let is_away = is_away && is_elsewhere(&format!("{name} {said}"));
        return Some(if is_away || is_denying_label(said) || is_of_others(said) {
            Key::Other
        } else {
            Key::Files(key)
        });
    }
    Some(match normalized(name).as_str() {
        "status" | "final status" | "task status" | "overall status" => Key::Status,
        "blockers" => Key::Blockers,
        "ran tests" | "tests run" => Key::RanTests,
        _ => return None,
    })
}

/// A key and the text in parentheses after it: "Files changed (3)".
fn annotated(name: &str) -> (&str, &str) {
    let name = name.trim_end_matches(['*', '_', ':', ' ']);
    // "3. Files changed", and a key in back-ticks.
    let name =
        name.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '));
    let inside = name
        .strip_prefix('`')
        .and_then(|name| name.strip_suffix('`'));
    let name = inside.unwrap_or(name);
    match name
        .strip_suffix(')')
        .and_then(|name| name.rsplit_once('('))
    {
        Some((key, said)) => (key, said),
        None => (name, ""),
    }
}

/// A key made of the word "files", of what was done to them, and of filler words: "Files
/// created/modified", "New files", "Files modified this session".
fn files_key(name: &str) -> Option<FilesKey> {
    const FILLERS: &str = " \
        and or this session task in the list all of that were was by me i summary total my source test code repo ";
    if name.contains(['`', '<', '>', '|', ';']) {
        return None;
    }
    let name = name.trim_matches(|c: char| !c.is_alphanumeric());
    let words = name
        .split(|c: char| c.is_whitespace() || matches!(c, '_' | '-' | '/' | '&' | ',' | '+'))
        .filter(|word| !word.is_empty());
    let mut speaks_of_files = false;
    let mut key: Option<FilesKey> = None;
    for (index, word) in words.enumerate() {
        if index >= MAX_KEY_WORDS {
            return None;
        }
        let lower = word.to_ascii_lowercase();
        match lower.as_str() {
            "files" => speaks_of_files = true,
            // "all files changed", "files changed in this session"
            word if is_in(FILLERS, word) => {}
            _ => {
                let said = one_verb(&lower)?;
                key = Some(match key {
                    Some(known) if known != said => FilesKey::Changed(Verb::Several),
                    _ => said,
                });
            }
        }
    }
    key.filter(|_| speaks_of_files)
}

fn one_verb(word: &str) -> Option<FilesKey> {
    Some(match word {
        "changed" => FilesKey::Changed(Verb::Changed),
        "modified" | "edited" => FilesKey::Changed(Verb::Modified),
        "updated" | "affected" => FilesKey::Changed(Verb::Updated),
        "touched" => FilesKey::Changed(Verb::Touched),
        "created" | "added" | "new" | "written" => FilesKey::Created,
        "deleted" | "removed" => FilesKey::Deleted,
        _ => return None,
    })
}

/// Lower-case words separated by single spaces, without decoration.
fn normalized(name: &str) -> String {
    // Removes emphasis, quotes and pictures. Not a back-tick, which makes the word code, and not a
    // separator, which shows that something else precedes the word.
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
        && name.split_whitespace().count() <= MAX_UNKNOWN_KEY_WORDS
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
                Some((Key::Files(FilesKey::Changed(Verb::Changed)), "x")),
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

    #[test]
    fn files_keys_of_several_words() {
        for (line, key) in [
            ("Files Created/Modified:", FilesKey::Changed(Verb::Several)),
            ("New files:", FilesKey::Created),
            ("**Files changed (3):**", FilesKey::Changed(Verb::Changed)),
            (
                "Files Modified This Session:",
                FilesKey::Changed(Verb::Modified),
            ),
            ("files_updated:", FilesKey::Changed(Verb::Updated)),
            ("Files added (total: 2):", FilesKey::Created),
        ] {
            assert_eq!(key_line(line), Some((Key::Files(key), "")), "{line}");
        }
        for line in [
            "Files:",
            "Modified:",
            "Files to change:",
            "Files not changed:",
            "Files changed (planned):",
        ] {
            assert!(
                !matches!(key_line(line), Some((Key::Files(_), _))),
                "{line}"
            );
        }
    }
}
