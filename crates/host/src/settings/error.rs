//! Why the content of a settings file was left as it is.

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
    /// It holds more than is edited.
    #[error("it has more than 1 MiB, or more than 1000 keys in one object or hooks")]
    TooMuch,
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
            Self::TooMuch => {
                "take out by hand what is not needed, then run this again; it was left as it is"
            }
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
            why: in_words(error.kind()),
        }
    }
}

/// What the parser found, as a fragment. That a key needs its quotes it does not say.
fn in_words(kind: &ParseErrorKind) -> String {
    if let ParseErrorKind::ExpectedStringObjectProperty | ParseErrorKind::UnexpectedTokenInObject =
        kind
    {
        return "a key has to be in double quotes".to_owned();
    }
    let said = kind.to_string();
    let mut rest = said.chars();
    let first = rest.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(rest).collect()
}
