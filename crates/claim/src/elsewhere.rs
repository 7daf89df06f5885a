//! Whether words say that a path is not to be found here although work was done on it.

use crate::Operation;
use crate::denial::{beginning, clauses, plain, words_of};
use crate::lexicon::denials::{ABSORBED, CONNECTORS, ELSEWHERE, LEADS, UNSURE};
use crate::lexicon::{self, is_in};
use crate::shape::{is_file, trim_end};

/// "generated later" says when, "handles the events that come in later" does not.
const MAX_WORDS_BEFORE_LATER: usize = 3;

/// The words say that the path is not to be found here although work was done on it: "in the infra
/// repository", "created at runtime", "removed afterwards", "merged into src/a.py".
pub(crate) fn is_elsewhere(remark: &str) -> bool {
    let remark = beginning(remark);
    clauses(remark).any(|clause| is_away(&clause))
        || is_absorbed(remark)
        || came_and_went(&words_of(remark))
}

/// A clause about a place that is not here, or about a file that came and went.
fn is_away(words: &[String]) -> bool {
    const PUT: &str = " lives stored kept saved published uploaded hosted vendored handled done ";
    let said =
        |word: &&String| is_in(LEADS, word) || is_in(PUT, word) || lexicon::change(word).is_some();
    let lead = words.iter().take_while(said).count();
    let rest: Vec<&str> = words[lead..].iter().map(String::as_str).collect();
    let ends = |next: Option<&&str>| next.is_none_or(|next| is_in(CONNECTORS, next));
    let is_place = match rest.as_slice() {
        [
            "temporary" | "temp" | "ephemeral" | "scratch" | "throwaway" | "upstream",
            next @ ..,
        ] => ends(next.first()) || is_in(" script removed deleted ", next[0]),
        [
            "in" | "on" | "at" | "during" | "from" | "inside" | "outside" | "out",
            rest @ ..,
        ] => rest
            .iter()
            .take(5)
            .position(|word| is_in(ELSEWHERE, word))
            .is_some_and(|at| ends(rest.get(at + 1))),
        // "written to the shared volume"
        ["to", rest @ ..] if is_kept_away(&words[..lead]) => {
            rest.iter().take(5).any(|word| is_in(ELSEWHERE, word))
        }
        ["virtual" | "external", next @ ..]
        | ["third", "party", next @ ..]
        | [
            "build" | "compiled",
            "artifact" | "artifacts" | "output" | "product",
            next @ ..,
        ] => ends(next.first()),
        ["e", "g", ..]
        | ["if", "it", "exists", ..]
        | [
            "if" | "where" | "when" | "as",
            "applicable" | "present" | "available" | "needed",
            ..,
        ]
        | [
            "as",
            "a" | "an",
            "patch" | "diff" | "gist" | "snippet" | "attachment",
            ..,
        ] => true,
        [first, ..] => is_in(UNSURE, first),
        [] => false,
    };
    let is_gone = words.windows(2).any(|pair| {
        is_in(" removed deleted gone dropped ", &pair[0])
            && is_in(" again afterwards after at later since once ", &pair[1])
    });
    let is_later =
        words.len() <= MAX_WORDS_BEFORE_LATER && words.last().is_some_and(|word| word == "later");
    is_place || is_gone || is_later || words.iter().any(|word| word == "elsewhere")
}

fn is_kept_away(lead: &[String]) -> bool {
    const VERBS: &str = " written saved stored uploaded published ";
    lead.last().is_some_and(|verb| is_in(VERBS, verb))
}

/// "created and removed", "added, then deleted", "cleaned up"
fn came_and_went(words: &[String]) -> bool {
    if words == ["cleaned", "up"] {
        return true;
    }
    let is = |word: &String, operation| lexicon::change(word) == Some(operation);
    let mut rest = words.iter().skip_while(|word| is_in(LEADS, word));
    rest.next().is_some_and(|word| is(word, Operation::Created))
        && rest
            .find(|word| !is_in(" and it then again later ", word))
            .is_some_and(|word| {
                is(word, Operation::Deleted)
                    || is_in(" revert reverted undo undone discarded ", word)
            })
        && rest.next().is_none_or(|next| is_in(CONNECTORS, next))
}

/// "merged into src/a.py", "renamed to b.py", "now b.py": the work is in a file with another name.
fn is_absorbed(remark: &str) -> bool {
    let remark = remark.trim_matches(|c: char| !c.is_alphanumeric());
    let is_name = |word: &str| {
        is_file(trim_end(
            word.trim_matches(|c: char| !c.is_alphanumeric() && c != '.'),
        ))
    };
    let mut words = remark.split_whitespace();
    let first = words.next().map(plain).unwrap_or_default();
    let is_next = words.next().is_some_and(is_name);
    if is_next
        && (first == "now" || first == "became" || first == "see" && remark.ends_with("instead"))
    {
        return true;
    }
    let mut words = remark.split_whitespace();
    let is_verb = |word: &str| is_in(ABSORBED, &plain(word));
    words.by_ref().take(3).any(is_verb)
        && words
            .find(|word| !is_in(" back up directly entirely now together ", &plain(word)))
            .is_some_and(|next| is_in(" into to by with in as ", &plain(next)))
        && words.take(3).any(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_about_a_file_that_is_not_here() {
        for remark in [
            "in the infra repository",
            "(temporary, removed afterwards)",
            "created at runtime",
            "merged into src/a.py",
            "moved to `b.py`",
            "merged into .env",
            "on the staging server",
            "written to the shared volume",
        ] {
            assert!(is_elsewhere(remark), "{remark}");
        }
        for remark in [
            "repository layer",
            "in repository mode it reads .git",
            "moved the logic here",
            "merged the two checks",
            "runtime configuration",
            "removed dead code",
            "added to the database layer",
        ] {
            assert!(!is_elsewhere(remark), "{remark}");
        }
    }
}
