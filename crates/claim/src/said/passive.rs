//! Files that are the subject of what a sentence says: that they were made, or are there.

use crate::sentence::{Sentence, Token};
use crate::{Operation, words};

/// The files that were made, as the subjects of a passive: "`src/a.py` and `src/b.py` have been created".
pub(super) fn made(sentence: &Sentence<'_>) -> Vec<usize> {
    let is_made = |leads: &[Token<'_>], rest: &[Token<'_>]| {
        let is_past = |it: &Token<'_>| matches!(&*it.word, "was" | "were" | "been");
        let verb = rest.first().map_or("", |it| it.word.as_str());
        let is_participle = verb.ends_with("ed") || verb == "written";
        let is_making = words::verb(verb) == Some(Operation::Created) && is_participle;
        is_making && leads.iter().any(is_past)
    };
    subjects(sentence, is_made)
}

/// The files at the beginning of a clause of which is said what `is_said` looks for, by the words that lead to that and
/// those from there on. What may take it back is silence.
pub(super) fn subjects(
    sentence: &Sentence<'_>,
    is_said: impl Fn(&[Token<'_>], &[Token<'_>]) -> bool,
) -> Vec<usize> {
    let tokens = &sentence.tokens;
    let Some(first) = tokens.iter().position(|token| token.is_file) else {
        return Vec::new();
    };
    let files = tokens[first..].iter();
    let files = files.take_while(|it| it.is_file || it.is_noun() || it.word == "and");
    let end = first + files.count();
    let verb = end + tokens[end..].iter().take_while(|it| is_lead(it)).count();
    let takes_back = |it: &Token<'_>| {
        let class = words::closed(&it.word);
        it.is_file || it.is("guard") || matches!(class, Some("negation" | "conjunction"))
    };
    let before = tokens[..first].iter().filter(|it| it.word != "but");
    let mut others = before.chain(tokens[verb..].iter().skip(1));
    let is_known = introduces(&tokens[..first]) && is_said(&tokens[end..verb], &tokens[verb..]);
    if !is_known || sentence.is_asked() || others.any(takes_back) {
        return Vec::new();
    }
    (first..end).filter(|at| tokens[*at].is_file).collect()
}

/// "was", "has been", "does indeed": what may stand between a file and what is said of it.
fn is_lead(token: &Token<'_>) -> bool {
    let is_auxiliary = matches!(
        &*token.word,
        "was" | "were" | "is" | "are" | "has" | "have" | "been" | "does" | "do"
    );
    let is_adverb = matches!(&*token.word, "already" | "indeed" | "successfully");
    is_auxiliary || is_adverb || token.is("lead")
}

/// Whether the words in front of a file let stand what is said of it: none since the last colon or comma, or "I have
/// verified that the file".
fn introduces(front: &[Token<'_>]) -> bool {
    let is_clause = |it: &Token<'_>| it.text.ends_with([':', ',']);
    let clause = front.iter().rposition(is_clause).map_or(0, |at| at + 1);
    front[clause..].iter().all(|it| {
        let is_seen = matches!(&*it.word, "verified" | "confirmed" | "checked" | "confirm");
        let is_filler = matches!(
            &*it.word,
            "i" | "i've" | "have" | "can" | "that" | "and" | "but"
        );
        words::SAID.has(&it.word, "article") || is_seen || is_filler
    })
}
