//! What a report says beside its files, each kind under keys of its own.
//!
//! A kind is a file here that reads the value of its keys, a line of [`Says`], and a class of `words/keys.txt`. Only
//! a value that is understood whole is an assertion: the rest of it is prose.

mod checks;
mod commits;
mod reads;
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
    /// A file was read.
    Read {
        /// Its path, as it is written.
        file: String,
    },
    /// There is a commit of this name.
    Commit {
        /// Its first digits, or all, in lower case.
        hash: String,
    },
    /// There is a branch of this name.
    Branch {
        /// Its name.
        name: String,
    },
    /// The claimed files are committed.
    Committed,
    /// What was committed is on a remote.
    Pushed,
    /// A check passed or failed.
    Check(Check),
}

impl Assertion {
    /// What it says of a check.
    #[must_use]
    pub fn check(&self) -> Option<&Check> {
        match &self.says {
            Says::Check(check) => Some(check),
            _ => None,
        }
    }
}

impl fmt::Display for Says {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CleanTree => out.write_str("the work tree is clean"),
            Self::Read { file } => write!(out, "{file} was read"),
            Self::Commit { hash } => write!(out, "commit {hash}"),
            Self::Branch { name } => write!(out, "branch {name}"),
            Self::Committed => out.write_str("the files are committed"),
            Self::Pushed => out.write_str("the commits were pushed"),
            Self::Check(check) => check.fmt(out),
        }
    }
}

impl Says {
    /// What kind of claim it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::CleanTree | Self::Committed => Kind::Tree,
            Self::Read { .. } => Kind::Reads,
            Self::Commit { .. } | Self::Branch { .. } | Self::Pushed => Kind::Commits,
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
    /// What such a file holds.
    Content,
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
    pub const ALL: [Self; 6] = [
        Self::Files,
        Self::Content,
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
            Self::Content => "content",
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
    /// Files that were read.
    Reads,
    /// Commits.
    Commits,
    /// A branch.
    Branch,
    /// Whether the commits were pushed.
    Pushed,
    /// How checks went.
    Checks(Checked),
}

impl Topic {
    /// The topic of a class of keys.
    pub(crate) fn of(class: &str) -> Option<Self> {
        match class {
            "tree" => Some(Self::Tree),
            "reads" => Some(Self::Reads),
            "commits" => Some(Self::Commits),
            "branch" => Some(Self::Branch),
            "pushed" => Some(Self::Pushed),
            _ => Checked::of(class).map(Self::Checks),
        }
    }

    /// Whether it is about what git keeps, so that nothing below it is a file.
    pub(crate) fn is_of_git(self) -> bool {
        matches!(
            self,
            Self::Tree | Self::Commits | Self::Branch | Self::Pushed
        )
    }

    /// Whether it is about how checks went.
    pub(crate) fn is_of_checks(self) -> bool {
        matches!(self, Self::Checks(_))
    }

    /// What one line of the value says.
    pub(crate) fn read(self, text: &str) -> Vec<Assertion> {
        let says: Vec<_> = match self {
            Self::Tree => tree::read(text).into_iter().collect(),
            Self::Reads => reads::read(text).unwrap_or_default(),
            Self::Commits => commits::read(text),
            Self::Branch => commits::branch(text).into_iter().collect(),
            Self::Pushed => commits::pushed(text).into_iter().collect(),
            Self::Checks(of) => checks::read(of, text).unwrap_or_default(),
        };
        let raw = &text[..text.floor_char_boundary(MAX_RAW_BYTES)];
        let assertion = |says| Assertion {
            raw: raw.to_owned(),
            says,
        };
        says.into_iter().map(assertion).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    /// The files that a report names, and what else it says.
    fn read(report: &str) -> (Vec<String>, Vec<Says>) {
        let claim = parse(report);
        let says = claim.assertions.iter().map(|it| it.says.clone());
        (claim.names(), says.collect())
    }

    #[test]
    fn an_assertion_stands_anywhere_in_a_report_and_ends_the_list_above_it() {
        for report in [
            "Status: DONE\nFiles changed: a.py\nWorking tree: clean",
            "Status: DONE\nFiles changed:\n- a.py\nWorking tree: clean",
            "Status: DONE\n\nFiles changed:\n- a.py\n\n- **Working tree**: clean\n",
            "- Status: DONE\n- Files changed: a.py\n- Working tree: clean",
            "## Handoff\n**Status:** DONE\n**Working tree:**\n- clean\n**Files changed:** a.py\n",
            r#"{"status": "DONE", "files_changed": ["a.py"], "working_tree": "clean"}"#,
        ] {
            let expected = (vec!["a.py".to_owned()], vec![Says::CleanTree]);
            assert_eq!(read(report), expected, "{report}");
        }
    }

    #[test]
    fn what_is_not_understood_is_none_and_leaves_the_list_as_it_is() {
        let report = "Status: DONE\nFiles changed:\n- a.py\n- Working tree: src/tree.py\n";
        assert_eq!(read(report).1, []);
        assert_eq!(read("Working tree: clean").1, [Says::CleanTree]);
        assert!(!parse("Working tree: clean").is_claim());
    }
}
