//! Whether a verdict may block, and why not.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::word_enum::words;

words! {
    /// Why a stop was let through or sent back. The names are part of the log's contract.
    pub enum ReasonCode {
        AllowNotEnforcing = "ALLOW_NOT_ENFORCING": "enforcement is off",
        AllowAgentNotInScope = "ALLOW_AGENT_NOT_IN_SCOPE": "enforcement does not cover this type of agent",
        AllowNoAgentId = "ALLOW_NO_AGENT_ID": "without an id of the agent its retries cannot be counted",
        AllowNotFalseDone = "ALLOW_NOT_FALSE_DONE": "nothing disproves the claim",
        AllowDeltaUnreliable = "ALLOW_DELTA_UNRELIABLE": "the work tree could not be read in full",
        AllowAmbiguous = "ALLOW_AMBIGUOUS": "the work tree had uncommitted changes at the start",
        AllowSubagentAtWork = "ALLOW_SUBAGENT_AT_WORK": "a subagent of the turn was still at work",
        AllowAlreadySent = "ALLOW_ALREADY_SENT": "another hook of the same stop had sent the agent back",
        AllowDisputed = "ALLOW_DISPUTED": "a person had said that the agent was honest",
        AllowRetryCap = "ALLOW_RETRY_CAP": "the agent had been sent back often enough",
        AllowSessionCeiling = "ALLOW_SESSION_CEILING": "agents of the session had been sent back often enough",
        AllowStopHookActive = "ALLOW_STOP_HOOK_ACTIVE": "the host was already continuing after a block",
        AllowDeadline = "ALLOW_DEADLINE": "the time of the hook was over",
        AllowCounterNotDurable = "ALLOW_COUNTER_NOT_DURABLE": "the block could not be recorded",
        BlockFalseDone = "BLOCK_FALSE_DONE": "the DONE is disproved, and nothing stood against a block",
        BlockGate = "BLOCK_GATE": "a gate asked for a revision, and nothing stood against it",
    }
}

impl ReasonCode {
    /// Whether the agent is sent back.
    #[must_use]
    pub const fn is_block(self) -> bool {
        matches!(self, Self::BlockFalseDone | Self::BlockGate)
    }
}

/// More proofs that may block than the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
pub struct Strict {
    /// Also where the work tree was dirty at the start.
    pub dirty: bool,
    /// A claimed file that was never written.
    pub untouched: bool,
    /// A claimed deletion that did not happen.
    pub deleted: bool,
    /// A changed file of the same name in another folder excuses no more.
    pub basename: bool,
    /// A path that is absent, although the words beside or above it are not understood.
    #[serde(default)]
    pub remarks: bool,
    /// A commit that is claimed and is nowhere.
    #[serde(default)]
    pub commits: bool,
    /// A path that was written and is gone, although nothing is known that may have removed it.
    #[serde(default)]
    pub lost: bool,
    /// A command whose last run failed in the open, beside a claim that it passed.
    #[serde(default)]
    pub checks: bool,
}

/// One of the fields.
type Switch = fn(&mut Strict) -> &mut bool;

impl Strict {
    /// The word of each.
    const WORDS: [(&'static str, Switch); 8] = [
        ("dirty", |it| &mut it.dirty),
        ("untouched", |it| &mut it.untouched),
        ("deleted", |it| &mut it.deleted),
        ("basename", |it| &mut it.basename),
        ("lost", |it| &mut it.lost),
        ("remarks", |it| &mut it.remarks),
        ("commits", |it| &mut it.commits),
        ("checks", |it| &mut it.checks),
    ];

    /// The words of those that may block.
    #[must_use]
    pub fn words(mut self) -> Vec<&'static str> {
        let on = Self::WORDS.iter().filter(|(_, switch)| *switch(&mut self));
        on.map(|(word, _)| *word).collect()
    }
}

/// A word that names no proof.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown proof {0:?}, expected dirty, untouched, deleted, basename, lost, remarks, commits, checks or all"
)]
pub struct UnknownStrict(String);

impl std::str::FromStr for Strict {
    type Err = UnknownStrict;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut strict = Self::default();
        for word in text
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty())
        {
            // A denial in words that nobody has met is no habit of bad agents: `remarks` is asked for by its name.
            let is_of_all = |name: &str| word.eq_ignore_ascii_case("all") && name != "remarks";
            let is_meant = |name: &str| word.eq_ignore_ascii_case(name) || is_of_all(name);
            let mut meant = Self::WORDS
                .iter()
                .filter(|(name, _)| is_meant(name))
                .peekable();
            if meant.peek().is_none() {
                return Err(UnknownStrict(word.to_owned()));
            }
            for (_, switch) in meant {
                *switch(&mut strict) = true;
            }
        }
        Ok(strict)
    }
}

/// What the person has allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Whether anything may be blocked at all.
    pub enforce: bool,
    /// The agent types it applies to, lower-case; `None` for all.
    pub agents: Option<BTreeSet<String>>,
    /// More proofs that may block.
    pub strict: Strict,
    /// Whether a completion criterion that is not met sends a DONE back, as a gate does.
    #[serde(default)]
    pub criteria_send_back: bool,
    /// Blocks per agent generation.
    pub max_retries: u32,
    /// Blocks per session and repository.
    pub session_ceiling: u32,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            enforce: false,
            agents: None,
            strict: Strict::default(),
            criteria_send_back: false,
            max_retries: 1,
            session_ceiling: 10,
        }
    }
}

/// Applies the rows of the decision table that are about the agent and not about its report.
pub(crate) fn may_send_back(
    policy: &Policy,
    agent_type: Option<&str>,
    has_agent_id: bool,
) -> Result<(), ReasonCode> {
    let in_scope = policy
        .agents
        .as_ref()
        .is_none_or(|agents| agent_type.is_some_and(|name| agents.contains(&name.to_lowercase())));
    if !policy.enforce {
        return Err(ReasonCode::AllowNotEnforcing);
    }
    if !in_scope {
        return Err(ReasonCode::AllowAgentNotInScope);
    }
    if !has_agent_id {
        return Err(ReasonCode::AllowNoAgentId);
    }
    Ok(())
}

/// Applies the rows that are about the report. `is_false_done` is `None` if a work tree could not be read. `Ok`
/// means that nothing so far stands against a block.
pub(crate) fn disproves(
    strict: Strict,
    is_false_done: Option<bool>,
    was_dirty: bool,
) -> Result<(), ReasonCode> {
    match is_false_done {
        Some(false) => Err(ReasonCode::AllowNotFalseDone),
        None => Err(ReasonCode::AllowDeltaUnreliable),
        Some(true) if was_dirty && !strict.dirty => Err(ReasonCode::AllowAmbiguous),
        Some(true) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
