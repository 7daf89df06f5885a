//! Agents and their stops counted, by whatever they have in common.

mod count;
mod group;
mod tally;

use std::path::PathBuf;

use attest_claim::Kind;
use attest_verdict::{Outcome, ReasonCode};
use jiff::Timestamp;
use rusqlite::OptionalExtension;

use super::{Filter, Hindered};
use crate::names::path_in;
use crate::{Store, StoreError};

pub(super) use group::note;
pub use tally::{AfterBlocks, Key, Notices, Rate, Tally};

/// What is asked of the history.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// Which stops.
    pub filter: &'a Filter,
    /// Counted by what.
    pub by: By<'a>,
    /// The beginning of the time before that of the filter, which it is compared with.
    pub before: Option<Timestamp>,
}

/// By what stops are counted.
#[derive(Debug, Clone, Copy)]
pub enum By<'a> {
    /// The type of the agent.
    Type,
    /// The repository.
    Repository,
    /// The host.
    Host,
    /// The row of the decision table that decided.
    Reason,
    /// What the claim is about.
    Claim,
    /// The day of the agent's first stop: one of these, in order.
    Day(&'a [Begin]),
    /// The week of the agent's first stop: one of these, in order.
    Week(&'a [Begin]),
}

/// The beginning of a day or a week, which the next one ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begin {
    /// When.
    pub at: Timestamp,
    /// What it is called.
    pub name: String,
}

/// What there is to say of many stops.
#[derive(Debug, Default)]
pub struct Stats {
    /// By what they were to be counted by, what has the most stops first; days and weeks in their order.
    pub tallies: Vec<Tally>,
    /// All of them, each agent once in each repository.
    pub all: Tally,
    /// Why false DONEs were let go, what let go most agents first.
    pub let_go: Vec<LetGo>,
    /// How many stops could not be judged, by what they came to.
    pub unseen: Vec<(Outcome, u32)>,
    /// What kept stops from being checked.
    pub hindered: Hindered,
    /// The blocks that an agent went on after, the newest last.
    pub sent: Vec<Sent>,
}

/// False DONEs that were let go for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetGo {
    /// Why.
    pub reason: ReasonCode,
    /// How many agents.
    pub agents: u32,
}

/// A block that its agent went on after, in the same run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// The places of its tallies.
    pub tallies: Vec<usize>,
    /// The number of the block.
    pub seq: i64,
    /// When it was sent back.
    pub from: Timestamp,
    /// When it stopped next.
    pub to: Timestamp,
}

/// The transcript of the agent of a verdict, if it is known, and the host that wrote it.
pub fn transcript_of(store: &Store, seq: i64) -> Result<Option<(PathBuf, String)>, StoreError> {
    let sql = "SELECT runs.transcript, runs.harness FROM verdicts
               JOIN runs ON runs.session = verdicts.session AND runs.agent_id = verdicts.agent_id
               WHERE verdicts.seq = ?1 AND runs.transcript IS NOT NULL ORDER BY runs.id DESC LIMIT 1";
    let mut select = store.connection.prepare_cached(sql)?;
    let found = select.query_row([seq], |row| Ok(path_in(row, 0)?.zip(row.get(1)?)));
    Ok(found.optional()?.flatten())
}

/// When the first stop was that is kept.
pub fn first_stop(store: &Store) -> Result<Option<Timestamp>, StoreError> {
    let sql = "SELECT min(at) FROM verdicts";
    let at: Option<String> = store.connection.query_row(sql, [], |row| row.get(0))?;
    Ok(at.and_then(|at| at.parse().ok()))
}

/// What agents have in common that stops of one agent need not: it counts once in every repository that it stopped in,
/// so that the repositories add up, and one without an id of its own, which is never sent back, as often as it stopped.
pub(super) const EACH_AGENT: &str =
    "session, agent_id, repository, CASE WHEN agent_id LIKE 'type:%' THEN seq END";

/// The kinds of claims in the order in which they are counted.
const KINDS: [Kind; 6] = Kind::ALL;
