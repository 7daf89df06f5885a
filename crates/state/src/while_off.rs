//! What came to pass while attest was off: a row for each start and stop, and for who turned it off and on.

use rusqlite::{OptionalExtension as _, params};

use crate::{AgentKey, Store, StoreError, agents};

/// What came to pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passed {
    /// attest was turned off.
    Off,
    /// An agent or a turn began.
    Start,
    /// One stopped.
    Stop,
    /// attest was turned on again.
    On,
}

impl Passed {
    fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Start => "start",
            Self::Stop => "stop",
            Self::On => "on",
        }
    }
}

/// Who was there.
#[derive(Debug, Clone, Copy, Default)]
pub struct Who<'a> {
    /// The session, if there is one.
    pub session: Option<&'a str>,
    /// The agent in it.
    pub agent: Option<&'a str>,
    /// Its type.
    pub agent_type: Option<&'a str>,
    /// Its host.
    pub harness: Option<&'a str>,
}

/// How much of a session passed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WhileOff {
    /// Agents and turns that began, and have not stopped since.
    pub starts: u32,
    /// Stops that were not judged.
    pub stops: u32,
    /// Whether the session turned attest off itself.
    pub is_by_session: bool,
}

impl WhileOff {
    /// Whether there is nothing to tell.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// Records one row.
pub fn record(store: &mut Store, passed: Passed, who: Who<'_>, now: i64) -> Result<(), StoreError> {
    store.write(|transaction| {
        transaction.execute(
            "INSERT INTO while_off (at, event, session, agent, agent_type, harness)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                now,
                passed.word(),
                who.session,
                who.agent,
                who.agent_type,
                who.harness
            ],
        )?;
        Ok(())
    })
}

/// Whether an agent began while attest was off, later than `after`.
pub fn began_while_off(store: &Store, key: &AgentKey, after: i64) -> Result<bool, StoreError> {
    let sql =
        "SELECT 1 FROM while_off WHERE session = ?1 AND agent = ?2 AND event = 'start' AND at > ?3";
    let of = params![key.session, key.agent, after];
    let found = store.connection.query_row(sql, of, |_| Ok(())).optional()?;
    Ok(found.is_some())
}

/// Ends an agent or a turn whose stop is not judged, so that the next one begins anew.
pub fn end_unjudged(store: &mut Store, key: &AgentKey, now: i64) -> Result<(), StoreError> {
    store.write(|transaction| agents::end(transaction, key, now))
}

/// What passed in all sessions since `since`.
pub fn passed_since(store: &Store, since: i64) -> Result<WhileOff, StoreError> {
    let sql = count("at >= ?1");
    Ok(store.connection.query_row(&sql, [since], read)?)
}

/// Counts the rows that `which` selects.
fn count(which: &str) -> String {
    format!(
        "SELECT (SELECT count(*) FROM (
                     SELECT 1 FROM while_off WHERE {which} GROUP BY session, agent
                     HAVING max(CASE event WHEN 'start' THEN at END)
                          > coalesce(max(CASE event WHEN 'stop' THEN at END), 0))),
                coalesce(sum(event = 'stop'), 0), coalesce(max(event = 'off'), 0)
         FROM while_off WHERE {which}"
    )
}

/// Takes what the person was not yet told of a session. While attest is off, since `since`, that is told once.
pub fn take_while_off(
    store: &mut Store,
    session: &str,
    since: Option<i64>,
    now: i64,
) -> Result<WhileOff, StoreError> {
    // What was told while attest was off is told again, in sum: such a time is kept below 0.
    let untold = match since {
        Some(_) => "session = ?1 AND told IS NULL",
        None => "session = ?1 AND (told IS NULL OR told < 0)",
    };
    let is_there = format!("SELECT 1 FROM while_off WHERE {untold}");
    let found = store.connection.query_row(&is_there, [session], |_| Ok(()));
    if found.optional()?.is_none() {
        return Ok(WhileOff::default());
    }
    store.write(|transaction| {
        let told = "SELECT 1 FROM while_off WHERE session = ?1 AND -told >= ?2";
        if let Some(since) = since
            && transaction
                .query_row(told, params![session, since], |_| Ok(()))
                .optional()?
                .is_some()
        {
            return Ok(WhileOff::default());
        }
        let passed = transaction.query_row(&count(untold), [session], read)?;
        let mark = format!("UPDATE while_off SET told = ?2 WHERE {untold}");
        let told = if since.is_some() { -now } else { now };
        transaction.execute(&mark, params![session, told])?;
        Ok(passed)
    })
}

fn read(row: &rusqlite::Row<'_>) -> Result<WhileOff, rusqlite::Error> {
    Ok(WhileOff {
        starts: row.get(0)?,
        stops: row.get(1)?,
        is_by_session: row.get(2)?,
    })
}
