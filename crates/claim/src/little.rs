//! Whether a prompt asks for little of a file: "Make a.py a one-liner", "a.py should hold the signature and no more".

use crate::words::{closed, is_demand, words_of};

/// Whether a paragraph that names the file, without its ending at least, says that little is to be in it. One that says
/// which files are to be changed at all says nothing of that: "Edit only a.py", "Only fix a.py".
#[must_use]
pub fn asks_for_little(prompt: &str, path: &str) -> bool {
    let path = path.to_lowercase();
    let name = path.rsplit(['/', '\\']).next().unwrap_or(&path);
    let stem = name.rsplit_once('.').map_or(name, |it| it.0);
    let prompt = prompt.to_lowercase();
    let mut paragraphs = prompt.split("\n\n").filter(|it| it.contains(stem));
    !stem.is_empty() && paragraphs.any(|text| is_limited(text, &path))
}

fn is_limited(text: &str, path: &str) -> bool {
    let words: Vec<_> = words_of(text, "").collect();
    let is_of_path = |word: &str| words_of(path, "").any(|part| part == word);
    let is_content =
        |next: &str| !is_demand(next) && closed(next) != Some("preposition") && !is_of_path(next);
    let is_begun = |before: &[&str]| before.iter().any(|word| matches!(*word, "start" | "begin"));
    words.iter().enumerate().any(|(at, word)| {
        let behind = |count: usize| words.get(at + count).copied().unwrap_or_default();
        match (*word, behind(1)) {
            ("only" | "just" | "merely", next) => is_content(next),
            ("nothing", "but") => is_content(behind(2)),
            ("no" | "nothing", "more") | ("down", "to") | ("liner", _) => true,
            ("over", _) => is_begun(&words[..at]),
            _ => false,
        }
    })
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
            assert!(asks_for_little(little, "src/a.py"), "{little}");
            assert!(!asks_for_little(change, "src/a.py"), "{change}");
        }
        assert!(!asks_for_little(
            "Read bb.py.\n\nOnly the types count.",
            "src/bb.py"
        ));
    }
}
