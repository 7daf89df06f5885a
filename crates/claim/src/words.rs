//! The words that agents write where a path could stand.

use std::borrow::Cow;

use crate::lexicon::is_in;
use crate::shape::{is_path, trim_end};

/// Without HTML comments, which are no part of what a line says.
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

/// A single word that says something about files, and is never the name of one.
pub(crate) fn is_remark(word: &str) -> bool {
    const WORDS: &str = " \
        yes no ok done tbd todo pending unknown unchanged various several multiple many all both only also \
        too new created added modified updated changed edited deleted removed renamed moved committed staged \
        true false above below complete completed same see and or and/or file files path paths list filename \
        none nothing n/a ";
    is_in(
        WORDS,
        &trim_end(word.trim_matches(['(', ')'])).to_ascii_lowercase(),
    )
}

/// A word that sentences are made of, and names of files rarely.
pub(crate) fn is_stop_word(word: &str) -> bool {
    const WORDS: &str = " \
        the in to of for was were is are be i we it this that these only see from with within under inside \
        by on via into also now no not touched changed updated added removed modified edited created deleted \
        fixed renamed moved committed per like plus including e.g. i.e. all both which because read reviewed \
        did didn't using uses ";
    is_in(WORDS, &trim_end(word).to_ascii_lowercase())
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
