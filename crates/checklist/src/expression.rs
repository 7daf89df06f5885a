//! A regular expression of the criteria file, and what is wrong with it.

use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::{Error, ParserBuilder};
use thiserror::Error;

/// An expression that cannot be searched for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum BadExpression {
    #[error("the expression is wrong at character {at}: {what}")]
    Syntax {
        /// From 1.
        at: usize,
        what: String,
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
        Err(Error::Parse(error)) => (error.span().start.offset, error.kind().to_string()),
        Err(Error::Translate(error)) => (error.span().start.offset, error.kind().to_string()),
        _ => (0, "it cannot be read".to_owned()),
    };
    let before = text.get(..offset).unwrap_or_default();
    let at = before.chars().count() + 1;
    BadExpression::Syntax { at, what }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said_with_its_character() {
        for (text, at, what) in [
            ("(", 1, "unclosed group"),
            ("äö)", 3, "unopened group"),
            ("a[b", 2, "unclosed character class"),
            ("*.py", 1, "repetition operator missing expression"),
            (
                "(?=a)",
                1,
                "look-around, including look-ahead and look-behind, is not supported",
            ),
            (r"(a)\1", 4, "backreferences are not supported"),
            (r"\y", 1, "unrecognized escape sequence"),
            (r"\p{Nothing}", 1, "Unicode property not found"),
            ("(?y)", 3, "unrecognized flag"),
        ] {
            let expected = BadExpression::Syntax {
                at,
                what: what.to_owned(),
            };
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
