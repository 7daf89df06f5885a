//! Whether a message is about what was read, so that the files of which it tells need not be its own work.

use super::grammar::{is_deed, tells_of_deeds};
use super::prose::{collapsed, is_bold, leads_in};
use crate::key::{self, Key};
use crate::markdown::{Document, Line, LineKind};
use crate::sentence::{Sentence, Token, sentences};
use crate::words;

/// What a message begins with, or the title in it, that says that it is about what was read.
pub(crate) fn study<'a>(document: &Document<'a>) -> Option<&'a str> {
    let speaks = |line: &Line<'_>, says: fn(&Sentence<'_>) -> bool| {
        let text = collapsed(line.text);
        sentences(&text).any(|it| says(&it))
    };
    let begins = |it: &Sentence<'_>| {
        let is_of_others = it.has("others") && !tells_of_deeds(it);
        (it.has("study") || is_of_others) && !is_behind_review(it)
    };
    let first = texts(document).next();
    let begin = first.filter(|line| speaks(line, begins));
    // "Added a helper to read the settings:" is no title of a study.
    let is_of_study =
        |it: &Sentence<'_>| it.has("study") && !tells_of_deeds(it) && !is_behind_review(it);
    let title = || texts(document).find(|line| is_title(line) && speaks(line, is_of_study));
    Some(begin.or_else(title)?.text)
}

/// Whether it is about what was done of a review: "Code review comments addressed", "Review actions complete".
fn is_behind_review(sentence: &Sentence<'_>) -> bool {
    let tokens = &sentence.tokens;
    let at = tokens.iter().position(|token| token.is("study"));
    let behind = at.map_or(&[][..], |at| &tokens[at + 1..]);
    let is_done = |it: &Token<'_>| it.is("end") || is_deed(it) || words::SAID.has(&it.word, "own");
    match behind {
        [thing, rest @ ..] => words::closed(&thing.word).is_none() && rest.iter().any(is_done),
        [] => false,
    }
}

/// What a message begins with, if that calls all of it a review: "Code review: PR 12", "I have reviewed the branch", but
/// not "Review comments addressed", "Audit log".
pub(crate) fn review<'a>(document: &Document<'a>) -> Option<&'a str> {
    let text = texts(document).next()?.text;
    let plain = collapsed(text);
    let first = sentences(&plain).next()?;
    is_of_review(&first).then_some(text)
}

fn is_of_review(sentence: &Sentence<'_>) -> bool {
    let tokens = &sentence.tokens;
    let Some(at) = tokens.iter().position(|token| token.is("study")) else {
        return false;
    };
    let is_verb = tokens[at].word.ends_with("ed");
    let is_label = tokens[at].text.ends_with([':', ',', '.', '*']);
    // A thing behind it has it as a name: "Audit log".
    let is_apart = tokens.get(at + 1).is_none_or(|next| {
        let is_number = next.word.chars().all(|c| c.is_ascii_digit());
        let is_report = next.is("report") || next.is("end") || next.word == "results";
        next.follows_dash || is_number || is_report || words::closed(&next.word).is_some()
    });
    let is_deed = |token: &Token<'_>| is_deed(token) && !token.is("end");
    (is_verb || is_label || is_apart) && !tokens.iter().any(is_deed)
}

/// The first line that names a change which others offer, or its author, and no deed of the speaker: "PR #7 — adds a
/// queue", "MR !7 by Bob", but not "Opened PR #7".
pub(crate) fn others<'a>(document: &Document<'a>) -> Option<&'a str> {
    let is_known = |line: &Line<'_>| {
        let key = key::line(line.text).map(|(key, _)| key);
        key.is_some_and(|key| key != Key::Other)
    };
    let named = texts(document).find(|line| {
        let text = collapsed(line.text);
        let is_studied = |it: &Sentence<'_>| it.has("others") && it.has("study");
        // Few lines have such a word, and every stop reads all of them.
        let may_be_studied = words::PROSE.is_in(&text, "study");
        let is_theirs =
            names_theirs(&text) || may_be_studied && sentences(&text).any(|it| is_studied(&it));
        is_theirs && !is_known(line) && !sentences(&text).any(|it| has_deed(&it))
    });
    named.map(|line| line.text)
}

/// Whether a text has a word for a change that somebody offers, or for who made it.
fn names_theirs(text: &str) -> bool {
    let is_theirs = |word: &str| {
        matches!(
            word,
            "author" | "authors" | "contributor" | "contributors" | "mr" | "pr"
        )
    };
    let is_phrase = || {
        let text = text.to_lowercase();
        let mut phrases = ["pull request", "merge request"].iter();
        phrases.any(|phrase| text.contains(phrase))
    };
    words::has_word(text, is_theirs)
        || words::has_word(text, |word| word == "request") && is_phrase()
}

/// "Opened PR #7", "PR created", "Updated the PR"
fn has_deed(sentence: &Sentence<'_>) -> bool {
    let is_deed = |it: &Token<'_>| {
        let is_change = || words::change(&it.word).is_some();
        words::ROLES.has(&it.word, "handling") || is_change() && !words::is_demand(&it.word)
    };
    tells_of_deeds(sentence) || sentence.tokens.iter().take(2).any(is_deed)
}

/// The lines of a message that are words.
fn texts<'d, 'a>(document: &'d Document<'a>) -> impl Iterator<Item = &'d Line<'a>> {
    let lines = document.lines.iter();
    lines.filter(|line| matches!(line.kind, LineKind::Text | LineKind::Heading(_)))
}

fn is_title(line: &Line<'_>) -> bool {
    line.level().is_some() || !line.is_item && (is_bold(line.text.trim()) || leads_in(line.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_is_none_of_its_parts_and_nothing_that_has_its_name() {
        for (text, is_review) in [
            ("# Code review: PR 12", true),
            ("## PR #12 Review", true),
            ("**Review of the parser branch**", true),
            ("Review summary", true),
            ("Security audit - auth module", true),
            ("I have reviewed PR 12.", true),
            ("Reviewed the branch, two nits.", true),
            ("Code review complete.", true),
            ("# Code review comments addressed", false),
            ("# Review fixes", false),
            ("# Audit log", false),
            ("Added an audit of the parser", false),
            ("Reviewed and fixed the parser.", false),
            ("# Parser\n\n## Review", false),
            ("", false),
        ] {
            let document = Document::parse(text);
            assert_eq!(review(&document).is_some(), is_review, "{text}");
        }
    }

    /// Each beside the deed that looks most like it.
    #[test]
    fn what_others_did_is_named_beside_no_deed() {
        for (of_others, own) in [
            ("Verdict on PR #7: approve.", "Opened PR #7: the queue."),
            ("**PR #7** — adds a queue", "**PR opened** — #7"),
            ("MR !7 by Bob", "Created MR !7"),
            ("PR: #7", "Commit: 1a2b3c4"),
            ("Author: bob", "Result: green"),
            ("Dependabot PR #7", "Bumped the queue"),
            ("PR #7 by Bob", "Modified the parser on the PR branch"),
            ("Author: bob", "All callers updated on the branch."),
            ("Pull request 7 is sound", "You can run it from the branch."),
            ("Commit 1a2b7 reviewed", "Committed as 1a2b3c4"),
            (
                "Summary: PR #7 is sound, two nits.",
                "Summary: fixed the queue.",
            ),
        ] {
            let is_named = |text: &str| others(&Document::parse(text)).is_some();
            assert!(is_named(of_others), "{of_others}");
            assert!(!is_named(own), "{own}");
        }
    }
}
