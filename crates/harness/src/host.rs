//! The hosts that attest speaks to, by the name that `--harness` takes.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use attest_evidence::Printable;

use crate::claude_code;
use crate::payload::{AgentTranscript, Payload, PayloadError};

/// A program that runs agents and calls attest's hooks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Harness {
    /// Claude Code, and the hosts that send its payloads under its field names.
    #[default]
    ClaudeCode,
}

/// A `--harness` value that names no host known here.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown harness {name:?}, known: {}", known_names())]
pub struct UnknownHarness {
    /// The value as it was given.
    pub name: String,
}

impl Harness {
    /// Every host, in the order in which help texts list them.
    pub const ALL: &'static [Self] = &[Self::ClaudeCode];

    /// The name on the command line and in the state file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
        }
    }

    /// Reads one hook payload of this host.
    pub fn parse(self, bytes: &[u8]) -> Result<Payload, PayloadError> {
        match self {
            Self::ClaudeCode => claude_code::parse(bytes),
        }
    }

    /// Where this host keeps the transcript of the agent that `payload` is about: what the payload
    /// names, or else the place where the host was seen to put it. Good for showing, not for
    /// judging.
    #[must_use]
    pub fn likely_transcript(self, payload: &Payload) -> Option<PathBuf> {
        match &payload.agent_transcript {
            AgentTranscript::Named(path) => Some(path.clone()),
            AgentTranscript::Unusable => None,
            AgentTranscript::Absent => match self {
                Self::ClaudeCode => claude_code::likely_transcript(payload),
            },
        }
    }

    /// What to print so that this host sends the agent back to work with `reason`.
    #[must_use]
    pub fn render_revise(self, reason: &Printable) -> String {
        match self {
            Self::ClaudeCode => claude_code::render_revise(reason),
        }
    }

    /// What to print at the end of the session's own turn so that this host shows `text` to the
    /// person.
    #[must_use]
    pub fn render_notice(self, text: &Printable) -> String {
        match self {
            Self::ClaudeCode => claude_code::render_notice(text),
        }
    }

    /// What to print on `event`, in the host's spelling, so that this host puts `text` before the
    /// agent that the event belongs to.
    #[must_use]
    pub fn render_context(self, event: &str, text: &Printable) -> String {
        match self {
            Self::ClaudeCode => claude_code::render_context(event, text),
        }
    }
}

impl fmt::Display for Harness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Harness {
    type Err = UnknownHarness;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|harness| harness.name() == name)
            .ok_or_else(|| UnknownHarness {
                name: name.to_owned(),
            })
    }
}

fn known_names() -> String {
    let names: Vec<_> = Harness::ALL.iter().map(|harness| harness.name()).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_its_host() {
        for harness in Harness::ALL {
            assert_eq!(harness.to_string().parse(), Ok(*harness));
        }
    }

    #[test]
    fn an_unknown_name_is_told_the_known_ones() {
        let error = "claude code\u{1b}".parse::<Harness>().unwrap_err();
        assert_eq!(
            error.to_string(),
            r#"unknown harness "claude code\u{1b}", known: claude-code"#
        );
    }
}
