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
    /// The word for it, which `attest explain` knows.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Untrusted { .. } => "CRITERIA_UNTRUSTED",
            Self::Foreign(_) => "CRITERIA_FOREIGN",
            Self::Changed => "CRITERIA_CHANGED",
            Self::Unreadable(_) => "CRITERIA_UNREADABLE",
            Self::NoTime => "CRITERIA_NO_TIME",
            Self::Failed(_) => "CRITERIA_FAILED",
        }
    }

    /// All words.
    pub const WORDS: [&str; 6] = [
        "CRITERIA_UNTRUSTED",
        "CRITERIA_FOREIGN",
        "CRITERIA_CHANGED",
        "CRITERIA_UNREADABLE",
        "CRITERIA_NO_TIME",
        "CRITERIA_FAILED",
    ];

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
