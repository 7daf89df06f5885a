//! In what share of the stops something could be judged.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use attest_claim::Kind;
use jiff::Timestamp;
use rusqlite::{Connection, Row, params};
use serde::Serialize;

use super::{Judged, stored};
use crate::StoreError;

/// What a report claims by itself. What is left in a file is a part of the claim that it was changed.
const KINDS: [Kind; 5] = [
    Kind::Files,
    Kind::Commits,
    Kind::Checks,
    Kind::Reads,
    Kind::Tree,
];

/// Stops, and those of which something could be judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// How many.
    pub stops: u32,
    /// Of them, with a claim that is borne out or contradicted.
    pub judged: u32,
}

impl AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        self.stops += other.stops;
        self.judged += other.judged;
    }
}

/// How much could be judged. Stops that an earlier attest recorded are not counted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Of all agents.
    pub all: Share,
    /// Of those that were asked for a report at their start.
    pub asked: Share,
    /// Of those that were not.
    pub not_asked: Share,
    /// The stops at which something could be judged, by what the claim is about.
    pub kinds: BTreeMap<Kind, u32>,
}

impl Coverage {
    /// Adds what is known of others.
    pub fn add(&mut self, other: &Self) {
        self.all += other.all;
        self.asked += other.asked;
        self.not_asked += other.not_asked;
        for (kind, count) in &other.kinds {
            *self.kinds.entry(*kind).or_default() += count;
        }
    }
}

/// The kinds of which something was judged, as they are stored.
pub(super) fn kinds_of(findings: &[Judged]) -> String {
    let is_judged = |kind: Kind| {
        let mut of_kind = findings.iter().filter(|judged| judged.kind == kind);
        of_kind.any(|judged| judged.finding.is_judged())
    };
    let kinds = KINDS.into_iter().filter(|kind| is_judged(*kind));
    let words: Vec<_> = kinds.map(|kind| format!(" {} ", kind.as_str())).collect();
    words.concat()
}

/// How many subagents of a session have stopped since then without anything that could be judged, and of which nothing
/// is to be told.
pub(crate) fn unjudged(
    connection: &Connection,
    session: &str,
    since: Timestamp,
) -> Result<u32, StoreError> {
    let sql = "SELECT count(*) FROM (
                   SELECT 1 FROM verdicts
                   WHERE at > ?2 AND session = ?1 AND judged IS NOT NULL AND agent_id NOT LIKE 'turn:%'
                       AND agent_id NOT IN (SELECT agent FROM advisories
                                            WHERE session = ?1 AND told_person IS NULL)
                   GROUP BY agent_id HAVING max(judged) = '')";
    let values = params![session, stored(since)];
    Ok(connection.query_row(sql, values, |row| row.get(0))?)
}

/// What a query over verdicts counts for [`read`].
pub(super) fn columns() -> String {
    let kinds = KINDS.map(|kind| format!(", sum(judged LIKE '% {} %')", kind.as_str()));
    format!(
        "count(judged), sum(judged <> ''),
         count(judged) FILTER (WHERE asked = 1), sum(judged <> '') FILTER (WHERE asked = 1),
         count(judged) FILTER (WHERE asked = 0), sum(judged <> '') FILTER (WHERE asked = 0){}",
        kinds.concat()
    )
}

/// What those columns say, from the first of them on.
pub(super) fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<Coverage> {
    let number = |at: usize| -> rusqlite::Result<u32> {
        // A sum over no rows is NULL.
        let number: Option<u32> = row.get(first + at)?;
        Ok(number.unwrap_or_default())
    };
    let share = |at: usize| -> rusqlite::Result<Share> {
        let (stops, judged) = (number(at)?, number(at + 1)?);
        Ok(Share { stops, judged })
    };
    let mut kinds = BTreeMap::new();
    for (at, kind) in KINDS.into_iter().enumerate() {
        kinds.insert(kind, number(6 + at)?);
    }
    Ok(Coverage {
        all: share(0)?,
        asked: share(2)?,
        not_asked: share(4)?,
        kinds,
    })
}
