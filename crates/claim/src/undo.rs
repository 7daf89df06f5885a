//! Whether a prompt asks for a file to be taken back, or may ask for it.

use crate::loss_in;
use crate::words::{UNDOES, words_of};

/// What says the same in two words.
const PHRASES: [&str; 5] = [
    "start over",
    "roll back",
    "throw away",
    "clean up",
    "get rid",
];

/// Whether a prompt asks to take back what was done, whatever file that is; or takes something away, and names a file
/// as this path does. One in another script than the Latin may ask for anything.
#[must_use]
pub fn asks_to_undo(prompt: &str, path: &str) -> bool {
    let lower = prompt.to_lowercase();
    if prompt.contains(|c: char| c.is_alphabetic() && !c.is_ascii()) {
        return true;
    }
    if words_of(&lower, "").any(|word| UNDOES.contains(word))
        || PHRASES.iter().any(|phrase| lower.contains(phrase))
    {
        return true;
    }
    let name = path
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(path)
        .to_lowercase();
    let stem = name
        .rsplit_once('.')
        .map_or(name.as_str(), |(stem, _)| stem);
    !stem.is_empty() && lower.contains(stem) && loss_in(&lower).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_that_takes_something_back() {
        for prompt in [
            "Revert the last change.",
            "The parser went wrong, please redo it.",
            "Start over from scratch.",
            "Throw away what is not committed, then run the tests.",
            "Remove the old parser and all that src/parser.py has left.",
            "Merge parser and lexer into one module.",
            "\u{64a4}\u{9500}\u{66f4}\u{6539}",
            "Annule les d\u{e9}rniers changements.",
        ] {
            assert!(asks_to_undo(prompt, "src/parser.py"), "{prompt}");
        }
        for prompt in [
            "Add a lexer in src/lexer.py, with tests.",
            "Update the parser so that it reads comments.",
            "Remove the old lexer.",
            "",
        ] {
            assert!(!asks_to_undo(prompt, "src/parser.py"), "{prompt}");
        }
    }
}
