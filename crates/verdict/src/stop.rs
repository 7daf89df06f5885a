//! One stop: what its agent says, and what was found of that.

use std::cell::OnceCell;
use std::path::PathBuf;
use std::rc::Rc;

use attest_claim::{Claim, Told, told};
use serde::{Deserialize, Serialize};

use crate::facts::Unseen;
use crate::{Again, Beside, ClaimFinding, Tools, Unmet, Verdict};

/// What an agent says in the end, and who it is.
#[derive(Debug, Clone)]
pub struct Report {
    /// The host's name for the agent's kind.
    pub agent_type: Option<String>,
    /// Whether the host gave the agent an id of its own.
    pub has_agent_id: bool,
    /// Whether it is surely the main agent of its session, whose every message the person reads.
    pub is_main: bool,
    /// The agent's final message.
    pub message: String,
    /// Where that was found.
    pub source: Source,
    /// What it claims.
    pub claim: Claim,
    /// What its sentences tell of, once somebody has asked: read once for it and all copies of it.
    pub told: Rc<OnceCell<Told>>,
}

/// Everything that was found of one stop.
#[derive(Debug, Clone)]
pub struct StopInput {
    /// What the agent says.
    pub report: Report,
    /// What the work tree says to that.
    pub evidence: Evidence,
    /// Files that the message says to have changed outside of any list, and of which that was not seen.
    pub said: Vec<ClaimFinding>,
    /// Files for which it was sent back before, and that it goes on to claim.
    pub again: Vec<Again>,
    /// What was seen that is not about the report.
    pub beside: Vec<Beside>,
    /// What the agent's tools did, if its transcript was read.
    pub tools: Option<Tools>,
    /// What the prompt asks for and is not there.
    pub asked: Vec<Unmet>,
    /// How many other agents worked in the same work tree.
    pub others_at_work: u32,
    /// Whether a subagent is still at work in the turn that this is the stop of.
    pub has_subagent_at_work: bool,
    /// The commands that the agent began in the background and that still run beside a DONE, safe to print. They decide
    /// nothing: a server is meant to run.
    pub left_running: Vec<String>,
}

impl Report {
    /// What its sentences tell of.
    #[must_use]
    pub fn told(&self) -> &Told {
        self.told.get_or_init(|| told(&self.message))
    }

    /// The same without anything that it says.
    pub(crate) fn unread(self) -> Self {
        Self {
            message: String::new(),
            source: Source::Payload,
            claim: attest_claim::parse(""),
            told: Rc::default(),
            ..self
        }
    }
}

impl StopInput {
    /// A stop of which only the report is known, and what the work tree says to it.
    #[must_use]
    pub const fn of(report: Report, evidence: Evidence) -> Self {
        Self {
            report,
            evidence,
            said: Vec::new(),
            again: Vec::new(),
            beside: Vec::new(),
            tools: None,
            asked: Vec::new(),
            others_at_work: 0,
            has_subagent_at_work: false,
            left_running: Vec::new(),
        }
    }
}

/// Where the agent's message was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// In what the host sent.
    Payload,
    /// In a transcript.
    Transcript,
}

impl Source {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Payload => "payload",
            Self::Transcript => "transcript",
        }
    }
}

/// What the work tree says to a claim.
#[derive(Debug, Clone)]
pub enum Evidence {
    /// The start was not seen, or what was found then is gone.
    NoSnapshot,
    /// There is no claim, so nothing was compared.
    NoClaim,
    /// A work tree could not be read, and why.
    Unreadable(String),
    /// The stop itself could not be read, and why.
    Failed(String),
    /// The start and the stop were compared.
    Compared(Box<Compared>),
}

impl From<Unseen> for Evidence {
    fn from(unseen: Unseen) -> Self {
        match unseen {
            Unseen::NoStart => Self::NoSnapshot,
            Unseen::Unreadable(why) => Self::Unreadable(why),
            Unseen::Failed(why) => Self::Failed(why),
        }
    }
}

/// A start and a stop, compared.
#[derive(Debug, Clone)]
pub struct Compared {
    /// What names the repository.
    pub repository: PathBuf,
    /// The repository at the start.
    pub start: Side,
    /// The repository at the stop.
    pub stop: Side,
    /// What the claim is worth by that.
    pub verdict: Verdict,
}

/// What a repository was at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// Nanoseconds since the epoch.
    pub taken_at: i64,
    /// The commit; absent before the first one.
    pub head: Option<String>,
    /// The full name of the branch; absent when HEAD was detached.
    pub branch: Option<String>,
    /// Paths that differed from HEAD.
    pub differing: usize,
    /// Of these, files in which hosts are told to run attest, which say nothing of anybody's work.
    #[serde(default)]
    pub of_hosts: usize,
}

impl Side {
    /// Whether there were uncommitted changes.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.differing > self.of_hosts
    }
}
