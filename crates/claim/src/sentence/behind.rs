//! What stands behind a file in a sentence that tells of a deed.

use super::Token;
use crate::words::{self, DESCRIBES};

/// How many words of what a preposition leads to are looked at.
const MOST_BEHIND: usize = 5;

/// Whether words behind a file make it the part of another thing, or what is said is not done to it: "added `src/a.py` to
/// the list", "deleted `src/a.py` from the plan", "wrote `src/a.py` in my head". What a preposition leads to has to be
/// understood: a place of the project, code, or what it was done for.
pub(crate) fn is_part_of_another(tokens: &[Token<'_>], file: usize) -> bool {
    let mut at = file;
    // "`a.py`, `b.py` and `c.py`", "`a.py` with `b.py`"
    while let Some(next) = next_file(tokens, at) {
        at = next;
    }
    let is_named = tokens.get(at + 1).is_some_and(Token::is_noun);
    at += usize::from(is_named && !ends_clause(&tokens[at]));
    if ends_clause(&tokens[at]) {
        return false;
    }
    // "(below)"
    let is_below = |it: &Token<'_>| it.text.starts_with('(') && words::ROLES.has(&it.word, "place");
    if tokens[at..].iter().any(is_below) {
        return true;
    }
    let Some(next) = tokens.get(at + 1).filter(|next| !next.follows_dash) else {
        return false;
    };
    let rest = tokens.get(at + 2..).unwrap_or_default();
    let end = rest
        .iter()
        .position(ends_clause)
        .map_or(rest.len(), |end| end + 1);
    let object = &rest[..end.min(MOST_BEHIND)];
    let has_code = || object.iter().any(is_code);
    let has_thing = || object.iter().any(|it| words::is_thing(&it.word)) || has_code();
    // "updated `package.json` to the newest version"
    let verb = tokens[..file]
        .iter()
        .rfind(|it| words::verb(&it.word).is_some());
    let moving = ["created", "moved", "deleted"];
    let moves = verb.is_none_or(|verb| words::VERBS.has_any(&verb.word, &moving));
    let is_understood = match &*next.word {
        "to" if !moves || is_purpose(rest) => true,
        "to" => object.first().is_some_and(is_code) || has_place(object),
        "from" | "in" | "on" | "onto" => has_code() || has_place(object),
        // "as you asked", "as planned"
        "as" if object.first().is_some_and(is_clause) => true,
        "as" | "for" | "into" => has_thing(),
        _ => true,
    };
    !is_understood
}

fn next_file(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let joins = |it: &Token<'_>| matches!(&*it.word, "and" | "with" | "by" | "to");
    let behind = at + 1 + usize::from(tokens.get(at + 1).is_some_and(joins));
    tokens.get(behind)?.is_file.then_some(behind)
}

fn ends_clause(token: &Token<'_>) -> bool {
    token.text.ends_with([',', '.', ':', ';', '!', ')'])
}

fn is_clause(token: &Token<'_>) -> bool {
    words::closed(&token.word) == Some("pronoun") || token.word.ends_with("ed")
}

fn is_code(token: &Token<'_>) -> bool {
    token.is_file || token.text.starts_with('`') || token.text.contains('/')
}

/// "to use the parser", "to avoid it", but not "to phase 2", "to the list"
fn is_purpose(rest: &[Token<'_>]) -> bool {
    let Some(verb) = rest.first() else {
        return false;
    };
    let is_known = words::is_demand(&verb.word) || DESCRIBES.contains(&verb.word);
    let has_object = || rest.get(1).is_some_and(|it| it.is("object") || is_code(it));
    words::closed(&verb.word).is_none() && (is_known || has_object())
}

/// "the repository", "this folder"
fn has_place(object: &[Token<'_>]) -> bool {
    object.iter().any(|it| {
        matches!(
            &*it.word,
            "codebase"
                | "directory"
                | "disk"
                | "folder"
                | "place"
                | "places"
                | "project"
                | "repo"
                | "repository"
                | "tree"
        )
    })
}
