//! How checks went: "Tests: `cargo test` (42 passed)", "Lint: clean".
//!
//! A value is read only if all of its words are understood: what passed or failed, how many, by which command. So
//! "must pass", "see CI" and "the new tests pass" say nothing here.

mod value;
mod words;

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Says;
use value::Part;

/// How a check went, as a report has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// What was checked.
    pub of: Checked,
    /// Whether it passed; otherwise it failed.
    pub passed: bool,
    /// The command that is named, as it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// What a check is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Checked {
    /// Tests.
    Tests,
    /// A build.
    Build,
    /// Style.
    Lint,
    /// Types.
    Types,
    /// Whatever the command checks.
    Anything,
}

impl Checked {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tests => "tests",
            Self::Build => "build",
            Self::Lint => "lint",
            Self::Types => "types",
            Self::Anything => "check",
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = if self.passed { "passed" } else { "failed" };
        match &self.command {
            Some(command) => write!(out, "{}: {command} {outcome}", self.of.as_str()),
            None => write!(out, "{}: {outcome}", self.of.as_str()),
        }
    }
}

/// What a value below a key of this kind says.
pub(super) fn read(of: Checked, text: &str) -> Vec<Says> {
    let parts = value::read(text).unwrap_or_default();
    let mut said = Vec::new();
    for part in parts {
        let Part {
            commands,
            things,
            passed,
        } = part;
        if !commands.is_empty() {
            let check = |command| Check {
                of,
                passed,
                command: Some(command),
            };
            said.extend(commands.into_iter().map(check));
            continue;
        }
        let named = |of| Check {
            of,
            passed,
            command: None,
        };
        match (of, things.as_slice()) {
            // A passed validation that names neither a command nor a thing may be of anything.
            (Checked::Anything, []) => {}
            (Checked::Anything, things) => said.extend(things.iter().copied().map(named)),
            (of, things) if things.iter().all(|thing| *thing == of) => said.push(named(of)),
            // "Tests: the build passes" is of something else than its key.
            _ => return Vec::new(),
        }
    }
    said.into_iter().map(Says::Check).collect()
}

#[cfg(test)]
mod tests;
