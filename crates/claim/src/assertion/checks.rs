//! How checks went: "Tests: `cargo test` (42 passed)", "Lint: clean".
//!
//! A value is read only if all of its words are understood: what passed or failed, how many, by which command. So
//! "must pass", "see CI" and "the new tests pass" say nothing here.

mod value;

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Says;

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
    /// The one with this word.
    pub(crate) fn of(word: &str) -> Option<Self> {
        let all = [
            Self::Tests,
            Self::Build,
            Self::Lint,
            Self::Types,
            Self::Anything,
        ];
        all.into_iter().find(|of| of.as_str() == word)
    }

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

/// What a value below a key of this kind says; `None` if it speaks of something else.
pub(super) fn read(of: Checked, text: &str) -> Option<Vec<Says>> {
    let mut said = Vec::new();
    for part in value::read(text)? {
        let passed = part.passed?;
        let check = |of, command| {
            Says::Check(Check {
                of,
                passed,
                command,
            })
        };
        if !part.commands.is_empty() {
            let commands = part.commands.into_iter();
            said.extend(commands.map(|command| check(of, Some(command))));
        } else if of == Checked::Anything {
            // A passed validation that names neither a command nor a thing may be of anything.
            said.extend(part.things.into_iter().map(|thing| check(thing, None)));
        } else if part.things.iter().all(|thing| *thing == of) {
            said.push(check(of, None));
        } else {
            // "Tests: the build passes" is of something else than its key.
            return None;
        }
    }
    Some(said)
}

#[cfg(test)]
mod tests;
