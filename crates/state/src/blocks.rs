//! The counters that bound how often an agent is sent back, and the permit that they guard.

use std::time::Instant;

use attest_evidence::one_line;
use rusqlite::{OptionalExtension, Transaction, params};

use attest_verdict::{Policy, ReasonCode};

use crate::{Agent, Store, StoreError};

/// Leave to send one block to the host. It exists only after both counters were raised in a
/// transaction that is on the disk, and whoever sends the block uses it up.
#[derive(Debug)]
#[must_use = "the block was recorded and has to be sent"]
pub struct BlockPermit {
    _recorded: (),
}

/// What is to be recorded.
#[derive(Debug)]
pub struct BlockRequest<'a> {
    /// The agent as it was found when its report was read. With its generation and its count this names one
    /// revision: another hook of the same stop cannot ask for it again.
    pub agent: &'a Agent,
    /// The session.
    pub session: &'a str,
    /// What names the repository.
    pub repository: &'a [u8],
    /// What the agent is sent back with.
    pub reason: &'a str,
    /// Whether the host says that it already continues after a block.
    pub host_is_continuing: bool,
    /// After this no block may be recorded any more.
    pub deadline: Option<Instant>,
    /// Nanoseconds since the epoch.
    pub now: i64,
}

/// Why there is no permit.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// A row of the decision table.
    #[error("{0}")]
    Rule(ReasonCode),
    /// The counters could not be raised, or it is not certain that they were.
    #[error("cannot record the block")]
    NotDurable(#[from] StoreError),
}

impl Refusal {
    /// The reason for the log.
    #[must_use]
    pub fn code(&self) -> ReasonCode {
        match self {
            Self::Rule(code) => *code,
            Self::NotDurable(_) => ReasonCode::AllowCounterNotDurable,
        }
    }
}

/// Checks the limits and raises both counters, in one transaction that is on the disk before this
/// returns: of any number of stops at once, no more than the limits allow get a permit.
pub fn commit_block(
    store: &mut Store,
    policy: &Policy,
    request: &BlockRequest<'_>,
) -> Result<BlockPermit, Refusal> {
    store.write_durably(|transaction| raise(transaction, policy, request))?;
    Ok(BlockPermit { _recorded: () })
}

fn raise(
    transaction: &Transaction<'_>,
    policy: &Policy,
    request: &BlockRequest<'_>,
) -> Result<(), Refusal> {
    let Counters {
        generation,
        blocks,
        of_session,
        is_let_go,
    } = counters(transaction, request)?;
    if (generation, blocks) != (request.agent.generation, request.agent.block_count) {
        return Err(Refusal::Rule(ReasonCode::AllowAlreadySent));
    }
    if is_let_go {
        return Err(Refusal::Rule(ReasonCode::AllowDisputed));
    }
    if blocks >= policy.max_retries {
        return Err(Refusal::Rule(ReasonCode::AllowRetryCap));
    }
    if of_session >= policy.session_ceiling {
        return Err(Refusal::Rule(ReasonCode::AllowSessionCeiling));
    }
    if request.host_is_continuing {
        return Err(Refusal::Rule(ReasonCode::AllowStopHookActive));
    }
    if request
        .deadline
        .is_some_and(|deadline| Instant::now() >= deadline)
    {
        return Err(Refusal::Rule(ReasonCode::AllowDeadline));
    }
    Ok(count(transaction, request)?)
}

fn count(transaction: &Transaction<'_>, request: &BlockRequest<'_>) -> Result<(), StoreError> {
    let sql = "UPDATE agents SET block_count = block_count + 1, sent = ?2 WHERE id = ?1";
    if transaction.execute(sql, params![request.agent.id, request.reason])? != 1 {
        return Err(rusqlite::Error::QueryReturnedNoRows.into());
    }
    transaction.execute(
        "INSERT INTO session_blocks (session, repository, blocks, raised_at)
         VALUES (?1, ?2, 1, ?3)
         ON CONFLICT DO UPDATE SET blocks = blocks + 1, raised_at = ?3",
        params![request.session, one_line(request.repository), request.now],
    )?;
    Ok(())
}

/// When an agent of the session was last sent back, in nanoseconds since the epoch.
pub fn last_block_at(store: &Store, session: &str) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT MAX(raised_at) FROM session_blocks WHERE session = ?1";
    let at = store
        .connection
        .query_row(sql, [session], |row| row.get(0))?;
    Ok(at)
}

struct Counters {
    generation: u32,
    blocks: u32,
    of_session: u32,
    /// Whether a person says that it was honest when it was last sent back.
    is_let_go: bool,
}

fn counters(
    transaction: &Transaction<'_>,
    request: &BlockRequest<'_>,
) -> Result<Counters, StoreError> {
    let (generation, blocks, is_let_go) = transaction.query_row(
        "SELECT generation, block_count, let_go IS generation FROM agents WHERE id = ?1",
        [request.agent.id],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    let of_session: Option<u32> = transaction
        .query_row(
            "SELECT blocks FROM session_blocks WHERE session = ?1 AND repository = ?2",
            params![request.session, one_line(request.repository)],
            |row| row.get(0),
        )
        .optional()?;
    Ok(Counters {
        generation,
        blocks,
        of_session: of_session.unwrap_or(0),
        is_let_go,
    })
}

#[cfg(test)]
mod interleavings;
#[cfg(test)]
mod tests;
