//! Whether a prompt asks for a text about what was done, and for no file: "Write the PR description for this branch".

use crate::sentence::{Sentence, Token, sentences};
use crate::title::title_text;
use crate::words::{closed, is_demand};

/// With these a prompt asks for a text that it describes.
const VERBS: [&str; 10] = [
    "write",
    "draft",
    "compose",
    "prepare",
    "generate",
    "suggest",
    "propose",
    "summarize",
    "give",
    "turn",
];
/// With these it asks for one that it holds, in other words.
const RETELLS: [&str; 7] = [
    "rephrase",
    "reword",
    "paraphrase",
    "translate",
    "proofread",
    "summarize",
    "summarise",
];
/// The texts that are about what was done, and that nobody keeps in a file of the project.
const TEXTS: [&str; 11] = [
    "description",
    "message",
    "summary",
    "body",
    "title",
    "entry",
    "notes",
    "note",
    "update",
    "changelog",
    "report",
];
/// Where a text is that a prompt holds.
const HELD: [&str; 3] = ["above", "below", "conversation"];
/// The most words in front of the verb: "Can you please".
const MOST_LEADS: usize = 3;
/// The most words between the verb and the text.
const MOST_BETWEEN: usize = 6;

/// The words with which a prompt begins, if they ask for a text about a pull request, a commit or a branch, or for one that
/// the prompt holds in other words: what that lists was done before.
#[must_use]
pub fn asks_for_text(prompt: &str) -> Option<&str> {
    let line = prompt.lines().find(|line| !line.trim().is_empty())?;
    let mut first = sentences(line).find(|it| !it.tokens.is_empty())?;
    let colon = first.tokens.iter().position(|it| it.text.ends_with(':'));
    // What stands behind it is the text, or is about it.
    first
        .tokens
        .truncate(colon.map_or(usize::MAX, |colon| colon + 1));
    let holds = colon.is_some() || first.tokens.iter().any(|it| HELD.contains(&&*it.word));
    asks(&first, holds).then(|| title_text(line))
}

fn asks(sentence: &Sentence<'_>, holds: bool) -> bool {
    let tokens = &sentence.tokens;
    let is_work = |pair: &[Token<'_>]| {
        let [first, next] = pair else { return false };
        matches!(&*first.word, "and" | "then") && is_demand(&next.word)
    };
    let retells = |it: &Token<'_>| RETELLS.contains(&&*it.word);
    let is_verb = |it: &Token<'_>| VERBS.contains(&&*it.word) || retells(it);
    let at = tokens.iter().take(MOST_LEADS + 1).position(is_verb);
    let Some(at) = at.filter(|at| !tokens[..*at].iter().any(|it| is_demand(&it.word))) else {
        return false;
    };
    if tokens.iter().any(|it| it.is_file) || tokens[at..].windows(2).any(is_work) {
        return false;
    }
    if holds && retells(&tokens[at]) {
        return true;
    }
    // "A changelog parser" is none, and neither is "an update of the parser: …".
    let is_end = |it: &Token<'_>| it.word == "and" || closed(&it.word).is_some();
    let ends = |at: usize| tokens[at].text.ends_with([':', ',']);
    let is_text = |at: &usize| {
        let next = tokens.get(at + 1);
        TEXTS.contains(&&*tokens[*at].word) && (ends(*at) || next.is_none_or(is_end))
    };
    let mut object = (at + 1..tokens.len()).take(MOST_BETWEEN + 1);
    let Some(text) = object.find(is_text) else {
        return false;
    };
    let is_held = (text..tokens.len()).take(2).any(ends);
    let is_example = tokens[at..text].iter().any(|it| it.word == "example");
    is_held || is_example || sentence.has("others")
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
            (
                "Rephrase: \"I have added src/a.py.\"",
                "Rephrase the intro of src/a.py: it is long",
            ),
            (
                "Translate to English: \"J'ai ajouté src/a.py\"",
                "Translate the labels of the login page",
            ),
            (
                "Proofread this text: I has updated a.py",
                "Proofread the intro and fix it: I has updated a.py",
            ),
            (
                "Summarize the conversation so far.",
                "Summarize what the parser does in docs/a.md",
            ),
            (
                "Turn my bullet points into a status update: created a.py",
                "Turn this module into a package: move a.py",
            ),
            (
                "Write a standup note from: retry done, tests green.",
                "Write an update for the parser: read tabs",
            ),
            (
                "Write a conventional commit message for the staged diff below.",
                "Write a commit message hook",
            ),
            (
                "Write a commit message for: added retries to src/a.py",
                "Write the commit message and add retries",
            ),
            (
                "Give an example of a final report of a coding agent.",
                "Give the report page of the release another colour",
            ),
            (
                "Generate a PR title and body for the diff: +src/a.py",
                "Generate a changelog parser",
            ),
            (
                "Draft the changelog entry for the retries.",
                "Add retries and draft the changelog entry.",
            ),
            (
                "Write the release notes for 1.1 from these commits: add a.py",
                "Write the release notes for 1.1 to docs/a.md",
            ),
        ] {
            assert!(asks_for_text(text).is_some(), "{text}");
            assert!(asks_for_text(work).is_none(), "{work}");
        }
    }
}
