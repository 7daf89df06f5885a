//! A line of prose: what marks it as a title, and the code and names in it.

use std::path::Path;

use crate::markdown::Line;
use crate::path::shape::is_file;
use crate::path::{bare, without_position};
use crate::sentence::Sentence;
use crate::{Entry, Remark};

/// How much of a sentence is kept, in bytes.
const MAX_SENTENCE_BYTES: usize = 200;
/// What stands for a space in a piece of code.
const SPACE_OF_CODE: char = '\u{b7}';

/// A heading, or a line that begins in bold letters.
pub(super) fn is_marked_title(line: &Line<'_>) -> bool {
    line.level().is_some() || !line.is_item && line.text.starts_with("**")
}

pub(super) fn is_bold(text: &str) -> bool {
    text.starts_with("**") && text.trim_end_matches(':').ends_with("**")
}

pub(super) fn leads_in(text: &str) -> bool {
    text.trim_end_matches(['*', '_', ' ']).ends_with(':')
}

/// The name in a token of prose, without what stands around it.
pub(super) fn name_in(token: &str) -> &str {
    let link = token
        .split_once("](")
        .map(|(_, target)| target.trim_end_matches(|c: char| !c.is_alphanumeric()));
    let name = link.unwrap_or(token);
    let name = name.trim_start_matches(['(', '[', '*', '`', '"', '\'', '“', ':']);
    let name = name.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'));
    without_position(bare(name))
}

/// The words of a sentence whose code is one word each.
pub(super) fn as_written(sentence: &Sentence<'_>) -> String {
    let words: Vec<_> = sentence.tokens.iter().map(|token| token.text).collect();
    let text = words.join(" ").replace(SPACE_OF_CODE, " ");
    text[..text.floor_char_boundary(MAX_SENTENCE_BYTES)].to_owned()
}

/// A line in which a piece of code is one word.
pub(super) fn collapsed(text: &str) -> String {
    let mut within = None;
    let replaced = |c: char| {
        match within {
            Some(mark) if mark == c => within = None,
            None if matches!(c, '`' | '"') => within = Some(c),
            Some(_) if c.is_whitespace() => return SPACE_OF_CODE,
            _ => {}
        }
        c
    };
    text.chars().map(replaced).collect()
}

/// The entry, if it can only name one file and that with a separator, unless it is marked as a name.
pub(super) fn named(entry: Entry, is_marked: bool) -> Option<Entry> {
    let name = entry.file()?;
    let below = name.trim_start_matches("./");
    // A command in one piece of code, "`run 'src/a.py'`", is no name.
    if name.contains(SPACE_OF_CODE) {
        return None;
    }
    // "a.py/b.py" are two.
    let mut folders = below.rsplit(['/', '\\']).skip(1);
    let is_one = !folders.any(|folder| !folder.starts_with('.') && is_file(folder));
    // A log is what programs write when they run.
    let is_log = Path::new(below).extension().is_some_and(|it| it == "log");
    let is_name = is_marked || below.contains(['/', '\\']);
    let is_named = is_one && !is_log && is_name && is_file(below);
    // Words beside it that are not understood may say that it is elsewhere. The others take nothing back.
    let is_understood = |remark: &Remark| remark.sense.is_understood();
    if !entry.remark.as_ref().is_none_or(is_understood) {
        return None;
    }
    let (remark, title) = (None, None);
    is_named.then_some(Entry {
        remark,
        title,
        ..entry
    })
}
