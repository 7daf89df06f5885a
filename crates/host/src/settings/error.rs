//! Why the content of a settings file was left as it is.

use jsonc_parser::ParseStringErrorKind;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use thiserror::Error;

/// Why the content of a settings file cannot be edited.
#[derive(Debug, Error)]
pub enum ContentError {
    /// It is not text.
    #[error("line {line}, column {column}: not UTF-8")]
    NotUtf8 {
        /// Counted from one.
        line: usize,
        /// Counted from one.
        column: usize,
    },
    /// It is not JSON with comments.
    #[error("line {line}, column {column}: {why}")]
    Syntax {
        /// Counted from one.
        line: usize,
        /// Counted from one.
        column: usize,
        /// What is wrong there.
        why: String,
    },
    /// It is JSON of another shape.
    #[error("expected a JSON object, found {found}")]
    NotAnObject {
        /// What it is.
        found: &'static str,
    },
    /// A value that an edit has to go through is of another kind.
    #[error("line {line}, column {column}: `{key}` must be {expected}, found {found}")]
    WrongType {
        /// The way to the value.
        key: String,
        /// What it has to be.
        expected: &'static str,
        /// What it is.
        found: &'static str,
        /// Counted from one.
        line: usize,
        /// Counted from one.
        column: usize,
    },
    /// A key that an edit has to go through is there more than once.
    #[error(
        "line {line}, column {column}: `{key}` is there twice, and a host reads only one of them"
    )]
    DuplicateKey {
        /// The key.
        key: String,
        /// Counted from one.
        line: usize,
        /// Counted from one.
        column: usize,
    },
    /// A file of a name that is attest's own, which attest did not write.
    #[error("there is a file of this name that attest did not write")]
    NotOurs,
}

impl ContentError {
    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotUtf8 { .. } => "save the file as UTF-8; it was left as it is",
            Self::NotOurs => "move it away, then run this again; it was left as it is",
            Self::DuplicateKey { .. } => "merge the two by hand; the file was left as it is",
            _ => "correct the file by hand, then run this again; it was left as it is",
        }
    }
}

impl From<ParseError> for ContentError {
    fn from(error: ParseError) -> Self {
        Self::Syntax {
            line: error.line_display(),
            column: error.column_display(),
            why: in_words(error.kind()).to_owned(),
        }
    }
}

/// What the parser found, in words of our own.
fn in_words(kind: &ParseErrorKind) -> &'static str {
    use ParseErrorKind as Kind;
    match kind {
        Kind::ExpectedColonAfterObjectKey => "a colon is missing behind the key",
        Kind::ExpectedObjectValue => "a value is missing behind the colon",
        Kind::ExpectedStringObjectProperty | Kind::UnexpectedTokenInObject => {
            "a key has to be in double quotes"
        }
        Kind::ExpectedComma => "a comma is missing",
        Kind::MultipleRootJsonValues => "there is more text behind the end",
        Kind::SingleQuotedStringsNotAllowed => "a string has to be in double quotes",
        Kind::String(ParseStringErrorKind::UnterminatedStringLiteral) => {
            "the quotes are not closed"
        }
        Kind::String(_) => "a string has a backslash with nothing after it that JSON knows",
        Kind::UnexpectedCloseBrace => "a value should be here, not a closing brace",
        Kind::UnexpectedCloseBracket => "a value should be here, not a closing bracket",
        Kind::UnexpectedComma | Kind::TrailingCommasNotAllowed => {
            "a value should be here, not a comma"
        }
        Kind::UnexpectedColon => "a value should be here, not a colon",
        Kind::UnterminatedArray => "the bracket is not closed",
        Kind::UnterminatedObject => "the brace is not closed",
        Kind::UnterminatedCommentBlock => "the comment is not closed",
        Kind::CommentsNotAllowed => "a comment is not allowed here",
        Kind::NestingDepthExceeded => "values are nested too deeply",
        Kind::BareDecimalPointNumbersNotAllowed
        | Kind::ExpectedDigit
        | Kind::ExpectedDigitFollowingNegativeSign
        | Kind::ExpectedPlusMinusOrDigitInNumberLiteral
        | Kind::HexadecimalNumbersNotAllowed
        | Kind::NonFiniteNumbersNotAllowed
        | Kind::UnaryPlusNumbersNotAllowed => "this is not a number as JSON writes it",
        Kind::UnexpectedWord | Kind::UnexpectedToken => "a JSON value should be here",
    }
}
