//! Whether words say that nothing was done to a path.

use crate::lexicon::{self, is_in};

/// Words of a clause that are looked at: denials come first in it.
const EARLY: usize = 8;

/// The words say that nothing happened to the path, or not yet: "(unchanged)", "— not created",
/// "planned", "reverted", "by the other agent". A denial of something else is none: "1 skipped",
/// "fixed the not-found bug".
pub(crate) fn is_denial(remark: &str) -> bool {
    if remark.contains([
        '❌', '✗', '✘', '☐', '⬜', '🚫', '⛔', '⏳', '🔜', '⏭', '✖', '×',
    ]) {
        return true;
    }
    if remark.trim().eq_ignore_ascii_case("wip") {
        return true;
    }
    // Most remarks are short; what stands behind a thousand letters is no longer about the path.
    let end = remark
        .char_indices()
        .nth(1_000)
        .map_or(remark.len(), |(at, _)| at);
    clauses(&remark[..end]).any(|clause| denies(&clause)) || is_of_another(&remark[..end])
}

/// A label or the title of a list that says so of all below it: "Planned", "Not changed".
pub(crate) fn is_denying_label(label: &str) -> bool {
    const WORDS: &str = " \
        unchanged unmodified untouched planned proposed skipped reverted deferred postponed pending todo not never \
        without should would could suggested considered reviewed read consulted inspected excluded ignored future \
        tbd remaining missing undone next later upcoming candidate candidates ";
    let words = words_of(label);
    let lead = words
        .iter()
        .take_while(|word| is_in(" file files path paths the i we that ", word));
    is_denial(label)
        || denies(&words[lead.count()..])
        || words
            .iter()
            .any(|word| is_in(WORDS, word) || word.ends_with("n't"))
}

/// The clauses of a remark, each as its first words in lower case.
fn clauses(remark: &str) -> impl Iterator<Item = Vec<String>> {
    remark
        .split([',', ';', '(', ')', '[', ']', '—', '–', '|', '!'])
        .flat_map(|part| part.split(". "))
        .flat_map(|part| part.split(": "))
        .flat_map(|part| part.split(" - "))
        .flat_map(|part| part.split(" but "))
        .flat_map(|part| part.split(" then "))
        .map(words_of)
}

fn words_of(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'))
        .filter(|word| !word.is_empty())
        .take(EARLY)
        .map(|word| word.to_lowercase().replace('’', "'"))
        .collect()
}

/// Whether a clause begins with a denial, after the words that only lead to one.
fn denies(words: &[String]) -> bool {
    const LEADS: &str = " \
        was were is are has have had been it i we this file files still currently now only just left and so both all \
        later since again which that got be yet status action change also already then but intentionally \
        deliberately eventually subsequently finally unfortunately ";
    const PHRASES: &[&str] = &[
        "rolled back",
        "backed out",
        "in progress",
        "work in progress",
        "on hold",
        "out of scope",
        "as is",
        "as before",
        "failed to",
        "unable to",
        "can not",
        "cannot",
        "needs to",
        "need to",
        "needs",
        "need",
        "no change",
        "no changes",
        "no edit",
        "no edits",
        "no longer",
        "no modification",
        "no modifications",
        "no op",
        "no write",
        "read only",
        "read for",
        "read but",
        "for reference",
        "for later",
        "for context",
        "for future",
        "for next",
    ];
    let lead = words.iter().take_while(|word| is_in(LEADS, word)).count();
    let rest: Vec<&str> = words[lead..].iter().map(String::as_str).collect();
    let text = rest.join(" ");
    let begins = |phrase: &&str| {
        let after = text.strip_prefix(*phrase);
        after.is_some_and(|after| after.is_empty() || after.starts_with(' '))
    };
    match rest.as_slice() {
        // "left for later", "later"
        [] => words.iter().any(|word| word == "later"),
        ["not" | "never" | "neither" | "nor" | "without", rest @ ..] => is_about_the_file(rest),
        ["to", second, ..] => !matches!(*second, "the" | "a" | "an"),
        ["read"] => true,
        [modal, rest @ ..] if is_in(" will would should could may might must ", modal) => {
            let rest = rest.strip_prefix(&["be"]).unwrap_or(rest);
            let next = rest.first().copied().unwrap_or("come");
            is_in(" follow come need not ", next) || is_about_the_file(rest)
        }
        [first, rest @ ..] => {
            let stands_alone = rest.first().is_none_or(|next| is_connector(next));
            is_negated_verb(first)
                || stands_alone && is_denial_word(first)
                || PHRASES.iter().any(begins)
        }
    }
}

/// "didn't", "wasn't", "couldn't"
fn is_negated_verb(word: &str) -> bool {
    word.ends_with("n't") && !matches!(word, "don't" | "shouldn't")
}

/// A word that denies if it stands alone: "skipped", but not "skipped rows are counted now".
fn is_denial_word(word: &str) -> bool {
    const WORDS: &str = " \
        unchanged untouched unmodified unaffected unneeded unnecessary reverted undone deferred postponed tbd \
        preexisting wip discarded abandoned skipped skip considered planned pending todo proposed suggested \
        incomplete unfinished reviewed inspected examined consulted example blocked unimplemented untracked \
        upcoming future existing draft excluded optional missing failed dependency undecided outstanding remaining ";
    is_in(WORDS, word)
}

/// A word that goes on about what stands before it: "skipped for now", "reverted again".
fn is_connector(word: &str) -> bool {
    const WORDS: &str = " \
        for until till by in on because as due to yet now here at after before again since and or only it this that \
        with from so entirely completely later anyway though file change changes the work review approval upstream \
        already if when while ";
    is_in(WORDS, word)
}

/// What "not" goes with: the work on the file itself, or nothing more.
fn is_about_the_file(rest: &[&str]) -> bool {
    const WORDS: &str = " \
        yet needed required necessary done committed started included part made present my by in applicable be been \
        finished completed possible saved applied staged a to actually ";
    rest.first()
        .is_none_or(|first| lexicon::change(first).is_some() || is_in(WORDS, first))
}

/// "by the other agent", "by another agent", "done by agent 2".
fn is_of_another(remark: &str) -> bool {
    const OTHERS: &str = " other another others else parent previous earlier different ";
    const WORKERS: &str = " \
        agent subagent task developer person session worker somebody someone engineer others teammate else ";
    let words: Vec<_> = remark
        .split_whitespace()
        .take(40)
        .map(str::to_lowercase)
        .collect();
    let plain = |word: &String| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let words: Vec<String> = words.iter().map(plain).collect();
    words.iter().enumerate().any(|(at, word)| {
        let rest = &words[at + 1..words.len().min(at + 5)];
        word == "by"
            && [OTHERS, WORKERS]
                .iter()
                .all(|list| rest.iter().any(|word| is_in(list, word)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_take_a_path_away() {
        for remark in [
            "(unchanged)",
            "— not created",
            "(read-only)",
            "was not needed",
            "— I didn't need it",
            "planned",
            "(to do)",
            "to be added later",
            "reverted",
            "created, then reverted",
            "skipped",
            "(by the other agent)",
            "no changes needed",
            "deferred",
            "not yet",
            "wasn't touched",
            "will be added",
            "— updated, but rolled back",
            "❌",
            "not changed",
            "for reference",
            "left unchanged",
            "TODO",
            "changed by another agent",
        ] {
            assert!(is_denial(remark), "{remark}");
        }
    }

    #[test]
    fn words_about_something_else() {
        for remark in [
            "(new)",
            "reads x",
            "12 passed, 1 skipped",
            "fixed the not-found bug",
            "adds the planned retries",
            "handles what should be closed",
            "returns nothing if the key is missing",
            "new, not tested",
            "removed the unchanged copy",
            "",
            "now reverts on error",
            "no more races",
            "tests skipped here",
            "could be faster",
            "called by the other module",
            "not-null constraint",
        ] {
            assert!(!is_denial(remark), "{remark}");
        }
    }

    #[test]
    fn labels_of_what_was_not_done() {
        for label in [
            "Planned",
            "Not changed",
            "Files I did not touch",
            "Skipped (2)",
            "TODO",
            "Files to be added",
        ] {
            assert!(is_denying_label(label), "{label}");
        }
        for label in ["Created", "Backend (3)", "Tests"] {
            assert!(!is_denying_label(label), "{label}");
        }
    }
}
