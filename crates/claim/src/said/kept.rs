//! What a sentence says to have been committed and pushed.

use super::prose::as_written;
use crate::Assertion;
use crate::assertion::Topic;
use crate::sentence::{Sentence, Token};

/// What a sentence about the speaker's deeds says of git, if that is understood as the value of a key would be:
/// "Committed as `1a2b3c4`", "Rebased on main and pushed to origin."
pub(super) fn kept(sentence: &Sentence<'_>) -> Vec<Assertion> {
    let tokens = &sentence.tokens;
    let is_kept = |it: &Token<'_>| matches!(&*it.word, "committed" | "pushed" | "force-pushed");
    // Most sentences say nothing of it.
    if !tokens.iter().any(is_kept) || !begins_with_deed(tokens) || sentence.is_guarded() {
        return Vec::new();
    }
    let text = as_written(sentence);
    let mut found = Vec::new();
    for (at, verb) in tokens.iter().enumerate().filter(|(_, it)| is_kept(it)) {
        let joins = |it: &Token<'_>| it.text.ends_with(',') || it.word == "and";
        let is_joined = tokens[..at].last().is_some_and(joins) || tokens[..at].iter().all(is_lead);
        let Some((_, behind)) = text.split_once(verb.text).filter(|_| is_joined) else {
            continue;
        };
        let behind = behind.trim_end_matches('.');
        let (place, names) = behind.split_once(" as ").unwrap_or((behind, ""));
        if verb.word != "committed" {
            found.extend(Topic::Pushed.read(&format!("pushed {place}")));
        }
        found.extend(Topic::Commits.read(names));
    }
    found
}

/// "Fixed", "I have", "All changes": no other speaker, and nothing else that may have been pushed somewhere.
fn begins_with_deed(tokens: &[Token<'_>]) -> bool {
    let first = tokens.iter().find(|it| !is_lead(it));
    first.is_some_and(|it| it.word.ends_with("ed"))
}

fn is_lead(token: &Token<'_>) -> bool {
    matches!(
        &*token.word,
        "i" | "i've" | "have" | "all" | "everything" | "changes" | "is" | "are" | "and" | "it"
    )
}
