//! A message as blocks: pulldown-cmark's events, put into lines.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::key::{self, Key};
use crate::words::is_tag;

/// Names of languages in which a report may be written as data.
const DATA: &[&str] = &["json", "jsonc", "json5", "yaml", "yml"];

/// The level of a title in tags: below all others, so that it has none below itself.
pub(crate) const IN_TAGS: u8 = 7;

/// The role of a line in the claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LineKind<'a> {
    /// Text that may hold a claim.
    Text,
    /// A heading of this level.
    Heading(u8),
    /// The first row of a table, which names its columns.
    Head(Vec<&'a str>),
    /// Another row of a table.
    Row(Vec<&'a str>),
    /// A fenced block.
    Fence(Fence<'a>),
    /// Other code, a quotation or HTML: somebody else's words, or an example.
    Hidden,
}

/// A fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fence<'a> {
    pub(crate) content: &'a str,
    /// Whether it is not nested in anything.
    pub(crate) is_top: bool,
    /// Whether it is marked as JSON or YAML.
    pub(crate) is_data: bool,
}

/// One line of a block.
#[derive(Debug, Clone)]
pub(crate) struct Line<'a> {
    pub(crate) kind: LineKind<'a>,
    /// The column at which it begins; for an item that of its marker.
    pub(crate) indent: usize,
    /// Whether it is the first line of a list item.
    pub(crate) is_item: bool,
    /// Whether an unticked box stands before its text.
    pub(crate) is_unticked: bool,
    /// Whether a blank line stands above it.
    pub(crate) has_gap: bool,
    /// The text without list marker, checkbox and heading marks.
    pub(crate) text: &'a str,
    pub(crate) range: Range<usize>,
}

impl<'a> Line<'a> {
    pub(crate) fn is_text(&self) -> bool {
        self.kind == LineKind::Text
    }

    pub(crate) fn fence(&self) -> Option<&Fence<'a>> {
        match &self.kind {
            LineKind::Fence(fence) => Some(fence),
            _ => None,
        }
    }

    pub(crate) fn level(&self) -> Option<u8> {
        match self.kind {
            LineKind::Heading(level) => Some(level),
            _ => None,
        }
    }
}

/// A message, read as CommonMark.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub(crate) source: &'a str,
    pub(crate) lines: Vec<Line<'a>>,
}

impl<'a> Document<'a> {
    pub(crate) fn parse(source: &'a str) -> Self {
        let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS;
        let mut builder = Builder {
            source,
            ..Builder::default()
        };
        for (event, range) in Parser::new_ext(source, options).into_offset_iter() {
            builder.take(event, range);
        }
        Self {
            source,
            lines: builder.lines,
        }
    }
}

#[derive(Default)]
struct Builder<'a> {
    source: &'a str,
    lines: Vec<Line<'a>>,
    /// The content that was read of the line, or of the block of code.
    open: Option<Range<usize>>,
    /// The marker of the item whose first line is still to come.
    item: Option<usize>,
    is_unticked: bool,
    /// The level of the heading around the line, if it can only be one.
    heading: Option<u8>,
    cells: Vec<&'a str>,
    /// How many blocks are around the event.
    depth: usize,
    /// The block of which nothing is read.
    hidden: Range<usize>,
}

impl<'a> Builder<'a> {
    fn take(&mut self, event: Event<'a>, range: Range<usize>) {
        let source = &self.source[range.clone()];
        match event {
            _ if self.hidden.contains(&range.start) => {}
            Event::TaskListMarker(is_ticked) => self.is_unticked = !is_ticked,
            Event::SoftBreak | Event::HardBreak => self.flush(),
            Event::Text(_)
            | Event::Code(_)
            | Event::InlineHtml(_)
            | Event::Start(Tag::Emphasis | Tag::Strong | Tag::Link { .. } | Tag::Image { .. }) => {
                self.extend(range);
            }
            Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link | TagEnd::Image) => {}
            // A tag of a frame, or a line in it.
            Event::Html(_) if source.trim_start().starts_with('<') => {
                self.push_line(LineKind::Hidden, range);
            }
            Event::Html(_) => {
                self.open = Some(range);
                self.flush();
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented) | Tag::BlockQuote(_)) => {
                self.hide(range);
            }
            Event::Start(Tag::HtmlBlock) if !is_frame(source) => self.hide(range),
            Event::Start(tag) => {
                self.start(&tag, range);
                self.depth += 1;
            }
            Event::End(tag) => {
                self.end(tag, range);
                self.depth = self.depth.saturating_sub(1);
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'a>, range: Range<usize>) {
        // The text of an item has no end of its own in front of a block.
        self.flush();
        match tag {
            Tag::Item => {
                // The blanks in front of its marker may be part of it.
                let marker = self.source[range.clone()].trim_start_matches([' ', '\t']);
                self.item = Some(range.end - marker.len());
            }
            // A rule right below a line makes it a heading; below a claim or more lines it is only a rule.
            Tag::Heading { level, .. } => {
                let text = self.source[range].trim();
                let is_lone = || text.lines().count() == 2 && key::line(text).is_none();
                let is_heading = text.starts_with('#') || is_lone();
                self.heading = is_heading.then_some(*level as u8);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        let text = self.source[range.clone()].trim();
        match tag {
            TagEnd::TableCell => {
                self.cells.push(text.trim_matches('|').trim());
                self.open = None;
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                let cells = std::mem::take(&mut self.cells);
                let is_head = tag == TagEnd::TableHead;
                let kind = if is_head {
                    LineKind::Head
                } else {
                    LineKind::Row
                };
                self.push(kind(cells), text, range);
            }
            TagEnd::CodeBlock => {
                let line = text.lines().next().unwrap_or_default();
                let language = line.trim_start_matches(['`', '~']).trim();
                let fence = Fence {
                    content: &self.source[self.open.take().unwrap_or_default()],
                    is_top: self.depth == 1,
                    is_data: DATA.iter().any(|data| language.eq_ignore_ascii_case(data)),
                };
                self.push(LineKind::Fence(fence), text, range);
            }
            _ => self.flush(),
        }
    }

    /// A line, or, if it begins with a tag that is a key, a title: `<files_changed>`,
    /// `<summary>Files changed</summary>`, and with its value `<status>DONE</status>`.
    fn push_line(&mut self, kind: LineKind<'a>, range: Range<usize>) {
        let text = self.source[range.clone()].trim();
        let Some((title, value)) = field_of(text) else {
            return self.push(kind, text, range);
        };
        let parts = [(LineKind::Heading(IN_TAGS), title), (LineKind::Text, value)];
        for (kind, part) in parts.into_iter().filter(|(_, part)| !part.is_empty()) {
            let start = part.as_ptr() as usize - self.source.as_ptr() as usize;
            self.push(kind, part, start..start + part.len());
        }
    }

    /// Makes one line of a block, and reads nothing of it.
    fn hide(&mut self, range: Range<usize>) {
        self.flush();
        self.hidden = range.clone();
        self.push(LineKind::Hidden, self.source[range.clone()].trim(), range);
    }

    fn extend(&mut self, range: Range<usize>) {
        // A back-slash in front is not part of the text of the event.
        let start = range.start - usize::from(self.source[..range.start].ends_with('\\'));
        let open = self.open.get_or_insert(start..range.end);
        open.end = open.end.max(range.end);
    }

    /// Ends the line.
    fn flush(&mut self) {
        let kind = self
            .heading
            .take()
            .map_or(LineKind::Text, LineKind::Heading);
        if let Some(range) = self.open.take() {
            self.push_line(kind, range);
        }
    }

    fn push(&mut self, kind: LineKind<'a>, text: &'a str, range: Range<usize>) {
        let item = self.item.take_if(|_| kind == LineKind::Text);
        let begin = item.unwrap_or(range.start);
        let line_start = self.source[..begin].rfind('\n').map_or(0, |at| at + 1);
        let above = self.lines.last().map_or(0, |line| line.range.end);
        let between = self.source.get(above..line_start).unwrap_or_default();
        let between = between.strip_prefix('\r').unwrap_or(between);
        let mut between = between.strip_prefix('\n').unwrap_or(between).lines();
        let has_gap = between.any(|line| line.trim().is_empty());
        let indentation = self.source[line_start..begin].chars();
        let blanks = indentation.take_while(|c| c.is_whitespace());
        let mut is_item = item.is_some();
        let mut text = text.trim_start_matches('\u{feff}');
        while kind == LineKind::Text
            && let Some(rest) = without_marker(text)
        {
            text = rest;
            is_item = true;
        }
        let mut is_unticked = std::mem::take(&mut self.is_unticked);
        for checkbox in ["[ ]", "[x]", "[X]"] {
            if is_item && let Some(rest) = text.strip_prefix(checkbox) {
                is_unticked = checkbox == "[ ]";
                text = rest.trim_start();
            }
        }
        self.lines.push(Line {
            indent: blanks.map(|c| if c == '\t' { 4 } else { 1 }).sum(),
            is_item,
            is_unticked,
            has_gap,
            text,
            range: line_start..range.end,
            kind,
        });
    }
}

/// Whether a block of HTML is around the report or a part of it: what is in it is read.
fn is_frame(block: &str) -> bool {
    let tag = block.trim_start();
    let line = tag.lines().next().unwrap_or(tag);
    is_tag(tag, "frame") || is_tag(tag, "fold") || field_of(line).is_some()
}

/// The key that the tag in front of a line is, or that stands in it as a title, and its value.
fn field_of(line: &str) -> Option<(&str, &str)> {
    let is_key = |text: &str| matches!(key::alone(text), Some(Key::Files(_) | Key::Status));
    let line = line.trim_start().trim_start_matches("<details>");
    let (tag, inner) = line.strip_prefix('<')?.split_once('>')?;
    let inside = inner.split("</").next().unwrap_or(inner).trim();
    if tag == "summary" {
        return is_key(inside).then_some((inside, ""));
    }
    (!tag.starts_with('/') && is_key(tag)).then_some((tag, inside))
}

/// The text behind a bullet or a number that CommonMark does not know, or that stands where it knows none.
fn without_marker(text: &str) -> Option<&str> {
    let first = text.chars().next()?;
    let rest = match first {
        '-' | '*' | '+' | '•' | '◦' | '▪' | '–' | '—' | '‣' | '⁃' | '●' | '○' | '■' | '▸' | '►'
        | '➤' | '・' | '·' | '→' | '➜' | '»' | '›' => &text[first.len_utf8()..],
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
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
}
