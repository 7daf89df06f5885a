//! What a report says beside its files, each kind under keys of its own.
//!
//! A kind is a file here that reads the value of its keys, a line of [`Says`], and a class of `words/keys.txt`. Only
//! a value that is understood whole is an assertion: the rest of it is prose.

mod checks;
mod tree;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use checks::{Check, Checked};

/// The most assertions of a report.
pub(crate) const MAX_ASSERTIONS: usize = 200;
/// The longest text of one, in bytes.
const MAX_RAW_BYTES: usize = 400;

/// What a report says of one thing that is not a file that it changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assertion {
    /// The text as the agent wrote it.
    pub raw: String,
    /// What it says.
    #[serde(flatten)]
    pub says: Says,
}

/// What an assertion says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "says", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Says {
    /// Nothing is uncommitted.
    CleanTree,
    /// A check passed or failed.
    Check(Check),
}

impl Assertion {
    /// What it says of a check.
    #[must_use]
    pub fn check(&self) -> Option<&Check> {
        match &self.says {
            Says::Check(check) => Some(check),
            Says::CleanTree => None,
        }
    }
}

impl fmt::Display for Says {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CleanTree => out.write_str("the work tree is clean"),
            Self::Check(check) => check.fmt(out),
        }
    }
}

impl Says {
    /// What kind of claim it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::CleanTree => Kind::Tree,
            Self::Check(_) => Kind::Checks,
        }
    }
}

/// What a claim is about.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Kind {
    /// A file that was changed.
    #[default]
    Files,
    /// What git was told to keep: commits, branches, pushes.
    Commits,
    /// Tests, builds, lints and types.
    Checks,
    /// Files that were read.
    Reads,
    /// The work tree as a whole.
    Tree,
}

impl Kind {
    /// Every one, in the order in which they are told.
    pub const ALL: [Self; 5] = [
        Self::Files,
        Self::Commits,
        Self::Checks,
        Self::Reads,
        Self::Tree,
    ];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Commits => "commits",
            Self::Checks => "checks",
            Self::Reads => "reads",
            Self::Tree => "tree",
        }
    }
}

/// What the value of a key is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Topic {
    /// The state of the work tree.
    Tree,
    /// How checks went.
    Checks(Checked),
}

impl Topic {
    /// The topic of a class of keys.
    pub(crate) fn of(class: &str) -> Option<Self> {
        match class {
            "tree" => Some(Self::Tree),
            "check-tests" => Some(Self::Checks(Checked::Tests)),
            "check-build" => Some(Self::Checks(Checked::Build)),
            "check-lint" => Some(Self::Checks(Checked::Lint)),
            "check-types" => Some(Self::Checks(Checked::Types)),
            "check" => Some(Self::Checks(Checked::Anything)),
            _ => None,
        }
    }

    /// What one line of the value says.
    pub(crate) fn read(self, text: &str) -> Vec<Assertion> {
        let says: Vec<_> = match self {
            Self::Tree => tree::read(text).into_iter().collect(),
            Self::Checks(of) => checks::read(of, text),
        };
        let raw = &text[..text.floor_char_boundary(MAX_RAW_BYTES)];
        let assertion = |says| Assertion {
            raw: raw.to_owned(),
            says,
        };
        says.into_iter().map(assertion).collect()
    }
}
