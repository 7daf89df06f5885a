//! Words in which somebody speaks of a file, rather than of what is in it.

use crate::Operation;
use crate::lexicon::denials::{LEADS, OTHERS, WORKERS};
use crate::lexicon::hedges::NARRATIVE;
use crate::lexicon::{self, is_in};

/// "decided against it" is about the file, "wraps the client and retries what failed in it" is not.
const MAX_WORDS_BEFORE_PRONOUN: usize = 5;

/// Whether a clause is about what somebody did or has to do, or whose the file is. `rest` is the clause
/// without the words that lead up to it. `is_later`: another one precedes it, as in "the interface; `csv.go`
/// satisfies it unchanged".
pub(crate) fn is_of_a_person(words: &[String], rest: &[&str], is_later: bool) -> bool {
    names_reader_or_author(words, rest) || is_of_others(rest) || acts_on_the_file(words, is_later)
}

/// "I reverted this one", "in my head so far", "you own this"; but not "I added a cache", "fixed what I
/// had broken".
fn names_reader_or_author(words: &[String], rest: &[&str]) -> bool {
    const PERSONS: &str = " \
        i i've i'd i'm i'll me my mine we we've we'd we'll us our you you'll your yours yourself myself please ";
    let is_person = |word: &str| is_in(PERSONS, word);
    let is_by_author = matches!(rest, ["by", "me" | "us"]);
    if is_by_author || !words.iter().any(|word| is_person(word)) {
        return false;
    }
    let has_pair =
        |is_it: fn(&str, &str) -> bool| words.windows(2).any(|pair| is_it(&pair[0], &pair[1]));
    // "you can now pass a file"
    if has_pair(|word, next| word == "can" && next == "now") {
        return false;
    }
    let first = words.first().map_or("", String::as_str);
    // "please create manually", "add this yourself"
    if first == "please" || words.iter().any(|word| word == "yourself") {
        return true;
    }
    let verb = rest
        .iter()
        .find(|word| !is_person(word) && !is_in(LEADS, word));
    let change = verb.and_then(|verb| lexicon::change(verb));
    // "created when you run the build"
    if change == Some(Operation::Created)
        && has_pair(|word, next| is_in(" when once after ", word) && next == "you")
    {
        return true;
    }
    // "lets you set the timeout", "per your request"
    let is_content = first.len() > 3 && first.ends_with('s') || is_in(" per as what ", first);
    let is_work = change.is_some() || verb.is_some_and(|verb| is_in(NARRATIVE, verb));
    !is_content && !is_work
}

/// "owned by the frontend team", "belongs to task 2", "part of the next task"
fn is_of_others(rest: &[&str]) -> bool {
    const TEAMS: &str =
        " team squad group department colleague maintainer maintainers owner owners ";
    // "the platform team builds that image"
    let is_team_at_work = |three: &[&str]| {
        is_in(TEAMS, three[0])
            && three[1].ends_with('s')
            && is_in(" it this that these those the a its ", three[2])
    };
    match rest {
        _ if rest.windows(3).take(3).any(is_team_at_work) => true,
        [
            "owned" | "provided" | "managed" | "installed" | "supplied" | "shipped" | "maintained",
            "by",
            ..,
        ]
        | ["assigned", "to", ..]
        | ["belongs", "to" | "in" | "on", ..] => true,
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

/// "CI creates it", "the tooltip covers this case", "decided against it": somebody or something does with the file
/// what the clause says, and has a name. The clause about one's own work begins with the verb: "parses it".
fn acts_on_the_file(words: &[String], is_later: bool) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let end = words.len().min(MAX_WORDS_BEFORE_PRONOUN + 1);
    let is_about = |at: usize| {
        let (before, here) = (&words[..at], &words[at..]);
        is_the_file(here) && has_other_subject(before) && !(is_later && here.len() > 1)
    };
    // "users can cancel it now" says what was made.
    !words.contains(&"now") && (2..end).any(is_about)
}

/// "it", "this case", "its own": a pronoun that has nothing but the file to stand for.
fn is_the_file(words: &[&str]) -> bool {
    match words {
        ["it" | "them", ..] | ["this" | "that" | "these" | "those"] | ["its" | "their", "own"] => {
            true
        }
        // "this hook" is another thing.
        ["this" | "these", next, ..] => is_in(
            " one case file already in on at by via for from during when after before ",
            next,
        ),
        _ => false,
    }
}

/// Whether the words before the pronoun have a subject and its verb, and none that joins them to something else:
/// "how to run it", "the code that uses it", "retries if the server drops it".
fn has_other_subject(words: &[&str]) -> bool {
    const JOINTS: &str = " \
        of for with without from in around on at under by than like so that which who whose how if when where while \
        as because since before after until unless and or let make allow ";
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return false;
    };
    let is_joined = words.iter().any(|word| is_in(JOINTS, word));
    let is_obliged = |pair: &[&str]| pair[1] != "to" || is_in(" has have needs need ", pair[0]);
    let is_verb = first.ends_with('s') || lexicon::change(first).is_some();
    matches!(
        words,
        ["still", ..] | [.., "is" | "are" | "working", "on"] | [_, "has" | "have", .., "for"]
    ) || !is_joined
        && !is_verb
        && (!last.ends_with("ing") || matches!(words, [.., "is" | "are", _]))
        && words.windows(2).all(is_obliged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_personal(clause: &str) -> bool {
        let words: Vec<String> = clause.split(' ').map(str::to_owned).collect();
        let rest: Vec<&str> = words.iter().map(String::as_str).collect();
        is_of_a_person(&words, &rest, false)
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
            "created when you run it",
            "ci creates it",
            "xcode updates it on the next build",
            "xcode has to add it",
            "the tooltip covers this case",
            "radix brings its own",
            "existing specs cover it",
            "ben is on it",
            "cobra handles these",
            "flux overrides this in the cluster",
            "kim has a branch for that",
            "still depends on it",
            "the platform team builds that image",
        ] {
            assert!(is_personal(clause), "{clause}");
        }
        for clause in [
            "i added a cache",
            "i've added a cache",
            "added a check on your input when it fails",
            "fixed what i had broken",
            "tests for it",
            "lets you undo",
            "uses it",
            "called by the router",
            "how to run it locally",
            "the code that uses it",
            "let the caller close it",
            "retries if the server drops it",
            "passes the token to it",
            "halves this under load",
            "on save formats the file",
            "in repository mode it reads the index",
            "on save and formats it",
            "button opening it",
            "users can cancel it now",
            "the hook reads this setting",
        ] {
            assert!(!is_personal(clause), "{clause}");
        }
    }

    #[test]
    fn behind_another_clause_the_pronoun_ends_it() {
        let is_personal = |clause: &str| {
            let words: Vec<String> = clause.split(' ').map(str::to_owned).collect();
            acts_on_the_file(&words, true)
        };
        assert!(is_personal("ci creates it"));
        assert!(!is_personal("ci creates it there"));
    }
}
