//! A group of stops as it grows, and each of its agents.

use super::tally::{Key, Rate, Tally};
use crate::history::counted::Counted;
use crate::history::coverage::Covered;
use crate::history::stops::{Column, Name, Stopped};

/// Parts of a time that agents are counted in, to be seen beside each other on a line.
const PARTS: usize = 12;

/// The time from the first stop to the last, in parts of equal length.
#[derive(Clone, Copy)]
pub(super) struct Time {
    from: i64,
    to: i64,
}

impl Time {
    pub(super) fn of<'a>(stops: impl Iterator<Item = &'a Stopped>) -> Option<Self> {
        let ends = stops.map(|stop| (stop.at, stop.at));
        let (from, to) = ends.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))?;
        Some(Self { from, to })
    }

    fn part(self, at: i64) -> Option<usize> {
        // Twelve times the microseconds of twenty thousand years are fewer than there are numbers.
        let parts = i64::try_from(PARTS).ok()?;
        usize::try_from((at - self.from) * parts / (self.to - self.from + 1)).ok()
    }
}

/// A group of stops, by its place in what they are counted by; the first is of those of which that is not known.
pub(super) type Slot = usize;

/// An agent within one group and repository.
pub(in crate::history) struct SeenAgent {
    pub(super) slot: Slot,
    pub(super) repository: Name,
    is_before: bool,
    pub(in crate::history) at: i64,
    pub(in crate::history) is_claim: bool,
    pub(in crate::history) is_false: bool,
}

/// Notes a stop of an agent in the group and repository that it is of.
pub(in crate::history) fn note(
    seen: &mut Vec<SeenAgent>,
    slot: Slot,
    is_before: bool,
    stop: &Stopped,
    claims: (bool, bool),
) {
    let (is_claim, is_false) = claims;
    let key = (slot, stop.name(Column::Repository), is_before);
    let known = seen
        .iter_mut()
        .find(|it| (it.slot, it.repository, it.is_before) == key);
    match known {
        Some(known) => {
            known.is_claim |= is_claim;
            known.is_false |= is_false;
        }
        None => seen.push(SeenAgent {
            slot,
            repository: stop.name(Column::Repository),
            is_before,
            at: stop.at,
            is_claim,
            is_false,
        }),
    }
}

/// A group as it grows.
#[derive(Default)]
pub(super) struct Group {
    pub(super) tally: Tally,
    covered: Covered,
    before: Rate,
    /// Agents with a claim, by the part of the time in which they stopped first.
    over_time: [Rate; PARTS],
}

impl Group {
    /// Adds a stop with a claim or a false one.
    pub(super) fn add_stop(&mut self, stop: &Stopped, counted: &Counted, claims: (bool, bool)) {
        self.tally.add_stop(stop, counted, claims);
        if let Some(judged) = stop.judged {
            self.covered.add(judged, stop.was_asked(), stop.is_claim());
        }
    }

    pub(super) fn add(&mut self, seen: &SeenAgent, is_mended: bool, time: Option<Time>) {
        if seen.is_before {
            self.before.add(seen.is_claim, seen.is_false);
            return;
        }
        self.tally
            .add_agent(seen.is_claim, seen.is_false, is_mended);
        let part = time.and_then(|time| self.over_time.get_mut(time.part(seen.at)?));
        if let Some(part) = part.filter(|_| seen.is_claim) {
            part.add(true, seen.is_false);
        }
    }

    /// What was counted. Without stops there is no time to see them in.
    pub(super) fn finished(self, key: Key, has_stops: bool, has_before: bool) -> Tally {
        Tally {
            key,
            over_time: self.over_time[..if has_stops { PARTS } else { 0 }].to_vec(),
            before: has_before.then_some(self.before),
            coverage: self.covered.coverage(),
            ..self.tally
        }
    }
}
