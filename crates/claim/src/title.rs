//! Titles and labels among the files of a list, and what they say about the files below them.

use crate::Operation;
use crate::path::shape::{has_extension, is_file, trim_end};
use crate::path::{bare, without_position};
use crate::remark::{self, Sense};
use crate::words;

/// The most words of a title.
const MAX_WORDS: usize = 12;

/// How much of a title is read and kept, in bytes.
pub(crate) const MAX_TITLE_BYTES: usize = 200;

/// What a title says about the files below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Title {
    /// They are claimed: of a part of the project, or with what was done to them.
    Known(Operation),
    /// They are in this folder.
    Folder(String),
    /// The title is not understood, so that they prove nothing.
    Unknown,
    /// They are not claimed: plans, notes, files that were only read.
    Ends,
}

impl Title {
    /// Reads a title below a key that says `operation` about its files.
    pub(crate) fn of(text: &str, operation: Operation) -> Self {
        let (text, said) = without_brackets(text);
        let text = bare(bare(text.trim_end_matches([':', ' '])).trim_end_matches([':', ' ']));
        let (text, inner) = without_brackets(text);
        let text = without_number(text.trim_matches('_'));
        if text.contains('/') && !text.contains(' ') && !has_extension(text) {
            return Self::Folder(text.trim_matches('/').to_owned());
        }
        let senses = [remark::read(text), sense_of(said), sense_of(inner)];
        let words: Vec<_> = words_of(text).collect();
        // "Pre-existing", "Follow-ups"
        let joined = text.to_lowercase();
        let ends = |word: &String| words::TITLES.has_any(word, &["ends", "plan"]);
        let is_carried_out = is_carried_out(&words);
        if senses.contains(&Sense::Untouched)
            || !is_carried_out && words.iter().any(ends)
            || ends(&joined)
            || words.len() > MAX_WORDS
        {
            return Self::Ends;
        }
        let first = words
            .iter()
            .find(|word| !matches!(word.as_str(), "file" | "files"));
        let change = first.and_then(|word| words::change(word).or_else(|| deed_of_key(word)));
        // "Tested by", "Based on", "In the other one": what stands below is mentioned, or elsewhere.
        let is_place = |word: &String| words::closed(word) == Some("preposition");
        let is_open = words.first().is_some_and(is_place) || words.last().is_some_and(is_place);
        let is_understood = || senses[0].is_understood() || words.iter().all(|word| is_plain(word));
        let is_said = !is_open && !is_selection(&words) && !is_relation(&words) && is_understood();
        let is_known = is_name(text) || is_carried_out || is_said;
        if is_known && !senses[1..].contains(&Sense::Other) {
            Self::Known(change.unwrap_or(operation))
        } else {
            Self::Unknown
        }
    }
}

/// A title without its marks; many entries may have one, so that it is cut.
pub(crate) fn title_text(title: &str) -> &str {
    let title =
        title.trim_matches(|c: char| matches!(c, '*' | '_' | ':' | '#') || c.is_whitespace());
    &title[..title.floor_char_boundary(MAX_TITLE_BYTES)]
}

/// A title without its number: "2. Parser", "3.1 - Parser", "(c) Parser", "IV. Parser", "三、变更文件".
pub(crate) fn without_number(text: &str) -> &str {
    let is_digit = |c: char| c.is_numeric() || ".一二三四五六七八九十".contains(c);
    let open = text.trim_start_matches(['(', '[', '#', ' ']);
    let behind = open.trim_start_matches(is_digit);
    // ".github/" begins with no number.
    if open[..open.len() - behind.len()].contains(|c| c != '.') {
        let behind = behind.trim_start_matches([')', ']', '、']);
        // "12:30 Parser" has a time and no number.
        let title = behind.strip_prefix(':').unwrap_or(behind);
        let is_apart = title.starts_with(' ');
        return if is_apart {
            title.trim_start_matches([' ', '-', '–', '—'])
        } else {
            behind
        };
    }
    let (letters, title) = open.split_once(['.', ')', ']']).unwrap_or_default();
    let is_roman = letters.chars().all(|c| "IVXivx".contains(c));
    let is_number = is_roman && !letters.is_empty() || letters.len() == 1;
    let title = title.strip_prefix(' ').filter(|_| is_number);
    title.unwrap_or(text)
}

/// What is said in brackets behind a title: nothing, a number of files, or a remark about all of them.
fn sense_of(said: &str) -> Sense {
    match said.chars().next() {
        None | Some('0'..='9') => Sense::Description,
        Some(_) if is_file(said) => Sense::Description,
        Some(_) => remark::read(said),
    }
}

/// A word that says nothing about whether files were worked on: a part of a project, a thing, a verb of doing, a number.
fn is_plain(word: &str) -> bool {
    words::TITLES.has(word, "group")
        || words::is_thing(word)
        || words::change(word).is_some()
        || matches!(words::KEYS.class(word), Some("noun" | "filler")) && word != "repo"
        || deed_of_key(word).is_some()
        || word.chars().all(|c| c.is_ascii_digit())
        || word.chars().count() == 1
}

/// What a word of keys says was done: "Arquivos excluídos".
fn deed_of_key(word: &str) -> Option<Operation> {
    // What is affected need not have been worked on.
    let class = words::KEYS
        .class(word)
        .filter(|_| !matches!(word, "affected" | "涉及"));
    let deed = class.filter(|class| !matches!(*class, "noun" | "list" | "selected" | "filler"));
    deed.map(words::operation)
}

/// A name in a program, of a package or of a ticket: `AuthProvider`, "@app/core", "BULK-77".
fn is_name(text: &str) -> bool {
    let is_word = !text.contains(char::is_whitespace) && !text.is_empty();
    let has_inner_capital = text.chars().skip(1).any(|c| c.is_ascii_uppercase())
        && text.contains(|c: char| c.is_ascii_lowercase());
    let is_numbered =
        text.starts_with(char::is_uppercase) && text.contains(|c: char| c.is_ascii_digit());
    is_word
        && (text.starts_with('@') || has_inner_capital || is_numbered || text.contains(['_', '.']))
}

fn words_of(text: &str) -> impl Iterator<Item = String> {
    words::words_of(text, "'").map(str::to_lowercase)
}

/// Whether a title is of what is not done: "Planned", "To do", "Not changed".
pub(crate) fn is_plan(text: &str) -> bool {
    let words: Vec<_> = words_of(text).collect();
    let has_plan = || words.iter().any(|word| words::TITLES.has(word, "plan"));
    remark::read(text) == Sense::Untouched || !is_carried_out(&words) && has_plan()
}

/// The same of a title above keys, which tells of more than files: "Planned changes", "Test plan", but not "Why not a
/// cache?".
pub(crate) fn begins_as_plan(text: &str) -> bool {
    let words: Vec<_> = words_of(without_number(text)).collect();
    let first = words.first();
    let is_named = matches!(words.last().map(String::as_str), Some("plan" | "plans"));
    let is_plan =
        is_named || first.is_some_and(|word| words::TITLES.has(word, "plan")) || is_ahead(text);
    is_plan && !is_carried_out(&words) || remark::read(text) == Sense::Untouched
}

/// Whether a title says of a plan that all of it is done: "Plan complete", "Plan 3 executed".
pub(crate) fn is_plan_done(text: &str) -> bool {
    is_carried_out(&words_of(text).collect::<Vec<_>>())
}

fn is_carried_out(words: &[String]) -> bool {
    let is_done = |word: &str| {
        words::STATUS.class(word) == Some("done") || words::TITLES.has(word, "carried-out")
    };
    let is_of_it = |word: &String| {
        matches!(word.as_str(), "plan" | "plans")
            || word.chars().all(|c| c.is_ascii_digit())
            || words::TITLES.has(word, "group")
    };
    words.split_last().is_some_and(|(last, before)| {
        is_done(last) && !before.is_empty() && before.iter().all(is_of_it)
    })
}

/// Whether a title points out files of which it says nothing else: "Key files", "Main test file".
fn is_selection(words: &[String]) -> bool {
    let has = |class| {
        let mut classes = words.iter().map(|word| words::KEYS.class(word));
        classes.any(|found| found == Some(class))
    };
    let mut deeds = words.iter().filter_map(|word| deed_of_key(word));
    has("noun") && has("selected") && deeds.next().is_none()
}

/// Whether a title says how files are related to what was done, and not which part of the project they are: "Consumers",
/// "Runtime outputs", "PR 12", "PR files".
fn is_relation(words: &[String]) -> bool {
    let is_number = |word: &String| word.chars().all(|c| c.is_ascii_digit());
    match words {
        [.., outside, number] if is_number(number) => words::ROLES.has(outside, "outside"),
        [first, others @ ..]
            if words::is_of_git(first)
                && others
                    .iter()
                    .any(|word| words::KEYS.class(word) == Some("noun")) =>
        {
            true
        }
        [.., last] => words::TITLES.has(last, "relation"),
        [] => false,
    }
}

/// "Before merging"
fn is_ahead(title: &str) -> bool {
    let mut words = words_of(title);
    words.next().as_deref() == Some("before") && words.next().is_some_and(|it| it.ends_with("ing"))
}

/// Whether a title stands above words that are not the report itself.
pub(crate) fn is_example(title: &str) -> bool {
    words::has_word(title, |word| {
        words::EXAMPLES.has_any(word, &["example", "other"])
            && !(word == "before" && is_ahead(title))
    })
}

/// The text of a line that is a label: it ends with a colon, is bold, or has a deeper list, and it
/// does not name a file.
pub(crate) fn label_of(text: &str, is_head: bool) -> Option<&str> {
    let text = text.trim_matches(|c: char| !c.is_ascii() && !c.is_alphanumeric() || c == ' ');
    let (plain, _) = without_brackets(text);
    let whole = plain.trim_end_matches([':', ' ']);
    let name = bare(bare(whole).trim_end_matches([':', ' ']));
    let is_bold = name.len() < whole.len() && whole.starts_with(['*', '_']) && !name.contains("**");
    let ends = text.trim_end_matches(['*', '_', ' ']).ends_with(':');
    (ends || is_bold || is_head)
        .then_some(text)
        .filter(|_| !names_file(without_brackets(name).0))
}

/// Whether a label is, or begins with, a name, rather than a quoted word.
pub(crate) fn names_file(name: &str) -> bool {
    let first = name.split_whitespace().next().unwrap_or_default();
    let first = bare(first).trim_matches(['`', '"', '\'', '[', '*']);
    is_file(trim_end(without_position(first))) || name.starts_with('[') && name.contains("](")
}

/// A title, and what stands in brackets behind it: "Backend (3 files)".
pub(crate) fn without_brackets(text: &str) -> (&str, &str) {
    let text = text.trim();
    let inside = text
        .strip_suffix([')', '\u{ff09}'])
        .and_then(|text| text.rsplit_once(['(', '\u{ff08}']));
    match inside {
        // "[a.py](src/a.py)" is a link.
        Some((title, said)) if !title.trim().is_empty() && !title.ends_with(']') => {
            (title.trim_end(), said)
        }
        _ => (text, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles() {
        let of = |text| Title::of(text, Operation::Changed);
        for text in [
            "Backend",
            "**Parser (3)**",
            "Phase 2: API layer",
            "`AuthProvider`",
            "Test Coverage",
            "Backend - Tasks",
            "Consumer tests",
            "PR checks",
            "Test writers",
        ] {
            assert_eq!(of(text), Title::Known(Operation::Changed), "{text}");
        }
        assert_eq!(of("Created:"), Title::Known(Operation::Created));
        assert_eq!(
            of("src/components/"),
            Title::Folder("src/components".into())
        );
        assert_eq!(of("**.github/**"), Title::Folder(".github".into()));
        for text in [
            "Planned:",
            "**Not touched**",
            "Notes:",
            "**Verification**",
            "Please add:",
            "Next steps",
        ] {
            assert_eq!(of(text), Title::Ends, "{text}");
        }
        for text in [
            "In the other world:",
            "Gone with the wind",
            "Consumers",
            "Runtime outputs",
            "PR 12:",
            "Tests to write",
            "Backend (by Tom)",
        ] {
            assert_eq!(of(text), Title::Unknown, "{text}");
        }
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
