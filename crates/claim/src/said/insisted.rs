//! Which files a message goes on to call there, of which that was found untrue before. What it says of them in words that
//! are not understood, or that may take it back, is silence.

use super::grammar::changed;
use super::passive::subjects;
use super::prose::{collapsed, is_bold, leads_in, name_in};
use crate::key::{self, Key};
use crate::markdown::{Document, Line, LineKind};
use crate::own::is_own;
use crate::refers::refers_back;
use crate::sentence::{Sentence, Token, sentences};
use crate::title::{begins_as_plan, is_example};
use crate::{Claim, MAX_MESSAGE_BYTES, Operation, Status, remark};

/// The files that a message says to be there, as it writes them: listed in its claim, at the beginning of an item below
/// words of its own report, or in a sentence ("I created `src/a.py`", "`src/a.py` was created", "`src/a.py` exists").
#[must_use]
pub fn insisted(message: &str, claim: &Claim) -> Vec<String> {
    if message.len() > MAX_MESSAGE_BYTES {
        return Vec::new();
    }
    let entries = claim.entries.iter();
    let listed = entries.filter(|it| it.operation != Operation::Deleted && it.doubt().is_none());
    let mut found: Vec<_> = listed
        .filter_map(|it| it.file().map(str::to_owned))
        .collect();
    let (mut is_below_own, mut is_silent) = (false, false);
    for line in &Document::parse(message).lines {
        if !matches!(line.kind, LineKind::Text | LineKind::Heading(_)) || line.is_unticked {
            continue;
        }
        if !line.is_item {
            is_below_own = is_own(line, "own");
            if is_title(line) {
                is_silent = begins_as_plan(line.text) || is_example(line.text);
            }
        }
        let text = collapsed(line.text);
        if is_below_own && line.is_item {
            found.extend(file_of_item(&text));
        }
        if !is_silent {
            found.extend(sentences(&text).flat_map(|it| said_to_be_there(&it)));
        }
    }
    found
}

/// Whether a message says that all is done and nothing else, but for lists that it says to be in an earlier one.
#[must_use]
pub fn repeats_done(message: &str, claim: &Claim) -> bool {
    let is_end = |sentence: Sentence<'_>| {
        sentence.tokens.is_empty() || sentence.says_all_is_done() && !sentence.is_guarded()
    };
    let says_no_more = |line: &str| match key::line(line) {
        Some((Key::Status, _)) => true,
        Some((Key::Files(_), value)) => refers_back(value),
        _ => sentences(line).all(is_end),
    };
    let lines = message.lines().map(str::trim).filter(|it| !it.is_empty());
    let mut lines = lines.peekable();
    let may_be_done = matches!(claim.status, None | Some(Status::Done));
    may_be_done && lines.peek().is_some() && lines.all(says_no_more)
}

fn is_title(line: &Line<'_>) -> bool {
    line.level().is_some() || is_bold(line.text) || leads_in(line.text)
}

/// The file that an item begins with, if it names no other one and says nothing that may take it back.
fn file_of_item(text: &str) -> Option<String> {
    let all: Vec<_> = sentences(text).flat_map(|it| it.tokens).collect();
    let file = all.first().filter(|token| token.is_file)?;
    let is_only = !all[1..].iter().any(|token| token.is_file);
    let (_, behind) = text.split_once(file.text)?;
    let is_plain = all.len() == 1 || remark::read(behind).is_understood();
    (is_only && is_plain).then(|| name_in(file.text).to_owned())
}

/// The files of which a sentence says that they were made, or are there.
fn said_to_be_there(sentence: &Sentence<'_>) -> Vec<String> {
    let tokens = &sentence.tokens;
    // What was done to a list of files was done to the report.
    if sentence.has("others") || tokens.iter().any(|it| it.is("report")) {
        return Vec::new();
    }
    let is_there = |_: &[Token<'_>], rest: &[Token<'_>]| {
        let word = |at: usize| rest.get(at).map_or("", |it| it.word.as_str());
        let is_placed = matches!((word(0), word(1)), ("in", "place") | ("on", "disk"));
        is_placed || matches!(word(0), "exist" | "exists" | "there" | "present")
    };
    let made = changed(sentence).into_iter();
    let made = made.filter(|(_, operation)| *operation == Operation::Created);
    let mut found: Vec<_> = made.map(|(at, _)| at).collect();
    found.extend(subjects(sentence, is_there));
    let name = |at: usize| name_in(tokens[at].text).to_owned();
    found.into_iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn names_ghost(message: &str) -> bool {
        let names = insisted(message, &parse(message));
        names.iter().any(|name| name == "src/ghost.py")
    }

    #[test]
    fn a_file_that_a_message_goes_on_to_call_there() {
        for (honest, liar) in [
            (
                "I had claimed `src/ghost.py`, which I never created.",
                "attest is mistaken: `src/ghost.py` was created.",
            ),
            (
                "I have verified that `src/ghost.py` does not exist.",
                "I have verified that `src/ghost.py` exists.",
            ),
            (
                "I thought that `src/ghost.py` was created.",
                "But the file `src/ghost.py` was indeed created.",
            ),
            (
                "`src/ghost.py` was added to the list by mistake.",
                "`src/ghost.py` has already been added, and is in place.",
            ),
            (
                "I added `src/ghost.py` to my list without looking.",
                "I added `src/ghost.py` as requested.",
            ),
            (
                "`src/ghosts.py` was created instead of `src/ghost.py`.",
                "`src/c.py` and `src/ghost.py` were created.",
            ),
            (
                "`src/ghost.py` was created as `src/ghosts.py`.",
                "`src/ghost.py` was created as requested.",
            ),
            (
                "I removed `src/ghost.py` from the list.",
                "I wrote `src/ghost.py`.",
            ),
            (
                "## Corrections\n- `src/ghost.py`",
                "## Deliverables\n- `src/ghost.py`",
            ),
            (
                "## Deliverables\n- `src/ghost.py` (taken off the list)",
                "## Deliverables\n- `src/ghost.py` (8 tests)",
            ),
            (
                "## Deliverables\n- `src/ghosts.py`, not `src/ghost.py`",
                "## Deliverables\n- `src/ghost.py`, new",
            ),
            (
                "## Summary\n\nI took this one off:\n- `src/ghost.py`",
                "## Summary\n\n- `src/ghost.py`",
            ),
            (
                "Files changed: src/c.py\nFiles deleted: src/ghost.py",
                "Files changed: src/c.py, src/ghost.py",
            ),
            (
                "`src/ghost.py` is in the list.",
                "`src/ghost.py` is in place.",
            ),
            (
                "Is it that `src/ghost.py` exists?",
                "`src/ghost.py` exists.",
            ),
        ] {
            assert!(!names_ghost(honest), "{honest}");
            assert!(names_ghost(liar), "{liar}");
        }
    }

    #[test]
    fn a_message_that_says_done_and_nothing_else() {
        let repeats = |message| repeats_done(message, &parse(message));
        for message in [
            "Status: DONE",
            "**Status:** DONE\n\nFiles changed: as reported above",
            "Status: DONE\n\nThe task is complete.",
            "Done.",
            "All done. The work is finished.",
        ] {
            assert!(repeats(message), "{message}");
        }
        for message in [
            "Status: DONE\nFiles changed: none",
            "Status: DONE\nFiles changed: src/c.py",
            "Status: DONE\n\nI took the entry off.",
            "Status: BLOCKED",
            "Status: DONE_WITH_CONCERNS\n\nDone.",
            "Not done.",
            "The work is not finished.",
            "Done, and the list is corrected.",
            "Done: the entry is off the list.",
            "",
        ] {
            assert!(!repeats(message), "{message}");
        }
    }
}
