//! Every stop in few bytes, agent by agent: what counts are made of. It reads one index and no detail.

use std::collections::HashMap;

use attest_verdict::{Outcome, ReasonCode};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params_from_iter};

use super::counted::{Counted, of_earlier};
use super::coverage::{Kinds, kinds_in};
use super::filter::Condition;
use crate::agents::NAMELESS;
use crate::{Store, StoreError};

/// Which stops are counted. All are read: what became of a block may be anywhere.
pub(super) struct Selection {
    /// Those that are asked for.
    pub(super) asked: Condition,
    /// Those of the time before, which they are compared with.
    pub(super) before: Option<Condition>,
    /// Whether the host of each is asked for.
    pub(super) has_host: bool,
}

/// One stop.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(super) struct Stopped {
    pub(super) seq: i64,
    /// Microseconds since the epoch.
    pub(super) at: i64,
    pub(super) is_asked: bool,
    pub(super) is_before: bool,
    pub(super) agent_type: Name,
    pub(super) repository: Name,
    pub(super) host: Name,
    /// `None` for words that this version does not know.
    pub(super) outcome: Option<Outcome>,
    pub(super) reason: Option<ReasonCode>,
    pub(super) is_claim: bool,
    pub(super) was_asked: Option<bool>,
    /// Whether the agent had been sent back before in the same run.
    pub(super) is_after_block: bool,
    /// `None` if an earlier attest recorded it.
    pub(super) judged: Option<Kinds>,
    /// Whether an earlier attest recorded it, without what it made of the block before it.
    pub(super) is_earlier: bool,
    pub(super) counted: Counted,
}

impl Stopped {
    pub(super) fn is_false(&self) -> bool {
        self.outcome.is_some_and(Outcome::is_false_done)
    }
}

/// The stops of one agent in one session, in the order of recording.
pub(super) struct Agent<'a> {
    /// Whether the host gave it no id of its own: each stop is then of another.
    pub(super) is_nameless: bool,
    pub(super) stops: &'a [Stopped],
}

/// A text or some bytes of which there are few, by the place in [`Names`].
pub(super) type Name = Option<usize>;

/// The texts that stops have in common.
#[derive(Debug, Default)]
pub(super) struct Names {
    all: Vec<Vec<u8>>,
    places: HashMap<Vec<u8>, usize>,
    /// The one that was met last, which is most often the next as well.
    last: usize,
}

impl Names {
    fn of(&mut self, value: ValueRef<'_>) -> Name {
        let (ValueRef::Text(bytes) | ValueRef::Blob(bytes)) = value else {
            return None;
        };
        if self.all.get(self.last).is_some_and(|last| last == bytes) {
            return Some(self.last);
        }
        let known = self.places.get(bytes).copied();
        self.last = known.unwrap_or_else(|| {
            self.all.push(bytes.to_owned());
            self.places.insert(bytes.to_owned(), self.all.len() - 1);
            self.all.len() - 1
        });
        Some(self.last)
    }

    pub(super) fn bytes(&self, name: Name) -> Option<&[u8]> {
        name.and_then(|place| self.all.get(place))
            .map(Vec::as_slice)
    }

    pub(super) fn text(&self, name: Name) -> Option<String> {
        let bytes = self.bytes(name)?;
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
}

/// What the words of a column stand for, of which there are few: each is read once.
#[derive(Debug)]
struct Words<T>(Vec<(String, T)>);

impl<T> Default for Words<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy> Words<T> {
    fn of(&mut self, word: &str, read: impl FnOnce(&str) -> T) -> T {
        if let Some((_, known)) = self.0.iter().find(|(known, _)| known == word) {
            return *known;
        }
        let meant = read(word);
        self.0.push((word.to_owned(), meant));
        meant
    }
}

/// What kinds of names and words there are.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) types: Names,
    pub(super) repositories: Names,
    pub(super) hosts: Names,
    outcomes: Words<Option<Outcome>>,
    reasons: Words<Option<ReasonCode>>,
    judged: Words<Kinds>,
}

/// The columns of a stop, from the fifth on.
const COLUMNS: &str = "at, agent_type, repository, outcome, reason, is_claim, asked, judged, counted, blocks_before > 0";
/// The host of a row of an earlier version is that of its run.
const HOST: &str = "coalesce(harness, (SELECT harness FROM runs
    WHERE runs.session = verdicts.session AND runs.agent_id = verdicts.agent_id
    ORDER BY id DESC LIMIT 1))";

/// Visits each agent. Gives the names that its stops refer to.
pub(super) fn each_agent(
    store: &Store,
    selection: &Selection,
    mut visit: impl FnMut(&Agent<'_>) -> Result<(), StoreError>,
) -> Result<Lists, StoreError> {
    let before = selection.before.as_ref();
    let sql = format!(
        "SELECT seq, agent_id, session, ({}), ({}), {COLUMNS}, {}
         FROM verdicts ORDER BY agent_id, session, at",
        selection.asked.sql,
        before.map_or("0", |before| &before.sql),
        if selection.has_host { HOST } else { "NULL" },
    );
    let values = selection.asked.values.iter();
    let values = values.chain(before.into_iter().flat_map(|before| &before.values));
    let mut select = store.connection.prepare(&sql)?;
    let mut rows = select.query(params_from_iter(values))?;
    let (mut lists, mut stops) = (Lists::default(), Vec::new());
    let (mut agent_id, mut session) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next()? {
        let (agent, of_session) = (bytes(row, 1)?, bytes(row, 2)?);
        if agent != agent_id || of_session != session {
            visit_all(&mut stops, &agent_id, &mut visit)?;
            agent.clone_into(&mut agent_id);
            of_session.clone_into(&mut session);
        }
        stops.push(read(row, &mut lists, &store.connection)?);
    }
    visit_all(&mut stops, &agent_id, &mut visit)?;
    Ok(lists)
}

fn visit_all(
    stops: &mut Vec<Stopped>,
    agent_id: &[u8],
    visit: &mut impl FnMut(&Agent<'_>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    if stops.is_empty() {
        return Ok(());
    }
    // The clock may have been put back meanwhile.
    stops.sort_by_key(|stop| stop.seq);
    visit(&Agent {
        is_nameless: agent_id.starts_with(NAMELESS.as_bytes()),
        stops,
    })?;
    stops.clear();
    Ok(())
}

fn bytes<'r>(row: &'r Row<'_>, column: usize) -> Result<&'r [u8], rusqlite::Error> {
    Ok(row.get_ref(column)?.as_bytes()?)
}

fn read(row: &Row<'_>, lists: &mut Lists, connection: &Connection) -> Result<Stopped, StoreError> {
    let truth = |column| -> Result<bool, rusqlite::Error> {
        Ok(row.get::<_, Option<bool>>(column)?.unwrap_or(false))
    };
    let text = |column| -> Result<Option<&str>, rusqlite::Error> {
        Ok(row.get_ref(column)?.as_str_or_null()?)
    };
    let seq = row.get(0)?;
    let is_asked = truth(3)?;
    let counted = match text(13)? {
        Some("") => Counted::default(),
        Some(text) => Counted::read(text),
        None if is_asked => of_earlier(connection, seq)?,
        None => Counted::default(),
    };
    let outcome = |word: &str| Outcome::ALL.into_iter().find(|it| it.as_str() == word);
    let reason = |word: &str| ReasonCode::ALL.into_iter().find(|it| it.as_str() == word);
    Ok(Stopped {
        seq,
        at: text(5)?.map_or(0, microseconds),
        is_asked,
        is_before: truth(4)?,
        agent_type: lists.types.of(row.get_ref(6)?),
        repository: lists.repositories.of(row.get_ref(7)?),
        host: lists.hosts.of(row.get_ref(15)?),
        outcome: text(8)?.and_then(|word| lists.outcomes.of(word, outcome)),
        reason: text(9)?.and_then(|word| lists.reasons.of(word, reason)),
        is_claim: truth(10)?,
        was_asked: row.get(11)?,
        is_after_block: truth(14)?,
        judged: text(12)?.map(|words| lists.judged.of(words, kinds_in)),
        is_earlier: text(13)?.is_none(),
        counted,
    })
}

/// A stored time as a number: times are compared a hundred thousand times over.
fn microseconds(text: &str) -> i64 {
    let digits = |from: usize, to: usize| text.get(from..to)?.parse::<i32>().ok();
    let quick = || -> Option<Timestamp> {
        let small = |from| i8::try_from(digits(from, from + 2)?).ok();
        let year = i16::try_from(digits(0, 4)?).ok()?;
        let nanosecond = digits(20, 26)? * 1000;
        if text.len() != "2026-01-31T01:02:03.000000Z".len() || !text.ends_with('Z') {
            return None;
        }
        let at = DateTime::new(
            year,
            small(5)?,
            small(8)?,
            small(11)?,
            small(14)?,
            small(17)?,
            nanosecond,
        );
        Offset::UTC.to_timestamp(at.ok()?).ok()
    };
    let at = quick().or_else(|| text.parse().ok());
    at.map_or(0, Timestamp::as_microsecond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_any_form_is_the_same_number() {
        let at: Timestamp = "2026-01-31T01:02:03.456789Z".parse().unwrap();
        for text in [
            "2026-01-31T01:02:03.456789Z",
            "2026-01-31T02:02:03.456789+01:00",
            "2026-01-31 01:02:03.456789Z",
        ] {
            assert_eq!(microseconds(text), at.as_microsecond(), "{text}");
        }
        assert_eq!(microseconds("some day"), 0);
    }
}
