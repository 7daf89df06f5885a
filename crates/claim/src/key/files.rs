//! Keys of lists of files: "Files changed", "New files (3)".

use super::MAX_KEY_WORDS;
use crate::Operation;
use crate::remark::{self, Sense};
use crate::words::{self, KEYS};

/// A key of a list of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct FilesKey<'a> {
    /// What it says was done, as the lists of words have it; "several" of these, or only "listed".
    pub(crate) verb: &'static str,
    /// What is said in it, or in brackets behind it, that leaves open what its files are of.
    pub(crate) doubt: Option<&'a str>,
    /// It is of one file, so that another one of the kind adds to it.
    pub(crate) is_single: bool,
}

impl FilesKey<'_> {
    /// A key of several files, of which nothing else is said.
    pub(crate) fn of(verb: &'static str) -> Self {
        Self {
            verb,
            doubt: None,
            is_single: false,
        }
    }

    pub(crate) fn operation(self) -> Operation {
        words::operation(self.verb)
    }
}

/// What a key says that only calls its files a list.
pub(crate) const LISTED: &str = "listed";

/// The key that says `verb`, by its name and what is said in brackets behind it; none if its files were not worked on, or
/// are gone.
pub(super) fn read<'a>(verb: &'static str, name: &'a str, said: &'a str) -> Option<FilesKey<'a>> {
    // "Files created (and removed again)" are not there.
    let is_deletion = |word: &str| words::change(word) == Some(Operation::Deleted);
    let is_gone = verb != "deleted" && words::has_word(said, is_deletion);
    let sense = remark::read(said);
    // "Files changed (planned)"
    if is_gone || sense == Sense::Untouched {
        return None;
    }
    let is_unclear = sense == Sense::Other || is_of_another(said);
    let is_open = is_unclear && !is_figure(said) || is_wider(said) || is_by_another(said);
    let doubt = is_open.then_some(said);
    let words = words::apart(name.trim_matches(['"', '\'']));
    let is_of_more = is_wider(&words) || !is_of_this(&words);
    Some(FilesKey {
        verb,
        doubt: doubt.or(is_of_more.then_some(name)),
        is_single: is_single(&words),
    })
}

/// What a key says beside its files, their list and that they changed: "tests" in "Files changed (tests)".
pub(crate) fn beside(name: &str) -> String {
    // "Files changed (corrected)" is no other list.
    let is_more = |word: &&str| match KEYS.class(&word.to_lowercase()) {
        Some(class) => words::operation(class) != Operation::Changed,
        None => !word.ends_with("ed") && !word.chars().all(|c| c.is_ascii_digit()),
    };
    let name = words::apart(name);
    let said: Vec<_> = words::words_of(&name, "").filter(is_more).collect();
    said.join(" ").to_lowercase()
}

/// "File created", "New file"; but not "File list".
pub(super) fn is_single(name: &str) -> bool {
    words::has_word(name, |word| word == "file") && !name.to_ascii_lowercase().contains("list")
}

/// Whether a thing is a file each: "New tests".
pub(super) fn is_of_files(thing: &str) -> bool {
    matches!(
        thing.trim_end_matches('s'),
        "doc" | "document" | "script" | "test"
    )
}

/// "in this PR", "so far", "PR 12", "v1.2..v1.3": others may have worked on it as well; but not "Story 1.13" or "Story
/// file".
fn is_wider(text: &str) -> bool {
    let words: Vec<_> = words::words_of(text, "").map(str::to_lowercase).collect();
    let is_number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
    match words.as_slice() {
        _ if text.contains("..") => true,
        [.., request, number] if is_number(number) => words::ROLES.has(request, "outside"),
        [.., last] => KEYS.has(last, "wider"),
        [] => false,
    }
}

/// Whether words name another one who did it: "by step 2", but not "by me".
fn is_by_another(said: &str) -> bool {
    let who = said.strip_prefix("by ");
    who.is_some_and(|who| !is_speaker(who.split_whitespace()))
}

/// Whether words name another repository: "shop-core repo", but not "this repo".
fn is_of_another(said: &str) -> bool {
    let is_repository = |word: &str| matches!(word, "repo" | "repository");
    let is_named = |word: &str| !is_repository(word) && KEYS.class(word) != Some("filler");
    words::has_word(said, is_repository) && words::has_word(said, is_named)
}

/// Whether all that a key says behind "in" is known: "in this task", but not "in shop-core", "during deployment".
fn is_of_this(name: &str) -> bool {
    let is_other = |word: &str| KEYS.class(word).is_none();
    let place = [" in ", " during "]
        .iter()
        .find_map(|within| name.split_once(within));
    place.is_none_or(|(_, place)| !words::has_word(place, is_other))
}

/// A date, a count or when it was: "(2026-01-31)", "(34 total: 32 under `docs/`)", "(this run)".
fn is_figure(said: &str) -> bool {
    let is_open = |word: &str| {
        KEYS.class(word) != Some("filler") && !word.chars().all(|c| c.is_ascii_digit())
    };
    said.starts_with(|c: char| c.is_ascii_digit()) || !words::has_word(said, is_open)
}

/// A key made of the word "files", of what was done to them, and of filler words: "Files created/modified",
/// "New files", "Files modified this session", "File list".
pub(super) fn done(name: &str) -> Option<&'static str> {
    let words = FilesWords::of(name)?;
    match words.verbs.split_first() {
        None => (words.is_list && !words.is_selected).then_some(LISTED),
        Some((first, others)) if others.iter().all(|verb| verb == first) => Some(first),
        Some(_) => Some("several"),
    }
}

/// The words of a title that speaks of files, and of nothing else that is not understood.
#[derive(Default)]
pub(super) struct FilesWords {
    /// What was done to them, as the lists of words have it.
    pub(super) verbs: Vec<&'static str>,
    pub(super) is_list: bool,
    /// "Key files" points out some, whoever wrote them.
    is_selected: bool,
}

impl FilesWords {
    pub(super) fn of(name: &str) -> Option<Self> {
        // "Files changed: 2026-01-31"
        let is_separator =
            |c: char| c.is_whitespace() || matches!(c, '_' | '-' | '/' | '&' | ',' | '+');
        let name = &*words::apart(name.trim_matches(|c: char| !c.is_alphanumeric()));
        let split = |text| {
            let words = str::split(text, is_separator).filter(|word| !word.is_empty());
            words.flat_map(words_within)
        };
        // "Files changed by this review agent", but not "by the other agents"
        let name = match name.split_once(" by ") {
            Some((name, who)) if is_speaker(split(who)) => name,
            Some(_) => return None,
            None => name,
        };
        let mut speaks_of_files = false;
        let mut found = Self::default();
        for (index, word) in split(name).enumerate() {
            let word = word.to_lowercase();
            match KEYS.class(&word) {
                _ if index >= MAX_KEY_WORDS || !speaks_of_files && words::is_of_git(&word) => {
                    return None;
                }
                Some("noun") => speaks_of_files = true,
                Some("list") => found.is_list = true,
                Some("selected") => found.is_selected = true,
                Some("filler") => {}
                Some(verb) => found.verbs.push(verb),
                // "Backend files changed", but not "Expected files changed"
                None if words::is_thing(&word) || words::TITLES.has(&word, "group") => {}
                None => return None,
            }
        }
        // Files that came and went are not there: "created and deleted", but not "created/deleted".
        let is_gone = found.verbs.contains(&"created") && found.verbs.contains(&"deleted");
        let is_any = name.contains(['/', '&', ',', '+']);
        (speaks_of_files && (is_any || !is_gone)).then_some(found)
    }
}

/// Whether the words name who writes the report: "me", "this review agent".
fn is_speaker<'a>(words: impl Iterator<Item = &'a str>) -> bool {
    let words: Vec<_> = words.map(str::to_lowercase).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["me" | "myself" | "us" | "agent"] => true,
        ["this" | "my", .., who] | ["the", who] => words::TITLES.has(who, "oneself"),
        _ => false,
    }
}

/// The words of a word: "修改的文件" is written without spaces. What begins with none that is known is one word.
fn words_within(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let known = KEYS.beyond_ascii().map(|(known, _)| known);
        let known = known.filter(|known| rest.starts_with(known));
        let is_dense = rest.starts_with(words::is_dense);
        let first = is_dense.then(|| known.max_by_key(|known| known.len()));
        let first = first.flatten();
        let (word, behind) = rest.split_at(first.map_or(rest.len(), str::len));
        rest = behind;
        (!word.is_empty()).then_some(word)
    })
}
