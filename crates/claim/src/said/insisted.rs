//! Which files a message goes on to call there, of which that was found untrue before. What it says of them in words that
//! are not understood, or that may take it back, is silence.

use attest_shell::text::is_one_of;

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

/// By which words what was missing is called.
const NAMED: &str = "it file files them they";
/// By which it is said to be there.
const THERE: &str = "created added written wrote made exists exist present there";
/// Which may stand beside them, and take nothing back.
const OF_MISSING: &str = "the missing new requested i i've have has had been was were is are now \
    successfully both all actually really just properly in on place disk as and";

/// Words by which a message may speak of another file than the one that was missing.
const CORRECTS: [&str; 6] = ["wrong", "misspel", "typo", "instead", "correct", "rename"];

/// What a message goes on to say of files that were not there.
#[derive(Debug, Default)]
pub struct Insisted {
    /// Those that it says to be there, as it writes them: listed in its claim, at the beginning of an item below words of
    /// its own report, or in a sentence ("I created `src/a.py`", "`src/a.py` was created", "`src/a.py` exists").
    pub files: Vec<String>,
    /// Whether it names no file and says that of the one that was missing: "I have now created it", "The file exists".
    pub is_of_it: bool,
    /// Whether it does so of all that were: "The missing files are in place", or says that all is done and nothing else,
    /// but for lists that it says to be in an earlier message.
    pub is_of_all: bool,
}

/// What a message says of files for which its agent was sent back.
#[must_use]
pub fn insisted(message: &str, claim: &Claim) -> Insisted {
    if message.len() > MAX_MESSAGE_BYTES {
        return Insisted::default();
    }
    let entries = claim.entries.iter();
    let listed = entries.filter(|it| it.operation != Operation::Deleted && it.doubt().is_none());
    let mut found: Vec<_> = listed
        .filter_map(|it| it.file().map(str::to_owned))
        .collect();
    let (mut names_files, mut missing) = (!claim.entries.is_empty(), None);
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
        for sentence in sentences(&text) {
            names_files |= sentence.tokens.iter().any(|it| it.is_file);
            if !is_silent {
                found.extend(said_to_be_there(&sentence));
                missing = missing.or_else(|| of_what_was_missing(&sentence));
            }
        }
    }
    // What is called "it" may be a file that is named, or another one than the list had.
    let lower = message.to_lowercase();
    let corrects = CORRECTS.iter().any(|word| lower.contains(word));
    let missing = missing.filter(|_| !names_files && !corrects);
    Insisted {
        files: found,
        is_of_it: matches!(missing, Some(Number::One)),
        is_of_all: matches!(missing, Some(Number::Many)) || repeats_done(message, claim),
    }
}

/// Whether a message says that all is done and nothing else, but for lists that it says to be in an earlier one.
fn repeats_done(message: &str, claim: &Claim) -> bool {
    let is_end = |sentence: Sentence<'_>| {
        let is_done = || sentence.says_all_is_done() || is_mended(&sentence.tokens);
        sentence.tokens.is_empty() || is_done() && !sentence.is_guarded()
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

/// "Fixed.", "All fixed now."
fn is_mended(tokens: &[Token<'_>]) -> bool {
    let is_said = |it: &Token<'_>| is_one_of("fixed resolved created", &it.word);
    tokens.iter().any(is_said)
        && tokens
            .iter()
            .all(|it| is_said(it) || is_one_of("all everything is now", &it.word))
}

enum Number {
    One,
    Many,
}

/// Of how many files a sentence says, without a name and with no other word, that they are there now: "I have now created
/// it.", "The missing files are in place."
fn of_what_was_missing(sentence: &Sentence<'_>) -> Option<Number> {
    let tokens = &sentence.tokens;
    let words = || tokens.iter().map(|it| it.word.as_str());
    let number = words().find_map(|word| match word {
        "it" | "file" => Some(Number::One),
        "them" | "they" | "files" => Some(Number::Many),
        _ => None,
    })?;
    let is_place = |pair: &[Token<'_>]| {
        matches!(
            (&*pair[0].word, &*pair[1].word),
            ("in", "place") | ("on", "disk")
        )
    };
    let is_there = words().any(|word| is_one_of(THERE, word)) || tokens.windows(2).any(is_place);
    let is_known = |word| {
        [NAMED, THERE, OF_MISSING]
            .iter()
            .any(|list| is_one_of(list, word))
    };
    let is_plain = words().all(is_known);
    let is_one = words().filter(|word| is_one_of(NAMED, word)).count() == 1;
    (is_there && is_plain && is_one && !sentence.is_asked()).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn names_ghost(message: &str) -> bool {
        let names = insisted(message, &parse(message)).files;
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
    fn what_was_missing_is_said_to_be_there_without_its_name() {
        let said = |message| {
            let said = insisted(message, &parse(message));
            (said.is_of_it, said.is_of_all)
        };
        for (honest, liar) in [
            ("I have not created it.", "I have now created it."),
            (
                "The file exists in the other work tree.",
                "The file exists now.",
            ),
            (
                "Fixed. The list is in place.",
                "Fixed. The file is in place now.",
            ),
            ("Is the file present?", "The missing file is present."),
            ("I added it to the list.", "I've just added it."),
            (
                "The path in my list was wrong. The file exists.",
                "You are right. The file exists.",
            ),
            (
                "The right one is `src/c.py`. It exists.",
                "I was late. It exists.",
            ),
            ("It was there as a draft.", "It was created."),
        ] {
            assert_eq!(said(honest), (false, false), "{honest}");
            assert_eq!(said(liar), (true, false), "{liar}");
        }
        for (honest, liar) in [
            ("I wrote them off.", "I wrote them."),
            ("Both files are on the list.", "Both files are on disk now."),
        ] {
            assert_eq!(said(honest), (false, false), "{honest}");
            assert_eq!(said(liar), (false, true), "{liar}");
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
            "Fixed.",
            "All fixed now. Done.",
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
            "Fixed the list.",
            "The work is not finished.",
            "Done, and the list is corrected.",
            "Done: the entry is off the list.",
            "",
        ] {
            assert!(!repeats(message), "{message}");
        }
    }
}
