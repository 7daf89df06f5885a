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

/// Whether a text speaks of taking back what was done, whatever file that is; or of taking something away, and names a
/// file as this path does. One with letters beyond ASCII may say anything.
#[must_use]
pub fn speaks_of_undoing(text: &str, path: &str) -> bool {
    let lower = text.to_lowercase();
    if text.contains(|c: char| c.is_alphabetic() && !c.is_ascii()) {
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

/// Whether a text has the path of a file, or that of a folder above it, as a word of its own, or the name of the file.
#[must_use]
pub fn names_file(text: &str, path: &str) -> bool {
    let path = path.trim_start_matches("./").to_lowercase();
    let text = text.to_lowercase();
    let signs = |c: char| c.is_whitespace() || "`\"'(),;:".contains(c);
    let words = text.split(signs).map(|word| {
        let word = word.trim_start_matches("./");
        word.trim_end_matches(['.', '!', '?', '/'])
    });
    words.filter(|word| !word.is_empty()).any(|word| {
        let is_above = || {
            path.strip_prefix(word)
                .is_some_and(|it| it.starts_with('/'))
        };
        let is_end = || path.strip_suffix(word).is_some_and(|it| it.ends_with('/'));
        path == word || is_above() || is_end()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_names_a_file() {
        for text in [
            "Make src/api/cart.py what it was.",
            "bring the folder src back",
            "git checkout main -- ./src/api/",
            "Why is `cart.py` red?",
        ] {
            assert!(names_file(text, "src/api/cart.py"), "{text}");
        }
        for text in [
            "Write src/api/y.py.",
            "the cart",
            "git checkout .",
            "git checkout -- api.py",
            "",
        ] {
            assert!(!names_file(text, "src/api/cart.py"), "{text}");
        }
    }

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
            assert!(speaks_of_undoing(text, "src/parser.py"), "{text}");
        }
        for text in [
            "Add a lexer in src/lexer.py, with tests.",
            "Update the parser so that it reads comments.",
            "Remove the old lexer.",
            "",
        ] {
            assert!(!speaks_of_undoing(text, "src/parser.py"), "{text}");
        }
    }
}
