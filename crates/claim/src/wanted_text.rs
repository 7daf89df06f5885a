//! Whether a prompt asks for a text about what was done, and for no file: "Write the PR description for this branch".

use crate::sentence::{Sentence, Token, sentences};
use crate::title::title_text;

/// With these a prompt asks for a text.
const VERBS: [&str; 8] = [
    "write",
    "draft",
    "compose",
    "prepare",
    "generate",
    "suggest",
    "propose",
    "summarize",
];
/// The texts that are about what was done, and that nobody keeps in a file of the project.
const TEXTS: [&str; 4] = ["description", "message", "summary", "body"];
/// The most words in front of the verb: "Can you please".
const MOST_LEADS: usize = 3;
/// The most words between the verb and the text.
const MOST_BETWEEN: usize = 5;

/// The words with which a prompt begins, if they ask for a text about a pull request, a commit or a branch: what that lists
/// was done before.
#[must_use]
pub fn asks_for_text(prompt: &str) -> Option<&str> {
    let line = prompt.lines().find(|line| !line.trim().is_empty())?;
    let first = sentences(line).find(|it| !it.tokens.is_empty())?;
    asks(&first).then(|| title_text(line))
}

fn asks(sentence: &Sentence<'_>) -> bool {
    let tokens = &sentence.tokens;
    let is_verb = |it: &Token<'_>| VERBS.contains(&&*it.word);
    let Some(at) = tokens.iter().take(MOST_LEADS + 1).position(is_verb) else {
        return false;
    };
    let mut object = tokens[at + 1..].iter().take(MOST_BETWEEN + 1);
    object.any(|it| TEXTS.contains(&&*it.word))
        && sentence.has("others")
        && !tokens.iter().any(|it| it.is_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each beside what is most like it and asks for work.
    #[test]
    fn a_prompt_asks_for_a_text_or_for_work() {
        for (text, work) in [
            (
                "Write the PR description for this branch",
                "Write the parser for this branch",
            ),
            (
                "Please draft a commit message.",
                "Please draft docs/commit.md, with a message.",
            ),
            (
                "Can you write a summary of the last commits?",
                "Can you fix the summary of the last commits?",
            ),
            (
                "Write the PR body.\n\nIt should be short.",
                "Fix the parser.\n\nThen write the PR body.",
            ),
            (
                "Write the commit message",
                "Write the message for an unknown user",
            ),
        ] {
            assert!(asks_for_text(text).is_some(), "{text}");
            assert!(asks_for_text(work).is_none(), "{work}");
        }
    }
}
