//! One text with several paths, cut at the separators that are not inside quotes or brackets.

use std::ops::Range;

use crate::outline::Outline;
use crate::path::shape::{is_file, is_path, trim_end};
use crate::path::{bare, without_position};

/// What separates a name from a remark that runs to the end of the text.
const REMARKS: &[&str] = &[
    " — ", " – ", " - ", " -- ", " :: ", "  ", " # ", " // ", " | ", " = ", ": ", "\u{ff1a}", "—",
    "–",
];
const ARROWS: &[&str] = &[" -> ", " → ", " => ", " ⟶ ", " ➜ ", "→", "➜"];

/// Cuts at commas, semicolons, line breaks and the word "and", and between paths that are separated
/// only by white space. Quotes and brackets of any kind keep their contents together.
pub(crate) fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, c) in Outline::of(text).outside() {
        if at < start {
            continue;
        }
        let separator = match c {
            ',' | ';' | '\u{ff0c}' | '\u{3001}' | '\u{ff1b}' => c.len_utf8(),
            ' ' => word_separator(&text[at..])
                .max(sign_separator(text, at))
                .max(number_separator(text, at)),
            '<' => line_break(&text[at..]),
            '.' => sentence_end(text, at),
            '/' | '|' | '+' if text[..at].ends_with('`') => {
                usize::from(text[at + 1..].starts_with('`'))
            }
            _ => 0,
        };
        if separator > 0 {
            push(&mut pieces, text, start..at);
            start = at + separator;
        }
    }
    push(&mut pieces, text, start..text.len());
    pieces
}

fn push(pieces: &mut Vec<Range<usize>>, text: &str, mut range: Range<usize>) {
    if number_at(text).is_some() {
        let piece = &text[range.clone()];
        let named = piece.trim_start();
        range.start += piece.len() - named.len() + number_at(named).unwrap_or(0);
    }
    let piece = &text[range.clone()];
    if piece.trim().is_empty() {
        return;
    }
    match lone_paths(piece) {
        Some(words) => pieces.extend(
            words
                .into_iter()
                .map(|word| range.start + word.start..range.start + word.end),
        ),
        None => pieces.push(range),
    }
}

/// The words of a text in which every word is a path or in back-ticks: "a.py b.py", "`a.py` |
/// `b.log`".
fn lone_paths(piece: &str) -> Option<Vec<Range<usize>>> {
    let mut words = Vec::new();
    for word in piece.split_whitespace() {
        if matches!(word, "/" | "|" | "+" | "&") {
            continue;
        }
        let inner = bare(word);
        if !(is_ticked(word) || is_file(inner)) {
            return None;
        }
        let start = word.as_ptr() as usize - piece.as_ptr() as usize;
        words.push(start..start + word.len());
    }
    (!words.is_empty()).then_some(words)
}

/// Whether back-ticks around a word say that it is a name.
fn is_ticked(word: &str) -> bool {
    word.strip_prefix('`')
        .and_then(|word| word.strip_suffix('`'))
        .is_some_and(|name| !name.is_empty())
}

fn word_separator(text: &str) -> usize {
    [" and ", " & ", " plus ", " as well as "]
        .iter()
        .find(|word| text.starts_with(**word))
        .map_or(0, |word| word.len())
}

/// " / ", " + " and " · " between two names: "a.h / a.cpp: the engine".
fn sign_separator(text: &str, at: usize) -> usize {
    let is_name = |word: Option<&str>| {
        word.is_some_and(|word| {
            let word = word.trim_end_matches([':', ',']);
            is_file(bare(word)) || is_ticked(word)
        })
    };
    let Some((sign, behind)) = [" / ", " + ", " · ", " • "]
        .iter()
        .find_map(|sign| Some((sign, text[at..].strip_prefix(sign)?)))
    else {
        return 0;
    };
    let is_between = is_name(text[..at].split_whitespace().next_back())
        && is_name(behind.split_whitespace().next());
    if is_between { sign.len() } else { 0 }
}

/// The stop in "src/a.py. No other files".
fn sentence_end(text: &str, at: usize) -> usize {
    let behind = text[at + 1..].strip_prefix(' ');
    let begins = behind.is_some_and(|behind| behind.starts_with(char::is_uppercase));
    // Looking back at every stop would make a long text without spaces quadratic.
    let name = || text[..at].split_whitespace().next_back();
    let is_end =
        || text[..at].ends_with([')', '`']) || name().is_some_and(|name| is_file(bare(name)));
    usize::from(begins && is_end())
}

/// The number in "1) src/a.py 2) src/b.py".
fn number_separator(text: &str, at: usize) -> usize {
    let number = number_at(&text[at + 1..]).filter(|_| number_at(text).is_some());
    number.unwrap_or(0)
}

/// The length of "1) ", "(1) " or "1. " in front of a name.
fn number_at(text: &str) -> Option<usize> {
    let digits = text.strip_prefix('(').unwrap_or(text);
    let behind = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = (1..=2).contains(&(digits.len() - behind.len()));
    let name = behind
        .strip_prefix([')', '.'])
        .and_then(|name| name.strip_prefix(' '));
    name.filter(|name| is_number && begins_with_name(name))
        .map(|name| text.len() - name.len())
}

fn line_break(text: &str) -> usize {
    ["<br>", "<br/>", "<br />"]
        .iter()
        .find(|mark| text.starts_with(**mark))
        .map_or(0, |mark| mark.len())
}

/// Where a remark begins that runs to the end of the text.
pub(crate) fn remark(text: &str) -> Option<Range<usize>> {
    let marks = |rest: &str| {
        REMARKS
            .iter()
            .chain(ARROWS)
            .find(|mark| rest.starts_with(**mark))
            .map(|mark| mark.len())
    };
    Outline::of(text)
        .outside()
        .find_map(|(at, _)| marks(&text[at..]).map(|length| at..at + length))
}

/// Whether the text begins with what may be a name: a marked one, or a word that has the shape of
/// one.
pub(crate) fn begins_with_name(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let is_marked = word.len() > 1 && word.starts_with(['`', '"', '\'', '[', '*']);
    is_marked || is_path(without_position(trim_end(word)))
}

/// The two sides of an arrow.
pub(crate) fn arrow(text: &str) -> Option<(&str, &str)> {
    sides(text, ARROWS)
}

/// The two sides of "to", which joins names only after "renamed".
pub(crate) fn to(text: &str) -> Option<(&str, &str)> {
    sides(text, &[" to ", " into ", " as "])
}

fn sides<'a>(text: &'a str, marks: &[&str]) -> Option<(&'a str, &'a str)> {
    Outline::of(text).outside().find_map(|(at, _)| {
        let mark = marks.iter().find(|mark| text[at..].starts_with(**mark))?;
        Some((text[..at].trim(), text[at + mark.len()..].trim()))
    })
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
