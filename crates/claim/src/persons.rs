//! Words in which somebody speaks of a file, rather than of what is in it.

use crate::lexicon::denials::{LEADS, OTHERS, WORKERS};
use crate::lexicon::hedges::NARRATIVE;
use crate::lexicon::{self, is_in};

/// "decided against it" is about the file, "wraps the client and retries what failed in it" and "uses it"
/// are not.
const MAX_WORDS_BEFORE_PRONOUN: usize = 5;
/// Whether a clause is about what somebody did or has to do, or whose the file is. `rest` is the clause
/// without the words that lead up to it.
pub(crate) fn is_of_a_person(words: &[String], rest: &[&str]) -> bool {
    names_reader_or_author(words, rest) || is_of_others(rest) || ends_in_pronoun(words)
}

/// "I reverted this one", "in my head so far", "you own this"; but not "I added a cache", "fixed what I
/// had broken".
fn names_reader_or_author(words: &[String], rest: &[&str]) -> bool {
    const PERSONS: &str = " \
        i i've i'd i'm i'll me my mine we we've we'd we'll us our you you'll your yours yourself myself please ";
    let is_person = |word: &str| is_in(PERSONS, word);
    let verb = rest
        .iter()
        .find(|word| !is_person(word) && !is_in(LEADS, word));
    let is_work =
        verb.is_some_and(|verb| lexicon::change(verb).is_some() || is_in(NARRATIVE, verb));
    // "lets you set the timeout", "per your request"
    let first = words.first().map_or("", String::as_str);
    let is_work =
        is_work || first.len() > 3 && first.ends_with('s') || is_in(" per as what ", first);
    let is_by_author = matches!(rest, ["by", "me" | "us"]);
    !is_work && !is_by_author && words.iter().any(|word| is_person(word))
}

/// "owned by the frontend team", "belongs to task 2", "part of the next task"
fn is_of_others(rest: &[&str]) -> bool {
    const TEAMS: &str =
        " team squad group department colleague maintainer maintainers owner owners ";
    match rest {
        ["owned", "by", ..] | ["belongs", "to", ..] => true,
        // "Android team"
        [.., last] if is_in(TEAMS, last) => true,
        ["part", "of", rest @ ..] => rest.iter().take(2).any(|word| {
            is_in(OTHERS, word) || is_in(" next later following task phase step ", word)
        }),
        [_, "by", rest @ ..] => {
            rest.iter().take(4).any(|word| is_in(TEAMS, word))
                || {
                    let rest = rest.strip_prefix(&["the"]).unwrap_or(rest);
                    matches!(rest, [first, second, ..] if is_in(OTHERS, first) && is_in(WORKERS, second))
                }
        }
        _ => false,
    }
}

/// "decided against it", "if you want this"
fn ends_in_pronoun(words: &[String]) -> bool {
    let [first, .., before, last] = words else {
        return false;
    };
    words.len() <= MAX_WORDS_BEFORE_PRONOUN
        && is_in(" it this them that ", last)
        && !first.ends_with('s')
        // "tests for it", "the model of it"
        && !is_in(" of for with from on in around ", before)
        && lexicon::change(first).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_personal(clause: &str) -> bool {
        let words: Vec<String> = clause.split(' ').map(str::to_owned).collect();
        let rest: Vec<&str> = words.iter().map(String::as_str).collect();
        is_of_a_person(&words, &rest)
    }

    #[test]
    fn words_of_somebody() {
        for clause in [
            "i lack permission",
            "only in my head",
            "you own this",
            "owned by qa",
            "please copy from staging",
            "the android team",
            "decided against it",
            "was your idea",
        ] {
            assert!(is_personal(clause), "{clause}");
        }
        for clause in [
            "i added a cache",
            "i've added a cache",
            "fixed what i had broken",
            "tests for it",
            "lets you undo",
            "uses it",
            "called by the router",
        ] {
            assert!(!is_personal(clause), "{clause}");
        }
    }
}
