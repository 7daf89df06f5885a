//! What a stop showed and who was told of it.
//!
//! The host shows a subagent's stop hook to nobody, so what it found is kept until a hook runs that
//! is heard. The person and the parent agent are told apart from each other, each once: what is
//! told is marked in the transaction that reads it, so of any number of hooks at once one gets it.

use jiff::Timestamp;
use rusqlite::{Connection, Transaction, params};

use crate::{AgentKey, Store, StoreError, history, turns};

/// In place of an agent, where something is about none: no host gives an agent such an id.
const OF_SESSION: &str = "";

/// A day in nanoseconds.
const A_DAY_NS: i64 = 86_400_000_000_000;

/// What did not hold of one agent's report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The agent.
    pub agent: String,
    /// The host's name for its kind.
    pub agent_type: Option<String>,
    /// What the host calls its task.
    pub task: Option<String>,
    /// One line for each thing.
    pub finding: String,
    /// Whether that is not about the report.
    pub is_beside: bool,
    /// When the agent stopped, in nanoseconds since the epoch.
    at: i64,
    /// Whether there is no verdict on it: it died, for example.
    pub has_no_verdict: bool,
}

impl Told {
    /// Whether it is a turn of the session's main agent.
    #[must_use]
    pub fn is_turn(&self) -> bool {
        turns::turn_number(&self.agent).is_some()
    }
}

/// What is kept of a stop, to be told.
#[derive(Debug, Default)]
pub(crate) struct Advice<'a> {
    /// The host's name for the agent's kind.
    pub(crate) agent_type: Option<&'a str>,
    /// What the host calls its task.
    pub(crate) task: Option<&'a str>,
    /// What did not hold, one line each; `None` if all held.
    pub(crate) finding: Option<String>,
    /// Whether that is not about the report.
    pub(crate) is_beside: bool,
}

/// What a person is to be told of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// How many subagents were checked since the last notice.
    pub subagents: u32,
    /// How many turns of the main agent.
    pub turns: u32,
    /// Of how many other subagents nothing could be judged.
    pub unjudged: u32,
    /// Those whose report did not hold, in the order of their stops.
    pub findings: Vec<Told>,
    /// What is not about one report; empty only if there are findings.
    pub remarks: Vec<String>,
    /// Whether all of it is about agents on which there is no verdict.
    pub has_no_verdict: bool,
    /// The agents of which the parent was told before, of each of everything.
    pub heard: Vec<AgentKey>,
}

/// Keeps what a stop that was let through showed until it is told. A host may run the hook of one stop twice; what is
/// still to be told to both is kept once.
pub(crate) fn advise(
    transaction: &Transaction<'_>,
    key: &AgentKey,
    advice: &Advice<'_>,
    now: i64,
) -> Result<(), StoreError> {
    transaction.execute(
        "INSERT INTO advisories (session, agent, agent_type, finding, made_at, task, beside)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE NOT EXISTS (
             SELECT 1 FROM advisories
             WHERE session = ?1 AND agent = ?2 AND finding IS ?4
                 AND told_person IS NULL AND told_parent IS NULL
         )",
        params![
            key.session,
            key.agent,
            advice.agent_type,
            advice.finding,
            now,
            advice.task,
            advice.is_beside
        ],
    )?;
    Ok(())
}

/// Keeps for the person what is not about one report, once in a session.
pub fn remark(store: &mut Store, session: &str, remark: &str, now: i64) -> Result<(), StoreError> {
    store.write(|transaction| remark_in(transaction, session, remark, now))
}

/// The same within a transaction.
pub(crate) fn remark_in(
    transaction: &Transaction<'_>,
    session: &str,
    remark: &str,
    now: i64,
) -> Result<(), StoreError> {
    transaction.execute(
        "INSERT INTO advisories (session, agent, finding, made_at, told_parent)
         SELECT ?1, ?2, ?3, ?4, ?4 WHERE NOT EXISTS (
             SELECT 1 FROM advisories WHERE session = ?1 AND agent = ?2 AND finding = ?3
         )",
        params![session, OF_SESSION, remark, now],
    )?;
    Ok(())
}

/// Takes what the person was not yet told of a session; `None` where all held so far.
pub fn take_for_person(
    store: &mut Store,
    session: &str,
    now: i64,
) -> Result<Option<Notice>, StoreError> {
    const PENDING: &str = "session = ?1 AND told_person IS NULL";
    if !is_pending(
        &store.connection,
        &format!("{PENDING} AND finding IS NOT NULL"),
        [session],
    )? {
        return Ok(None);
    }
    store.write(|transaction| {
        let select = format!(
            "SELECT {TOLD} FROM advisories
             WHERE {PENDING} AND finding IS NOT NULL ORDER BY id"
        );
        let told = told(transaction, &select, [session])?;
        if told.is_empty() {
            return Ok(None);
        }
        let has_no_verdict = told.iter().all(|told| told.has_no_verdict);
        let (remarks, findings): (Vec<_>, _) = standing(transaction, session, told)?
            .into_iter()
            .partition(|told| told.is_beside || told.agent == OF_SESSION);
        let remarks = remarks.iter().flat_map(|told| told.finding.lines());
        let remarks: Vec<_> = remarks.map(str::to_owned).collect();
        let count = format!(
            "SELECT count(DISTINCT agent),
                    count(DISTINCT CASE WHEN agent LIKE 'turn:%' THEN agent END)
             FROM advisories WHERE {PENDING} AND agent <> ?2"
        );
        let of = [session, OF_SESSION];
        let (all, turns): (u32, u32) =
            transaction.query_row(&count, of, |row| Ok((row.get(0)?, row.get(1)?)))?;
        let unjudged =
            history::unjudged(transaction, session, last_told(transaction, session, now)?)?;
        let heard = heard(transaction, session)?;
        let mark = format!("UPDATE advisories SET told_person = ?2 WHERE {PENDING}");
        transaction.execute(&mark, params![session, now])?;
        if findings.is_empty() && remarks.is_empty() {
            return Ok(None);
        }
        Ok(Some(Notice {
            subagents: all.saturating_sub(turns),
            unjudged,
            turns,
            findings,
            remarks,
            has_no_verdict,
            heard,
        }))
    })
}

/// The agents of whose reports the parent was told, but not yet the person.
fn heard(transaction: &Transaction<'_>, session: &str) -> Result<Vec<AgentKey>, StoreError> {
    let mut select = transaction.prepare(
        "SELECT agent FROM advisories
         WHERE session = ?1 AND told_person IS NULL AND finding IS NOT NULL AND agent <> ?2
         GROUP BY agent HAVING count(*) = count(told_parent)",
    )?;
    let agents = select.query_map([session, OF_SESSION], |row| {
        Ok(AgentKey {
            session: session.to_owned(),
            agent: row.get(0)?,
        })
    })?;
    Ok(agents.collect::<Result<_, _>>()?)
}

/// When the person was last told of a session, but not longer ago than a day.
fn last_told(
    transaction: &Transaction<'_>,
    session: &str,
    now: i64,
) -> Result<Timestamp, StoreError> {
    let sql = "SELECT max(told_person) FROM advisories WHERE session = ?1";
    let last: Option<i64> = transaction.query_row(sql, [session], |row| row.get(0))?;
    let since = last.unwrap_or_default().max(now.saturating_sub(A_DAY_NS));
    Ok(Timestamp::from_nanosecond(since.into()).unwrap_or(Timestamp::UNIX_EPOCH))
}

/// Takes what the parent was not yet told of one of its agents, in the order of the stops.
pub fn take_for_parent(
    store: &mut Store,
    key: &AgentKey,
    now: i64,
) -> Result<Vec<Told>, StoreError> {
    const PENDING: &str =
        "session = ?1 AND agent = ?2 AND told_parent IS NULL AND finding IS NOT NULL";
    let of_agent = [&key.session, &key.agent];
    if !is_pending(&store.connection, PENDING, of_agent)? {
        return Ok(Vec::new());
    }
    store.write(|transaction| {
        let select = format!("SELECT {TOLD} FROM advisories WHERE {PENDING} ORDER BY id");
        let findings = told(transaction, &select, of_agent)?;
        let mark = format!("UPDATE advisories SET told_parent = ?3 WHERE {PENDING}");
        transaction.execute(&mark, params![key.session, key.agent, now])?;
        standing(transaction, &key.session, findings)
    })
}

/// What still stands: of a report in whose place the agent has given one that holds, or that a
/// person calls honest, nothing is told.
fn standing(
    transaction: &Transaction<'_>,
    session: &str,
    told: Vec<Told>,
) -> Result<Vec<Told>, StoreError> {
    let mut standing = Vec::with_capacity(told.len());
    for told in told {
        let key = AgentKey {
            session: session.to_owned(),
            agent: told.agent.clone(),
        };
        if told.is_beside || !history::is_settled_since(transaction, &key, told.at)? {
            standing.push(told);
        }
    }
    Ok(standing)
}

/// A look before the write lock is taken: nearly always there is nothing to tell.
fn is_pending(
    connection: &Connection,
    condition: &str,
    values: impl rusqlite::Params,
) -> Result<bool, StoreError> {
    let query = format!("SELECT EXISTS (SELECT 1 FROM advisories WHERE {condition})");
    Ok(connection.query_row(&query, values, |row| row.get(0))?)
}

/// What [`told`] reads.
const TOLD: &str = "agent, agent_type, finding, task, beside, made_at, agent <> '' AND NOT EXISTS (
         SELECT 1 FROM verdicts
         WHERE verdicts.agent_id = advisories.agent AND verdicts.session = advisories.session)";

fn told(
    transaction: &Transaction<'_>,
    select: &str,
    values: impl rusqlite::Params,
) -> Result<Vec<Told>, StoreError> {
    let mut statement = transaction.prepare(select)?;
    let rows = statement.query_map(values, |row| {
        Ok(Told {
            agent: row.get(0)?,
            agent_type: row.get(1)?,
            finding: row.get(2)?,
            task: row.get(3)?,
            is_beside: row.get(4)?,
            at: row.get(5)?,
            has_no_verdict: row.get(6)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests;
