//! Words above a report that say that it is an example, or somebody else's, or an earlier one.

use crate::Entry;
use crate::document::{Document, Kind};
use crate::found::Found;
use crate::lexicon::is_in;

/// The most examples behind a claim.
const MAX_EXAMPLES: usize = 8;
/// Words above an example of a report.
pub(crate) const EXAMPLE: &str = " example examples sample ";
/// Words above what may be one, or a correction: "An answer should now look like this:".
pub(crate) const MODEL: &str = " would should could like ";

/// Whether what begins on this line has one of the words in the title or the sentence above it.
pub(crate) fn is_introduced_by(words: &str, document: &Document<'_>, at: usize) -> bool {
    let mut above = document.lines[..at].iter().rev();
    let line = above.find(|line| !line.is_blank());
    line.is_some_and(|line| {
        let is_sentence = line.text.trim_end_matches(['*', '_', ' ']).ends_with(':');
        let is_title = matches!(line.kind, Kind::Heading(_)) || is_sentence;
        let mut said = line.text.split(|c: char| !c.is_alphanumeric());
        line.kind != Kind::Hidden
            && is_title
            && said.any(|word| is_in(words, &word.to_ascii_lowercase()))
    })
}

/// Removes an example behind the claim, and doubts all files if the last claim may be one.
pub(crate) fn drop_examples_behind(found: &mut Found, document: &Document<'_>) {
    for _ in 0..MAX_EXAMPLES {
        let [.., previous, last] = found.statuses.as_slice() else {
            return;
        };
        let between = found.files.iter().map(|files| files.at);
        let between = between.filter(|at| (previous.at..last.at).contains(at));
        let begins: Vec<_> = between.chain([last.at]).collect();
        let introduced = |words: &str| {
            let mut begins = begins.iter().copied();
            begins.find(|at| is_introduced_by(words, document, *at))
        };
        if introduced(MODEL).is_some() {
            let entries = found.files.iter_mut().flat_map(|files| &mut files.entries);
            entries.for_each(Entry::doubt);
        }
        let Some(begin) = introduced(EXAMPLE) else {
            return;
        };
        found.files.retain(|files| files.at < begin);
        found.statuses.pop();
    }
}

/// A title above words that are not the report itself.
pub(crate) fn is_example(title: &str) -> bool {
    const WORDS: &str = " \
        example examples template format sample previous earlier before old draft expected instructions prompt quoted \
        attempt first ";
    let mut words = title.split(|c: char| !c.is_alphanumeric());
    words.any(|word| is_in(WORDS, &word.to_ascii_lowercase()))
}
