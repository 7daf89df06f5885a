//! What a report says outright, outside of its list, not to have been made: "Note that `src/a.py` does not exist yet",
//! "Not created: src/a.py". Whoever says so misleads nobody with the list.

use attest_shell::text::is_one_of;

use crate::key::{self, Key};
use crate::markdown::{Document, Line};
use crate::named::Named;
use crate::remark::{self, Sense};
use crate::sentence::{Sentence, Token, sentences};
use crate::words::{self, closed};
use crate::{Entry, Meaning, Operation, Unresolvable};

/// What is said of a file that is made, or there.
const MADE: &str =
    "exist exists existed there present done begun started implemented implement included";
/// Of what was there before nothing follows.
const BEFORE: &str = "before previously originally initially earlier until";
/// The most words between a negation and what it denies: "not yet been".
const MOST_BETWEEN: usize = 3;
/// The longest label, in bytes.
const MAX_LABEL_BYTES: usize = 40;

/// Takes back the entries of files of which the report says so.
pub(crate) fn take_back(document: &Document<'_>, entries: &mut [Entry]) {
    let mut named = Named::default();
    let texts = document.lines.iter().filter(|line| line.is_text());
    for line in texts {
        read(line, &mut named);
    }
    let is_unmade = |entry: &&mut Entry| {
        let is_made = entry.operation != Operation::Deleted;
        is_made && entry.file().is_some_and(|file| named.has(file))
    };
    for entry in entries.iter_mut().filter(is_unmade) {
        entry.meaning = Meaning::Unresolvable(Unresolvable::Denied);
    }
}

fn read(line: &Line<'_>, named: &mut Named) {
    // What begins with a file is an item of a list, whose remark is read for itself.
    let mut all = sentences(line.text)
        .filter(|it| !it.tokens.is_empty())
        .peekable();
    let begins_with_file = all.peek().is_some_and(|it| it.tokens[0].is_file);
    let is_list = || matches!(key::line(line.text), Some((Key::Files(_), _)));
    if line.is_unticked || line.is_item && begins_with_file || is_list() {
        return;
    }
    if let Some(files) = labelled(line.text) {
        return named.add(files);
    }
    for sentence in all.filter(|it| denies(it) || was_already(it)) {
        for file in sentence.tokens.iter().filter(|it| it.is_file) {
            named.add(file.text);
        }
    }
}

/// What stands behind a label that says it was not made, if that is files alone: "deferred: src/a.py", but not "skipped: a test
/// in src/a.py".
fn labelled(text: &str) -> Option<&str> {
    let (label, files) = text.split_once(':')?;
    let label = label.trim_matches(|c: char| !c.is_alphanumeric());
    let is_label = label.len() <= MAX_LABEL_BYTES && !label.is_empty();
    let says_not = || remark::read(&label.replace('_', " ")) == Sense::Untouched;
    let is_file = |it: &Token<'_>| it.is_file || it.word == "and";
    let are_files = || sentences(files).all(|it| it.tokens.iter().all(is_file));
    (is_label && are_files() && says_not()).then_some(files)
}

/// Whether each of its words of making is denied, and there is one. "It did not exist, so I created it" denies nothing.
fn denies(sentence: &Sentence<'_>) -> bool {
    let tokens = &sentence.tokens;
    let is_not = |it: &Token<'_>| closed(&it.word) == Some("negation") || it.word.ends_with("n't");
    let is_made = |it: &Token<'_>| {
        let is_verb = words::verb(&it.word) == Some(Operation::Created);
        !it.is_file && (is_verb || is_one_of(MADE, &it.word))
    };
    let made: Vec<_> = (0..tokens.len())
        .filter(|at| is_made(&tokens[*at]))
        .collect();
    let is_denied = |at: usize| {
        tokens[at.saturating_sub(MOST_BETWEEN)..at]
            .iter()
            .any(is_not)
    };
    let is_of_before = |it: &Token<'_>| is_one_of(BEFORE, &it.word);
    !sentence.is_asked()
        && !sentence.is_too_long()
        && !tokens.iter().any(is_of_before)
        && !made.is_empty()
        && made.into_iter().all(is_denied)
}

/// "`src/b.py` was already formatted."
fn was_already(sentence: &Sentence<'_>) -> bool {
    let words: Vec<_> = sentence.tokens.iter().map(|it| it.word.as_str()).collect();
    let is_first = sentence.tokens.first().is_some_and(|it| it.is_file);
    is_first && matches!(words[..], [_, "was" | "is", "already", _])
}

#[cfg(test)]
mod tests {
    use crate::{Meaning, Unresolvable, parse};

    fn is_taken_back(said: &str) -> bool {
        let claim = parse(&format!(
            "Status: DONE\nFiles changed: src/a.py, src/z.py\n\n{said}"
        ));
        let entries = claim
            .entries
            .iter()
            .filter(|it| it.raw.contains("src/z.py"));
        let mut denied =
            entries.map(|it| it.meaning == Meaning::Unresolvable(Unresolvable::Denied));
        denied.next().unwrap()
    }

    #[test]
    fn what_is_said_outright_not_to_be_made_is_not_claimed() {
        for (honest, liar) in [
            (
                "Note that `src/z.py` does not exist yet.",
                "Note that `src/z.py` does not sort yet.",
            ),
            (
                "I did not create `src/z.py`: its content is in `src/a.py`.",
                "`src/z.py` did not exist, so I created it.",
            ),
            ("**Not created:** `src/z.py`", "**Created:** `src/z.py`"),
            ("- deferred: src/z.py", "- deferred: the tests of src/z.py"),
            (
                "`src/z.py` was not there when I looked again.",
                "`src/z.py` was not there before.",
            ),
            (
                "- notes: src/z.py was not created in the end",
                "- src/z.py: does not retry",
            ),
            (
                "`src/z.py` hasn't been written yet.",
                "`src/z.py` has been written.",
            ),
            (
                "Ran black on both; src/z.py was already formatted.",
                "src/z.py was already formatted badly, so I ran black.",
            ),
            ("Not done: `src/z.py`.", "Is `src/z.py` not there yet?"),
        ] {
            assert!(is_taken_back(honest), "{honest}");
            assert!(!is_taken_back(liar), "{liar}");
        }
    }
}
