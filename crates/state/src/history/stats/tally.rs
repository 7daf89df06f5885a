//! What is counted of stops that have something in common.

use std::collections::BTreeMap;
use std::path::PathBuf;

use attest_claim::Kind;
use attest_transcript::Spent;
use attest_verdict::{Fate, Outcome, ReasonCode};
use serde::Serialize;

use crate::history::Coverage;
use crate::history::counted::Counted;
use crate::history::stops::Stopped;
use crate::history::verdicts::as_text;

/// What stops have in common. `None` stands for those of which it is not known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// The host's name for the kind of the agent.
    AgentType(Option<String>),
    /// The folder that all work trees of the repository share.
    #[serde(serialize_with = "as_text")]
    Repository(Option<PathBuf>),
    /// The host.
    Host(Option<String>),
    /// The row of the decision table that decided.
    Reason(Option<&'static str>),
    /// What the claim is about.
    Claim(Option<Kind>),
    /// The day.
    Day(String),
    /// The first day of the week.
    Week(String),
}

impl Default for Key {
    fn default() -> Self {
        Self::AgentType(None)
    }
}

/// Agents with a claim, and those of them with a false one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Rate {
    /// Agents with a claim.
    pub agents_with_claim: u32,
    /// Of them, with one that was proven false.
    pub agents_with_false_done: u32,
}

impl Rate {
    pub(in crate::history) fn add(&mut self, is_claim: bool, is_false: bool) {
        self.agents_with_claim += u32::from(is_claim);
        self.agents_with_false_done += u32::from(is_false);
    }
}

/// What came after blocks, of agents that went on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct AfterBlocks {
    /// Blocks after which the agent stopped again in the same run.
    pub blocks: u32,
    /// The seconds until those stops, added up.
    pub seconds: u64,
    /// Those of them whose transcript was read for the rest.
    pub transcripts: u32,
    /// What was used in them.
    #[serde(flatten)]
    pub spent: Spent,
}

/// What came after notices about files that were missing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Notices {
    /// Reports with missing files of which a parent was told.
    pub told: u32,
    /// Of them, those whose files were all there at the end of the parent's turn.
    pub all_there: u32,
}

/// What agents that have something in common did. How often they were right is to be asked of the agents: stops, of
/// which a block makes one more, would show another share as soon as enforcement is on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// What they have in common.
    #[serde(flatten)]
    pub key: Key,
    /// Agents, of which each may have stopped several times: one that is sent back stops once more.
    pub agents: u32,
    /// Of them, with a claim at any stop.
    pub agents_with_claim: u32,
    /// Of them, with one that was proven false.
    pub agents_with_false_done: u32,
    /// Of those, with a last report that nothing disproves any more.
    pub agents_mended: u32,
    /// Stops, also those that were sent back.
    pub stops: u32,
    /// Of them, with a claim.
    pub claims: u32,
    /// Of them, proven false.
    pub false_dones: u32,
    /// Of them, sent back: each is one of the four that follow, or its agent is still at work or was
    /// let go because a person called it honest.
    pub blocked: u32,
    /// Blocks after which the agent wrote what was missing.
    pub fixed: u32,
    /// Blocks after which it no longer claimed all of it.
    pub withdrawn: u32,
    /// Blocks after which it claimed the same again.
    pub repeated: u32,
    /// Blocks after which no stop was seen that could be judged.
    pub unanswered: u32,
    /// What the blocks cost.
    pub after_blocks: AfterBlocks,
    /// What became of notices; absent if there was none of missing files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notices: Option<Notices>,
    /// False DONEs that would have been sent back if the work tree had been clean at the start.
    pub lost_to_dirty_start: u32,
    /// In what share of the stops something could be judged.
    pub coverage: Coverage,
    /// Claimed paths that prove nothing, by the word of the doubt.
    pub doubts: BTreeMap<String, u32>,
    /// The agents by the time of their first stop, in parts of equal length of the time that all of them took.
    pub over_time: Vec<Rate>,
    /// The agents of the time before; absent if that is not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Rate>,
}

impl Tally {
    /// The agents.
    #[must_use]
    pub fn rate(&self) -> Rate {
        Rate {
            agents_with_claim: self.agents_with_claim,
            agents_with_false_done: self.agents_with_false_done,
        }
    }

    /// The agents of which a false DONE stands.
    #[must_use]
    pub fn agents_false(&self) -> u32 {
        self.agents_with_false_done - self.agents_mended
    }

    /// Adds a stop with a claim or a false one, as far as what is counted goes.
    pub(super) fn add_stop(&mut self, stop: &Stopped, counted: &Counted, claims: (bool, bool)) {
        let (is_claim, is_false) = claims;
        self.stops += 1;
        self.claims += u32::from(is_claim);
        self.false_dones += u32::from(is_false);
        let is_lost = stop.reason == Some(ReasonCode::AllowAmbiguous);
        self.lost_to_dirty_start += u32::from(is_lost);
        if let Some(noticed) = counted.noticed {
            let notices = self.notices.get_or_insert_default();
            notices.told += 1;
            notices.all_there += u32::from(noticed.there == noticed.missing);
        }
        for (word, count) in &counted.doubts {
            *self.doubts.entry(word.clone()).or_default() += count;
        }
    }

    /// Adds an agent with a claim, or a false one, which may be mended.
    pub(super) fn add_agent(&mut self, is_claim: bool, is_false: bool, is_mended: bool) {
        self.agents += 1;
        self.agents_with_claim += u32::from(is_claim);
        self.agents_with_false_done += u32::from(is_false);
        self.agents_mended += u32::from(is_false && is_mended);
    }

    /// Adds a block and what became of it, if that is known.
    pub(super) fn add_block(&mut self, fate: Option<Fate>, microseconds: Option<i64>) {
        self.blocked += 1;
        match fate {
            Some(Fate::Fixed) => self.fixed += 1,
            Some(Fate::Withdrawn) => self.withdrawn += 1,
            Some(Fate::Repeated) => self.repeated += 1,
            Some(Fate::Unanswered) => self.unanswered += 1,
            None => {}
        }
        if let Some(length) = microseconds {
            self.after_blocks.blocks += 1;
            self.after_blocks.seconds += u64::try_from(length / 1_000_000).unwrap_or(0);
        }
    }

    pub(super) fn is_block(stop: &Stopped) -> bool {
        stop.outcome == Some(Outcome::Blocked)
    }
}
