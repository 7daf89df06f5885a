//! What an agent is asked for: to end with the block that attest reads. An agent that ends in prose claims nothing
//! that can be checked against the work tree.

use crate::ui::counted;

/// Counts the wordings of [`WORDS`]; the log names it, so that what came of one can be told from another.
pub const VERSION: u32 = 2;

/// The words for an agent whatever it does. The exception comes first: another program may read the answer.
macro_rules! status {
    () => {
        "\
Unless your answer has a fixed format, end your last message with this block, outside of any code fence:

## Handoff
Status: <one of DONE, DONE_WITH_CONCERNS, BLOCKED, NEEDS_CONTEXT>
"
    };
}

/// The words that are added to an agent's context if the person wants it. At most 60: every agent reads them.
pub const WORDS: &str = concat!(
    status!(),
    "\
Files changed:
- <one line for each file that you created, changed or deleted, as its path from the top of the repository; `none` \
if there are none>
"
);

/// The words for an agent, of which may be known that it only reads.
#[must_use]
pub fn words(only_reads: bool) -> &'static str {
    if only_reads { status!() } else { WORDS }
}

/// What the words cost an agent that reads them.
#[must_use]
pub fn cost() -> String {
    // Four letters or so are a token.
    let tokens = WORDS.len().div_ceil(40) * 10;
    let words = counted(WORDS.split_whitespace().count(), "word");
    format!("{words} (about {tokens} tokens)")
}

/// The words as they can be quoted in a line.
#[must_use]
pub fn in_one_line() -> String {
    let words: Vec<_> = WORDS.split_whitespace().collect();
    format!("\"{}\"", words.join(" "))
}

/// What to do where more than half of the stops claim nothing.
#[must_use]
pub fn advice(stops: usize, without_claim: usize) -> Option<String> {
    (without_claim > stops / 2).then(|| {
        format!(
            "no claim in {without_claim} of {}: `attest ask on` has each new subagent asked for one, and what \
             `attest ask` prints asks for it in a CLAUDE.md or an AGENTS.md",
            counted(stops, "report")
        )
    })
}

#[cfg(test)]
mod tests {
    use attest_claim::{Entry, Meaning};

    use super::*;

    #[test]
    fn the_words_are_few() {
        let count = WORDS.split_whitespace().count();
        assert!(count <= 60, "{count} words");
    }

    /// An agent that hands the form back as it is says nothing with it.
    #[test]
    fn the_form_itself_is_no_claim() {
        for words in [false, true].map(words) {
            let claim = attest_claim::parse(words);
            assert_eq!(claim.status, None);
            let names_a_path = |entry: &Entry| matches!(entry.meaning, Meaning::Paths(_));
            assert!(!claim.entries.iter().any(names_a_path), "{claim:?}");
        }
    }

    /// What an agent makes of the words is read, with and without what surrounds the places to fill in.
    #[test]
    fn what_is_filled_in_is_a_claim() {
        let item = WORDS.split_once("- <").unwrap().0;
        let filled = item.replace(
            "<one of DONE, DONE_WITH_CONCERNS, BLOCKED, NEEDS_CONTEXT>",
            "DONE",
        );
        let claim = attest_claim::parse(&format!("{filled}- src/a.py\n"));
        assert_eq!(claim.status, Some(attest_claim::Status::Done));
        assert!(matches!(claim.entries[0].meaning, Meaning::Paths(_)));
    }

    #[test]
    fn half_of_the_stops_are_no_reason_for_advice() {
        assert_eq!(advice(0, 0), None);
        assert_eq!(advice(2, 1), None);
        assert!(advice(1, 1).is_some_and(|it| it.starts_with("no claim in 1 of 1 report:")));
        assert!(advice(3, 2).is_some_and(|it| it.starts_with("no claim in 2 of 3 reports:")));
    }
}
