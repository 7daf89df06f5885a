//! Whether a report says of all of its run that nothing was written: a dry run, a plan, "no files were modified".
//!
//! Only what is understood whole says so. "The dry-run option is documented" and "no other files were changed" have words
//! beside it that are about something else.

use std::borrow::Cow;

use attest_shell::text::is_one_of;

use crate::key::{self, Key};
use crate::markdown::{Document, Line};
use crate::place::leads_in;
use crate::sentence::{Sentence, Token, sentences};
use crate::title::{MAX_TITLE_BYTES, without_number};
use crate::words::{self, UNWRITTEN, closed};

/// The first line that says so.
pub(crate) fn unwritten<'a>(document: &Document<'a>) -> Option<&'a str> {
    let mut lines = document.lines.iter();
    let said = lines.find(|line| line.is_text() && line.indent == 0 && is_line(line));
    said.map(|line| line.text)
}

fn is_line(line: &Line<'_>) -> bool {
    // "Dry run:" alone is the title of what was printed.
    let is_title = leads_in(line) && line.text.split_whitespace().count() < 4;
    !is_title && !line.is_unticked && is_said(line.text)
}

/// Whether the words of a line or a field say so.
pub(crate) fn is_said(text: &str) -> bool {
    let said = match key::line(text) {
        Some((Key::Files(_), _)) => return false,
        // "DONE (dry run)"
        Some((Key::Status, value)) => value.split_once(' ').map_or("", |(_, said)| said),
        _ if key::deed(text).is_some() => return false,
        _ => text,
    };
    sentences(said).any(|sentence| is_of_run(&sentence))
}

/// Whether a title is of what is not written: "Migration plan", "Plan for the ledger", "Dry run", but not "Add a preview" or
/// "Plan 3 complete".
pub(crate) fn titles_a_plan(title: &str) -> bool {
    let is_sentence =
        |it: &Sentence<'_>| it.tokens.iter().any(|it| words::verb(&it.word).is_some());
    let title = &title[..title.floor_char_boundary(MAX_TITLE_BYTES)];
    let mut all = sentences(without_number(title)).filter(|it| !it.tokens.is_empty());
    let (Some(title), None) = (all.next(), all.next()) else {
        return false;
    };
    let parts = joined(&title.tokens);
    let is_name = |word: Option<&Word<'_>>| word.is_some_and(|word| word.is("name"));
    let is_end = parts
        .get(1)
        .is_none_or(|next| closed(&next.text) == Some("preposition"));
    !is_sentence(&title) && (is_name(parts.last()) || is_name(parts.first()) && is_end)
}

fn is_of_run(sentence: &Sentence<'_>) -> bool {
    let tokens = &sentence.tokens;
    let is_open = tokens.iter().any(|it| it.is_file || it.text.ends_with('?'));
    let clauses: Vec<_> = clauses(tokens).iter().map(|it| Clause::of(it)).collect();
    let is_several = tokens.len() > 1 || tokens.iter().any(|it| it.text.starts_with('('));
    let is_whole = is_several && clauses.iter().all(|it| it.is_known);
    let is_full = |it: &Clause| it.says && (it.is_full || is_whole);
    !is_open && clauses.iter().any(is_full)
}

/// The parts between signs; a single word behind a colon belongs to what is in front: "applied: no".
fn clauses<'s, 't>(tokens: &'s [Token<'t>]) -> Vec<&'s [Token<'t>]> {
    let is_value = |at: usize| at + 2 == tokens.len() && tokens[at].text.ends_with(':');
    let ends = |at: usize| tokens[at].text.ends_with([',', ':', ')']) && !is_value(at);
    let begins = |at: usize| tokens[at].text.starts_with('(') || tokens[at].follows_dash;
    let (mut found, mut start) = (Vec::new(), 0);
    for at in 1..tokens.len() {
        if ends(at - 1) || begins(at) {
            found.push(&tokens[start..at]);
            start = at;
        }
    }
    found.push(&tokens[start..]);
    found
}

/// What a clause says.
struct Clause {
    /// Whether all of its words are understood.
    is_known: bool,
    /// Whether it says that nothing was written.
    says: bool,
    /// Whether it says so without the others.
    is_full: bool,
}

impl Clause {
    fn of(tokens: &[Token<'_>]) -> Self {
        let words = joined(tokens);
        let has = |class: &str| words.iter().any(|word| word.is(class));
        let is_known = words.iter().all(Word::is_known);
        let is_mode =
            has("would") || has("mode") && !(has("negation") || has("deed") || has("demand"));
        let is_denied = has("negation") && (has("deed") || has("thing"));
        let is_state = has("denied") && has("thing") && !has("negation");
        let says = is_known && (is_mode || is_denied || is_state) || is_from_elsewhere(&words);
        Self {
            is_known,
            says,
            is_full: has("full") || has("would"),
        }
    }
}

/// "The list above is taken from the ticket"
fn is_from_elsewhere(words: &[Word<'_>]) -> bool {
    let Some(at) = words.iter().position(|word| word.is("source")) else {
        return false;
    };
    let (before, behind) = words.split_at(at);
    let is_from = behind.get(1).is_some_and(|word| word.text == "from");
    let is_list = before.iter().any(|word| word.is("list"));
    is_from && is_list && before.iter().all(|word| word.kinds.is_some())
}

/// A word, or two that belong together, with what the list has of it.
struct Word<'t> {
    text: Cow<'t, str>,
    kinds: Option<&'static str>,
}

impl Word<'_> {
    fn is_known(&self) -> bool {
        self.kinds.is_some() || self.text.ends_with("n't")
    }

    fn is(&self, kind: &str) -> bool {
        let is_listed = self.kinds.is_some_and(|kinds| is_one_of(kinds, kind));
        is_listed || matches!(kind, "negation" | "full") && self.text.ends_with("n't")
    }
}

/// The words, with two that belong together as one: "dry-run", "what if".
fn joined<'t>(tokens: &'t [Token<'_>]) -> Vec<Word<'t>> {
    let parts = tokens.iter().flat_map(|token| token.word.split(['-', '_']));
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut pair = String::new();
    for part in parts {
        if let Some(last) = words.last_mut() {
            pair.clear();
            pair.extend([&*last.text, "_", part]);
            if let Some(kinds) = UNWRITTEN.classes(&pair) {
                last.text = Cow::Owned(pair.clone());
                last.kinds = Some(kinds);
                continue;
            }
        }
        words.push(Word {
            text: Cow::Borrowed(part),
            kinds: UNWRITTEN.classes(part),
        });
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_of_a_plan_is_no_work() {
        for title in [
            "Plan",
            "Implementation plan",
            "Plan for the ledger",
            "# Dry run",
            "2. Codemod dry-run",
        ] {
            assert!(titles_a_plan(title), "{title}");
        }
        for title in [
            "Plan 3 complete",
            "Added a preview",
            "Preview pane",
            "Dry-run option",
            "Parser",
        ] {
            assert!(!titles_a_plan(title), "{title}");
        }
    }

    /// Each beside what is most like it and says nothing of the run.
    #[test]
    fn what_is_said_of_the_run_is_understood_whole() {
        for (said, other) in [
            (
                "Status: DONE (dry run)",
                "Status: DONE (dry run documented)",
            ),
            (
                "Dry run only; nothing was written.",
                "The dry-run option is documented now.",
            ),
            ("dry_run: true", "dry_run: false"),
            ("Applied: false", "Applied: true"),
            ("Mode: plan", "Mode: fast"),
            ("This was a dry run.", "This was not a dry run."),
            ("No files were modified.", "No other files were modified."),
            ("I did not write any files.", "I did not write any tests."),
            (
                "No changes were made to the working tree.",
                "No changes were made to the API.",
            ),
            (
                "I have no write access here, so nothing was saved.",
                "Nothing is cached, so nothing was lost.",
            ),
            ("The tree is unchanged.", "The API is unchanged."),
            ("Edits: 0", "Errors: 0"),
            ("Changes applied: no", "Files deleted: none"),
            ("My own changes: none", "My own changes: two"),
            (
                "These changes are proposed, not made.",
                "The proposed changes were made.",
            ),
            (
                "The list is taken from PR #41.",
                "The parser is taken from PR #41.",
            ),
            ("Plan only, no code.", "Plan updated, no tests."),
            ("This is a plan.", "Write a plan."),
            ("I made no edits myself.", "I made no edits in src/a.py."),
        ] {
            assert!(is_said(said), "{said}");
            assert!(!is_said(other), "{other}");
        }
    }
}
