//! What pulldown-cmark says about the ranges of a source.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::lexicon::is_in;

/// Ranges of the source that have a meaning, each list sorted by start.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    pub(crate) hidden: Vec<Range<usize>>,
    pub(crate) headings: Vec<Heading>,
    pub(crate) heads: Vec<Range<usize>>,
    pub(crate) rows: Vec<Range<usize>>,
    pub(crate) fences: Vec<Fence>,
}

/// A fenced code block.
#[derive(Debug)]
pub(crate) struct Fence {
    pub(crate) whole: Range<usize>,
    pub(crate) content: Range<usize>,
    /// Whether it is not nested in anything.
    pub(crate) is_top: bool,
    /// Whether it is marked as JSON or YAML.
    pub(crate) is_data: bool,
}

/// A heading, with what each of its lines has to know. Looking at the whole heading for every line
/// would be quadratic, because a long paragraph above a rule is one heading.
#[derive(Debug)]
pub(crate) struct Heading {
    pub(crate) range: Range<usize>,
    pub(crate) level: u8,
    pub(crate) is_atx: bool,
    /// One line and the rule below it, if the line is not part of a claim.
    pub(crate) is_title: bool,
}

impl Heading {
    fn of(source: &str, range: Range<usize>, level: HeadingLevel) -> Self {
        let text = source[range.clone()].trim();
        // A rule right below a line turns the line into a heading; below a claim it is only a rule.
        let title = text.lines().next().unwrap_or_default();
        let is_short = text.lines().take(3).count() == 2;
        Self {
            is_atx: text.starts_with('#'),
            is_title: is_short && crate::keys::key_line(title).is_none(),
            level: number(level),
            range,
        }
    }
}

impl Marks {
    pub(crate) fn of(source: &str) -> Self {
        let mut marks = Self::default();
        let mut depth = 0_usize;
        let mut fence: Option<Fence> = None;
        for (event, range) in Parser::new_ext(source, Options::ENABLE_TABLES).into_offset_iter() {
            match event {
                Event::Start(tag) => {
                    match tag {
                        Tag::CodeBlock(kind) => {
                            if let CodeBlockKind::Fenced(info) = &kind {
                                let info = info.trim();
                                fence = Some(Fence {
                                    whole: range.clone(),
                                    content: 0..0,
                                    is_top: depth == 0,
                                    is_data: ["json", "jsonc", "json5", "yaml", "yml"]
                                        .iter()
                                        .any(|kind| info.eq_ignore_ascii_case(kind)),
                                });
                            }
                            marks.hidden.push(range);
                        }
                        Tag::HtmlBlock if is_wrapped(&source[range.clone()]) => {
                            marks.hidden.extend(tags(source, range));
                        }
                        Tag::BlockQuote(_) | Tag::HtmlBlock => marks.hidden.push(range),
                        Tag::TableHead => marks.heads.push(range),
                        Tag::TableRow => marks.rows.push(range),
                        Tag::Heading { level, .. } => {
                            marks.headings.push(Heading::of(source, range, level));
                        }
                        _ => {}
                    }
                    depth += 1;
                }
                Event::End(tag) => {
                    depth = depth.saturating_sub(1);
                    if tag == TagEnd::CodeBlock {
                        marks.fences.extend(fence.take());
                    }
                }
                Event::Text(_) => {
                    if let Some(Fence { content, .. }) = &mut fence {
                        let start = if content.start == content.end {
                            range.start
                        } else {
                            content.start
                        };
                        *content = start..range.end;
                    }
                }
                // A code span may span several lines; those lines do not begin in prose.
                Event::Code(_) | Event::InlineHtml(_) => {
                    marks.hidden.push(range.start + 1..range.end);
                }
                _ => {}
            }
        }
        marks.hidden = merged(marks.hidden);
        marks
    }
}

/// "<handoff>" on a line of its own: a frame around the report itself.
fn is_wrapped(block: &str) -> bool {
    const NAMES: &str = " handoff report result answer response output ";
    let tag = block.lines().next().unwrap_or_default().trim();
    let name = tag
        .strip_prefix('<')
        .and_then(|tag| tag.strip_suffix('>'))
        .map(|name| name.trim_start_matches('/'));
    name.is_some_and(|name| {
        let name = name.to_ascii_lowercase();
        let name = name.strip_prefix("final").unwrap_or(&name);
        is_in(NAMES, name.trim_start_matches(['_', '-']))
    })
}

/// The lines of a block that are tags.
fn tags(source: &str, block: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = block.start;
    source[block].split_inclusive('\n').filter_map(move |line| {
        let range = start..start + line.len();
        start = range.end;
        line.trim_start().starts_with('<').then_some(range)
    })
}

fn number(level: HeadingLevel) -> u8 {
    level as u8
}

/// Sorts ranges and joins those that overlap, as nested blocks do.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if last.contains(&range.start) => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}
