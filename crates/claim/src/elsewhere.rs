//! Whether words say that a path is not to be found here although work was done on it.

use crate::denial::{beginning, clauses, plain};
use crate::lexicon::denials::{ABSORBED, CONNECTORS, ELSEWHERE, LEADS};
use crate::lexicon::{self, is_in};
use crate::shape::{is_file, trim_end};

/// The words say that the path is not to be found here although work was done on it: "in the infra
/// repository", "created at runtime", "removed afterwards", "merged into src/a.py".
pub(crate) fn is_elsewhere(remark: &str) -> bool {
    clauses(beginning(remark)).any(|clause| is_away(&clause)) || is_absorbed(beginning(remark))
}

/// A clause about a place that is not here, or about a file that came and went.
fn is_away(words: &[String]) -> bool {
    let said =
        |word: &&String| is_in(LEADS, word) || lexicon::change(word).is_some() || *word == "lives";
    let lead = words.iter().take_while(said).count();
    let rest: Vec<&str> = words[lead..].iter().map(String::as_str).collect();
    let ends = |next: Option<&&str>| next.is_none_or(|next| is_in(CONNECTORS, next));
    let is_place = match rest.as_slice() {
        [
            "temporary" | "temp" | "ephemeral" | "scratch" | "throwaway" | "upstream",
            next @ ..,
        ] => ends(next.first()) || is_in(" script removed deleted ", next[0]),
        ["in" | "on" | "at" | "during" | "from" | "inside", rest @ ..] => rest
            .iter()
            .take(5)
            .position(|word| is_in(ELSEWHERE, word))
            .is_some_and(|at| ends(rest.get(at + 1))),
        ["cleaned", "up"]
        | ["whichever" | "either" | "depending", ..]
        | ["if", "it", "exists", ..]
        | [
            "if" | "where" | "when" | "as",
            "applicable" | "present" | "available" | "needed",
            ..,
        ] => true,
        _ => false,
    };
    let is_gone = words.windows(2).any(|pair| {
        is_in(" removed deleted gone dropped ", &pair[0])
            && is_in(" again afterwards after at later since once ", &pair[1])
    });
    is_place || is_gone
}

/// "merged into src/a.py", "renamed to b.py": the work is in a file with another name.
fn is_absorbed(remark: &str) -> bool {
    let mut words = remark.split_whitespace();
    let is_verb = |word: &str| is_in(ABSORBED, &plain(word));
    words.by_ref().take(3).any(is_verb)
        && words
            .next()
            .is_some_and(|next| is_in(" into to by with in as ", &plain(next)))
        && words.take(3).any(|word| {
            let name = trim_end(word.trim_matches(|c: char| !c.is_alphanumeric() && c != '.'));
            is_file(name)
        })
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
            "on the staging server",
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
        ] {
            assert!(!is_elsewhere(remark), "{remark}");
        }
    }
}
