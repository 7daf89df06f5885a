//! Counting, in one pass over what is kept of every stop.

use std::collections::BTreeMap;

use attest_evidence::path_of_bytes;
use attest_verdict::{Fate, Outcome, ReasonCode};
use jiff::Timestamp;

use super::tally::{Key, Rate, Tally};
use super::{By, KINDS, LetGo, Question, Sent, Stats};
use crate::history::Filter;
use crate::history::fates::{between, is_no_answer};
use crate::history::scan::{Agent, Lists, Selection, Stopped, each_agent};
use crate::{Store, StoreError};

/// Parts of a time that agents are counted in, to be seen beside each other on a line.
const PARTS: usize = 12;

/// Counts what is asked for.
pub fn stats(store: &Store, question: &Question<'_>) -> Result<Stats, StoreError> {
    let filter = question.filter;
    let before = question.before.map(|since| Filter {
        since: Some(since),
        until: filter.since,
        ..filter.clone()
    });
    let selection = Selection {
        asked: filter.condition("at"),
        before: before.map(|before| before.condition("at")),
        has_host: matches!(question.by, By::Host),
    };
    let mut counting = Counting::of(question.by);
    let lists = each_agent(store, &selection, |agent| counting.add(store, agent))?;
    Ok(counting.stats(&lists, question.before.is_some()))
}

/// A group of stops, by its place in what they are counted by.
type Slot = Option<usize>;

/// An agent within one group and repository.
struct Seen {
    slot: Slot,
    repository: Slot,
    is_before: bool,
    at: i64,
    is_claim: bool,
    is_false: bool,
}

/// A group as it grows.
#[derive(Default)]
struct Group {
    tally: Tally,
    before: Rate,
    /// Agents with a claim: the time of the first stop, and whether a claim was false.
    firsts: Vec<(i64, bool)>,
}

impl Group {
    fn add(&mut self, seen: &Seen) {
        if seen.is_before {
            self.before.add(seen.is_claim, seen.is_false);
            return;
        }
        self.tally.add_agent(seen.is_claim, seen.is_false);
        if seen.is_claim {
            self.firsts.push((seen.at, seen.is_false));
        }
    }
}

/// A block whose agent went on, before its groups have their places.
struct Went {
    slots: Vec<Slot>,
    seq: i64,
    from: i64,
    to: i64,
}

struct Counting<'a> {
    by: By<'a>,
    groups: BTreeMap<Slot, Group>,
    all: Group,
    let_go: BTreeMap<&'static str, LetGo>,
    unseen: BTreeMap<&'static str, (Outcome, u32)>,
    hindered: crate::history::Hindered,
    went: Vec<Went>,
    /// The time from the first stop to the last.
    range: Option<(i64, i64)>,
}

impl<'a> Counting<'a> {
    fn of(by: By<'a>) -> Self {
        Self {
            by,
            groups: BTreeMap::new(),
            all: Group::default(),
            let_go: BTreeMap::new(),
            unseen: BTreeMap::new(),
            hindered: crate::history::Hindered::default(),
            went: Vec::new(),
            range: None,
        }
    }

    fn add(&mut self, store: &Store, agent: &Agent<'_>) -> Result<(), StoreError> {
        if !agent.is_nameless {
            return self.add_stops(store, agent.stops);
        }
        for stop in agent.stops {
            self.add_stops(store, std::slice::from_ref(stop))?;
        }
        Ok(())
    }

    /// Adds the stops of one agent.
    fn add_stops(&mut self, store: &Store, stops: &[Stopped]) -> Result<(), StoreError> {
        let mut seen = Vec::new();
        let mut of_all = Vec::new();
        let mut reasons = Vec::new();
        let first = stops.iter().find(|stop| stop.is_asked);
        for stop in stops.iter().filter(|stop| stop.is_asked || stop.is_before) {
            note(&mut of_all, None, stop, stop.is_claim, stop.is_false());
            for slot in self.slots(stop, first) {
                let (is_claim, is_false) = self.claims(stop, slot);
                note(&mut seen, slot, stop, is_claim, is_false);
                if stop.is_asked {
                    let tally = &mut self.groups.entry(slot).or_default().tally;
                    tally.add_stop(stop, is_claim, is_false);
                }
            }
            if stop.is_asked {
                self.add_stop(stop, &mut reasons);
            }
        }
        for seen in &of_all {
            self.all.add(seen);
        }
        for seen in &seen {
            self.groups.entry(seen.slot).or_default().add(seen);
        }
        self.add_blocks(store, stops, first)
    }

    /// What is counted of a stop whatever its group is.
    fn add_stop(&mut self, stop: &Stopped, reasons: &mut Vec<ReasonCode>) {
        self.all
            .tally
            .add_stop(stop, stop.is_claim, stop.is_false());
        let (from, to) = self.range.unwrap_or((stop.at, stop.at));
        self.range = Some((from.min(stop.at), to.max(stop.at)));
        if let (Some(Outcome::Mismatch), Some(reason)) = (stop.outcome, stop.reason) {
            let let_go = self.let_go.entry(reason.as_str()).or_insert(LetGo {
                reason,
                agents: 0,
                stops: 0,
            });
            let_go.stops += 1;
            if !reasons.contains(&reason) {
                let_go.agents += 1;
                reasons.push(reason);
            }
        }
        if let Some(outcome @ (Outcome::Unverifiable | Outcome::NoSnapshot)) = stop.outcome {
            self.unseen
                .entry(outcome.as_str())
                .or_insert((outcome, 0))
                .1 += 1;
        }
        if let Some(word) = &stop.counted.unchecked {
            *self.hindered.unchecked.entry(word.clone()).or_default() += 1;
        }
        for gate in &stop.counted.late {
            *self.hindered.late_gates.entry(gate.clone()).or_default() += 1;
        }
    }

    /// Ties each block to the stop that came after it.
    fn add_blocks(
        &mut self,
        store: &Store,
        stops: &[Stopped],
        first: Option<&Stopped>,
    ) -> Result<(), StoreError> {
        for (place, block) in stops.iter().enumerate() {
            if !block.is_asked || !Tally::is_block(block) {
                continue;
            }
            let mut after = stops.iter().skip(place + 1);
            let next = after.find(|stop| !stop.reason.is_some_and(is_no_answer));
            let fate = match next {
                None => Fate::Unanswered,
                Some(next) if next.is_earlier => between(&store.connection, block.seq, next.seq)?,
                Some(next) => next.counted.fate.unwrap_or(Fate::Unanswered),
            };
            let next = next.filter(|next| next.is_after_block);
            let length = next.map(|next| (next.at - block.at).max(0));
            self.all.tally.add_block(fate, length);
            let mut slots = self.slots(block, first);
            slots.retain(|slot| self.claims(block, *slot).1);
            for slot in &slots {
                let group = self.groups.entry(*slot).or_default();
                group.tally.add_block(fate, length);
            }
            if let Some(next) = next {
                self.went.push(Went {
                    slots,
                    seq: block.seq,
                    from: block.at,
                    to: next.at,
                });
            }
        }
        Ok(())
    }

    /// The groups of a stop of an agent whose `first` stop is known.
    fn slots(&self, stop: &Stopped, first: Option<&Stopped>) -> Vec<Slot> {
        let reason = |stop: &Stopped| {
            let of = |it: &ReasonCode| Some(*it) == stop.reason;
            ReasonCode::ALL.iter().position(of)
        };
        match self.by {
            By::Type => vec![stop.agent_type],
            By::Repository => vec![stop.repository],
            By::Host => vec![stop.host],
            By::Reason => vec![reason(stop)],
            By::Claim => {
                let kinds = stop.judged.unwrap_or_default();
                let of = |kind| KINDS.iter().position(|it| *it == kind);
                kinds.all().map(of).collect()
            }
            // What the time before came to is not told by the day.
            By::Day(begins) | By::Week(begins) => first.map_or_else(Vec::new, |first| {
                let is_begun = |begin: &super::Begin| begin.at.as_microsecond() <= first.at;
                vec![begins.partition_point(is_begun).checked_sub(1)]
            }),
        }
    }

    /// Whether a stop makes a claim in a group, and a false one.
    fn claims(&self, stop: &Stopped, slot: Slot) -> (bool, bool) {
        let kind = slot.and_then(|place| KINDS.get(place));
        match (self.by, kind) {
            (By::Claim, Some(kind)) => (true, stop.counted.against.contains(kind)),
            _ => (stop.is_claim, stop.is_false()),
        }
    }

    fn stats(self, lists: &Lists, has_before: bool) -> Stats {
        let (by, range) = (self.by, self.range);
        let finish = |group: Group, key: Key| Tally {
            key,
            over_time: over_time(&group.firsts, range),
            before: has_before.then_some(group.before),
            ..group.tally
        };
        let named = self.groups.into_iter();
        let named = named.map(|(slot, group)| (slot, finish(group, key(by, slot, lists))));
        // What was only before has no row of its own in what is asked for now.
        let mut named: Vec<_> = named.filter(|(_, tally)| tally.stops > 0).collect();
        if !matches!(by, By::Day(_) | By::Week(_)) {
            named.sort_by(|(_, one), (_, other)| {
                let most = other.stops.cmp(&one.stops);
                most.then_with(|| one.key.cmp(&other.key))
            });
        }
        let place = |slot: &Slot| named.iter().position(|(it, _)| it == slot);
        let sent = self.went.iter().filter_map(|went| {
            Some(Sent {
                tallies: went.slots.iter().filter_map(place).collect(),
                seq: went.seq,
                from: Timestamp::from_microsecond(went.from).ok()?,
                to: Timestamp::from_microsecond(went.to).ok()?,
            })
        });
        let mut sent: Vec<_> = sent.collect();
        sent.sort_by_key(|sent| sent.seq);
        let mut let_go: Vec<_> = self.let_go.into_values().collect();
        let_go.sort_by_key(|it| std::cmp::Reverse((it.agents, it.stops)));
        Stats {
            tallies: named.into_iter().map(|(_, tally)| tally).collect(),
            all: finish(self.all, Key::default()),
            let_go,
            unseen: self.unseen.into_values().collect(),
            hindered: self.hindered,
            sent,
        }
    }
}

/// Notes a stop of an agent in the group and repository that it is of.
fn note(seen: &mut Vec<Seen>, slot: Slot, stop: &Stopped, is_claim: bool, is_false: bool) {
    let key = (slot, stop.repository, stop.is_before);
    let known = seen
        .iter_mut()
        .find(|it| (it.slot, it.repository, it.is_before) == key);
    match known {
        Some(known) => {
            known.is_claim |= is_claim;
            known.is_false |= is_false;
        }
        None => seen.push(Seen {
            slot,
            repository: stop.repository,
            is_before: stop.is_before,
            at: stop.at,
            is_claim,
            is_false,
        }),
    }
}

/// Counts agents in parts of equal length of the whole time.
fn over_time(firsts: &[(i64, bool)], range: Option<(i64, i64)>) -> Vec<Rate> {
    let mut parts = vec![Rate::default(); PARTS];
    let Some((from, to)) = range else {
        return Vec::new();
    };
    let whole = i128::from(to - from) + 1;
    for (at, is_false) in firsts {
        let part = i128::from(at - from) * (PARTS as i128) / whole;
        if let Some(part) = usize::try_from(part).ok().and_then(|it| parts.get_mut(it)) {
            part.add(true, *is_false);
        }
    }
    parts
}

fn key(by: By<'_>, slot: Slot, lists: &Lists) -> Key {
    let name = |begins: &[super::Begin]| {
        let begin = slot.and_then(|place| begins.get(place));
        begin.map_or_else(String::new, |begin| begin.name.clone())
    };
    match by {
        By::Type => Key::AgentType(lists.types.text(slot)),
        By::Repository => {
            let bytes = lists.repositories.bytes(slot);
            Key::Repository(bytes.map(path_of_bytes))
        }
        By::Host => Key::Host(lists.hosts.text(slot)),
        By::Reason => Key::of_reason(slot.and_then(|place| ReasonCode::ALL.get(place)).copied()),
        By::Claim => Key::Claim(slot.and_then(|place| KINDS.get(place)).copied()),
        By::Day(begins) => Key::Day(name(begins)),
        By::Week(begins) => Key::Week(name(begins)),
    }
}
