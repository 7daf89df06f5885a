//! What a line of a list may be besides an item.

use crate::path::is_one_path;
use crate::words;

/// The name of a file in a heading, perhaps with a remark, without its number: "1. `src/a.py` (new)".
pub(super) fn title_of_file(text: &str) -> Option<&str> {
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = number
        .strip_prefix(['.', ')'])
        .and_then(|text| text.strip_prefix(' '));
    let text = behind.unwrap_or(text);
    let name = text.split_once(" (").map_or(text, |(name, _)| name);
    is_one_path(name).then_some(text)
}

/// The text behind pictures and other signs that stand in place of a bullet.
pub(super) fn without_signs(text: &str) -> &str {
    text.trim_start_matches(|c: char| !c.is_ascii() && !c.is_alphanumeric() || c == ' ')
}

/// "The following files were changed:", but not "Files that I did not touch:".
pub(super) fn is_lead_in(text: &str) -> bool {
    let words: Vec<_> = text
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .map(str::to_lowercase)
        .collect();
    let is_known = |word: &String| {
        matches!(words::key(word), Some("noun" | "filler"))
            || words::change(word).is_some()
            || matches!(
                word.as_str(),
                "" | "following" | "these" | "things" | "here" | "are" | "is"
            )
    };
    text.ends_with(':')
        && words.iter().all(is_known)
        && words.iter().any(|word| words::change(word).is_some())
}
