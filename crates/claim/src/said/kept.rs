//! What a sentence says to have been committed and pushed, and of the work tree.

use super::prose::as_written;
use crate::assertion::Topic;
use crate::sentence::{Sentence, Token};
use crate::{Assertion, Says};
use attest_shell::text::is_one_of;

/// What a sentence may call what it says to be committed, and a work tree that it says to be clean.
const WORK: &str = "all everything it my of work the these changes edits files";
const TREE: &str = "the git working work tree directory status worktree";

/// What a sentence about the speaker's deeds says of git, if that is understood as the value of a key would be:
/// "Committed as `1a2b3c4`", "Rebased on main and pushed to origin", "All changes are committed", "The working tree is
/// clean."
pub(super) fn kept(sentence: &Sentence<'_>) -> Vec<Assertion> {
    let tokens = &sentence.tokens;
    if is_clean(tokens) && !sentence.is_guarded() {
        let raw = as_written(sentence);
        return vec![Assertion {
            raw,
            says: Says::CleanTree,
        }];
    }
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
        if verb.word == "committed" && is_all(&tokens[at + 1..]) {
            let raw = text.clone();
            found.push(Assertion {
                raw,
                says: Says::Committed,
            });
        }
        found.extend(Topic::Commits.read(names));
    }
    found
}

/// Whether nothing is said behind "committed" but of what, and that it was pushed.
fn is_all(behind: &[Token<'_>]) -> bool {
    let is_of_work = |it: &Token<'_>| is_one_of(WORK, &it.word);
    let mut rest = behind
        .iter()
        .skip_while(|it| is_of_work(it))
        .map(|it| &*it.word);
    matches!(
        (rest.next(), rest.next()),
        (None, _) | (Some("and"), Some("pushed"))
    )
}

/// "The working tree is now clean."
fn is_clean(tokens: &[Token<'_>]) -> bool {
    let Some((last, subject)) = tokens.split_last() else {
        return false;
    };
    let is_subject =
        |it: &Token<'_>| is_one_of(TREE, &it.word) || matches!(&*it.word, "is" | "now");
    let is_named =
        |it: &Token<'_>| matches!(&*it.word, "tree" | "worktree" | "directory" | "status");
    last.word == "clean" && subject.iter().all(is_subject) && subject.iter().any(is_named)
}

/// "Fixed", "I have", "All changes": no other speaker, and nothing else that may have been pushed somewhere.
fn begins_with_deed(tokens: &[Token<'_>]) -> bool {
    let first = tokens.iter().find(|it| !is_lead(it));
    first.is_some_and(|it| it.word.ends_with("ed"))
}

fn is_lead(token: &Token<'_>) -> bool {
    matches!(
        &*token.word,
        "i" | "i've"
            | "have"
            | "has"
            | "been"
            | "all"
            | "everything"
            | "the"
            | "my"
            | "changes"
            | "work"
            | "is"
            | "are"
            | "now"
            | "and"
            | "it"
    )
}
