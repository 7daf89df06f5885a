//! A message as lines that know their place in the Markdown.

use std::ops::Range;

use crate::marks::{Fence, Marks};
use crate::name::is_one_path;
use crate::outline::Outline;

/// The role of a line in the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text that may hold a claim.
    Text,
    /// A heading of this level.
    Heading(u8),
    /// The first row of a table, which names its columns.
    Head,
    /// Another row of a table.
    Row,
    /// Code, a quotation or raw HTML: somebody else's words, or an example.
    Hidden,
}

/// One line of the source.
#[derive(Debug, Clone)]
pub(crate) struct Line<'a> {
    pub(crate) kind: Kind,
    /// White space before the line, in columns.
    pub(crate) indent: usize,
    /// Whether it begins with a list marker.
    pub(crate) is_item: bool,
    /// Whether an unticked box stands before its text.
    pub(crate) is_unticked: bool,
    /// The text without indentation, list marker, checkbox and heading marks.
    pub(crate) text: &'a str,
    pub(crate) range: Range<usize>,
}

impl Line<'_> {
    pub(crate) fn is_blank(&self) -> bool {
        self.text.is_empty() && self.kind != Kind::Hidden
    }
}

impl Line<'_> {
    /// Whether the line is text that consists of a single path.
    pub(crate) fn is_path(&self) -> bool {
        self.kind == Kind::Text && is_one_path(self.text)
    }
}

/// A message, read as CommonMark.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub(crate) source: &'a str,
    pub(crate) lines: Vec<Line<'a>>,
    /// The fenced code blocks.
    pub(crate) fences: Vec<Fence>,
}

impl<'a> Document<'a> {
    pub(crate) fn parse(source: &'a str) -> Self {
        let marks = Marks::of(source);
        let mut lines = Vec::new();
        let mut start = 0;
        for piece in source.split_inclusive('\n') {
            let range = start..start + piece.len();
            start = range.end;
            lines.push(line(source, range, &marks));
        }
        Self {
            source,
            lines,
            fences: marks.fences,
        }
    }

    /// The fenced code blocks that begin in a range of the source.
    pub(crate) fn fences_in(&self, range: &Range<usize>) -> impl Iterator<Item = &Fence> {
        let first = self
            .fences
            .partition_point(|fence| fence.whole.start < range.start);
        let end = range.end;
        self.fences[first..]
            .iter()
            .take_while(move |fence| fence.whole.start < end)
    }

    /// The lines of plain text, each read literally: the body of a fence.
    pub(crate) fn plain(source: &'a str) -> Self {
        let ranges = fields(source).unwrap_or_else(|| {
            let mut start = 0;
            let line = |piece: &str| {
                let range = start..start + piece.len();
                start = range.end;
                range
            };
            source.split_inclusive('\n').map(line).collect()
        });
        let lines = ranges
            .into_iter()
            .map(|range| bare_line(source, range, Kind::Text))
            .collect();
        Self {
            source,
            lines,
            fences: Vec::new(),
        }
    }
}

/// The fields of a JSON object that is written on one line.
fn fields(source: &str) -> Option<Vec<Range<usize>>> {
    let object = source.trim();
    let inside = object.strip_prefix('{')?.strip_suffix('}')?;
    if object.contains('\n') {
        return None;
    }
    let offset = source.len() - source.trim_start().len() + 1;
    let mut start = 0;
    let mut fields = Vec::new();
    let outline = Outline::of(inside);
    let commas = outline.outside().filter(|(_, c)| *c == ',');
    let ends = commas.map(|(at, _)| at);
    for end in ends.chain([inside.len()]) {
        fields.push(offset + start..offset + end);
        start = (end + 1).min(inside.len());
    }
    Some(fields)
}

fn line<'a>(source: &'a str, range: Range<usize>, marks: &Marks) -> Line<'a> {
    let text_start = range.start + leading(&source[range.clone()]);
    if covers(&marks.hidden, text_start, |r| r) {
        return bare_line(source, range, Kind::Hidden);
    }
    if covers(&marks.heads, text_start, |r| r) {
        return bare_line(source, range, Kind::Head);
    }
    if covers(&marks.rows, text_start, |r| r) {
        return bare_line(source, range, Kind::Row);
    }
    if let Some(heading) = find(&marks.headings, text_start, |heading| &heading.range) {
        if heading.is_atx || (heading.is_title && text_start == heading.range.start) {
            return bare_line(source, range, Kind::Heading(heading.level));
        }
        if !heading.is_atx
            && source[range.clone()]
                .trim()
                .trim_matches(['-', '='])
                .is_empty()
        {
            return Line {
                text: "",
                ..bare_line(source, range, Kind::Text)
            };
        }
    }
    bare_line(source, range, Kind::Text)
}

fn covers<T>(ranges: &[T], at: usize, range: impl Fn(&T) -> &Range<usize>) -> bool {
    find(ranges, at, range).is_some()
}

/// The range that holds `at`, in a list of ranges that do not overlap.
fn find<T>(ranges: &[T], at: usize, range: impl Fn(&T) -> &Range<usize>) -> Option<&T> {
    let end = ranges.partition_point(|candidate| range(candidate).start <= at);
    ranges[..end]
        .last()
        .filter(|candidate| range(candidate).end > at)
}

fn leading(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

fn bare_line(source: &str, range: Range<usize>, kind: Kind) -> Line<'_> {
    let whole = source[range.clone()].trim_end();
    let indent = whole
        .chars()
        .take_while(|c| matches!(c, ' ' | '\t' | '\u{a0}' | '\u{feff}'))
        .map(|c| if c == '\t' { 4 } else { 1 })
        .sum();
    let mut text = whole.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let mut is_item = false;
    let mut is_unticked = false;
    while let Some(rest) = without_marker(text) {
        text = rest;
        is_item = true;
    }
    for checkbox in ["[ ]", "[x]", "[X]"] {
        if is_item && let Some(rest) = text.strip_prefix(checkbox) {
            is_unticked = checkbox == "[ ]";
            text = rest.trim_start();
        }
    }
    if matches!(kind, Kind::Heading(_)) || text.starts_with('#') {
        let unmarked = text.trim_start_matches('#');
        if unmarked.starts_with(char::is_whitespace) {
            text = unmarked.trim().trim_end_matches('#').trim_end();
        }
    }
    Line {
        kind,
        indent,
        is_item,
        is_unticked,
        text,
        range,
    }
}

fn without_marker(text: &str) -> Option<&str> {
    let rest = match text.chars().next()? {
        '-' | '*' | '+' | '•' | '◦' | '▪' | '–' | '—' | '‣' | '⁃' | '●' | '○' | '■' | '▸' | '►'
        | '➤' | '・' | '·' | '→' | '➜' | '»' | '›' => {
            let first = text.chars().next()?;
            &text[first.len_utf8()..]
        }
        '0'..='9' => {
            let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
            if text.len() - digits.len() > 4 {
                return None;
            }
            digits.strip_prefix(['.', ')'])?
        }
        'a'..='z' => text[1..].strip_prefix(')')?,
        _ => return None,
    };
    if rest.is_empty() {
        return Some(rest);
    }
    rest.starts_with(char::is_whitespace)
        .then(|| rest.trim_start())
}
