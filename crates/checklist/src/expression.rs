//! A regular expression of the criteria file, and what is wrong with it in words of our own.

use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::ast::ErrorKind;
use regex_syntax::{Error, ParserBuilder};
use thiserror::Error;

/// An expression that cannot be searched for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum BadExpression {
    #[error("the expression is wrong at character {at}: {what}")]
    Syntax {
        /// From 1.
        at: usize,
        what: &'static str,
    },
    #[error("the expression is too large once its repetitions are written out")]
    TooLarge,
}

/// The expression, in which `^` and `$` are the ends of each line.
pub(crate) fn parse(text: &str) -> Result<Regex, BadExpression> {
    let regex = RegexBuilder::new(text).multi_line(true).build();
    regex.map_err(|error| match error {
        regex::Error::Syntax(_) => fault(text),
        _ => BadExpression::TooLarge,
    })
}

/// The library hands its error on as a drawing of several lines. Parsed again, it has a kind.
fn fault(text: &str) -> BadExpression {
    let mut parser = ParserBuilder::new().multi_line(true).utf8(false).build();
    let (offset, what) = match parser.parse(text) {
        Err(Error::Parse(error)) => (error.span().start.offset, grammar(error.kind())),
        Err(Error::Translate(error)) => (error.span().start.offset, UNKNOWN_CLASS),
        _ => (0, UNKNOWN),
    };
    let before = text.get(..offset).unwrap_or_default();
    let at = before.chars().count() + 1;
    BadExpression::Syntax { at, what }
}

const UNKNOWN: &str = "this is not a part of an expression";
const UNKNOWN_CLASS: &str =
    "there is no such class of characters; there are \\w, \\d, \\s and those in brackets";

fn grammar(kind: &ErrorKind) -> &'static str {
    use ErrorKind as Kind;
    match kind {
        Kind::GroupUnclosed => "`(` is not closed",
        Kind::GroupUnopened => "`)` closes nothing; write `\\)` for the character",
        Kind::ClassUnclosed => "`[` is not closed",
        Kind::ClassRangeInvalid | Kind::ClassRangeLiteral | Kind::ClassEscapeInvalid => {
            "this is not a range of characters, such as a-z"
        }
        Kind::RepetitionMissing => {
            "there is nothing to repeat; write a backslash in front of the character itself"
        }
        Kind::RepetitionCountInvalid
        | Kind::RepetitionCountDecimalEmpty
        | Kind::RepetitionCountUnclosed
        | Kind::DecimalEmpty
        | Kind::DecimalInvalid => "this is not a count, such as {2} or {1,3}",
        Kind::UnsupportedLookAround => {
            "an expression cannot look ahead or behind, as (?= and (?! would"
        }
        Kind::UnsupportedBackreference => {
            "an expression cannot refer back to what a group has matched"
        }
        Kind::EscapeUnrecognized
        | Kind::EscapeUnexpectedEof
        | Kind::EscapeHexEmpty
        | Kind::EscapeHexInvalid
        | Kind::EscapeHexInvalidDigit => "there is no such escape; write `\\\\` for a backslash",
        Kind::UnicodeClassInvalid => UNKNOWN_CLASS,
        Kind::FlagUnrecognized
        | Kind::FlagDuplicate { .. }
        | Kind::FlagRepeatedNegation { .. }
        | Kind::FlagDanglingNegation
        | Kind::FlagUnexpectedEof => "these are not flags, such as (?i)",
        Kind::GroupNameDuplicate { .. }
        | Kind::GroupNameEmpty
        | Kind::GroupNameInvalid
        | Kind::GroupNameUnexpectedEof => "this is not a name for a group",
        Kind::NestLimitExceeded(_) | Kind::CaptureLimitExceeded => "there are too many groups",
        _ => UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said_with_its_character() {
        for (text, at, what) in [
            ("(", 1, "`(` is not closed"),
            (
                "äö)",
                3,
                "`)` closes nothing; write `\\)` for the character",
            ),
            ("a[b", 2, "`[` is not closed"),
            ("[z-a]", 2, "this is not a range of characters, such as a-z"),
            (
                "*.py",
                1,
                "there is nothing to repeat; write a backslash in front of the character itself",
            ),
            ("a{3,1}", 2, "this is not a count, such as {2} or {1,3}"),
            (
                "(?=a)",
                1,
                "an expression cannot look ahead or behind, as (?= and (?! would",
            ),
            (
                r"(a)\1",
                4,
                "an expression cannot refer back to what a group has matched",
            ),
            (
                r"\y",
                1,
                "there is no such escape; write `\\\\` for a backslash",
            ),
            (r"\p{Nothing}", 1, UNKNOWN_CLASS),
            ("(?y)", 3, "these are not flags, such as (?i)"),
            ("(?<1>a)", 4, "this is not a name for a group"),
        ] {
            let expected = BadExpression::Syntax { at, what };
            assert_eq!(parse(text).unwrap_err(), expected, "{text}");
        }
        assert!(parse(r"^\w+$").unwrap().is_match("größer".as_bytes()));
        assert!(parse("(?i)Ä").unwrap().is_match("ä".as_bytes()));
        let large = parse("((a{1000}){1000}){1000}").unwrap_err();
        assert_eq!(large, BadExpression::TooLarge);
        assert!(
            parse("^def main")
                .unwrap()
                .is_match(b"import os\ndef main():")
        );
    }
}
