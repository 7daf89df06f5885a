//! What a line in a list may be besides a file.

use crate::frame::labelled;
use crate::lexicon;
use crate::name::is_one_path;
use crate::split::closed_remark;

/// The title in "<summary>2 files</summary>".
pub(crate) fn summary(tag: &str) -> Option<&str> {
    let text = tag.split_once("<summary>")?.1;
    Some(text.split("</summary>").next().unwrap_or(text).trim())
}

/// The name of a file in a heading, perhaps with a remark, without its number: "1. `src/a.py` (new)".
pub(crate) fn title_of_file(text: &str) -> Option<&str> {
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = number
        .strip_prefix(['.', ')'])
        .and_then(|text| text.strip_prefix(' '));
    let text = behind.unwrap_or(text);
    let name = closed_remark(text).map_or(text, |at| &text[..at]);
    is_one_path(name).then_some(text)
}

/// The text behind pictures and other signs that stand in place of a bullet.
pub(crate) fn without_signs(text: &str) -> &str {
    text.trim_start_matches(|c: char| !c.is_ascii() && !c.is_alphanumeric() || c == ' ')
}

/// "The following files were changed:", but not "Files that I did not touch:".
pub(crate) fn is_lead_in(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let speaks_of_files = lower.contains("files") || lower.contains("following");
    let says_changed = ["change", "modif", "creat", "add", "touch", "edit", "updat"]
        .iter()
        .any(|word| lower.contains(word));
    let denies = [
        "not", "n't", "n’t", "without", "never", "un", "read", "should", "would", "could",
    ]
    .iter()
    .any(|word| lower.contains(word));
    text.ends_with(':') && speaks_of_files && says_changed && !denies
}

/// Whether an item has a label of several words that says nothing about work: "Entry point: src/a.py".
pub(crate) fn has_other_label(text: &str) -> bool {
    let is_known = |word: &str| {
        lexicon::change(word).is_some()
            || lexicon::is_area(word)
            || word.starts_with(|c: char| c.is_ascii_digit())
    };
    labelled(text).0.is_some_and(|label| {
        let mut words = label.split(|c: char| !c.is_alphanumeric());
        label.contains(' ') && !words.any(is_known)
    })
}
