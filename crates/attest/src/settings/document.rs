//! A settings file as text with its syntax tree: what is where, to the byte.
//!
//! The tree is only ever read. Edits are splices of the text (`splice.rs`), so that every byte
//! that is not part of an edit stays what it was.

use std::ops::Range;

use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};

use super::error::ContentError;

/// JSON with comments and trailing commas, and nothing beyond: what a host would not read is refused.
const ACCEPTED: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The parsed text of a settings file, without its byte order mark.
pub(super) struct Document<'a> {
    pub(super) text: &'a str,
    pub(super) root: Object<'a>,
    tokens: Vec<TokenAndRange<'a>>,
}

/// The items between a pair of brackets.
pub(super) struct Container {
    /// From the opening to behind the closing bracket.
    pub(super) span: Range<usize>,
    /// The properties or elements.
    pub(super) items: Vec<Range<usize>>,
    /// Where the property or element starts that this container is the value of; `None` for the root.
    pub(super) owner: Option<usize>,
}

impl<'a> Document<'a> {
    /// Parses `text`, which has to hold one JSON object.
    pub(super) fn parse(text: &'a str) -> Result<Self, ContentError> {
        let collect = CollectOptions {
            comments: CommentCollectionStrategy::AsTokens,
            tokens: true,
        };
        let parsed = parse_to_ast(text, &collect, &ACCEPTED)?;
        let tokens = parsed.tokens.unwrap_or_default();
        refuse_control_characters(text, &tokens)?;
        match parsed.value {
            Some(Value::Object(root)) => Ok(Self { text, root, tokens }),
            Some(other) => Err(ContentError::NotAnObject {
                found: kind(&other),
            }),
            None => Err(ContentError::NotAnObject {
                found: "only comments",
            }),
        }
    }

    /// The token, comments included, that ends last before `offset`.
    pub(super) fn token_before(&self, offset: usize) -> Option<&TokenAndRange<'a>> {
        let count = self
            .tokens
            .partition_point(|token| token.range.end <= offset);
        count
            .checked_sub(1)
            .and_then(|index| self.tokens.get(index))
    }

    /// The token, comments included, that starts first at or after `offset`.
    pub(super) fn token_after(&self, offset: usize) -> Option<&TokenAndRange<'a>> {
        let index = self
            .tokens
            .partition_point(|token| token.range.start < offset);
        self.tokens.get(index)
    }

    /// The first comma in `span`.
    pub(super) fn comma_in(&self, span: &Range<usize>) -> Option<Range<usize>> {
        self.tokens_in(span)
            .find(|token| token.token == Token::Comma)
            .map(|token| token.range.start..token.range.end)
    }

    /// Whether `span` holds a comment.
    pub(super) fn has_comment_in(&self, span: &Range<usize>) -> bool {
        self.tokens_in(span)
            .any(|token| matches!(token.token, Token::CommentLine(_) | Token::CommentBlock(_)))
    }

    /// The first colon of the document.
    pub(super) fn first_colon(&self) -> Option<usize> {
        self.tokens
            .iter()
            .find(|token| token.token == Token::Colon)
            .map(|token| token.range.end)
    }

    fn tokens_in(&self, span: &Range<usize>) -> impl Iterator<Item = &TokenAndRange<'a>> {
        let first = self
            .tokens
            .partition_point(|token| token.range.start < span.start);
        let end = span.end;
        self.tokens
            .iter()
            .skip(first)
            .take_while(move |token| token.range.end <= end)
    }

    /// The line and column of `offset`.
    pub(super) fn position(&self, offset: usize) -> (usize, usize) {
        position(self.text, offset)
    }
}

/// The parser lets a string run over the end of its line, which no host does.
fn refuse_control_characters(text: &str, tokens: &[TokenAndRange<'_>]) -> Result<(), ContentError> {
    for token in tokens {
        let is_string = matches!(token.token, Token::String(_));
        let raw = text
            .get(token.range.start..token.range.end)
            .unwrap_or_default();
        if let Some(at) = raw.find(|char: char| char < ' ').filter(|_| is_string) {
            let (line, column) = position(text, token.range.start + at);
            let why = "control character in a string".to_owned();
            return Err(ContentError::Syntax { line, column, why });
        }
    }
    Ok(())
}

/// Line and column, both counted from one, of a byte offset.
pub(super) fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    let column = before
        .get(line_start..)
        .map_or(0, |part| part.chars().count())
        + 1;
    (line, column)
}

impl Container {
    pub(super) fn of_object(object: &Object<'_>, owner: Option<usize>) -> Self {
        Self {
            span: object.range.start..object.range.end,
            items: object.properties.iter().map(span).collect(),
            owner,
        }
    }

    pub(super) fn of_array(array: &Array<'_>, owner: usize) -> Self {
        Self {
            span: array.range.start..array.range.end,
            items: array.elements.iter().map(span).collect(),
            owner: Some(owner),
        }
    }

    /// Where the closing bracket is.
    pub(super) fn close(&self) -> usize {
        self.span.end - 1
    }
}

/// The bytes that a node covers.
pub(super) fn span(node: &impl Ranged) -> Range<usize> {
    let range = node.range();
    range.start..range.end
}

/// What a value is, for a person.
pub(super) fn kind(value: &Value<'_>) -> &'static str {
    match value {
        Value::StringLit(_) => "a string",
        Value::NumberLit(_) => "a number",
        Value::BooleanLit(_) => "a boolean",
        Value::Object(_) => "an object",
        Value::Array(_) => "an array",
        Value::NullKeyword(_) => "null",
    }
}
