//! What a stop shows that is not about whether the report is right: it is told, and nothing is decided by it.

use std::fmt;

use attest_evidence::Untrusted;

use crate::Undone;
use crate::lost::{short, time};
use crate::quoted;

/// One thing that is seen beside a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Beside {
    /// Work of another agent was taken back.
    Undone(Undone),
    /// The last message refers to an earlier one of the same agent.
    Refers {
        /// The agent.
        agent: String,
        /// Its transcript.
        file: String,
        /// The line of its longest message, from 1.
        line: u64,
    },
    /// An agent ended while another one was at work that it had started.
    AtWork {
        /// The agent.
        agent: String,
        /// The other one.
        started: String,
    },
    /// An agent ended without a report.
    Unfinished {
        /// The agent.
        agent: String,
        /// In what.
        end: End,
    },
}

/// In what an agent ended that gave no report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// At a call, its last one. Whether that was answered is written late, and not asked.
    Call {
        /// The tool.
        tool: String,
        /// When, as the host writes it.
        at: Option<String>,
    },
    /// Before any call.
    Beginning,
    /// In an error of the host, in its words.
    Error(String),
}

/// As one sentence.
impl fmt::Display for Beside {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undone(undone) => undone.fmt(out),
            Self::Refers { agent, file, line } => {
                let (agent, file) = (short(agent), Untrusted::new(file));
                write!(
                    out,
                    "the last message of agent {agent} refers to an earlier one: the longest is line {line} of {file}"
                )
            }
            Self::AtWork { agent, started } => {
                let (agent, started) = (short(agent), short(started));
                write!(
                    out,
                    "agent {agent} ended while agent {started} was at work, which it had started"
                )
            }
            Self::Unfinished { agent, end } => {
                let agent = short(agent);
                write!(
                    out,
                    "agent {agent} ended {end}, without a report: nothing of its work was checked"
                )
            }
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call { tool, at } => {
                write!(out, "at a call ({}{})", short(tool), time(at.as_deref()))
            }
            Self::Beginning => out.write_str("before any call"),
            Self::Error(why) => write!(out, "in an error of the host ({})", quoted(why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_one_sentence() {
        let agent = || "a1".to_owned();
        let call = End::Call {
            tool: "Bash".to_owned(),
            at: Some("2026-01-01T14:02:11.5Z".to_owned()),
        };
        let ended = |end| Beside::Unfinished {
            agent: agent(),
            end,
        };
        for (beside, expected) in [
            (
                Beside::Refers {
                    agent: agent(),
                    file: "/home/me/t.jsonl".to_owned(),
                    line: 7,
                },
                "the last message of agent a1 refers to an earlier one: the longest is line 7 of /home/me/t.jsonl",
            ),
            (
                Beside::AtWork {
                    agent: agent(),
                    started: "a2".to_owned(),
                },
                "agent a1 ended while agent a2 was at work, which it had started",
            ),
            (
                ended(call),
                "agent a1 ended at a call (Bash at 14:02:11 UTC), without a report: nothing of its work was checked",
            ),
            (
                ended(End::Beginning),
                "agent a1 ended before any call, without a report: nothing of its work was checked",
            ),
            (
                ended(End::Error("overloaded".to_owned())),
                "agent a1 ended in an error of the host (\"overloaded\"), without a report: nothing of its work was checked",
            ),
        ] {
            assert_eq!(beside.to_string(), expected);
        }
    }
}
