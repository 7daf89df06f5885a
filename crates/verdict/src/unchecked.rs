//! Why the completion criteria of a stop were not checked.

use std::fmt;

/// Why they were not checked, with what a person can do about it where there is something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unchecked {
    /// No person has trusted the file as it is; this command lets its commands run.
    Untrusted {
        /// The command.
        command: String,
    },
    /// No person can: somebody else may write to it.
    Foreign(String),
    /// It is not what it was when the agent started: the goal was moved, or the file is gone.
    Changed,
    /// It cannot be read, or is not valid.
    Unreadable(String),
    /// The hook had no time left.
    NoTime,
    /// These checks could not be made.
    Failed(Vec<String>),
}

impl Unchecked {
    attest_evidence::doubt_words! {
        Self::Untrusted { .. } => "CRITERIA_UNTRUSTED", "no person has trusted the criteria file as it is, where it is";
        Self::Foreign(_) => "CRITERIA_FOREIGN", "the criteria file or a folder of it belongs to somebody else, or others may write to it";
        Self::Changed => "CRITERIA_CHANGED", "the criteria file is not what it was when the agent started, or it is gone";
        Self::Unreadable(_) => "CRITERIA_UNREADABLE", "the criteria file cannot be read, or is not valid";
        Self::NoTime => "CRITERIA_NO_TIME", "reading the work tree left no time for the criteria";
        Self::Failed(_) => "CRITERIA_FAILED", "some checks could not be made, and the others do not decide";
    }

    /// What mends it, in words.
    #[must_use]
    pub fn mend(&self) -> Option<String> {
        match self {
            Self::Untrusted { command } => Some(format!("`{command}` allows its commands")),
            Self::Changed => Some("look at the file; agents that start from now on are checked against it once it is trusted: `attest trust`".to_owned()),
            Self::Unreadable(_) | Self::Failed(_) => Some("`attest check` shows what is wrong".to_owned()),
            Self::NoTime => Some("a longer ATTEST_STOP_DEADLINE leaves more time".to_owned()),
            Self::Foreign(_) => None,
        }
    }
}

impl fmt::Display for Unchecked {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Untrusted { .. } => out.write_str("not run: the criteria file is not trusted"),
            Self::Foreign(why) => {
                write!(out, "not run: the criteria file cannot be trusted: {why}")
            }
            Self::Changed => out.write_str("not run: the criteria file changed since the start"),
            Self::Unreadable(why) => write!(out, "not run: {why}"),
            Self::NoTime => out.write_str("not run: no time is left"),
            Self::Failed(names) => write!(out, "not checked: {}", names.join(", ")),
        }
    }
}
