//! Whether words say that nothing was done to a path.

use crate::lexicon::denials::{
    ALONE, BEGINNINGS, CONNECTORS, ELSEWHERE, ENDINGS, FOREIGN, KINDS, LEADS, LOOKED_AT, OCCASIONS,
    OTHERS, PHRASES, SIGNS, STATES, THINGS, TITLES, WORK, WORKERS, WRITES,
};
use crate::lexicon::{self, is_in};

/// How many words of a clause are checked: denials come first in it.
const MAX_CLAUSE_WORDS: usize = 8;
/// How many characters of a remark are checked; what follows them is no longer about the path.
const MAX_REMARK_CHARS: usize = 1_000;

/// The words say that nothing happened to the path, or not yet: "(unchanged)", "— not created",
/// "planned", "reverted", "by the other agent". A denial of something else does not count: "1
/// skipped", "fixed the not-found bug".
pub(crate) fn is_denial(remark: &str) -> bool {
    let remark = beginning(remark);
    remark.contains(SIGNS)
        || remark.trim() == "×"
        || clauses(remark).any(|clause| denies(&clause))
        || is_of_another(remark)
}

pub(crate) fn beginning(remark: &str) -> &str {
    let end = remark.char_indices().nth(MAX_REMARK_CHARS);
    end.map_or(remark, |(at, _)| &remark[..at])
}

/// A label or list title that says so of everything below it: "Planned", "Not changed".
pub(crate) fn is_denying_label(label: &str) -> bool {
    let words = words_of(label);
    let lead = words
        .iter()
        .take_while(|word| is_in(" file files path paths the i we that ", word));
    is_denial(label)
        || label.trim().eq_ignore_ascii_case("n/a")
        || denies(&words[lead.count()..])
        || words
            .iter()
            .any(|word| is_in(TITLES, word) || word.ends_with("n't"))
}

/// The clauses of a remark, each as its first words in lower case.
pub(crate) fn clauses(remark: &str) -> impl Iterator<Item = Vec<String>> {
    remark
        .split([',', ';', '(', ')', '[', ']', '—', '–', '|', '!'])
        .flat_map(|part| part.split(". "))
        .flat_map(|part| part.split(": "))
        .flat_map(|part| part.split(" - "))
        .flat_map(|part| part.split(" but "))
        .flat_map(|part| part.split(" then "))
        .map(words_of)
}

/// Its first words, in lower case.
pub(crate) fn words_of(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'))
        .filter(|word| !word.is_empty())
        .take(MAX_CLAUSE_WORDS)
        .map(|word| word.to_lowercase().replace('’', "'"))
        .collect()
}

/// Whether a clause begins with a denial, ignoring the words that merely lead up to one.
fn denies(words: &[String]) -> bool {
    let lead = words.iter().take_while(|word| is_in(LEADS, word)).count();
    let rest: Vec<&str> = words[lead..].iter().map(String::as_str).collect();
    let text = format!("{} ", rest.join(" "));
    let stands_alone = |phrase: &str| {
        let after = text
            .strip_prefix(phrase)
            .and_then(|after| after.strip_prefix(' '));
        let next = after.map(|after| after.split(' ').next().unwrap_or_default());
        next.is_some_and(|next| next.is_empty() || is_in(CONNECTORS, next))
    };
    let is_earlier = words[..lead]
        .iter()
        .any(|word| matches!(word.as_str(), "already" | "still"));
    match rest.as_slice() {
        [first, ..] if is_earlier && (is_in(STATES, first) || lexicon::change(first).is_some()) => {
            true
        }
        // "left for later", "later"
        [] => words.iter().any(|word| word == "later"),
        [
            "not",
            "exist" | "exists" | "existing" | "found" | "present" | "there" | "here",
            rest @ ..,
        ] => is_not_there(rest),
        ["not", "have", rest @ ..] => rest.first() == Some(&"to"),
        ["not", rest @ ..] | ["with", "no", rest @ ..] => is_about_the_file(rest),
        [
            "keep" | "kept" | "stay" | "stays" | "remain" | "remains",
            rest @ ..,
        ] => matches!(
            rest,
            [
                "as" | "unchanged" | "untouched" | "unmodified" | "alone",
                ..
            ] | ["the", "same", ..]
        ),
        ["no"]
        | ["n", "a"]
        | ["except", "this" | "that" | "here", ..]
        | [
            "nothing",
            "to" | "changed" | "here" | "else" | "needed" | "done",
            ..,
        ] => true,
        [what, "only"] if is_in(LOOKED_AT, what) => true,
        [what, .., "failed" | "denied" | "rejected" | "refused"]
            if rest.len() <= 3 && is_in(WRITES, what) =>
        {
            true
        }
        [
            "reverted" | "undid" | "dropped" | "discarded" | "abandoned",
            rest @ ..,
        ] if is_own_work(rest) => true,
        [_, "by", rest @ ..] if is_from_outside(rest) => true,
        ["never" | "neither" | "nor" | "without", rest @ ..] => {
            !rest.is_empty() && is_about_the_file(rest)
        }
        ["to", "be" | "do" | "follow" | "come", ..] | ["read"] => true,
        // "to create", "to add later"; but "to parse the input" and "to fix a crash" say what it is for
        ["to", verb, rest @ ..] => {
            lexicon::change(verb).is_some()
                && rest.first().is_none_or(|next| is_in(CONNECTORS, next))
        }
        [
            "reviewed" | "checked" | "inspected" | "read",
            "and",
            verb,
            ..,
        ] if lexicon::change(verb).is_some() => false,
        [
            "next" | "separate" | "future" | "later" | "upcoming" | "following",
            occasion,
            ..,
        ]
        | ["follow", "up", occasion, ..]
            if is_in(OCCASIONS, occasion) =>
        {
            true
        }
        [
            "will" | "would" | "should" | "could" | "may" | "might" | "must" | "cannot",
            rest @ ..,
        ] => {
            let rest = rest.strip_prefix(&["be"]).unwrap_or(rest);
            let next = rest.first().copied().unwrap_or("come");
            is_in(" follow come do need next not ", next) || is_about_the_file(rest)
        }
        [first, ..] => {
            is_negated_verb(first, rest.get(1).copied())
                || is_of_a_kind(&rest)
                || is_in(ALONE, first) && (stands_alone(first) || rest.get(1) == Some(&"to"))
                || PHRASES.split('|').any(stands_alone)
                || BEGINNINGS.split('|').any(|beginning| text.starts_with(beginning))
                // "nicht mehr global" is about the content.
                || !text.starts_with("nicht mehr ")
                    && FOREIGN.split('|').any(|beginning| text.starts_with(beginning))
                || ENDINGS
                    .split('|')
                    .any(|ending| text.trim_end().ends_with(ending))
        }
    }
}

/// "optional improvement", "third-party code", "n/a for this change"
fn is_of_a_kind(rest: &[&str]) -> bool {
    match rest {
        ["n", "a", next, ..] => is_in(CONNECTORS, next),
        [kind, what] | ["third", kind, what] => {
            (is_in(ALONE, kind) || is_in(KINDS, kind)) && is_in(THINGS, what)
        }
        _ => false,
    }
}

/// "not found", "does not exist yet"; but "did not exist before" is said of a new file, and a "not found page" is
/// a page.
fn is_not_there(rest: &[&str]) -> bool {
    let is_new = |word: &&str| is_in(" before previously earlier until ", word);
    !rest.iter().any(is_new) && rest.first().is_none_or(|next| is_in(CONNECTORS, next))
}

/// "reverted my change", "dropped it", "discarded the idea"; but not "dropped the old parser".
fn is_own_work(rest: &[&str]) -> bool {
    match rest {
        ["it" | "them" | "again" | "my", ..] => true,
        ["the" | "that" | "this" | "all", what, ..] => is_in(
            " change changes edit edits idea plan file files attempt ",
            what,
        ),
        _ => false,
    }
}

/// "by you", "by the parent"
fn is_from_outside(rest: &[&str]) -> bool {
    let rest = rest.strip_prefix(&["the"]).unwrap_or(rest);
    matches!(
        rest,
        [
            "you" | "parent" | "user" | "human" | "orchestrator" | "caller" | "build",
            ..
        ]
    )
}

/// "didn't", "wasn't", "couldn't", "doesn't need it"; but not "doesn't block", which says how it works.
fn is_negated_verb(word: &str, next: Option<&str>) -> bool {
    const OF_THE_FILE: &str =
        " exist need apply require have belong matter compile do seem work be fit help ";
    match word {
        "don't" | "shouldn't" => false,
        "doesn't" | "won't" => {
            next.is_none_or(|next| lexicon::change(next).is_some() || is_in(OF_THE_FILE, next))
        }
        _ => word.ends_with("n't"),
    }
}

/// What may follow "not": the work on the file itself, or nothing more.
fn is_about_the_file(rest: &[&str]) -> bool {
    rest.first()
        .is_none_or(|first| lexicon::change(first).is_some() || is_in(WORK, first))
}

/// A title above what others did: "Other agent", "Parent", "Pre-existing".
pub(crate) fn is_of_others(label: &str) -> bool {
    let words = words_of(label);
    let any = |list: &str| words.iter().any(|word| is_in(list, word));
    let says_changed = words.iter().any(|word| lexicon::change(word).is_some());
    let is_own = any(" this same our my ");
    any(OTHERS) && any(WORKERS)
        || words.len() > 1 && words.last().is_some_and(|last| last == "repo") && !is_own
        || any(" other another separate external sibling different ") && any(ELSEWHERE)
        || words.iter().map(String::as_str).eq(["parent"])
        || any(" preexisting existing ") && !says_changed
}

/// "by the other agent", "by another developer", "by the parent session", "by the backend agent".
fn is_of_another(remark: &str) -> bool {
    let words: Vec<String> = remark.split_whitespace().take(40).map(plain).collect();
    words.iter().enumerate().any(|(at, word)| {
        let rest = &words[at + 1..];
        let rest = rest.strip_prefix(&["the".to_owned()]).unwrap_or(rest);
        let rest = &rest[..rest.len().min(3)];
        let begins = rest
            .first()
            .is_some_and(|next| is_in(OTHERS, next) || is_in(WORKERS, next));
        let is_by = word == "by";
        let is_other = begins
            && [OTHERS, WORKERS]
                .iter()
                .all(|list| rest.iter().any(|word| is_in(list, word)));
        is_by && (is_other || is_named(rest))
    })
}

/// "the backend agent", "reviewer subagent", "agent B": who has a name is not the one who reports.
fn is_named(words: &[String]) -> bool {
    const SELF: &str = " this same current present my own ";
    const NAMED: &str = " agent subagent teammate session ";
    match words {
        [name, worker, ..] if is_in(NAMED, worker) => !is_in(SELF, name),
        [worker, name, ..] if is_in(NAMED, worker) => name.chars().count() <= 2,
        _ => false,
    }
}

/// A word in lower case, without the punctuation around it.
pub(crate) fn plain(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
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
            "next sprint",
            "geplant",
            "作成予定",
            "somebody else's task",
            "left for you",
            "write failed",
            "changed by another developer",
            "dropped it",
            "undid my change",
            "reverted again",
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
            "no longer crashes",
            "to support dark mode",
            "2×2 grid",
            "needs Python 3",
            "no changes to the API",
            "no more races",
            "tests skipped here",
            "could be faster",
            "called by the other module",
            "not-null constraint",
            "parser tests failed",
            "dropped the old parser",
            "reverted old parser",
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
            "Paths left alone",
            "Parser candidates",
            "Backend consulted",
            "Client estimate",
            "Backend which doesn't build",
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

    #[test]
    fn titles_of_what_others_did() {
        for title in [
            "Other agent",
            "Others",
            "Backend repo",
            "Parent",
            "Existing files",
        ] {
            assert!(is_of_others(title), "{title}");
        }
        for title in [
            "Other files",
            "Parent class",
            "Existing files modified",
            "Repo",
        ] {
            assert!(!is_of_others(title), "{title}");
        }
    }
}
