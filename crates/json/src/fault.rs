//! Why a text is not the JSON that was asked for, in words of our own.

use std::fmt;

use serde_json::error::Category;

use crate::wording::{JSON, wrong};

/// What is wrong with a text, and at which place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Line and column, both from 1. A text that was parsed before has no places any more.
    at: Option<(usize, usize)>,
    what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.at {
            write!(out, "line {line}, column {column}: ")?;
        }
        out.write_str(&self.what)
    }
}

impl std::error::Error for Fault {}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Self {
        let text = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let said = text.strip_suffix(&place).unwrap_or(&text);
        let what = match error.classify() {
            Category::Data => wrong(said, &JSON),
            Category::Syntax | Category::Eof => syntax(said).to_owned(),
            Category::Io => "it cannot be read".to_owned(),
        };
        let at = (error.line() > 0).then(|| (error.line(), error.column().max(1)));
        Self { at, what }
    }
}

/// A fault of the grammar. The parser tells the kinds apart by its text only.
fn syntax(said: &str) -> &'static str {
    match said {
        "EOF while parsing a list" => "the text ends within an array",
        "EOF while parsing an object" => "the text ends within an object",
        "EOF while parsing a string" => "the text ends within a string",
        "EOF while parsing a value" => "the text ends where a value should be",
        "expected `:`" => "a colon is missing",
        "expected `,` or `]`" => "a comma or a closing bracket is missing",
        "expected `,` or `}`" => "a comma or a closing brace is missing",
        "expected ident" | "expected value" => "a JSON value should be here",
        "expected `\"`" => "a double quote is missing",
        "key must be a string" => "a key has to be in double quotes",
        "invalid number" => "this is not a number as JSON writes it",
        "number out of range" => "this number is too large",
        "control character (\\u0000-\\u001F) found while parsing a string" => {
            "a line break, a tab or another control character is not allowed in a string"
        }
        "trailing comma" => "nothing follows this comma",
        "trailing characters" => "there is more text behind the end",
        "recursion limit exceeded" => "values are nested too deeply",
        said if said.contains("escape") || said.contains("unicode") => {
            "a string has a backslash with nothing after it that JSON knows"
        }
        _ => "this is not JSON",
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::Value;

    use super::*;

    fn said<'de, T: Deserialize<'de> + fmt::Debug>(json: &'de str) -> String {
        Fault::from(serde_json::from_str::<T>(json).unwrap_err()).to_string()
    }

    #[test]
    fn faults_of_the_grammar_have_a_place_and_words() {
        let deep = "[".repeat(200);
        for (json, expected) in [
            (
                "",
                "line 1, column 1: the text ends where a value should be",
            ),
            ("[1,\n 2", "line 2, column 2: the text ends within an array"),
            (
                "{\"a\": 1",
                "line 1, column 7: the text ends within an object",
            ),
            ("[\"a", "line 1, column 3: the text ends within a string"),
            ("{\"a\" 1}", "line 1, column 6: a colon is missing"),
            (
                "[1 2]",
                "line 1, column 4: a comma or a closing bracket is missing",
            ),
            (
                "{\"a\": 1 \"b\"}",
                "line 1, column 9: a comma or a closing brace is missing",
            ),
            (
                "nul",
                "line 1, column 3: the text ends where a value should be",
            ),
            ("nulx", "line 1, column 4: a JSON value should be here"),
            ("yes", "line 1, column 1: a JSON value should be here"),
            (
                "{a: 1}",
                "line 1, column 2: a key has to be in double quotes",
            ),
            (
                "[01]",
                "line 1, column 3: this is not a number as JSON writes it",
            ),
            ("1e999", "line 1, column 5: this number is too large"),
            (
                "[\"a\tb\"]",
                "line 1, column 4: a line break, a tab or another control character is not \
                 allowed in a string",
            ),
            ("[1,]", "line 1, column 4: nothing follows this comma"),
            (
                "{} {}",
                "line 1, column 4: there is more text behind the end",
            ),
            (&deep, "line 1, column 128: values are nested too deeply"),
            (
                r#"["\q"]"#,
                "line 1, column 4: a string has a backslash with nothing after it that JSON knows",
            ),
            (
                r#"["\ud800"]"#,
                "line 1, column 9: a string has a backslash with nothing after it that JSON knows",
            ),
            (
                r#"["\u00"]"#,
                "line 1, column 8: a string has a backslash with nothing after it that JSON knows",
            ),
        ] {
            assert_eq!(said::<Value>(json), expected, "{json}");
        }
    }

    #[test]
    fn values_of_another_kind_are_named_with_what_was_expected() {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "only read")]
        struct Shape {
            count: u32,
            share: Option<f64>,
            name: Option<String>,
            names: Option<Vec<String>>,
            inner: Option<Box<Shape>>,
            word: Option<Word>,
        }
        #[derive(Debug, Deserialize)]
        #[serde(rename_all = "lowercase")]
        enum Word {
            One,
            Two,
        }
        for (json, expected) in [
            ("{}", "line 1, column 2: the key `count` is missing"),
            (
                "[]",
                "line 1, column 2: expected an object, found an array of 0",
            ),
            (
                "{\"count\": -1}",
                "line 1, column 12: expected a whole number of 0 or more, found -1",
            ),
            (
                "{\"count\": null}",
                "line 1, column 14: expected a whole number of 0 or more, found null",
            ),
            (
                "{\"count\": 1, \"share\": \"5\"}",
                "line 1, column 25: expected a number, found the string \"5\"",
            ),
            (
                "{\"count\": 1, \"name\": true}",
                "line 1, column 25: expected a string, found `true`",
            ),
            (
                "{\"count\": 1, \"names\": {}}",
                "line 1, column 22: expected an array, found an object",
            ),
            (
                "{\"count\": 1, \"inner\": 1.5}",
                "line 1, column 25: expected an object, found 1.5",
            ),
            (
                "{\"count\": 1, \"word\": \"three\"}",
                "line 1, column 28: expected `one` or `two`, found `three`",
            ),
            (
                "{\"count\": 1, \"more\": 1}",
                "line 1, column 19: there is no key `more` here; there are `count`, `share`, \
                 `name`, `names`, `inner` and `word`",
            ),
            (
                "{\"count\": 1, \"nmae\": \"a\"}",
                "line 1, column 19: there is no key `nmae` here; did you mean `name`?",
            ),
            (
                "{\"count\": 1, \"count\": 2}",
                "line 1, column 20: the key `count` is there twice",
            ),
        ] {
            assert_eq!(said::<Shape>(json), expected, "{json}");
        }
        let (one, two) = (said::<Word>("\"none\""), said::<Word>("5"));
        assert_eq!(
            one,
            "line 1, column 6: expected `one` or `two`, found `none`"
        );
        assert!(two.starts_with("line 1, column "), "{two}");
    }

    #[test]
    fn however_a_text_is_damaged_the_words_are_our_own() {
        let whole = r#"{"a": [1, -2.5e3, true], "b": {"c": null, "d": "x\u00e9\n"}, "e": ""}"#;
        let mut seen = std::collections::BTreeSet::new();
        for at in 0..whole.len() {
            let (before, rest) = whole.split_at(at);
            for damage in [
                "", ",", ":", "\"", "\\", "}", "]", "{", "x", "0", "\t", "\u{1}",
            ] {
                for text in [
                    format!("{before}{damage}"),
                    format!("{before}{damage}{}", &rest[1..]),
                ] {
                    let Err(error) = serde_json::from_str::<Value>(&text) else {
                        continue;
                    };
                    let what = Fault::from(error).what;
                    assert_ne!(what, "this is not JSON", "{text}");
                    for phrase in ["EOF", "expected", "while", "trailing", "invalid", "at line"] {
                        assert!(!what.contains(phrase), "{what}: {text}");
                    }
                    seen.insert(what);
                }
            }
        }
        assert!(seen.len() > 10, "{seen:#?}");
    }

    #[test]
    fn a_value_that_was_parsed_before_has_no_place() {
        let fault = Fault::from(serde_json::from_value::<u8>(Value::Null).unwrap_err());
        let expected = "expected a whole number of 0 or more, found null";
        assert_eq!(fault.to_string(), expected);
    }
}
