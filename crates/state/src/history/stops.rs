//! Every stop in few bytes, agent by agent: what counts are made of. It reads no detail.

mod admits;
mod folded;
#[cfg(test)]
mod tests;
mod texts;

use std::cell::OnceCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use attest_verdict::{Outcome, ReasonCode};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Row, Transaction, TransactionBehavior, params_from_iter};

use super::Filter;
use super::counted::{Counted, of_earlier};
use super::coverage::{Kinds, Share};
use super::summary::NOT_MET;
use crate::agents::NAMELESS;
use crate::{Store, StoreError};

pub(super) use admits::Admits;
pub(super) use folded::forget;
use texts::COLUMNS;
pub(super) use texts::{Column, Name, Texts};

/// The stops that are recorded, of which any number of questions can be asked.
#[derive(Debug)]
pub struct Stops<'s> {
    pub(super) store: &'s Store,
    pub(super) texts: Texts,
    /// In the order of recording.
    all: Vec<Stopped>,
    /// Their places with those of an agent beside each other: lists do not need that.
    by_agent: OnceCell<Vec<u32>>,
}

/// One stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stopped {
    pub(super) seq: i64,
    /// Microseconds since the epoch.
    pub(super) at: i64,
    /// The agent in its session. One to which its host gave no id of its own is another at each stop.
    agent: u128,
    /// By the column.
    names: [Name; COLUMNS],
    facts: Facts,
    /// `None` for words that this version does not know.
    pub(super) outcome: Option<Outcome>,
    pub(super) reason: Option<ReasonCode>,
    /// `None` if an earlier attest recorded it.
    pub(super) judged: Option<Kinds>,
}

/// What is so or not, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Facts(u8);

impl Facts {
    const CLAIM: u8 = 1;
    const ASKED: u8 = 1 << 1;
    const NOT_ASKED: u8 = 1 << 2;
    const AFTER_BLOCK: u8 = 1 << 3;
    const EARLIER: u8 = 1 << 4;
    const UNMET: u8 = 1 << 5;
    const HONEST: u8 = 1 << 6;

    fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }
}

impl Stopped {
    fn of(
        seq: i64,
        at: i64,
        agent: u128,
        names: [Name; COLUMNS],
        facts: Facts,
        texts: &Texts,
    ) -> Self {
        let name = |column: Column| names[column as usize];
        Self {
            seq,
            at,
            agent,
            names,
            facts,
            outcome: texts.outcome(name(Column::Outcome)),
            reason: texts.reason(name(Column::Reason)),
            judged: texts.judged(name(Column::Judged)),
        }
    }

    /// The text in a column.
    pub(super) fn name(&self, column: Column) -> Name {
        self.names[column as usize]
    }

    pub(super) fn is_claim(&self) -> bool {
        self.facts.has(Facts::CLAIM)
    }

    /// Whether the agent was asked for a report at its start, if that is known.
    pub(super) fn was_asked(&self) -> Option<bool> {
        let is_known = self.facts.has(Facts::ASKED | Facts::NOT_ASKED);
        is_known.then(|| self.facts.has(Facts::ASKED))
    }

    /// Whether the agent had been sent back before in the same run.
    pub(super) fn is_after_block(&self) -> bool {
        self.facts.has(Facts::AFTER_BLOCK)
    }

    /// Whether an earlier attest recorded it, without what it made of the block before it.
    pub(super) fn is_earlier(&self) -> bool {
        self.facts.has(Facts::EARLIER)
    }

    /// Whether criteria are not met that do not count.
    pub(super) fn has_unmet_criteria(&self) -> bool {
        self.facts.has(Facts::UNMET)
    }

    /// Whether something of it could be judged; nothing if that is not recorded.
    pub(super) fn share(&self) -> Share {
        self.judged.map_or_else(Share::default, |judged| Share {
            stops: 1,
            claims: self.is_claim().into(),
            judged: (!judged.is_empty()).into(),
        })
    }

    pub(super) fn is_false(&self) -> bool {
        self.outcome.is_some_and(Outcome::is_false_done) && !self.is_called_honest()
    }

    /// Whether a person says so of it, or had said so of the agent.
    pub(super) fn is_called_honest(&self) -> bool {
        self.facts.has(Facts::HONEST) || self.reason == Some(ReasonCode::AllowDisputed)
    }
}

/// The columns of a stop in the order in which they are read. The host of a row of an earlier version is that of its run.
const READ: &str =
    "seq, agent_id, session, at, is_claim, asked, blocks_before > 0, agent_type, repository,
    coalesce(harness, (SELECT harness FROM runs
                       WHERE runs.session = verdicts.session AND runs.agent_id = verdicts.agent_id
                       ORDER BY id DESC LIMIT 1)),
    outcome, reason, judged, counted, instr(summary, ?) > 0, disputed = 'honest'";

impl<'s> Stops<'s> {
    /// Reads those of the sessions and agents of `filter`: what became of a block may be in any stop of an agent.
    pub fn of(store: &'s Store, filter: &Filter) -> Result<Self, StoreError> {
        let mut stops = Self {
            store,
            texts: Texts::default(),
            all: Vec::new(),
            by_agent: OnceCell::new(),
        };
        let behavior = TransactionBehavior::Deferred;
        let moment = Transaction::new_unchecked(&store.connection, behavior)?;
        if filter.session.is_some() || filter.agent.is_some() {
            let named = Filter {
                session: filter.session.clone(),
                agent: filter.agent.clone(),
                ..Filter::default()
            };
            let condition = named.condition("at");
            let from = format!("INDEXED BY verdicts_of_agent WHERE {}", condition.sql);
            stops.read(&moment, &from, condition.values)?;
        } else {
            stops.read_all(moment)?;
        }
        // What is folded was read first, so there is little to move.
        stops.all.sort_by_key(|stop| stop.seq);
        Ok(stops)
    }

    /// Hands on the stops of each agent. One agent's are copied at a time: to get memory for a copy of all takes longer
    /// than to make it.
    pub(super) fn each_agent<E>(
        &self,
        mut each: impl FnMut(&[Stopped]) -> Result<(), E>,
    ) -> Result<(), E> {
        let places = self.by_agent.get_or_init(|| by_agent(&self.all));
        let stop = |place: &u32| self.all[*place as usize];
        let mut stops = Vec::new();
        for places in places.chunk_by(|one, other| stop(one).agent == stop(other).agent) {
            stops.clear();
            stops.extend(places.iter().map(stop));
            each(&stops)?;
        }
        Ok(())
    }

    /// Those that a filter lets through.
    pub(super) fn that<'a>(&'a self, filter: &'a Filter) -> impl Iterator<Item = &'a Stopped> {
        let admits = self.admitted_by(filter);
        self.all.iter().filter(move |stop| admits.lets(stop))
    }

    pub(super) fn counted(&self, stop: &Stopped) -> &Counted {
        self.texts.counted(stop.name(Column::Counted))
    }

    fn read(
        &mut self,
        connection: &Connection,
        from: &str,
        values: Vec<Value>,
    ) -> Result<(), StoreError> {
        let mut select = connection.prepare(&format!("SELECT {READ} FROM verdicts {from}"))?;
        let not_met = Value::from(NOT_MET.to_owned());
        let mut rows = select.query(params_from_iter([not_met].into_iter().chain(values)))?;
        while let Some(row) = rows.next()? {
            let stop = read(row, &mut self.texts, connection)?;
            self.all.push(stop);
        }
        Ok(())
    }
}

/// The places of stops with those of an agent beside each other, in their order. Agents are counted first, because to
/// sort a hundred thousand by their names takes a quarter of what `attest stats` takes in all.
fn by_agent(stops: &[Stopped]) -> Vec<u32> {
    let mut numbers = HashMap::<_, _, BuildHasherDefault<OfName>>::default();
    let mut counts = Vec::new();
    let number_of = |stop: &Stopped| {
        let number = *numbers.entry(stop.agent).or_insert(counts.len());
        if number == counts.len() {
            counts.push(0);
        }
        counts[number] += 1;
        number
    };
    let agents: Vec<_> = stops.iter().map(number_of).collect();
    // From the number of each agent's stops to the place of its first.
    let mut next = 0;
    for count in &mut counts {
        next += std::mem::replace(count, next);
    }
    let mut sorted = vec![0; stops.len()];
    for (place, agent) in (0..).zip(agents) {
        sorted[counts[agent]] = place;
        counts[agent] += 1;
    }
    sorted
}

fn read(row: &Row<'_>, texts: &mut Texts, connection: &Connection) -> Result<Stopped, StoreError> {
    let bytes = |column| -> Result<Option<&[u8]>, rusqlite::Error> {
        Ok(row.get_ref(column)?.as_bytes_or_null()?)
    };
    let truth = |column, bit| -> Result<u8, rusqlite::Error> {
        let is_so: Option<bool> = row.get(column)?;
        Ok(if is_so == Some(true) { bit } else { 0 })
    };
    let seq = row.get(0)?;
    let (agent, session) = (bytes(1)?.unwrap_or_default(), bytes(2)?.unwrap_or_default());
    let at = row.get_ref(3)?.as_str().map_err(rusqlite::Error::from)?;
    let mut facts = truth(4, Facts::CLAIM)? | truth(6, Facts::AFTER_BLOCK)?;
    facts |= truth(14, Facts::UNMET)? | truth(15, Facts::HONEST)?;
    facts |= match row.get(5)? {
        Some(true) => Facts::ASKED,
        Some(false) => Facts::NOT_ASKED,
        None => 0,
    };
    let mut counted = bytes(13)?;
    let earlier;
    if row.get_ref(13)? == ValueRef::Null {
        facts |= Facts::EARLIER;
        earlier = of_earlier(connection, seq)?.stored();
        counted = Some(earlier.as_bytes());
    }
    let names = [
        texts.of_column(Column::AgentType, bytes(7)?),
        texts.of_column(Column::Repository, bytes(8)?),
        texts.of_column(Column::Host, bytes(9)?),
        texts.of_column(Column::Outcome, bytes(10)?),
        texts.of_column(Column::Reason, bytes(11)?),
        texts.of_column(Column::Judged, bytes(12)?),
        texts.of_column(Column::Counted, counted),
    ];
    let own = agent.starts_with(NAMELESS.as_bytes()).then_some(seq);
    let agent = name_of(agent, session, own);
    let at = microseconds(at);
    Ok(Stopped::of(seq, at, agent, names, Facts(facts), texts))
}

/// Half of an agent's name, which is spread over all numbers already.
#[derive(Default)]
struct OfName(u64);

impl Hasher for OfName {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, name: &[u8]) {
        self.0 = name
            .first_chunk()
            .map_or(0, |half| u64::from_ne_bytes(*half));
    }
}

/// A number that no two agents have: FNV-1a of 128 bits.
fn name_of(agent: &[u8], session: &[u8], own: Option<i64>) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let own = own.map_or([0; 8], i64::to_le_bytes);
    let parts = [agent, &[0], session, &[0], &own];
    let bytes = parts.into_iter().flatten();
    bytes.fold(BASIS, |name, byte| {
        (name ^ u128::from(*byte)).wrapping_mul(PRIME)
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
