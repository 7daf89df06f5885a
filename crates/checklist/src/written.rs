//! The keys of the criteria file, before they are checked against each other.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_saphyr::{Location, Spanned};

use crate::SyntaxError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Document {
    pub(crate) base_case: Spanned<WrittenCheck>,
    #[serde(default)]
    pub(crate) checks: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrittenItem {
    pub(crate) item: Spanned<String>,
    pub(crate) check: Option<Spanned<WrittenCheck>>,
    pub(crate) group: Option<Spanned<Vec<WrittenItem>>>,
    pub(crate) any_of: Option<Spanned<Vec<WrittenItem>>>,
}

/// All keys that any check has. They share one type, because an enum of types would lose the
/// positions of errors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrittenCheck {
    #[serde(rename = "type")]
    pub(crate) kind: Option<Spanned<WrittenKind>>,
    pub(crate) value: Option<Spanned<String>>,
    pub(crate) timeout: Option<Spanned<String>>,
    pub(crate) contains: Option<Spanned<String>>,
    pub(crate) matches: Option<Spanned<String>>,
    pub(crate) min_bytes: Option<Spanned<u64>>,
    pub(crate) sha256: Option<Spanned<String>>,
    pub(crate) test_commands: Option<Spanned<Vec<Spanned<String>>>>,
    pub(crate) criteria: Option<Spanned<String>>,
    pub(crate) rubric: Option<Spanned<Vec<WrittenCriterion>>>,
    pub(crate) pass_threshold: Option<Spanned<f64>>,
    pub(crate) scope: Option<Spanned<Paths>>,
    /// Only directly below `base_case`.
    pub(crate) checklist: Option<Spanned<Vec<WrittenItem>>>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WrittenKind {
    Command,
    NotCommand,
    File,
    NotFile,
    Assertion,
    Quality,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a path or a list of paths")]
pub(crate) enum Paths {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrittenCriterion {
    pub(crate) criterion: Spanned<String>,
    pub(crate) description: Option<String>,
    pub(crate) weight: Option<Spanned<f64>>,
    pub(crate) levels: Option<BTreeMap<i64, String>>,
}

impl WrittenKind {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::NotCommand => "not_command",
            Self::File => "file",
            Self::NotFile => "not_file",
            Self::Assertion => "assertion",
            Self::Quality => "quality",
        }
    }

    /// The keys that a check of this type may have.
    pub(crate) fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Command | Self::NotCommand => &["type", "value", "timeout"],
            Self::File | Self::NotFile => &[
                "type",
                "value",
                "contains",
                "matches",
                "min_bytes",
                "sha256",
            ],
            Self::Assertion => &["type", "value", "test_commands", "timeout"],
            Self::Quality => &[
                "type",
                "value",
                "criteria",
                "rubric",
                "pass_threshold",
                "scope",
            ],
        }
    }
}

impl WrittenCheck {
    /// Refuses a key that `what` does not have.
    pub(crate) fn allows(&self, what: &str, keys: &[&str]) -> Result<(), SyntaxError> {
        fn place<T>(value: Option<&Spanned<T>>) -> Option<Location> {
            value.map(|value| value.referenced)
        }
        let present = [
            ("type", place(self.kind.as_ref())),
            ("value", place(self.value.as_ref())),
            ("timeout", place(self.timeout.as_ref())),
            ("contains", place(self.contains.as_ref())),
            ("matches", place(self.matches.as_ref())),
            ("min_bytes", place(self.min_bytes.as_ref())),
            ("sha256", place(self.sha256.as_ref())),
            ("test_commands", place(self.test_commands.as_ref())),
            ("criteria", place(self.criteria.as_ref())),
            ("rubric", place(self.rubric.as_ref())),
            ("pass_threshold", place(self.pass_threshold.as_ref())),
            ("scope", place(self.scope.as_ref())),
            ("checklist", place(self.checklist.as_ref())),
        ];
        for (key, place) in present {
            if let Some(place) = place
                && !keys.contains(&key)
            {
                let message = format!("{what} has no key {key:?}");
                return Err(SyntaxError::new(place, message));
            }
        }
        Ok(())
    }
}
