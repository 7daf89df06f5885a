//! The state of the work tree: "Working tree: clean".

use super::Says;

/// Whether the value is no more than that word, or what `git status` prints.
pub(super) fn read(text: &str) -> Option<Says> {
    let is_mark = |c: char| !c.is_alphanumeric();
    let text = text.trim_matches(is_mark).to_ascii_lowercase();
    matches!(
        &*text,
        "clean" | "yes" | "nothing to commit" | "nothing to commit, working tree clean"
    )
    .then_some(Says::CleanTree)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_word_alone_says_it() {
        for text in ["clean", "Clean.", "✅ clean", "`nothing to commit`"] {
            assert_eq!(read(text), Some(Says::CleanTree), "{text}");
        }
        for text in [
            "not clean",
            "clean except for logs",
            "",
            "dirty",
            "to be clean",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
