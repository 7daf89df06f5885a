//! The words that agents write in the place of a path.

use std::borrow::Cow;

use crate::shape::{is_path, trim_end};

/// Removes HTML comments, which are not part of what a line says.
pub(crate) fn uncommented(text: &str) -> Cow<'_, str> {
    if !text.contains("<!--") {
        return Cow::Borrowed(text);
    }
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        plain.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    Cow::Owned(plain.trim().to_owned())
}

/// Nothing was changed, said in one of the usual ways.
pub(crate) fn is_empty_form(text: &str) -> bool {
    let lower = text
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_ascii_lowercase();
    let mut words = lower
        .split(|c: char| c.is_whitespace() || c == '_')
        .filter(|word| !word.is_empty());
    let Some(first) = words.next() else {
        return true;
    };
    let second = words.next().unwrap_or_default();
    let rest = [second].into_iter().chain(words);
    match trim_end(first) {
        "none" | "nothing" | "n/a" | "n.a" | "nil" | "null" => !rest.into_iter().any(is_named),
        "no" | "zero" | "0" => match trim_end(second) {
            "" => true,
            "file" | "files" | "change" | "changes" | "code" | "source" | "new" | "edits"
            | "modifications" | "repo" | "repository" => !rest.into_iter().any(is_named),
            _ => false,
        },
        "not" => trim_end(second) == "applicable" && !rest.into_iter().any(is_named),
        "na" | "empty" => second.is_empty(),
        _ => false,
    }
}

fn is_named(word: &str) -> bool {
    is_path(trim_end(word.trim_matches(['`', '(', ')', '"'])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_other_words() {
        for text in [
            "",
            "—",
            "None.",
            "(none)",
            "n/a",
            "No files were modified",
            "0 files",
        ] {
            assert!(is_empty_form(text), "{text}");
        }
        for text in [
            "none.py",
            "no.py",
            "No idea",
            "none besides a.py",
            "not a repository",
            "empty.txt",
        ] {
            assert!(!is_empty_form(text), "{text}");
        }
    }

    #[test]
    fn comments_say_nothing() {
        assert_eq!(uncommented("a <!-- b --> c<!-- d"), "a  c");
        assert_eq!(uncommented("a --> b"), "a --> b");
    }
}
