//! Whether a prompt asks for little of a file: "Make a.py a one-liner", "a.py should hold the signature and no more".

use std::collections::BTreeSet;

use crate::words::{closed, is_demand, words_of};

/// What a prompt says of how little is to be in files, read once for all files that it is asked about.
#[derive(Debug)]
pub struct Little {
    /// Those that say so of anything, in lower case.
    paragraphs: Vec<Paragraph>,
}

#[derive(Debug)]
struct Paragraph {
    text: String,
    /// Whether it says so whatever else it names.
    is_limited: bool,
    /// The words behind "only", one of which may be of a file's own name.
    content: BTreeSet<String>,
}

impl Little {
    /// Reads a prompt.
    #[must_use]
    pub fn of(prompt: &str) -> Self {
        let paragraphs = prompt.split("\n\n").map(Paragraph::of);
        let is_any = |it: &Paragraph| it.is_limited || !it.content.is_empty();
        Self {
            paragraphs: paragraphs.filter(is_any).collect(),
        }
    }

    /// Whether a paragraph that names the file, without its ending at least, says that little is to be in it. One that
    /// says which files are to be changed at all says nothing of that: "Edit only a.py", "Only fix a.py".
    #[must_use]
    pub fn is_asked_of(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        let name = path.rsplit(['/', '\\']).next().unwrap_or(&path);
        let stem = name.rsplit_once('.').map_or(name, |it| it.0);
        let is_of_path = |word: &str| words_of(&path, "").any(|part| part == word);
        let is_of_it = |it: &Paragraph| {
            let is_content = || it.content.iter().any(|word| !is_of_path(word));
            it.text.contains(stem) && (it.is_limited || is_content())
        };
        !stem.is_empty() && self.paragraphs.iter().any(is_of_it)
    }
}

impl Paragraph {
    fn of(text: &str) -> Self {
        let text = text.to_lowercase();
        let (mut is_limited, mut is_begun) = (false, false);
        let mut content = BTreeSet::new();
        let (mut before, mut last) = ("", "");
        for word in words_of(&text, "").chain([""]) {
            let is_only = matches!(last, "only" | "just" | "merely");
            let is_all = is_only || (before, last) == ("nothing", "but");
            if is_all && !is_demand(word) && closed(word) != Some("preposition") {
                content.insert(word.to_owned());
            }
            is_limited |= matches!((last, word), ("no" | "nothing", "more") | ("down", "to"))
                || word == "liner"
                || word == "over" && is_begun;
            is_begun |= matches!(word, "start" | "begin");
            (before, last) = (last, word);
        }
        Self {
            text,
            is_limited,
            content,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each beside what is most like it and asks for a change only.
    #[test]
    fn a_prompt_asks_for_little_of_a_file_or_for_a_change_of_it() {
        for (little, change) in [
            (
                "Start a.py over: only the signature",
                "Start with a.py, then go on.",
            ),
            ("Boil a down to the parser", "Write down what a.py does."),
            ("Make src/a.py a one-liner", "Fix line one of src/a.py"),
            (
                "`a.py` should hold the parser and no more",
                "Add more to `a.py`.",
            ),
            (
                "In a.py keep just the parser.",
                "Just fix the parser in a.py.",
            ),
            (
                "a.py is to have nothing but types",
                "Change nothing but src/a.py",
            ),
            ("Only the types belong in a.py", "Edit only src/a.py."),
        ] {
            assert!(Little::of(little).is_asked_of("src/a.py"), "{little}");
            assert!(!Little::of(change).is_asked_of("src/a.py"), "{change}");
        }
        let prompt = Little::of("Read bb.py.\n\nOnly the types count.");
        assert!(!prompt.is_asked_of("src/bb.py"));
    }
}
