//! Why a criteria file is not the YAML that it should be: of its grammar in the words of the library, of its values in
//! ours, which know what each key takes.

use attest_json::wording::{self, Terms};
use serde_saphyr::localizer::ExternalMessageSource;
use serde_saphyr::{Error, Location};

use crate::SyntaxError;

/// The terms of YAML.
const YAML: Terms = Terms {
    list: "a list",
    map: "a mapping",
};

/// What the parser found in `text`, which it was given.
pub(crate) fn refused(error: &Error, text: &str) -> SyntaxError {
    let at = error.location().unwrap_or(Location::UNKNOWN);
    SyntaxError::new(at, what(error, &FaultPlace::of(text, at)))
}

fn what(error: &Error, place: &FaultPlace<'_>) -> String {
    match error {
        Error::AliasError { error, .. } | Error::WithSnippet { error, .. } => what(error, place),
        Error::ExternalMessage { source, .. } => match source.as_ref() {
            ExternalMessageSource::Parser(error) => error.kind().to_string(),
            _ => "this is not YAML".to_owned(),
        },
        Error::SerdeUnknownField {
            field, expected, ..
        } => wording::unknown_key(field, expected),
        Error::SerdeUnknownVariant {
            variant, expected, ..
        } => wording::unknown_name(variant, expected),
        Error::SerdeMissingField { field, .. } => format!("the key `{field}` is missing"),
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            format!("the key `{}` is there twice", wording::short(key))
        }
        Error::DuplicateMappingKey { .. } => "a key is there twice".to_owned(),
        Error::SerdeInvalidType { expected, .. }
        | Error::SerdeInvalidValue { expected, .. }
        | Error::SerdeInvalidLength { expected, .. } => place.instead_of(expected),
        Error::Unexpected { expected, .. } => place.instead_of(expected),
        Error::InvalidScalar { ty, .. } => place.instead_of_scalar(ty),
        Error::NonFiniteFloat { .. } => place.instead_of_scalar("f64"),
        Error::NullIntoString { .. } => place.instead_of("a string"),
        Error::ExternallyTaggedEnumExpectedScalarOrMapping { .. }
        | Error::ExpectedStringKeyForExternallyTaggedEnum { .. } => place.instead_of("a name"),
        Error::Message { msg, .. } => place.instead_of(msg),
        Error::Eof { .. } => "the file is empty, or ends too early".to_owned(),
        Error::MultipleDocuments { .. } => {
            "a second document begins here, but a criteria file has one".to_owned()
        }
        Error::UnknownAnchor { .. } => "nothing before this has the name of this alias".to_owned(),
        Error::UnsupportedTag { .. }
        | Error::TaggedEnumMismatch { .. }
        | Error::TaggedScalarCannotDeserializeIntoString { .. }
        | Error::InvalidBinaryBase64 { .. }
        | Error::BinaryNotUtf8 { .. } => "a tag such as `!name` is not allowed here".to_owned(),
        Error::MergeValueNotMapOrSeqOfMaps { .. } => "`<<` needs an alias of a mapping".to_owned(),
        Error::Budget { .. }
        | Error::AliasReplayCounterOverflow { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => {
            "the file is too large, or nested too deeply, with all aliases written out".to_owned()
        }
        _ => "this does not belong here".to_owned(),
    }
}

/// What the file has around the place of a fault.
struct FaultPlace<'t> {
    /// The key whose value stands there.
    key: Option<&'t str>,
    /// From there to the end of the line.
    rest: &'t str,
    /// Whether the key is on the same line, so that no block can begin there.
    is_behind_key: bool,
}

impl<'t> FaultPlace<'t> {
    fn of(text: &'t str, at: Location) -> Self {
        let (before, rest) = text.split_at(offset(text, at));
        Self {
            key: key_at_end(before),
            rest: rest.lines().next().unwrap_or_default().trim_end(),
            is_behind_key: before.trim_end_matches(' ').ends_with(':'),
        }
    }

    /// That something else was expected, which serde calls `expected`.
    fn instead_of(&self, expected: &str) -> String {
        self.must_be(expected, &self.kind())
    }

    /// The same of what is known to be one word or number.
    fn instead_of_scalar(&self, expected: &str) -> String {
        self.must_be(expected, &self.scalar())
    }

    fn must_be(&self, expected: &str, found: &str) -> String {
        if let Some((key, wanted)) = self.key.and_then(|key| Some((key, wanted(key)?))) {
            return format!("`{key}` must be {wanted}, found {found}");
        }
        let expected = match expected {
            "string scalar" | "scalar" => "a string".to_owned(),
            "sequence start" => YAML.list.to_owned(),
            "mapping start" => YAML.map.to_owned(),
            other => wording::expected(other, &YAML),
        };
        format!("expected {expected}, found {found}")
    }

    /// What the value is that begins there.
    fn kind(&self) -> String {
        let line = self.rest;
        let is_block = |is: bool| is && !self.is_behind_key;
        if line.starts_with('[') || is_block(line == "-" || line.starts_with("- ")) {
            YAML.list.to_owned()
        } else if line.starts_with('{') || is_block(line.contains(": ") || line.ends_with(':')) {
            YAML.map.to_owned()
        } else {
            self.scalar()
        }
    }

    fn scalar(&self) -> String {
        let mut line = self.rest;
        if !self.is_behind_key {
            line = line.split(": ").next().unwrap_or_default();
        }
        let end = line.find([',', '}', ']']).unwrap_or(line.len());
        match line.get(..end).unwrap_or(line).trim_end() {
            "" => "nothing".to_owned(),
            scalar => format!("`{}`", wording::short(scalar)),
        }
    }
}

/// What the value of a key has to be.
fn wanted(key: &str) -> Option<&'static str> {
    Some(match key {
        "base_case" | "check" => "a mapping, as in {type: command, value: cargo test}",
        "checklist" | "group" | "any_of" => "a list of items",
        "type" => "a type of check, such as command or file",
        "item" | "criterion" => "a name",
        "value" | "contains" | "matches" | "sha256" | "description" => "text",
        "timeout" => "a length of time such as 90s or 2m",
        "min_bytes" => "a whole number of 0 or more",
        "test_commands" => "a list of commands",
        "criteria" => "a sentence",
        "rubric" => "a list of criteria",
        "pass_threshold" | "weight" => "a number",
        "scope" => "a path or a list of paths",
        "levels" => "a mapping, as in {1: poor, 5: good}",
        _ => return None,
    })
}

/// Where in `text` the place is.
fn offset(text: &str, at: Location) -> usize {
    let line = usize::try_from(at.line().saturating_sub(1)).unwrap_or(usize::MAX);
    let column = usize::try_from(at.column().saturating_sub(1)).unwrap_or(usize::MAX);
    let mut lines = text.split_inclusive('\n');
    let start: usize = lines.by_ref().take(line).map(str::len).sum();
    let line = lines.next().unwrap_or_default();
    let end = line.char_indices().nth(column);
    start + end.map_or(line.len(), |(offset, _)| offset)
}

/// The key that `before` ends with, if it does with one.
fn key_at_end(before: &str) -> Option<&str> {
    let before = before.trim_end().strip_suffix(':')?;
    let before = before.trim_end_matches(['"', '\'']);
    let is_of_key = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let key = before.rsplit(|char| !is_of_key(char)).next()?;
    (!key.is_empty()).then_some(key)
}
