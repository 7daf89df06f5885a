//! What happened, kept for the person: runs of agents, and the verdict on each stop.
//!
//! No decision rests on anything here, but for how long a gate is waited for that was late before. What an agent was
//! sent back for is looked up to tell of it again, if it is claimed again. A record is complete in itself: it can be
//! read when the agent, its snapshot and its repository are gone.

mod at_a_glance;
mod blind;
mod counted;
mod coverage;
mod detail;
mod disputed;
mod fates;
mod filter;
mod find;
mod hindered;
mod noticed;
mod paged;
mod periods;
mod recorded;
mod rows;
mod runs;
mod seen;
mod stats;
mod stops;
mod summary;
mod verdicts;

use std::path::Path;

use attest_verdict::{Outcome, ReasonCode};
use jiff::Timestamp;
use rusqlite::Transaction;

use crate::{AgentKey, StoreError};

pub use at_a_glance::{Settled, open_since, settled_since};
pub use attest_verdict::Side;
pub use blind::{Blind, blind};
pub use counted::Noticed;
pub(crate) use coverage::unjudged;
pub use coverage::{Coverage, Share};
pub use detail::{Change, Checked, CriteriaResult, Detail, Gate, Judged, Listed, ToolCall};
pub use disputed::{Disputes, Said, dispute, disputes};
pub(crate) use fates::is_settled_since;
pub use fates::{Answer, Next, answer_to, sent_back};
pub use filter::{Filter, Of};
pub use find::{find, newest};
pub use hindered::{Hindered, late_gates};
pub use noticed::{Again, follow, look_again, noticed};
pub use paged::{numbered, wholes};
pub use periods::{InPeriod, Periods, by_day};
pub use recorded::{Recorded, instance, record, records};
pub use runs::{End, LOST_AFTER, Run, agents, last_of_each_host, runs};
pub(crate) use runs::{record_failure, record_start};
pub use seen::{Extent, Known, Values, known, seen};
pub use stats::{
    AfterBlocks, Begin, By, Key, LetGo, Notices, Question, Rate, Sent, Stats, Tally, first_stop,
    transcript_of,
};
pub use stops::Stops;
pub(crate) use summary::summary;
pub(crate) use verdicts::remove;
pub use verdicts::{Beside, Entry, LookupError, Whole, details, entries, to_look_at};

/// A stop that is to be recorded.
#[derive(Debug)]
pub struct Stop<'a> {
    /// Who stopped.
    pub key: &'a AgentKey,
    /// The host's name for its kind.
    pub agent_type: Option<&'a str>,
    /// What its host calls the task.
    pub task: Option<&'a str>,
    /// The host.
    pub harness: &'a str,
    /// The agent's transcript.
    pub transcript: Option<&'a Path>,
    /// The folder that the host named.
    pub cwd: Option<&'a Path>,
    /// What names the repository, where it is known.
    pub repository: Option<&'a Path>,
    /// When.
    pub at: Timestamp,
    /// What it came to.
    pub outcome: Outcome,
    /// The row of the decision table that decided.
    pub reason: ReasonCode,
    /// Whether the run ends with it.
    pub is_end: bool,
    /// How often this run had been sent back before.
    pub blocks_before: u32,
    /// Whether none of the agent's stops can have been sent back before this one.
    pub is_first: bool,
    /// One line on what the outcome rests on.
    pub summary: &'a str,
    /// All the rest.
    pub detail: &'a Detail,
}

/// Records a stop: its verdict, and the end of the run unless the agent goes on. Returns the
/// verdict's id.
pub(crate) fn record_stop(
    transaction: &Transaction<'_>,
    stop: &Stop<'_>,
) -> Result<String, StoreError> {
    runs::record_stop(transaction, stop)?;
    verdicts::insert(transaction, stop)
}

/// Whether the last run of the agent has a verdict on the stop that this many blocks came before.
pub(crate) fn has_stop(
    transaction: &Transaction<'_>,
    key: &AgentKey,
    blocks_before: u32,
) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (
                   SELECT 1 FROM verdicts WHERE session = ?1 AND agent_id = ?2 AND blocks_before = ?3
                       AND at >= (SELECT coalesce(started_at, stopped_at, '') FROM runs
                                  WHERE session = ?1 AND agent_id = ?2 ORDER BY id DESC LIMIT 1))";
    let values = (&key.session, &key.agent, blocks_before);
    Ok(transaction.query_row(sql, values, |row| row.get(0))?)
}

#[cfg(test)]
mod tests;
