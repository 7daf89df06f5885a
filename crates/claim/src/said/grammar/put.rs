//! Files into which a sentence says that something was put: a plan, or the report itself.

use super::{changed, is_within_object, verbs};
use crate::sentence::{Sentence, Token};
use crate::words;

/// Words in front of a participle that has no other verb: "Plan complete and saved to docs/plan.md".
const MOST_IN_FRONT: usize = 6;

/// "The review has been written to docs/review.md", "Plan complete and saved to docs/plan.md", "New file created:
/// docs/plan.md".
pub(super) fn perfect(sentence: &Sentence<'_>) -> Option<usize> {
    let tokens = &sentence.tokens;
    let at = tokens.iter().position(is_put)?;
    let is_label = tokens[at].text.trim_end_matches(['*', '_']).ends_with(':');
    let is_into = tokens.get(at + 1).is_some_and(|it| it.is("into"));
    let file = if is_label { at + 1 } else { at + 2 };
    let front = &tokens[..at];
    let is_perfect = matches!(front, [.., has, been] if been.word == "been" && matches!(&*has.word, "has" | "have"));
    let is_state = |it: &Token<'_>| it.is("state") || it.is("relative") || it.is_file;
    let is_short = at <= MOST_IN_FRONT && !front.iter().any(is_state);
    let is_said = (is_label && is_short) || is_into && (is_perfect || is_short);
    (is_said && tokens.get(file)?.is_file).then_some(file)
}

/// "I have written the review to docs/review.md"
pub(super) fn document(sentence: &Sentence<'_>) -> Option<usize> {
    let tokens = &sentence.tokens;
    verbs(sentence).into_iter().find_map(|verb| {
        let behind = &tokens[verb + 1..];
        let file = behind.iter().position(|it| it.is_file)?;
        let (into, object) = behind[..file].split_last()?;
        let is_written = is_put(&tokens[verb]) || tokens[verb].word == "wrote";
        let is_into = into.is("into") && into.word != "on";
        let is_report = |it: &Token<'_>| is_report(it) && !words::SAID.has(&it.word, "toward");
        let is_document =
            object.last().is_some_and(is_report) && object.iter().all(is_within_object);
        (is_written && is_into && is_document).then_some(verb + 1 + file)
    })
}

/// The file into which a sentence says that the report was put, or the review that it is of.
pub(in crate::said) fn puts_report_into(sentence: &Sentence<'_>) -> Option<usize> {
    let at = perfect(sentence).or_else(|| document(sentence))?;
    let is_said = changed(sentence).iter().any(|(file, _)| *file == at);
    (is_said && sentence.tokens[..at].iter().any(is_report)).then_some(at)
}

fn is_report(token: &Token<'_>) -> bool {
    !token.is_file && (token.is("report") || token.is("study"))
}

/// "The review has been written to:"
pub(in crate::said) fn ends_in_front_of_a_file(all: &[Sentence<'_>]) -> bool {
    let last = all.iter().rfind(|it| !it.tokens.is_empty());
    last.is_some_and(|last| match last.tokens.as_slice() {
        [.., verb, into] => is_put(verb) && into.is("into") && !last.is_guarded(),
        _ => false,
    })
}

/// A participle of what is put into a file.
fn is_put(token: &Token<'_>) -> bool {
    words::SAID.has(&token.word, "put")
}
