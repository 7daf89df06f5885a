//! One text with several paths, cut at the separators that are not inside anything.

use std::ops::Range;

/// Cuts at commas, semicolons and the word "and". Back-ticks, double quotes and brackets of any
/// kind keep together what they hold.
pub(crate) fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut scan = Scan::default();
    for (at, c) in text.char_indices() {
        if at < start {
            continue;
        }
        scan.step(text, at, c);
        if !scan.is_outside() {
            continue;
        }
        let separator = match c {
            ',' | ';' | '\u{ff0c}' | '\u{3001}' => c.len_utf8(),
            ' ' => word_separator(&text[at..]),
            _ => 0,
        };
        if separator > 0 {
            pieces.push(start..at);
            start = at + separator;
        }
    }
    pieces.push(start..text.len());
    pieces.retain(|piece| !text[piece.clone()].trim().is_empty());
    pieces
}

fn word_separator(text: &str) -> usize {
    [" and ", " & ", " plus "]
        .iter()
        .find(|word| text.starts_with(**word))
        .map_or(0, |word| word.len() - 1)
}

/// Where a scan stands: inside back-ticks, quotes or brackets, or outside of all.
#[derive(Debug, Default)]
struct Scan {
    until: Option<char>,
    depth: usize,
}

impl Scan {
    fn step(&mut self, text: &str, at: usize, c: char) {
        if let Some(end) = self.until {
            if c == end {
                self.until = None;
            }
            return;
        }
        match c {
            '`' | '"' if text[at + 1..].contains_within(c) => self.until = Some(c),
            '(' | '[' | '{' => self.depth += 1,
            ')' | ']' | '}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    fn is_outside(&self) -> bool {
        self.until.is_none() && self.depth == 0
    }
}

/// How far the partner of a quote is looked for, in bytes: keeps a text of quotes linear.
const FARTHEST: usize = 512;

trait Within {
    fn contains_within(&self, c: char) -> bool;
}

impl Within for str {
    fn contains_within(&self, c: char) -> bool {
        self.char_indices()
            .take_while(|(at, _)| *at < FARTHEST)
            .any(|(_, other)| other == c)
    }
}

/// Where an annotation begins that runs to the end of the text: a dash, an arrow-less colon.
pub(crate) fn open_annotation(text: &str) -> Option<Range<usize>> {
    let mut scan = Scan::default();
    for (at, c) in text.char_indices() {
        scan.step(text, at, c);
        if !scan.is_outside() {
            continue;
        }
        let rest = &text[at..];
        for mark in [" — ", " – ", " - ", " -- ", " # ", " // ", ": ", "\u{2014}"] {
            if at > 0 && rest.starts_with(mark) {
                return Some(at..at + mark.len());
            }
        }
    }
    None
}

/// Where a closed annotation begins: " (new)", "(+12 −3)", " [added]".
pub(crate) fn closed_annotation(text: &str) -> Option<usize> {
    let open = if text.ends_with(')') {
        text.rfind('(')?
    } else if text.ends_with(']') {
        text.rfind('[')?
    } else {
        return None;
    };
    (open > 0).then_some(open)
}

/// The two sides of a rename.
pub(crate) fn arrow(text: &str) -> Option<(&str, &str)> {
    for mark in [" -> ", " → ", " => ", "→", " ⟶ ", " ➜ "] {
        if let Some((from, to)) = text.split_once(mark) {
            return Some((from.trim(), to.trim()));
        }
    }
    None
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
    }
}
