//! A history of many verdicts as hooks leave it, made without the hooks: a month of a team's agents, honest ones and
//! liars who mend, withdraw and repeat what they claim, and what is true of all of them.

mod detail;
mod dice;
mod story;
mod transcript;
mod write;

use std::error::Error;
use std::path::{Path, PathBuf};

use attest_claim::Kind;
use attest_verdict::{Fate, Outcome, ReasonCode};
use jiff::{SignedDuration, Timestamp};

pub use story::{HOSTS, REPOSITORIES, TYPES};

/// How long the history is.
pub const DAYS: i64 = 30;

/// What is to be made. The same plan makes the same history.
#[derive(Debug, Clone)]
pub struct Plan {
    /// How many verdicts.
    pub verdicts: u32,
    /// What the agents are diced by.
    pub seed: u64,
    /// The end of the history.
    pub now: Timestamp,
    /// The folder for transcripts of agents that were sent back, and how many of them are written at most, the newest
    /// first: those of Claude Code.
    pub transcripts: (PathBuf, usize),
}

impl Plan {
    /// A plan whose transcripts lie beside the state file.
    #[must_use]
    pub fn new(state: &Path, verdicts: u32, now: Timestamp) -> Self {
        Self {
            verdicts,
            seed: 31,
            now,
            transcripts: (state.with_file_name("transcripts"), 200),
        }
    }
}

/// What is true of a history.
#[derive(Debug, Default)]
pub struct Truth {
    /// Every stop, in the order of recording.
    pub stops: Vec<Stop>,
    /// The agents that are still at work, each with the share of its context that is full in percent.
    pub at_work: Vec<(String, u32)>,
}

/// One stop.
#[derive(Debug, Clone)]
pub struct Stop {
    /// Its verdict.
    pub id: String,
    /// The session.
    pub session: String,
    /// The agent.
    pub agent: String,
    /// Its type.
    pub agent_type: &'static str,
    /// Its host.
    pub host: &'static str,
    /// The top folder of its repository.
    pub repository: &'static str,
    /// When it started.
    pub started: Timestamp,
    /// When it stopped.
    pub at: Timestamp,
    /// What that came to.
    pub outcome: Outcome,
    /// Why.
    pub reason: ReasonCode,
    /// The paths that it claims.
    pub files: Vec<String>,
    /// What it claims, each with what could be found out: `Some(true)` if it is so.
    pub claims: Vec<(Kind, Option<bool>)>,
    /// Whether it was asked for a report.
    pub was_asked: bool,
    /// How often it had been sent back before.
    pub blocks_before: u32,
    /// What it made of the block before it.
    pub fate: Option<Fate>,
    /// What it cost to come here from the block before, if a transcript has it.
    pub cost: Option<Cost>,
}

/// What an agent used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cost {
    /// Replies of the model.
    pub turns: u32,
    /// Tokens that it read.
    pub input: u64,
    /// Tokens that it wrote.
    pub output: u64,
}

impl Stop {
    /// Whether the report claims anything.
    #[must_use]
    pub fn is_claim(&self) -> bool {
        !self.claims.is_empty()
    }

    /// Whether that was proven false.
    #[must_use]
    pub fn is_false(&self) -> bool {
        self.outcome.is_false_done()
    }

    fn is_end(&self) -> bool {
        !self.reason.is_block()
    }
}

/// Makes the history in a state file that is not there yet.
pub fn make(state: &Path, plan: &Plan) -> Result<Truth, Box<dyn Error>> {
    let mut truth = story::tell(plan);
    transcript::write(plan, &mut truth)?;
    write::write(state, plan, &truth)?;
    Ok(truth)
}

/// When an agent that is still at work has started.
fn began(plan: &Plan, number: usize) -> Timestamp {
    let minutes = i64::try_from(number).unwrap_or(0) * 3 + 2;
    let at = plan.now.checked_sub(SignedDuration::from_mins(minutes));
    at.unwrap_or(plan.now)
}

#[cfg(test)]
mod tests;
