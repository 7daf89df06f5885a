//! Remarks that name nothing of the code: "done in an earlier commit", "only needed for the next step".
//!
//! What was done to a file is said in words about its content. A remark without any, but with words about tasks,
//! steps, agents and reasons, says why the file is in the list although it may not be there.

use crate::denial::beginning;
use crate::lexicon::is_in;
use crate::lexicon::meta::{GRAMMAR, NOUNS, STATES};

/// Whether a remark has words about the course of the work, and no other. A single word may be what the file is
/// about ("session"), and so may a noun at the beginning ("steps of the plan").
pub(crate) fn is_about_the_work(remark: &str) -> bool {
    let lower = beginning(remark).to_lowercase().replace('’', "'");
    let is_part = |c: char| c.is_alphanumeric() || c == '\'';
    let words = || lower.split(|c| !is_part(c)).filter(|word| !word.is_empty());
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_grammar = |word: &str| is_in(GRAMMAR, word) || is_number(word);
    let is_about = |word: &str| is_in(NOUNS, word) || is_in(STATES, word);
    // "as requested" and "for task 12" say why something was done.
    let begins = words().next().is_some_and(|first| {
        let gives_reason =
            matches!(first, "as" | "per") || first == "for" && words().any(is_number);
        (is_in(GRAMMAR, first) || is_in(STATES, first)) && !gives_reason
    });
    begins
        && words().nth(1).is_some()
        && words().any(is_about)
        && words().all(|word| is_grammar(word) || is_about(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_about_the_work_alone() {
        for remark in [
            "done in an earlier commit",
            "only looked at this one",
            "(not relevant)",
            "left in place",
            "see separate PR",
            "handed over to agent 3",
            "outside of the workspace",
            "next up",
            "for comparison only",
            "wrong path in the task",
        ] {
            assert!(is_about_the_work(remark), "{remark}");
        }
    }

    #[test]
    fn words_about_the_code() {
        for remark in [
            "",
            "session",
            "steps of the plan",
            "as requested",
            "for task 2",
            "new",
            "next page",
            "see `a.py`",
            "same change",
            "not exported",
            "left pad",
            "used by the parser",
        ] {
            assert!(!is_about_the_work(remark), "{remark}");
        }
    }
}
