//! What an agent is asked for: to end with the block that attest reads. An agent that ends in prose claims nothing
//! that can be checked against the work tree.

/// Counts the wordings of [`WORDS`]; the log names it, so that what came of one can be told from another.
pub const VERSION: u32 = 1;

/// The words that are added to an agent's context if the person wants it. At most 60: every agent reads them.
pub const WORDS: &str = "\
End your last message with this block, outside of any code fence:

## Handoff
Status: <one of DONE, DONE_WITH_CONCERNS, BLOCKED, NEEDS_CONTEXT>
Files changed:
- <one line for each file that you created, changed or deleted, as its path from the top of the repository; `none` \
if there are none>
";

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
        let claim = attest_claim::parse(WORDS);
        assert_eq!(claim.status, None);
        let names_a_path = |entry: &Entry| matches!(entry.meaning, Meaning::Paths(_));
        assert!(!claim.entries.iter().any(names_a_path), "{claim:?}");
    }
}
