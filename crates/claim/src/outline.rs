//! The parts of a text that are kept together by quotes and brackets.

use std::ops::Range;

/// How far to look for the partner of a quote, in bytes: this keeps a text full of quotes linear.
const MAX_QUOTE_BYTES: usize = 512;
/// The most back-ticks that quote a name; a longer run is just text.
const MAX_BACKTICK_RUN: usize = 3;
/// Brackets, each with its partner.
pub(crate) const BRACKETS: [[char; 2]; 3] = [['(', ')'], ['[', ']'], ['{', '}']];
/// The most brackets left open inside a pair.
const MAX_UNCLOSED_BRACKETS: usize = 8;

/// A text with its outermost quoted and bracketed spans, in order.
#[derive(Debug)]
pub(crate) struct Outline<'a> {
    text: &'a str,
    pub(crate) spans: Vec<Range<usize>>,
}

impl<'a> Outline<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let mut spans: Vec<Range<usize>> = Vec::new();
        // Where each bracket without a partner is.
        let mut open: Vec<(usize, [char; 2])> = Vec::new();
        for (at, c) in text.char_indices() {
            if spans.last().is_some_and(|span| at < span.end) {
                continue;
            }
            // An unclosed bracket does not keep those around it open.
            let mut nearest = open.iter().rev().take(MAX_UNCLOSED_BRACKETS);
            if let Some(end) = quote_end(text, at, c) {
                spans.push(at..end);
            } else if let Some(brackets) = BRACKETS.into_iter().find(|[open, _]| *open == c) {
                open.push((at, brackets));
            } else if let Some(inner) = nearest.position(|(_, [_, close])| *close == c) {
                let partner = open.len() - 1 - inner;
                let (start, _) = open[partner];
                while spans.pop_if(|span| span.start > start).is_some() {}
                spans.push(start..at + 1);
                open.truncate(partner);
            }
        }
        Self { text, spans }
    }

    /// The characters outside all spans.
    pub(crate) fn outside(&self) -> impl Iterator<Item = (usize, char)> {
        let mut spans = self.spans.iter().peekable();
        self.text.char_indices().filter(move |(at, _)| {
            while spans.next_if(|span| span.end <= *at).is_some() {}
            spans.peek().is_none_or(|span| *at < span.start)
        })
    }

    /// The span that the text begins with.
    pub(crate) fn first(&self) -> Option<Range<usize>> {
        self.spans.first().filter(|span| span.start == 0).cloned()
    }
}

/// Where the quotation that begins at `at` ends.
fn quote_end(text: &str, at: usize, c: char) -> Option<usize> {
    let (before, after) = text.split_at(at);
    let length = match c {
        '`' => after.len() - after.trim_start_matches('`').len(),
        '"' | '\'' => 1,
        _ => return None,
    };
    if length > MAX_BACKTICK_RUN {
        return Some(at + length);
    }
    let (mark, inside) = after.split_at(length);
    let near = &inside[..inside.floor_char_boundary(MAX_QUOTE_BYTES)];
    let end = at + length + near.find(mark)? + length;
    // An apostrophe inside a word is not a quote.
    let is_apostrophe =
        before.ends_with(char::is_alphanumeric) || text[end..].starts_with(char::is_alphanumeric);
    (c != '\'' || !is_apostrophe).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outside(text: &str) -> String {
        Outline::of(text).outside().map(|(_, c)| c).collect()
    }

    #[test]
    fn spans_hide_what_they_hold() {
        assert_eq!(outside("a (b, c), d"), "a , d");
        assert_eq!(outside("`a, b`, \"c, d\", 'e, f'"), ", , ");
        assert_eq!(outside("``a`b``, c"), ", c");
        assert_eq!(outside("[a](b), {c, [d]}"), ", ");
        assert_eq!(outside("```a, b```, c"), ", c");
        assert_eq!(outside("a 'b, c's, d"), "a 'b, c's, d");
    }

    #[test]
    fn the_partner_of_a_quote_is_near() {
        let text = |length: usize| format!("\"{}…\", b", "a".repeat(length));
        assert_eq!(outside(&text(508)), ", b");
        assert_eq!(outside(&text(509)), text(509));
        assert_eq!(outside(&text(511)), text(511));
    }

    #[test]
    fn what_is_left_open_hides_nothing() {
        assert_eq!(outside("a (b, c"), "a (b, c");
        assert_eq!(outside("a [b (c), d"), "a [b , d");
        assert_eq!(outside("(a [b), c"), ", c");
        assert_eq!(outside("`a, b"), "`a, b");
        assert_eq!(outside("a ````b, c````, d"), "a b, c, d");
        assert_eq!(outside("it's a, b's"), "it's a, b's");
    }
}
