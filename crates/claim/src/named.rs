//! The words of a text that may each be a file or a folder.

use std::collections::HashSet;

/// How many folders a path may have above it that are looked for.
const MOST_FOLDERS: usize = 256;

/// The words of texts, read once for all files that they are asked about.
#[derive(Debug, Default)]
pub struct Named(HashSet<String>);

impl Named {
    /// Reads a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut named = Self::default();
        named.add(text);
        named
    }

    /// Reads one more.
    pub fn add(&mut self, text: &str) {
        let text = text.to_lowercase();
        let signs = |c: char| c.is_whitespace() || "`\"'(),;:".contains(c);
        let words = text.split(signs).map(|word| {
            let word = word.trim_start_matches("./");
            word.trim_end_matches(['.', '!', '?', '/'])
        });
        for word in words {
            if !self.0.contains(word) {
                self.0.insert(word.to_owned());
            }
        }
    }

    /// Whether the path of a file, or that of a folder above it, is a word of its own, or the end of the path is. One
    /// of more folders than are looked for may be.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        let path = path.trim_start_matches("./").to_lowercase();
        let is_word = |part: &str| !part.is_empty() && self.0.contains(part);
        let mut cuts = path.match_indices('/').enumerate();
        is_word(&path)
            || cuts.any(|(count, (at, _))| {
                count >= MOST_FOLDERS || is_word(&path[..at]) || is_word(&path[at + 1..])
            })
    }
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
            assert!(Named::of(text).has("src/api/cart.py"), "{text}");
        }
        for text in [
            "Write src/api/y.py.",
            "the cart",
            "git checkout .",
            "git checkout -- api.py",
            "",
        ] {
            assert!(!Named::of(text).has("src/api/cart.py"), "{text}");
        }
    }

    #[test]
    fn a_path_of_more_folders_than_are_looked_for_may_be_named() {
        let deep = |folders: usize| "a/".repeat(folders) + "b.py";
        assert!(!Named::of("c.py").has(&deep(MOST_FOLDERS)));
        assert!(Named::of("c.py").has(&deep(MOST_FOLDERS + 1)));
    }
}
