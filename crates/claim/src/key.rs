//! The keys at the beginning of claim lines and in titles.

mod files;

use crate::Checked;
use crate::assertion::Topic;
use crate::frame::unwrapped;
use crate::path::shape::{is_file, trim_end};
use crate::path::{bare, without_position};
use crate::title::{Title, names_file, without_brackets, without_number};
use crate::words::{self, CHECKS, KEYS};
use files::FilesWords;
pub(crate) use files::{FilesKey, LISTED, beside};

/// What a key announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Key<'a> {
    Status,
    Files(FilesKey<'a>),
    Blockers,
    /// With what is said in brackets behind it, as in the next one.
    RanTests(&'a str),
    /// Something that is not a file.
    Asserts(Topic, &'a str),
    /// A key that has no meaning here, but ends what came before.
    Other,
}

impl Key<'_> {
    /// Whether a list ends with it. What is no file has to be asserted in words that are understood.
    pub(crate) fn ends(self, value: &str) -> bool {
        match self {
            Self::Asserts(topic, _) => !topic.read(value).is_empty(),
            key => key != Self::Other,
        }
    }
}

/// The longest text before a colon that is considered, in bytes.
const MAX_KEY_BYTES: usize = 96;
/// The most words of a files key.
const MAX_KEY_WORDS: usize = 8;
/// The most words of an unknown key.
const MAX_UNKNOWN_KEY_WORDS: usize = 3;

/// A line that begins with a key: the key, and what follows the colon, or another sign behind a key that is known.
pub(crate) fn line(text: &str) -> Option<(Key<'_>, &str)> {
    let text = without_number(unwrapped(text));
    // "Status = DONE", "**Files changed** — a.py"
    let sign = [" = ", " — ", " – ", " - ", " → "];
    if let Some((name, value)) = sign.iter().find_map(|sign| text.split_once(sign))
        && let Some(key @ (Key::Status | Key::Files(_))) = alone(name)
    {
        return Some((key, value.trim()));
    }
    // "Committed as `1a2b3c4`": it reads on into what it names.
    let code = text.find('`').filter(|at| *at <= MAX_KEY_BYTES);
    let (name, value) = text.split_at(code.unwrap_or_default());
    if (name.ends_with(" as ") || name.ends_with(" in "))
        && let Some(key @ Key::Asserts(..)) = alone(name)
    {
        return Some((key, value));
    }
    let near = &text[..text.floor_char_boundary(MAX_KEY_BYTES)];
    let is_outside =
        |at: &usize| near[..*at].matches('(').count() <= near[..*at].matches(')').count();
    let mut colons = near.match_indices([':', '\u{ff1a}']);
    let (at, colon) = colons.find(|(at, _)| is_outside(at))?;
    let (name, value) = (&text[..at], &text[at + colon.len()..]);
    // "src/a.py:12" and "C:\\x" are not keys: white space or the end follows the colon of a key.
    let behind = value.trim_start_matches(['*', '_', '"', '\'', '`']);
    let stands_alone = behind.is_empty() || behind.starts_with(char::is_whitespace);
    let known = alone(name).filter(|key| stands_alone || !matches!(key, Key::Asserts(..)));
    let known = known.or_else(|| in_front_of_files(name, value));
    if known.is_none() && (!stands_alone || !is_key_like(name)) {
        return None;
    }
    // "**Status:** DONE": the emphasis of the key ends after its colon.
    let value = value.trim_start_matches(['*', '_']).trim();
    Some((known.unwrap_or(Key::Other), value))
}

/// A line such as "Changed: a.py, b.py", which is a key only beside others: what was done, and what follows the colon.
pub(crate) fn deed(text: &str) -> Option<(FilesKey<'_>, &str)> {
    let (name, value) = unwrapped(text).split_once(':')?;
    let word = name.trim_matches(['*', '_', ' ']).to_lowercase();
    let is_done = words::change(&word).is_some() && !words::is_demand(&word);
    let verb = KEYS.class(&word).filter(|_| is_done)?;
    Some((
        FilesKey::of(verb),
        value.trim_start_matches(['*', '_']).trim(),
    ))
}

/// A text that consists of a key alone, such as a heading.
pub(crate) fn alone(text: &str) -> Option<Key<'_>> {
    let (name, said) = annotated(text);
    let known = files::done(name).or_else(|| KEYS.class(&whole(name)?));
    let Some(known) = known else {
        let of_check = of_check(name).map(|of| Key::Asserts(Topic::Checks(of), said));
        return of_check.or_else(|| in_brackets(name, said));
    };
    let verb = match known {
        "status" => return Some(Key::Status),
        "blockers" => return Some(Key::Blockers),
        "tests" => return Some(Key::RanTests(said)),
        class if let Some(topic) = Topic::of(class) => return Some(Key::Asserts(topic, said)),
        verb => verb,
    };
    Some(of_files(verb, name, said))
}

/// What a key is about that has nothing but words of one kind of check: "Test suite", "Lint status", "Tests passed".
fn of_check(name: &str) -> Option<Checked> {
    let name = whole(name)?;
    let mut found = None;
    for word in name.trim_end_matches(':').split('_') {
        let class = CHECKS
            .class(word)
            .filter(|_| KEYS.class(word) != Some("noun"))?;
        let of = Checked::of(class);
        if of.is_none() && !matches!(class, "filler" | "passed")
            || found.is_some() && of.is_some() && found != of
        {
            return None;
        }
        found = found.or(of);
    }
    found
}

/// A title that says what was done to the files of which the title above says nothing else: "Created" below "Key files".
pub(crate) fn below_files<'a>(text: &'a str, above: &str) -> Option<Key<'a>> {
    let (name, said) = annotated(text);
    let is_done = |word: &str| words::verb(word).is_some() && !words::is_demand(word);
    let is_of_files = || {
        let above = FilesWords::of(annotated(above).0);
        above.is_some_and(|above| above.verbs.is_empty() && !above.is_list)
    };
    if !words::has_word(name, is_done) || !is_of_files() {
        return None;
    }
    let deed = name.trim_start_matches(|c: char| !c.is_alphanumeric());
    Some(of_files(files::done(&format!("files {deed}"))?, name, said))
}

/// "Tests added: tests/a.py": the key names no files, and what follows is one. It adds to other lists.
fn in_front_of_files<'a>(name: &'a str, value: &str) -> Option<Key<'a>> {
    let value = value.trim_start_matches(['*', '_']);
    let first = value.split_whitespace().next()?;
    let first = bare(trim_end(without_position(bare(trim_end(first)))));
    let (name, said) = annotated(name);
    if !first.contains('/') || !is_file(first) || !name.contains(' ') {
        return None;
    }
    // What a file holds may have a path of its own: "Added routes: `/api/users.py`".
    let is_held = |word: &str| words::is_thing(word) && !files::is_of_files(word);
    let verb = files::done(&format!("files {name}")).filter(|verb| *verb != LISTED)?;
    let key = files::read(verb, name, said).filter(|_| !words::has_word(name, is_held))?;
    Some(Key::Files(FilesKey {
        is_single: true,
        ..key
    }))
}

fn of_files<'a>(verb: &'static str, name: &'a str, said: &'a str) -> Key<'a> {
    files::read(verb, name, said).map_or(Key::Other, Key::Files)
}

/// "Geändert wurden (Files changed)": the key is in the brackets, and a title in front of it. "Changes made (4 files)":
/// what was done stands in front of a number of files.
fn in_brackets<'a>(name: &'a str, said: &str) -> Option<Key<'a>> {
    // "`src/a.py` (new file): the parser" is about a file.
    if names_file(name) {
        return None;
    }
    let counted = said.trim_start_matches(|c: char| c.is_ascii_digit());
    if counted.len() < said.len() && !words::has_word(name, words::is_demand) {
        let verb = files::done(&format!("{name} {counted}")).filter(|verb| *verb != LISTED)?;
        return Some(Key::Files(FilesKey::of(verb)));
    }
    let verb = files::done(said)?;
    let title = Title::of(name, words::operation(verb));
    if title == Title::Ends {
        return Some(Key::Other);
    }
    Some(Key::Files(FilesKey {
        verb,
        doubt: (title == Title::Unknown).then_some(name),
        is_single: files::is_single(said),
    }))
}

/// A key and the text in parentheses after it: "Files changed (3)".
fn annotated(text: &str) -> (&str, &str) {
    let name = text.trim_end_matches(['*', '_', ':', ' ']);
    // "**3. Files changed**", and a key in back-ticks.
    let name = without_number(name.trim_start_matches('*'));
    let inside = name
        .strip_prefix('`')
        .and_then(|name| name.strip_suffix('`'));
    let name = inside.unwrap_or(name);
    without_brackets(name)
}

/// A key by itself, as the list of keys has it: lower-case words joined by "_", and a colon.
fn whole(name: &str) -> Option<String> {
    // Emphasis, quotes and pictures are not part of it. A back-tick is, because it makes the word code, and so is a
    // separator, which shows that something else precedes the word.
    let is_decoration =
        |c: char| !c.is_alphanumeric() && !matches!(c, '`' | '<' | '>' | '/' | '|' | ';');
    let name = words::apart(name.trim_matches(is_decoration));
    let words = name.split(|c: char| c.is_whitespace() || matches!(c, '_' | '-'));
    let words: Vec<_> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    (words.len() <= MAX_KEY_WORDS).then(|| format!("{}:", words.join("_")))
}

fn is_key_like(name: &str) -> bool {
    let name = name.trim_matches(['*', '_', '"', '\'']);
    let is_part =
        |c: char| c.is_alphanumeric() || c.is_whitespace() || matches!(c, '_' | '-' | '&');
    let words = name.split_whitespace().count();
    (1..=MAX_UNKNOWN_KEY_WORDS).contains(&words) && name.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(verb: &'static str) -> Key<'static> {
        Key::Files(FilesKey::of(verb))
    }

    #[test]
    fn keys_in_every_decoration() {
        for text in [
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
            assert_eq!(line(text), Some((Key::Status, "DONE")), "{text}");
        }
        for text in [
            "files_changed: x",
            "Files Changed: x",
            "files-changed: x",
            "**Changed files**: x",
        ] {
            assert_eq!(line(text), Some((files("changed"), "x")), "{text}");
        }
    }

    #[test]
    fn paths_and_sentences_are_no_keys() {
        for text in [
            "src/a.py:12",
            "C:\\x\\y",
            "https://example.org",
            "I set the files changed: x today",
        ] {
            assert_eq!(line(text), None, "{text}");
        }
        assert_eq!(line("key_decisions: x"), Some((Key::Other, "x")));
    }

    #[test]
    fn a_key_of_what_files_are_is_one_in_front_of_a_file() {
        let verb = |text| match line(text) {
            Some((Key::Files(key), _)) => Some(key.verb),
            _ => None,
        };
        for (text, expected) in [
            ("Tests added: tests/test_a.py", Some("created")),
            ("**Docs updated:** `docs/a.md` (the flags)", Some("updated")),
            ("New tests: tests/test_a.py:12", Some("created")),
            ("Tests added: 8 in tests/test_a.py", None),
            ("Tests added: test_a, test_b", None),
            ("Tests run: tests/test_a.py", None),
            ("Routes added: /api/orders", None),
            ("Added routes: `api/orders.py`", None),
            ("Renamed imports: `lib/a.py` → `lib/b.py`", None),
            ("Test file: tests/test_a.py", None),
        ] {
            assert_eq!(verb(text), expected, "{text}");
        }
    }

    #[test]
    fn a_key_reads_on_into_code() {
        let key = Key::Asserts(Topic::Commits, "");
        let text = "Committed as `1a2b3c4 fix: dates`";
        assert_eq!(line(text), Some((key, "`1a2b3c4 fix: dates`")));
        for text in [
            "Committed as usual",
            "Commit `1a2b3c4`",
            "Not committed as `x`",
        ] {
            assert_eq!(line(text), None, "{text}");
        }
    }

    #[test]
    fn files_keys_of_several_words() {
        for (text, verb) in [
            ("Files Created/Modified:", "several"),
            ("New files:", "created"),
            ("**Files changed (3):**", "changed"),
            ("Files Modified This Session:", "modified"),
            ("files_updated:", "updated"),
            ("Files added (total: 2):", "created"),
            ("Files added (34 total: 32 under `docs/`):", "created"),
            ("Files changed (2026-01-31):", "changed"),
            ("### 2.1 File List", LISTED),
            ("Key Files Changed", "changed"),
            ("Main new files:", "created"),
            ("Important files modified", "modified"),
            ("Files modified by this review agent:", "modified"),
            ("Files changed by the agent", "changed"),
            ("Files changed by me", "changed"),
            ("File created:", "created"),
            ("Files Changed Summary", "changed"),
            ("Config Files Created", "created"),
            ("Files changed in commit", "changed"),
            ("Files changed (Story 1.13)", "changed"),
            ("Files changed (this repo)", "changed"),
            ("Story file created", "created"),
            ("Files changed in this task", "changed"),
        ] {
            let text = text.trim_start_matches(['#', ' ']);
            let found = alone(text).map(|key| match key {
                Key::Files(key) => (key.verb, key.doubt),
                _ => panic!("{text}"),
            });
            assert_eq!(found, Some((verb, None)), "{text}");
        }
        for text in [
            "Files",
            "Modified",
            "Files to change",
            "Files not changed",
            "Files changed (planned)",
            "Files created (and removed again)",
            "Files created and deleted",
            "Expected files changed",
            "Missing files",
            "Key Files",
            "Main file",
            "Key test files",
            "Important files",
            "Key files list",
            "Files changed by the other agents",
            "Files changed by agent b",
            "Files changed by hand in this task",
        ] {
            assert!(!matches!(alone(text), Some(Key::Files(_))), "{text}");
        }
        let doubtful = FilesKey {
            verb: "created",
            doubt: Some("but not tested"),
            is_single: false,
        };
        assert_eq!(
            alone("Files Created (but not tested)"),
            Some(Key::Files(doubtful))
        );
        for (text, doubt) in [
            ("Files changed in this PR", "Files changed in this PR"),
            ("Files changed so far", "Files changed so far"),
            ("Files changed in this story", "Files changed in this story"),
            ("Files changed (PR 12)", "PR 12"),
            ("Files changed (this sprint)", "this sprint"),
            ("Files changed (shop-core repo)", "shop-core repo"),
            ("Files changed in shop-core", "Files changed in shop-core"),
            (
                "Files changed during deployment",
                "Files changed during deployment",
            ),
            ("Files changed (v1.2..v1.3)", "v1.2..v1.3"),
            ("Files changed (by step 2)", "by step 2"),
        ] {
            let key = FilesKey {
                doubt: Some(doubt),
                ..FilesKey::of("changed")
            };
            assert_eq!(alone(text), Some(Key::Files(key)), "{text}");
        }
    }
}
