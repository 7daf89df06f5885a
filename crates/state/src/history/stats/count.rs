//! Counting, in one pass over all stops.

use std::collections::BTreeMap;

use attest_verdict::{Fate, Outcome, ReasonCode};
use jiff::Timestamp;

use super::group::{Group, SeenAgent, Slot, Time, note};
use super::tally::{Key, Tally};
use super::{By, KINDS, LetGo, Question, Sent, Stats};
use crate::StoreError;
use crate::history::coverage::Kinds;
use crate::history::fates::{between, is_no_answer, mends, unanswered};
use crate::history::stops::{Admits, Column, Stopped, Stops, Texts};
use crate::history::{Filter, Hindered};
use crate::names::path_of_bytes;

impl Stops<'_> {
    /// Counts what is asked for.
    pub fn stats(&self, question: &Question<'_>) -> Result<Stats, StoreError> {
        let filter = question.filter;
        let before = question.before.map(|since| Filter {
            since: Some(since),
            until: filter.since,
            ..filter.clone()
        });
        let mut counting = Counting {
            stops: self,
            by: question.by,
            asked: self.admitted_by(filter),
            before: before.as_ref().map(|before| self.admitted_by(before)),
            groups: Vec::new(),
            all: Group::default(),
            let_go: BTreeMap::new(),
            unseen: BTreeMap::new(),
            hindered: Hindered::default(),
            went: Vec::new(),
            time: Time::of(self.that(filter)),
        };
        let mut seen = [Vec::new(), Vec::new()];
        self.each_agent(|stops| counting.add(stops, &mut seen))?;
        Ok(counting.stats())
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
    stops: &'a Stops<'a>,
    by: By<'a>,
    asked: Admits<'a>,
    before: Option<Admits<'a>>,
    /// By their slots.
    groups: Vec<Group>,
    all: Group,
    let_go: BTreeMap<&'static str, LetGo>,
    unseen: BTreeMap<&'static str, (Outcome, u32)>,
    hindered: Hindered,
    went: Vec<Went>,
    time: Option<Time>,
}

impl Counting<'_> {
    /// Adds the stops of one agent. What is `noted` of it in the meantime needs room each time.
    fn add(
        &mut self,
        stops: &[Stopped],
        noted: &mut [Vec<SeenAgent>; 2],
    ) -> Result<(), StoreError> {
        let [of_all, of_groups] = noted;
        let mut reasons = Vec::new();
        let first = stops.iter().find(|stop| self.asked.lets(stop));
        for stop in stops {
            let is_asked = self.asked.lets(stop);
            let is_before = self.before.as_ref().is_some_and(|it| it.lets(stop));
            if !is_asked && !is_before {
                continue;
            }
            let claims = (stop.is_claim(), stop.is_false());
            note(of_all, 0, is_before, stop, claims);
            for slot in self.slots(stop, first) {
                let claims = self.claims(stop, slot);
                note(of_groups, slot, is_before, stop, claims);
                if is_asked {
                    let counted = self.stops.counted(stop);
                    self.group(slot).add_stop(stop, counted, claims);
                }
            }
            if is_asked {
                self.add_stop(stop, &mut reasons);
            }
        }
        for seen in of_all.drain(..) {
            let is_mended = self.ends_mended(stops, &seen).is_some();
            self.all.add(&seen, is_mended, self.time);
        }
        for seen in of_groups.drain(..) {
            let last = self.ends_mended(stops, &seen);
            let is_mended = last.is_some_and(|last| !self.claims(last, seen.slot).1);
            let time = self.time;
            self.group(seen.slot).add(&seen, is_mended, time);
        }
        self.add_blocks(stops, first)
    }

    /// The last stop of an agent in its repository, if it leaves no false DONE standing.
    fn ends_mended<'s>(&self, stops: &'s [Stopped], seen: &SeenAgent) -> Option<&'s Stopped> {
        let is_last = |stop: &&Stopped| {
            let is_answer = !stop.reason.is_some_and(is_no_answer);
            stop.name(Column::Repository) == seen.repository && is_answer && self.asked.lets(stop)
        };
        let last = stops.iter().rfind(is_last);
        last.filter(|last| last.outcome.is_some_and(mends))
    }

    fn group(&mut self, slot: Slot) -> &mut Group {
        if slot >= self.groups.len() {
            self.groups.resize_with(slot + 1, Group::default);
        }
        &mut self.groups[slot]
    }

    /// What is counted of a stop whatever its group is.
    fn add_stop(&mut self, stop: &Stopped, reasons: &mut Vec<ReasonCode>) {
        let counted = self.stops.counted(stop);
        let claims = (stop.is_claim(), stop.is_false());
        self.all.add_stop(stop, counted, claims);
        if let (Some(Outcome::Mismatch), Some(reason)) = (stop.outcome, stop.reason) {
            let let_go = self.let_go.entry(reason.as_str());
            let let_go = let_go.or_insert(LetGo { reason, agents: 0 });
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
        if let Some(word) = &counted.unchecked {
            *self.hindered.unchecked.entry(word.clone()).or_default() += 1;
        }
        for gate in &counted.late {
            *self.hindered.late_gates.entry(gate.clone()).or_default() += 1;
        }
    }

    /// Ties each block to the stop that came after it.
    fn add_blocks(&mut self, stops: &[Stopped], first: Option<&Stopped>) -> Result<(), StoreError> {
        for (place, block) in stops.iter().enumerate() {
            if !Tally::is_block(block) || !self.asked.lets(block) {
                continue;
            }
            let mut after = stops.iter().skip(place + 1);
            let next = after.find(|stop| !stop.reason.is_some_and(is_no_answer));
            let fate = match next {
                None => unanswered(&self.stops.store.connection, block.seq)?,
                Some(next) if next.reason == Some(ReasonCode::AllowDisputed) => None,
                Some(next) if next.is_earlier() => {
                    Some(between(&self.stops.store.connection, block.seq, next.seq)?)
                }
                Some(next) => Some(self.stops.counted(next).fate.unwrap_or(Fate::Unanswered)),
            };
            let next = next.filter(|next| next.is_after_block());
            let length = next.map(|next| (next.at - block.at).max(0));
            self.all.tally.add_block(fate, length);
            let slots = self.slots(block, first);
            let slots: Vec<_> = slots
                .filter(|slot| self.against(block, *slot).unwrap_or(true))
                .collect();
            for slot in &slots {
                self.group(*slot).tally.add_block(fate, length);
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
    fn slots(&self, stop: &Stopped, first: Option<&Stopped>) -> impl Iterator<Item = Slot> + use<> {
        let kinds = matches!(self.by, By::Claim).then(|| stop.judged.unwrap_or_default());
        let of = |kind| {
            KINDS
                .iter()
                .position(|it| *it == kind)
                .map_or(0, |at| at + 1)
        };
        let one = match self.by {
            By::Type => Some(stop.name(Column::AgentType).place()),
            By::Repository => Some(stop.name(Column::Repository).place()),
            By::Host => Some(stop.name(Column::Host).place()),
            By::Reason => Some(stop.reason.map_or(0, |reason| reason as usize + 1)),
            By::Claim => None,
            // What the time before came to is not told by the day.
            By::Day(begins) | By::Week(begins) => first.map(|first| {
                let is_begun = |begin: &super::Begin| begin.at.as_microsecond() <= first.at;
                begins.partition_point(is_begun)
            }),
        };
        let kinds = kinds.into_iter().flat_map(Kinds::all).map(of);
        one.into_iter().chain(kinds)
    }

    /// Whether a stop makes a claim in a group, and a false one.
    fn claims(&self, stop: &Stopped, slot: Slot) -> (bool, bool) {
        match self.against(stop, slot) {
            Some(is_against) => (true, is_against && !stop.is_called_honest()),
            None => (stop.is_claim(), stop.is_false()),
        }
    }

    /// Whether something speaks against a claim of the kind that the group is of, if it is of one.
    fn against(&self, stop: &Stopped, slot: Slot) -> Option<bool> {
        let kind = at(&KINDS, slot).filter(|_| matches!(self.by, By::Claim))?;
        Some(self.stops.counted(stop).against.contains(kind))
    }

    fn stats(self) -> Stats {
        let (by, has_stops, texts) = (self.by, self.time.is_some(), &self.stops.texts);
        let has_before = self.before.is_some();
        let finish = |group: Group, key| group.finished(key, has_stops, has_before);
        let named = self.groups.into_iter().enumerate();
        let named = named.map(|(slot, group)| (slot, finish(group, key(by, slot, texts))));
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
        let_go.sort_by_key(|it| std::cmp::Reverse(it.agents));
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

/// The one that a slot is of.
fn at<T>(all: &[T], slot: Slot) -> Option<&T> {
    all.get(slot.checked_sub(1)?)
}

fn key(by: By<'_>, slot: Slot, texts: &Texts) -> Key {
    let name = |begins: &[super::Begin]| {
        let begin = at(begins, slot);
        begin.map_or_else(String::new, |begin| begin.name.clone())
    };
    match by {
        By::Type => Key::AgentType(texts.at(slot).map(text)),
        By::Repository => Key::Repository(texts.at(slot).map(path_of_bytes)),
        By::Host => Key::Host(texts.at(slot).map(text)),
        By::Reason => Key::Reason(at(&ReasonCode::ALL, slot).map(|reason| reason.as_str())),
        By::Claim => Key::Claim(at(&KINDS, slot).copied()),
        By::Day(begins) => Key::Day(name(begins)),
        By::Week(begins) => Key::Week(name(begins)),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
