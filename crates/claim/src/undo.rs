//! Whether a text speaks of taking a file back, or may: a prompt that asks for it, a report that says it was done.

use crate::loss_in;
use crate::words::{UNDOES, words_of};

/// What says the same in two words.
const PHRASES: [&str; 6] = [
    "start over",
    "roll back",
    "throw away",
    "clean up",
    "clean tree",
    "get rid",
];

/// What a text says of taking files back, read once for all files that it is asked about.
#[derive(Debug)]
pub struct TakingBack {
    /// `None` if it is said of any file, or may be.
    lower: Option<String>,
    /// Whether it speaks of taking something away.
    has_loss: bool,
}

impl TakingBack {
    /// Reads a text. One with letters beyond ASCII may say anything.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let lower = text.to_lowercase();
        let is_of_any = text.contains(|c: char| c.is_alphabetic() && !c.is_ascii())
            || words_of(&lower, "").any(|word| UNDOES.contains(word))
            || PHRASES.iter().any(|phrase| lower.contains(phrase));
        Self {
            has_loss: !is_of_any && loss_in(&lower).is_some(),
            lower: (!is_of_any).then_some(lower),
        }
    }

    /// Whether it speaks of taking back what was done, whatever file that is; or of taking something away, and names a
    /// file as this path does.
    #[must_use]
    pub fn may_be_of(&self, path: &str) -> bool {
        let Some(lower) = &self.lower else {
            return true;
        };
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let name = name.to_lowercase();
        let stem = name.rsplit_once('.').map_or(name.as_str(), |it| it.0);
        self.has_loss && !stem.is_empty() && lower.contains(stem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_takes_something_back() {
        for text in [
            "Revert the last change.",
            "I restored the file from HEAD, since it broke the build.",
            "The parser went wrong, please redo it.",
            "Start over from scratch.",
            "Throw away what is not committed, then run the tests.",
            "Remove the old parser and all that src/parser.py has left.",
            "Merge parser and lexer into one module.",
            "\u{64a4}\u{9500}\u{66f4}\u{6539}",
            "Annule les d\u{e9}rniers changements.",
        ] {
            assert!(TakingBack::of(text).may_be_of("src/parser.py"), "{text}");
        }
        for text in [
            "Add a lexer in src/lexer.py, with tests.",
            "Update the parser so that it reads comments.",
            "Remove the old lexer.",
            "",
        ] {
            assert!(!TakingBack::of(text).may_be_of("src/parser.py"), "{text}");
        }
    }
}
