//! Adding, replacing and removing one item of a container, and not a byte besides.

use std::ops::Range;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::tokens::Token;

use super::document::{Container, Document, span};
use super::fragment::{Fragment, Layout};

/// Two spaces, where the file does not show a step of its own.
const DEFAULT_STEP: &str = "  ";

/// Replacements of spans of one text. They never overlap.
#[derive(Debug, Default)]
pub(super) struct Splices(Vec<(Range<usize>, String)>);

impl Splices {
    fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.0.push((at..at, text.into()));
    }

    fn remove(&mut self, span: Range<usize>) {
        self.0.push((span, String::new()));
    }

    /// Both, made at once.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The text with the replacements made.
    pub(super) fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(span, _)| (span.start, span.end));
        let mut out = String::with_capacity(text.len() + 256);
        let mut done = 0;
        for (span, replacement) in self.0 {
            out.push_str(text.get(done..span.start).unwrap_or_default());
            out.push_str(&replacement);
            done = span.end;
        }
        out.push_str(text.get(done..).unwrap_or_default());
        out
    }
}

/// Adds `item` behind the last item of `container`, and behind the comments that follow it.
pub(super) fn append(document: &Document<'_>, container: &Container, item: &Fragment) -> Splices {
    let mut splices = Splices::default();
    let anchor = document
        .token_before(container.close())
        .map_or(container.span.start + 1, |token| token.range.end);
    let mut own_comma = "";
    if let Some(last) = container.items.last() {
        if document.comma_in(&(last.end..container.close())).is_some() {
            own_comma = ",";
        } else {
            splices.insert(last.end, ",");
        }
    }
    let inside_end = document
        .text
        .get(anchor..container.close())
        .unwrap_or_default();
    let layout = layout_of_items(document, container);
    let text = item.render(&layout);
    let text = match &layout {
        Layout::Lines { newline, .. } if container.items.is_empty() && !breaks_line(inside_end) => {
            let closing = line_indent(document.text, container.span.start);
            format!("{}{text}{own_comma}{newline}{closing}", layout.line_start())
        }
        Layout::Lines { .. } => format!("{}{text}{own_comma}", layout.line_start()),
        Layout::Inline { spaced } => {
            let has_space = !container.items.is_empty() && *spaced || !inside_end.is_empty();
            format!("{}{text}{own_comma}", if has_space { " " } else { "" })
        }
    };
    splices.insert(anchor, text);
    splices
}

/// Removes one item of `container` with its comma; comments beside it stay.
pub(super) fn remove(document: &Document<'_>, container: &Container, index: usize) -> Splices {
    let mut splices = Splices::default();
    let Some(item) = container.items.get(index) else {
        return splices;
    };
    let next = container.items.get(index + 1).map(|next| next.start);
    let comma = document.comma_in(&(item.end..next.unwrap_or(container.close())));
    let end = comma.as_ref().map_or(item.end, |comma| comma.end);
    if document.has_comment_in(&(item.end..end)) {
        splices.remove(item.clone());
        if let Some(comma) = comma.clone() {
            splices.remove(comma);
        }
    } else if next.is_some() {
        splices.remove(item.start..start_of_next(document, end));
    } else {
        splices.remove(start_of_last(document, item, end)..end);
    }
    if next.is_none() {
        if comma.is_none()
            && let Some(previous) = index
                .checked_sub(1)
                .and_then(|index| container.items.get(index))
            && let Some(comma) = document.comma_in(&(previous.end..item.start))
        {
            splices.remove(comma);
        }
        let rest = document
            .text
            .get(end..container.close())
            .unwrap_or_default();
        let alone = container.items.len() == 1 && !has_own_comment(document, container);
        if alone && rest.trim().is_empty() {
            splices.remove(end..container.close());
        }
    }
    splices
}

/// Whether `container` holds a comment outside its items.
pub(super) fn has_own_comment(document: &Document<'_>, container: &Container) -> bool {
    let mut from = container.span.start;
    for item in &container.items {
        if document.has_comment_in(&(from..item.start)) {
            return true;
        }
        from = item.end;
    }
    document.has_comment_in(&(from..container.close()))
}

/// Sets a property of `object`, which is added when it is not there.
pub(super) fn set(
    document: &Document<'_>,
    object: &Object<'_>,
    name: &'static str,
    value: Fragment,
) -> Splices {
    let Some(property) = object.get(name) else {
        let container = Container::of_object(object, Some(object.range.start));
        return append(document, &container, &Fragment::property(name, value));
    };
    let layout = Layout::Inline {
        spaced: is_spaced(document),
    };
    Splices(vec![(span(&property.value), value.render(&layout))])
}

/// Whether the value of `name` satisfies `test`; false when it is not there.
pub(super) fn holds(object: &Object<'_>, name: &str, test: impl Fn(&Value<'_>) -> bool) -> bool {
    object
        .get(name)
        .is_some_and(|property| test(&property.value))
}

/// Where the text continues once an item in front of others is gone: at the next item or at the
/// comment above it, but a comment on the same line stays where it is.
fn start_of_next(document: &Document<'_>, end: usize) -> usize {
    let Some(token) = document.token_after(end) else {
        return end;
    };
    let gap = document
        .text
        .get(end..token.range.start)
        .unwrap_or_default();
    if is_comment(&token.token) && !breaks_line(gap) {
        end
    } else {
        token.range.start
    }
}

/// Where the text has to be cut to take out a last item: behind what precedes it, unless that is a
/// line comment which would then swallow what follows on the item's own line.
fn start_of_last(document: &Document<'_>, item: &Range<usize>, end: usize) -> usize {
    let Some(previous) = document.token_before(item.start) else {
        return item.start;
    };
    let after = document
        .token_after(end)
        .map_or(end, |token| token.range.start);
    let gap = document.text.get(end..after).unwrap_or_default();
    if matches!(previous.token, Token::CommentLine(_)) && !breaks_line(gap) {
        item.start
    } else {
        previous.range.end
    }
}

fn layout_of_items(document: &Document<'_>, container: &Container) -> Layout {
    let text = document.text;
    let inside = text
        .get(container.span.start..container.span.end)
        .unwrap_or_default();
    let after_line_comment = document
        .token_before(container.close())
        .is_some_and(|token| matches!(token.token, Token::CommentLine(_)));
    let lines = match container.items.last() {
        _ if after_line_comment => true,
        Some(last) => starts_line(text, last.start),
        None => breaks_line(inside) || container.owner.is_none_or(|owner| starts_line(text, owner)),
    };
    if !lines {
        return Layout::Inline {
            spaced: is_spaced(document),
        };
    }
    let step = step_of(document);
    let indent = match container.items.last() {
        Some(last) if starts_line(text, last.start) => line_indent(text, last.start).to_owned(),
        _ => format!("{}{step}", line_indent(text, container.span.start)),
    };
    Layout::Lines {
        newline: newline_of(text),
        step,
        indent,
    }
}

/// One step of indentation: that of the root's first property on a line of its own.
fn step_of(document: &Document<'_>) -> String {
    let outer = line_indent(document.text, document.root.range.start);
    document
        .root
        .properties
        .iter()
        .filter(|property| starts_line(document.text, property.range.start))
        .find_map(|property| line_indent(document.text, property.range.start).strip_prefix(outer))
        .filter(|step| !step.is_empty())
        .unwrap_or(DEFAULT_STEP)
        .to_owned()
}

fn newline_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text.get(..at).is_some_and(|line| line.ends_with('\r')) => "\r\n",
        _ => "\n",
    }
}

/// A file on one line is compact when its first colon has no space behind it.
fn is_spaced(document: &Document<'_>) -> bool {
    let after = document
        .first_colon()
        .and_then(|at| document.text.get(at..));
    after.is_none_or(|rest| rest.starts_with(char::is_whitespace))
}

fn starts_line(text: &str, offset: usize) -> bool {
    let line = line_before(text, offset);
    line.len() < offset && line.trim().is_empty()
}

fn line_indent(text: &str, offset: usize) -> &str {
    let line = line_before(text, offset);
    let width = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..width).unwrap_or_default()
}

fn line_before(text: &str, offset: usize) -> &str {
    let before = text.get(..offset).unwrap_or_default();
    before.rsplit(['\n', '\r']).next().unwrap_or_default()
}

fn breaks_line(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

fn is_comment(token: &Token<'_>) -> bool {
    matches!(token, Token::CommentLine(_) | Token::CommentBlock(_))
}
