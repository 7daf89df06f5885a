//! What was written, or was seen to be there, and is there no more. That is a fact, with its time and its cause as far
//! as they are known, and says nothing against the agent.

use std::fmt;

use attest_evidence::{RepoPath, escaped};
use jiff::Timestamp;

use crate::Doubt;
use crate::reason::cut;

/// Characters of a command, or of a tool's name, at most.
const LONGEST: usize = 80;

/// What is known of a claimed path that is not on disk, beside what the work tree itself says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Whereabouts {
    /// It was there.
    Lost(Lost),
    /// What was written to it is in this place.
    Moved {
        /// In words.
        to: String,
        /// The changed path of the work tree, if it is one.
        path: Option<RepoPath>,
    },
    /// It may have been there.
    Doubted(Doubt),
}

/// A file that was there and is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// How it is known that it was there.
    pub was: Was,
    /// What may have removed it.
    pub gone: Option<Gone>,
    /// Why it proves nothing, whatever the person has allowed to prove.
    pub doubt: Option<Doubt>,
}

/// How it is known that a file was there. Times are those of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Was {
    /// A tool of the agent that writes the file which it names reported success.
    Written {
        /// The tool.
        tool: String,
        /// When.
        at: Option<String>,
    },
    /// A command of the agent that is to write it reported success.
    ToBeWritten {
        /// The command.
        command: String,
        /// When.
        at: Option<String>,
    },
    /// A call of somebody else can only have succeeded if it was there, or made it.
    Met {
        /// The tool, or the command.
        what: String,
        /// Whose.
        who: Who,
        /// When.
        at: Option<String>,
    },
    /// It was there when another agent began.
    Recorded {
        /// Which.
        who: Who,
        /// When.
        at: Option<String>,
    },
}

impl Was {
    /// When, as the host writes it.
    #[must_use]
    pub fn at(&self) -> Option<&str> {
        let (Self::Written { at, .. }
        | Self::ToBeWritten { at, .. }
        | Self::Met { at, .. }
        | Self::Recorded { at, .. }) = self;
        at.as_deref()
    }
}

/// What may have removed a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gone {
    /// The command, or the tool.
    pub what: String,
    /// Whose.
    pub who: Who,
    /// When.
    pub at: Option<String>,
}

/// Who did something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    /// The agent that is judged.
    Itself,
    /// The main agent of its session.
    Main,
    /// Another subagent, by its name.
    Agent(String),
}

impl fmt::Display for Who {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Itself => out.write_str("the agent itself"),
            Self::Main => out.write_str("the main agent"),
            Self::Agent(name) => write!(out, "agent {}", short(name)),
        }
    }
}

impl fmt::Display for Was {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Written { tool, at } => {
                write!(out, "was written{} ({})", time(at.as_deref()), short(tool))
            }
            Self::ToBeWritten { command, at } => {
                let (at, command) = (time(at.as_deref()), short(command));
                write!(out, "was to be written{at} (`{command}` reported success)")
            }
            Self::Met { what, who, at } => {
                let (at, what) = (time(at.as_deref()), short(what));
                write!(out, "was there{at} (`{what}` of {who})")
            }
            Self::Recorded { who, at } => {
                write!(out, "was there{} ({who} began)", time(at.as_deref()))
            }
        }
    }
}

/// Behind the name of the file, as one sentence.
impl fmt::Display for Lost {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} and is not on disk now", self.was)?;
        if let Some(Gone { what, who, at }) = &self.gone {
            let (what, at) = (short(what), time(at.as_deref()));
            write!(out, "; `{what}` of {who}{at} may have removed it")?;
        }
        Ok(())
    }
}

/// A text of somebody else in one line, safe to print, and no longer than it has to be.
pub(crate) fn short(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(escaped(text.replace('`', "'").as_bytes()), LONGEST)
}

/// The time of day of a moment that a host wrote, if it can be read.
pub(crate) fn time(at: Option<&str>) -> String {
    let at: Option<Timestamp> = at.and_then(|at| at.parse().ok());
    at.map_or_else(String::new, |at| {
        format!(" at {} UTC", at.strftime("%H:%M:%S"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> String {
        text.to_owned()
    }

    #[test]
    fn the_sentence_says_what_is_known_and_no_more() {
        let gone = |what: &str, who| Gone {
            what: what.to_owned(),
            who,
            at: Some(at("2026-01-01T14:03:00.5Z")),
        };
        let written = Was::Written {
            tool: "Write".to_owned(),
            at: Some(at("2026-01-01T14:02:11Z")),
        };
        let agent = || Who::Agent("b".to_owned());
        for (was, gone, expected) in [
            (
                written.clone(),
                Some(gone("mv a.py b.py", agent())),
                "was written at 14:02:11 UTC (Write) and is not on disk now; `mv a.py b.py` of agent b at 14:03:00 UTC may have \
                 removed it",
            ),
            (
                written,
                None,
                "was written at 14:02:11 UTC (Write) and is not on disk now",
            ),
            (
                Was::ToBeWritten {
                    command: "echo x > a.py".to_owned(),
                    at: None,
                },
                Some(gone("rm\n  a.py", Who::Itself)),
                "was to be written (`echo x > a.py` reported success) and is not on disk now; `rm a.py` of the agent itself at \
                 14:03:00 UTC may have removed it",
            ),
            (
                Was::Met {
                    what: "rm a.py".to_owned(),
                    who: Who::Main,
                    at: None,
                },
                None,
                "was there (`rm a.py` of the main agent) and is not on disk now",
            ),
            (
                Was::Recorded {
                    who: agent(),
                    at: Some(at("2026-01-01T14:02:59Z")),
                },
                None,
                "was there at 14:02:59 UTC (agent b began) and is not on disk now",
            ),
        ] {
            let lost = Lost {
                was,
                gone,
                doubt: None,
            };
            assert_eq!(lost.to_string(), expected);
        }
    }

    #[test]
    fn a_command_cannot_print_more_than_one_short_line() {
        let text = short(&format!("rm \u{1b}[31m`x`\n{}", "y".repeat(300)));
        assert!(!text.contains(['\n', '`', '\u{1b}']), "{text}");
        assert_eq!(text.chars().count(), LONGEST + 1);
    }
}
