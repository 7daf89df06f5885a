//! One text with several paths, cut at the separators that are not inside quotes or brackets.

use std::ops::Range;

use crate::outline::Outline;
use crate::path::shape::{is_file, is_path, trim_end};
use crate::path::{bare, without_position};

/// What separates a name from a remark that runs to the end of the text.
const REMARKS: &[&str] = &[
    " — ", " – ", " - ", " -- ", " :: ", "  ", " # ", " // ", " | ", " = ", ": ", "—", "–",
];
pub(crate) const ARROWS: &[&str] = &[" -> ", " → ", " => ", " ⟶ ", " ➜ ", "→", "➜"];
/// What joins two names only after "renamed".
pub(crate) const TO: &[&str] = &[" to ", " into ", " as "];
/// Words and breaks that separate anything.
const WORDS: &[&str] = &[" and ", " & ", " plus ", " as well as "];
const BREAKS: &[&str] = &["<br>", "<br/>", "<br />"];
/// Signs that separate two names: "a.h / a.cpp: the engine".
const SIGNS: &[&str] = &[" / ", " + ", " · ", " • "];

/// Cuts at commas, semicolons, line breaks and the word "and", and between paths that are separated
/// only by white space. Quotes and brackets of any kind keep their contents together.
pub(crate) fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, c) in Outline::of(text).outside() {
        if at >= start
            && let Some(length) = separator(text, at, c)
        {
            push(&mut pieces, text, start..at);
            start = at + length;
        }
    }
    push(&mut pieces, text, start..text.len());
    pieces
}

/// The length of the separator that begins here.
fn separator(text: &str, at: usize, c: char) -> Option<usize> {
    let (before, behind) = (&text[..at], &text[at..]);
    match c {
        ',' | ';' => Some(1),
        // "src/a.py: plus tard"
        ' ' => starts(behind, WORDS)
            .filter(|_| !before.ends_with([':', '—', '–', '-']))
            .or_else(|| {
                starts(behind, SIGNS).filter(|length| is_between(before, &behind[*length..]))
            })
            // "1) src/a.py 2) src/b.py"
            .or_else(|| number_at(text).and(number_at(&behind[1..]))),
        '<' => starts(behind, BREAKS),
        '/' | '|' | '+' => (before.ends_with('`') && behind[1..].starts_with('`')).then_some(1),
        '.' => is_stop(before, &behind[1..]).then_some(1),
        _ => None,
    }
}

/// The length of the mark that a text begins with.
fn starts(text: &str, marks: &[&str]) -> Option<usize> {
    let mark = marks.iter().find(|mark| text.starts_with(**mark))?;
    Some(mark.len())
}

/// Whether names are on both sides.
fn is_between(before: &str, behind: &str) -> bool {
    let is_name = |word: &str| {
        let word = word.trim_end_matches([':', ',']);
        is_file(bare(word)) || is_ticked(word)
    };
    let mut behind = behind.split_whitespace();
    before.split_whitespace().next_back().is_some_and(is_name) && behind.next().is_some_and(is_name)
}

/// The stop in "src/a.py. No other files".
fn is_stop(before: &str, behind: &str) -> bool {
    let begins = behind.strip_prefix(' ');
    // Looking back at every stop would make a long text without spaces quadratic.
    begins.is_some_and(|behind| behind.starts_with(char::is_uppercase))
        && (before.ends_with([')', '`'])
            || before
                .split_whitespace()
                .next_back()
                .is_some_and(|name| is_file(bare(name))))
}

/// The length of "1) ", "(1) " or "1. " in front of a name.
fn number_at(text: &str) -> Option<usize> {
    let digits = text.strip_prefix('(').unwrap_or(text);
    let behind = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = (1..=2).contains(&(digits.len() - behind.len()));
    let name = behind.strip_prefix([')', '.'])?.strip_prefix(' ')?;
    (is_number && begins_with_name(name)).then_some(text.len() - name.len())
}

fn push(pieces: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    let named = text[range.clone()].trim_start();
    let number = number_at(text).and_then(|_| number_at(named));
    let start = number.map_or(range.start, |length| range.end - named.len() + length);
    // Each word is a name: "a.py b.py", "`a.py` | `b.log`".
    let words = text[start..range.end].split_whitespace();
    let words = words.filter(|word| !matches!(*word, "/" | "|" | "+" | "&"));
    if words
        .clone()
        .all(|word| is_ticked(word) || is_file(bare(word)))
    {
        pieces.extend(words.map(|word| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            start..start + word.len()
        }));
    } else {
        pieces.push(start..range.end);
    }
}

/// Whether back-ticks around a word say that it is a name.
pub(crate) fn is_ticked(word: &str) -> bool {
    word.len() > 2 && word.starts_with('`') && word.ends_with('`')
}

/// Whether the text begins with what may be a name: a marked one, or a word that has the shape of
/// one.
pub(crate) fn begins_with_name(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let is_marked = word.len() > 1 && word.starts_with(['`', '"', '\'', '[', '*']);
    is_marked || is_path(without_position(trim_end(word)))
}

/// Where the first of some marks is that is not inside quotes or brackets.
fn mark(text: &str, marks: &[&[&str]]) -> Option<Range<usize>> {
    // No mark begins with a letter or a digit, and nearly all of a text are those.
    let outline = Outline::of(text);
    let mut signs = outline
        .outside()
        .filter(|(_, c)| !c.is_ascii_alphanumeric());
    signs.find_map(|(at, _)| {
        let length = marks.iter().find_map(|marks| starts(&text[at..], marks))?;
        Some(at..at + length)
    })
}

/// Where a remark begins that runs to the end of the text.
pub(crate) fn remark(text: &str) -> Option<Range<usize>> {
    mark(text, &[REMARKS, ARROWS])
}

/// The two sides of the first of some marks.
pub(crate) fn sides<'a>(text: &'a str, marks: &[&str]) -> Option<(&'a str, &'a str)> {
    let mark = mark(text, &[marks])?;
    Some((text[..mark.start].trim(), text[mark.end..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        pieces(text)
            .into_iter()
            .map(|piece| text[piece].trim())
            .collect()
    }

    #[test]
    fn separators_outside_of_everything() {
        assert_eq!(
            cut("a.py, b.py and c.py; d.py"),
            ["a.py", "b.py", "c.py", "d.py"]
        );
        assert_eq!(cut("`a, b.py`, c.py"), ["`a, b.py`", "c.py"]);
        assert_eq!(
            cut("a.py (new, tested), b.py"),
            ["a.py (new, tested)", "b.py"]
        );
        assert_eq!(cut("src/{a,b}.py"), ["src/{a,b}.py"]);
        assert_eq!(cut("a.py, and b.py,"), ["a.py", "b.py"]);
        assert_eq!(cut("a.py<br>b.py"), ["a.py", "b.py"]);
        assert_eq!(cut("1) a.py 2) b.py"), ["a.py", "b.py"]);
        assert_eq!(cut("(1) a.py, (2) `b.py`"), ["a.py", "`b.py`"]);
        assert_eq!(cut("1. a.py 2. b.py"), ["a.py", "b.py"]);
        assert_eq!(cut("a.py 2) b.py"), ["a.py 2) b.py"]);
    }

    #[test]
    fn white_space_parts_only_paths() {
        assert_eq!(cut("a.py b.py"), ["a.py", "b.py"]);
        assert_eq!(cut("`a.py` `b.py`"), ["`a.py`", "`b.py`"]);
        assert_eq!(cut("`a.py` `x.log`"), ["`a.py`", "`x.log`"]);
        assert_eq!(cut("a.py / b.py"), ["a.py", "b.py"]);
        assert_eq!(cut("my docs/a file.md"), ["my docs/a file.md"]);
    }
}
