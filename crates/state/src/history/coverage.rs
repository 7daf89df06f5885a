//! In what share of the stops something could be judged.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use attest_claim::Kind;
use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde::Serialize;

use super::Judged;
use crate::StoreError;
use crate::times::stored;

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
    /// Of them, with a claim.
    pub claims: u32,
    /// Of them, with a claim that is borne out or contradicted.
    pub judged: u32,
}

impl AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        self.stops += other.stops;
        self.claims += other.claims;
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
    /// Adds stops of agents that were asked for a report, or were not, or of which that is not known.
    fn count(&mut self, judged: Kinds, was_asked: Option<bool>, is_claim: bool, stops: u32) {
        let one = Share {
            stops,
            claims: if is_claim { stops } else { 0 },
            judged: if judged.is_empty() { 0 } else { stops },
        };
        self.all += one;
        match was_asked {
            Some(true) => self.asked += one,
            Some(false) => self.not_asked += one,
            None => {}
        }
        if self.kinds.is_empty() {
            self.kinds.extend(KINDS.map(|kind| (kind, 0)));
        }
        for kind in judged.all() {
            *self.kinds.entry(kind).or_default() += stops;
        }
    }
}

/// Stops as they are counted: there are a hundred thousand of them, and few ways in which they differ.
#[derive(Debug)]
pub(super) struct Covered([[u32; REPORTS.len()]; 1 << KINDS.len()]);

/// Whether an agent was asked for a report, and whether it has a claim.
const REPORTS: [(Option<bool>, bool); 6] = [
    (None, false),
    (None, true),
    (Some(false), false),
    (Some(false), true),
    (Some(true), false),
    (Some(true), true),
];

impl Default for Covered {
    fn default() -> Self {
        Self([[0; REPORTS.len()]; 1 << KINDS.len()])
    }
}

impl Covered {
    pub(super) fn add(&mut self, judged: Kinds, was_asked: Option<bool>, is_claim: bool) {
        let of_asked = was_asked.map_or(0, |was_asked| 1 + usize::from(was_asked));
        let place = 2 * of_asked + usize::from(is_claim);
        self.0[usize::from(judged.0)][place] += 1;
    }

    pub(super) fn coverage(&self) -> Coverage {
        let mut coverage = Coverage::default();
        for (judged, row) in (0..).map(Kinds).zip(&self.0) {
            let counts = REPORTS.into_iter().zip(row);
            for ((was_asked, is_claim), stops) in counts.filter(|(_, stops)| **stops > 0) {
                coverage.count(judged, was_asked, is_claim, *stops);
            }
        }
        coverage
    }
}

/// Kinds of claims, one bit for each of [`KINDS`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) fn is_empty(self) -> bool {
        self == Self::default()
    }

    pub(super) fn all(self) -> impl Iterator<Item = Kind> {
        let bits = (0..).zip(KINDS);
        let set = bits.filter(move |(bit, _)| self.0 & (1 << bit) != 0);
        set.map(|(_, kind)| kind)
    }
}

/// The kinds that a stored text names.
pub(super) fn kinds_in(stored: &str) -> Kinds {
    let mut kinds = Kinds::default();
    for word in stored.split_ascii_whitespace() {
        let place = KINDS.iter().position(|kind| kind.as_str() == word);
        kinds.0 |= place.map_or(0, |place| 1 << place);
    }
    kinds
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
