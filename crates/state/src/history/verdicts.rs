//! One row per stop.

use std::collections::HashSet;
use std::fmt::Display;
use std::path::PathBuf;

use attest_claim::Claim;
use attest_json::Fault;
use attest_transcript::Spent;
use attest_verdict::{Fate, Outcome, ReasonCode};
use jiff::Timestamp;
use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, Transaction, params, params_from_iter};
use serde::de::value::StrDeserializer;
use serde::{Deserialize, Serialize};

use super::counted::Counted;
use super::rows::rows;
use super::stops::{self, Stops};
use super::summary::TO_LOOK_AT;
use super::{Answer, Detail, Filter, Noticed, Said, Stop, coverage, fates};
use crate::names::path_in;
use crate::times::stored;
use crate::{Store, StoreError};

/// A verdict, as lists show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Counts up in the order of recording.
    #[serde(skip)]
    pub seq: i64,
    /// Names it; 16 hexadecimal digits.
    pub id: String,
    /// When, in RFC 3339.
    pub at: String,
    /// The host's session.
    pub session_id: String,
    /// The agent within it.
    pub agent_id: String,
    /// The host's name for its kind.
    pub agent_type: Option<String>,
    /// What the host calls its task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The folder that all work trees of the repository share.
    #[serde(serialize_with = "as_text")]
    pub repository: Option<PathBuf>,
    /// What it came to.
    pub outcome: Outcome,
    /// The row of the decision table that decided.
    pub reason: ReasonCode,
    /// Whether the report made a claim.
    pub is_claim: bool,
    /// How often this run had been sent back before.
    pub blocks_before: u32,
    /// One line on what the outcome rests on.
    pub summary: String,
    /// What a person says of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disputed: Option<Said>,
}

impl Entry {
    /// Whether something was told of it that its outcome does not say.
    #[must_use]
    pub fn is_to_look_at(&self) -> bool {
        self.summary.contains(TO_LOOK_AT)
    }
}

/// A verdict with everything that it rested on, as one object.
#[derive(Debug, Serialize)]
pub struct Whole<'a> {
    /// What lists show.
    #[serde(flatten)]
    pub entry: &'a Entry,
    /// What became of it, if it is a block.
    #[serde(flatten)]
    pub answer: Option<&'a Answer>,
    /// What the agent used from then to its next stop.
    #[serde(rename = "cost", skip_serializing_if = "Option::is_none")]
    pub spent: Option<Spent>,
    /// What was seen after its parent was told of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noticed: Option<Noticed>,
    /// The rest.
    #[serde(flatten)]
    pub detail: &'a Detail,
}

/// Why an id leads to no verdict.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LookupError {
    /// Nothing begins with it.
    #[error("no verdict {0:?}")]
    Unknown(String),
    /// Several begin with it, or have it as their name.
    #[error("{prefix:?} may be several: {}{}", ids.join(", "), if *has_more { ", and more" } else { "" })]
    Ambiguous {
        /// What was given.
        prefix: String,
        /// Some of them.
        ids: Vec<String>,
        /// Whether there are others.
        has_more: bool,
    },
    /// Nothing was recorded yet.
    #[error("no verdict is recorded")]
    Empty,
    /// A row is not what this version writes.
    #[error("verdict {id} is damaged")]
    Damaged {
        /// Its id.
        id: String,
        /// What is wrong.
        source: Fault,
    },
    /// SQLite refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<rusqlite::Error> for LookupError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error.into())
    }
}

pub(super) const COLUMNS: &str = "seq, id, at, session, agent_id, agent_type, repository, outcome, reason, \
                       is_claim, blocks_before, summary, task, disputed";

/// The columns that say again what of the detail is counted, as they are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beside {
    /// The kinds of claims of which something could be judged.
    pub judged: String,
    /// Everything else, in JSON.
    pub counted: String,
}

impl Beside {
    /// Those of a stop, and of what it made of the block before it.
    #[must_use]
    pub fn of(detail: &Detail, fate: Option<Fate>) -> Self {
        let counted = Counted {
            fate,
            ..Counted::of(detail)
        };
        Self {
            judged: coverage::kinds_of(&detail.findings),
            counted: counted.stored(),
        }
    }
}

/// Records the verdict on a run that is recorded already, which may know more than this stop.
pub(super) fn insert(transaction: &Transaction<'_>, stop: &Stop<'_>) -> Result<String, StoreError> {
    let detail = serde_json::to_string(stop.detail)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    let is_claim = stop.detail.claim.as_ref().is_some_and(Claim::is_claim);
    let beside = Beside::of(stop.detail, fates::answered_by(transaction, stop)?);
    let id = transaction.query_row(
        "INSERT INTO verdicts (seq, at, session, agent_id, agent_type, repository, outcome, reason,
                               is_claim, blocks_before, summary, detail, task, asked, judged,
                               harness, counted)
         SELECT 1 + max((SELECT coalesce(max(seq), 0) FROM verdicts), (SELECT last FROM instance)),
                ?1, session, agent_id, agent_type, repository, ?4, ?5, ?6, ?7, ?8, ?9, task,
                asked, ?10, harness, ?11
         FROM runs WHERE session = ?2 AND agent_id = ?3 ORDER BY id DESC LIMIT 1
         RETURNING id",
        params![
            stored(stop.at),
            stop.key.session,
            stop.key.agent,
            stop.outcome.as_str(),
            stop.reason.to_string(),
            is_claim,
            stop.blocks_before,
            stop.summary,
            detail,
            beside.judged,
            beside.counted,
        ],
        |row| row.get(0),
    )?;
    Ok(id)
}

/// Removes the verdicts whose numbers `which` selects, and what is folded of them. Says how many they were.
pub(crate) fn remove(
    transaction: &Transaction<'_>,
    which: &str,
    values: &[&dyn ToSql],
) -> Result<usize, StoreError> {
    let sql = format!("DELETE FROM verdicts WHERE seq IN ({which}) RETURNING seq");
    let mut delete = transaction.prepare(&sql)?;
    let numbers = delete.query_map(values, |row| row.get(0))?;
    let numbers = numbers.collect::<Result<Vec<i64>, _>>()?;
    if let (Some(first), Some(last)) = (numbers.iter().min(), numbers.iter().max()) {
        stops::forget(transaction, *first..=*last)?;
        let kept = "UPDATE instance SET last = max(last, ?1)";
        transaction.execute(kept, [last])?;
    }
    Ok(numbers.len())
}

/// The verdicts that `filter` lets through, the newest first; those after a given one in the order
/// in which they were recorded.
pub fn entries(store: &Store, filter: &Filter) -> Result<Vec<Entry>, StoreError> {
    select(store, filter, COLUMNS, read)
}

/// The sessions and agents of whose last stops since a moment something was told that the outcome does not say.
pub fn to_look_at(
    store: &Store,
    since: Timestamp,
) -> Result<HashSet<(String, String)>, StoreError> {
    // Of the columns without a function SQLite takes those of the row with the highest number.
    let sql = format!(
        "SELECT session, agent_id, max(seq), instr(summary, '{TO_LOOK_AT}') > 0 FROM verdicts
         WHERE at >= ?1 GROUP BY session, agent_id"
    );
    let mut select = store.connection.prepare_cached(&sql)?;
    let rows = select.query_map([stored(since)], |row| {
        Ok(((row.get(0)?, row.get(1)?), row.get::<_, bool>(3)?))
    })?;
    let rows: Vec<((String, String), bool)> = rows.collect::<Result<_, _>>()?;
    Ok(rows
        .into_iter()
        .filter(|(_, is_to)| *is_to)
        .map(|(agent, _)| agent)
        .collect())
}

/// The same with everything that each rested on.
pub fn details(store: &Store, filter: &Filter) -> Result<Vec<(Entry, Detail)>, LookupError> {
    let columns = format!("{COLUMNS}, detail");
    let rows = select(store, filter, &columns, read_whole)?;
    rows.into_iter().map(parse).collect()
}

/// What is rare is looked for in what counts are made of, which has no details: they are a hundred times as many bytes.
pub(super) fn select<T>(
    store: &Store,
    filter: &Filter,
    columns: &str,
    read: impl Fn(&Row<'_>) -> Result<T, rusqlite::Error>,
) -> Result<Vec<T>, StoreError> {
    if filter.is_rare() {
        let numbers = Stops::of(store, filter)?.numbers(filter);
        return rows(&store.connection, &numbers, columns, read);
    }
    let (sql, values) = query(filter, columns);
    let mut select = store.connection.prepare(&sql)?;
    let rows = select.query_map(params_from_iter(values), read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn query(filter: &Filter, columns: &str) -> (String, Vec<rusqlite::types::Value>) {
    let mut condition = filter.condition("at");
    let order = match filter.after {
        Some(seq) => {
            condition.and("seq > ?", seq);
            "seq"
        }
        None => "at DESC, seq DESC",
    };
    condition.values.push(filter.most().into());
    let sql = format!(
        "SELECT {columns} FROM verdicts WHERE {} ORDER BY {order} LIMIT ?",
        condition.sql
    );
    (sql, condition.values)
}

pub(super) fn load(
    connection: &Connection,
    which: &str,
    value: impl ToSql + Display,
) -> Result<(Entry, Detail), LookupError> {
    let sql =
        format!("SELECT {COLUMNS}, detail FROM verdicts WHERE {which} ORDER BY seq DESC LIMIT 1");
    let row = connection
        .query_row(&sql, [&value], read_whole)
        .optional()?;
    parse(row.ok_or_else(|| LookupError::Unknown(value.to_string()))?)
}

pub(super) fn parse((entry, detail): (Entry, String)) -> Result<(Entry, Detail), LookupError> {
    match serde_json::from_str(&detail) {
        Ok(detail) => Ok((entry, detail)),
        Err(error) => Err(LookupError::Damaged {
            id: entry.id,
            source: error.into(),
        }),
    }
}

pub(super) fn read_whole(row: &Row<'_>) -> Result<(Entry, String), rusqlite::Error> {
    Ok((read(row)?, row.get(14)?))
}

pub(super) fn read(row: &Row<'_>) -> Result<Entry, rusqlite::Error> {
    Ok(Entry {
        seq: row.get(0)?,
        id: row.get(1)?,
        at: row.get(2)?,
        session_id: row.get(3)?,
        agent_id: row.get(4)?,
        agent_type: row.get(5)?,
        repository: path_in(row, 6)?,
        outcome: word(row, 7)?,
        reason: word(row, 8)?,
        is_claim: row.get(9)?,
        blocks_before: row.get(10)?,
        summary: row.get(11)?,
        task: row.get(12)?,
        disputed: match row.get_ref(13)? {
            ValueRef::Null => None,
            _ => Some(word(row, 13)?),
        },
    })
}

/// One of the words of an enum.
fn word<T: for<'de> Deserialize<'de>>(row: &Row<'_>, column: usize) -> Result<T, rusqlite::Error> {
    let text = row
        .get_ref(column)?
        .as_str()
        .map_err(rusqlite::Error::from)?;
    T::deserialize(StrDeserializer::<serde::de::value::Error>::new(text)).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into())
    })
}

/// A path in JSON.
#[expect(clippy::ref_option, reason = "the form in which serde calls it")]
pub(super) fn as_text<S: serde::Serializer>(
    path: &Option<PathBuf>,
    to: S,
) -> Result<S::Ok, S::Error> {
    path.as_ref()
        .map(|path| attest_evidence::escaped(&attest_evidence::path_bytes(path)))
        .serialize(to)
}
