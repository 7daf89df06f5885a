//! A message as blocks: pulldown-cmark's events, put into lines.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::key;
use crate::words::is_tag;

/// The role of a line in the claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind<'a> {
    /// Text that may hold a claim.
    Text,
    /// A heading of this level.
    Heading(u8),
    /// The first row of a table, which names its columns.
    Head(Vec<&'a str>),
    /// Another row of a table.
    Row(Vec<&'a str>),
    /// A fenced block.
    Fence(Fence),
    /// Other code, a quotation or HTML: somebody else's words, or an example.
    Hidden,
}

/// A fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fence {
    pub(crate) content: Range<usize>,
    /// Whether it is not nested in anything.
    pub(crate) is_top: bool,
    /// Whether it is marked as JSON or YAML.
    pub(crate) is_data: bool,
}

/// One line of a block.
#[derive(Debug, Clone)]
pub(crate) struct Line<'a> {
    pub(crate) kind: Kind<'a>,
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

impl Line<'_> {
    pub(crate) fn is_text(&self) -> bool {
        self.kind == Kind::Text
    }

    pub(crate) fn level(&self) -> Option<u8> {
        match self.kind {
            Kind::Heading(level) => Some(level),
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
            lines: Vec::new(),
            open: None,
            item: None,
            is_unticked: false,
            heading: None,
            cells: Vec::new(),
            fence: None,
            depth: 0,
            hidden: 0,
        };
        for (event, range) in Parser::new_ext(source, options).into_offset_iter() {
            builder.take(event, range);
        }
        Self {
            source,
            lines: builder.lines,
        }
    }

    /// The content of a fenced block.
    pub(crate) fn content(&self, fence: &Fence) -> &'a str {
        &self.source[fence.content.clone()]
    }
}

struct Builder<'a> {
    source: &'a str,
    lines: Vec<Line<'a>>,
    /// The inline content that was read of the line.
    open: Option<Range<usize>>,
    /// The marker of the item whose first line is still to come.
    item: Option<usize>,
    is_unticked: bool,
    /// The level of the heading around the line, and whether marks in front of it make it one.
    heading: Option<(u8, bool)>,
    cells: Vec<&'a str>,
    fence: Option<Fence>,
    depth: usize,
    /// How many blocks around the event are of somebody else's words.
    hidden: usize,
}

impl<'a> Builder<'a> {
    fn take(&mut self, event: Event<'a>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(&tag, range),
            Event::End(tag) => self.end(tag, &range),
            Event::TaskListMarker(is_ticked) => self.is_unticked = !is_ticked,
            Event::SoftBreak | Event::HardBreak => self.flush(),
            Event::Html(_) => {
                let text = &self.source[range.clone()];
                if self.hidden == 0 && text.trim_start().starts_with('<') {
                    self.push(Kind::Hidden, text.trim(), range);
                } else if self.hidden == 0 {
                    self.open = Some(range);
                    self.flush();
                }
            }
            Event::Text(_) if self.fence.is_some() => {
                if let Some(fence) = &mut self.fence {
                    let is_first = fence.content.is_empty();
                    fence.content = if is_first {
                        range
                    } else {
                        fence.content.start..range.end
                    };
                }
            }
            Event::Text(_) | Event::Code(_) | Event::InlineHtml(_) => self.extend(range),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'a>, range: Range<usize>) {
        match tag {
            Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Link { .. }
            | Tag::Image { .. } => {
                return self.extend(range);
            }
            Tag::Item => {
                self.flush();
                self.item = Some(range.start);
            }
            Tag::Heading { level, .. } => {
                let is_marked = self.source[range.start..].trim_start().starts_with('#');
                self.heading = Some((number(*level), is_marked));
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                if let CodeBlockKind::Fenced(info) = kind {
                    self.fence = Some(Fence {
                        content: range.start..range.start,
                        is_top: self.depth == 0,
                        is_data: ["json", "jsonc", "json5", "yaml", "yml"]
                            .iter()
                            .any(|kind| info.trim().eq_ignore_ascii_case(kind)),
                    });
                }
                self.hide(range);
            }
            Tag::BlockQuote(_) => self.hide(range),
            Tag::HtmlBlock if !is_wrapper(&self.source[range.clone()]) => {
                let tags = is_fold(&self.source[range.clone()]);
                if !tags {
                    self.hide(range);
                }
            }
            Tag::TableHead | Tag::TableRow => self.cells.clear(),
            _ => {}
        }
        self.depth += 1;
    }

    fn end(&mut self, tag: TagEnd, range: &Range<usize>) {
        match tag {
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Link
            | TagEnd::Image => return,
            TagEnd::Heading(_) => {
                self.flush();
                self.heading = None;
            }
            TagEnd::TableCell => {
                let cell = self.source[range.clone()].trim().trim_matches('|').trim();
                self.cells.push(cell);
                self.open = None;
            }
            TagEnd::TableHead | TagEnd::TableRow if self.hidden == 0 => {
                let cells = std::mem::take(&mut self.cells);
                let kind = if tag == TagEnd::TableHead {
                    Kind::Head(cells)
                } else {
                    Kind::Row(cells)
                };
                self.push(kind, self.source[range.clone()].trim(), range.clone());
            }
            TagEnd::CodeBlock => {
                if let (Some(fence), Some(line)) = (self.fence.take(), self.lines.last_mut())
                    && self.hidden == 1
                {
                    line.kind = Kind::Fence(fence);
                }
                self.hidden -= 1;
            }
            TagEnd::BlockQuote(_) => self.hidden = self.hidden.saturating_sub(1),
            TagEnd::HtmlBlock => {
                let block = &self.source[range.clone()];
                if !is_wrapper(block) && !is_fold(block) {
                    self.hidden = self.hidden.saturating_sub(1);
                }
            }
            _ => self.flush(),
        }
        self.depth = self.depth.saturating_sub(1);
    }

    /// Everything inside the block belongs to one hidden line.
    fn hide(&mut self, range: Range<usize>) {
        self.flush();
        if self.hidden == 0 {
            self.push(Kind::Hidden, self.source[range.clone()].trim(), range);
        }
        self.hidden += 1;
    }

    fn extend(&mut self, range: Range<usize>) {
        // A back-slash in front is not part of the text of the event.
        let start = range.start - usize::from(self.source[..range.start].ends_with('\\'));
        let open = self.open.get_or_insert(start..range.end);
        open.end = open.end.max(range.end);
    }

    /// Ends the line.
    fn flush(&mut self) {
        let Some(range) = self.open.take() else {
            return;
        };
        if self.hidden > 0 {
            return;
        }
        let text = self.source[range.clone()].trim();
        let kind = match self.heading {
            Some((level, true)) => Kind::Heading(level),
            // A rule right below a line makes it a heading; below a claim it is only a rule.
            Some((level, false)) if !self.is_in_paragraph(&range) && key::line(text).is_none() => {
                Kind::Heading(level)
            }
            _ => Kind::Text,
        };
        self.push(kind, text, range);
    }

    /// Whether another line stands directly above or below, except for the rule.
    fn is_in_paragraph(&self, range: &Range<usize>) -> bool {
        let below = self.source[range.end..].lines().nth(1).unwrap_or_default();
        let is_rule = below.trim().trim_matches(['-', '=']).is_empty();
        let above = self.source[..range.start]
            .trim_end_matches([' ', '\t'])
            .strip_suffix('\n');
        !is_rule
            || above.is_some_and(|above| {
                self.lines.last().is_some_and(|line| {
                    line.range.end >= above.trim_end().len()
                        && !above.ends_with('\n')
                        && line.is_text()
                })
            })
    }

    fn push(&mut self, kind: Kind<'a>, text: &'a str, range: Range<usize>) {
        let item = self.item.take_if(|_| kind == Kind::Text);
        let begin = item.unwrap_or(range.start);
        let line_start = self.source[..begin].rfind('\n').map_or(0, |at| at + 1);
        let above = self
            .lines
            .last()
            .map_or(0, |line| line.range.end.min(begin));
        let mut is_item = item.is_some();
        let mut text = text.trim_start_matches('\u{feff}');
        while kind == Kind::Text
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
            indent: width(&self.source[line_start..begin]),
            is_item,
            is_unticked,
            has_gap: has_blank_line(self.source.get(above..line_start).unwrap_or_default()),
            text,
            range: line_start..range.end,
            kind,
        });
    }
}

fn width(indentation: &str) -> usize {
    let width = |c| if c == '\t' { 4 } else { 1 };
    indentation
        .chars()
        .take_while(|c| c.is_whitespace())
        .map(width)
        .sum()
}

/// Whether a text between two lines has a blank line.
fn has_blank_line(between: &str) -> bool {
    let lines = between
        .strip_prefix('\n')
        .or(between.strip_prefix("\r\n"))
        .unwrap_or(between);
    lines
        .split_inclusive('\n')
        .any(|line| line.trim().is_empty())
}

/// "<handoff>" on a line of its own: a frame around the report itself.
fn is_wrapper(block: &str) -> bool {
    let tag = block.lines().next().unwrap_or_default().trim();
    let name = tag.strip_prefix('<').and_then(|tag| tag.strip_suffix('>'));
    name.is_some_and(|name| is_tag(name, "frame"))
}

/// The tags of a part that can be folded.
fn is_fold(block: &str) -> bool {
    block.trim_start().starts_with('<') && is_tag(block.trim_start(), "fold")
}

fn number(level: HeadingLevel) -> u8 {
    level as u8
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
