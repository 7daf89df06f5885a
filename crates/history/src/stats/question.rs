//! What `attest stats` is asked: by what, in which order, and against which time.

use std::cmp::Ordering;

use attest_state::history::{Begin, By, Filter, Question, Rate, Tally};
use clap::ValueEnum;
use jiff::civil::Weekday;
use jiff::{Timestamp, ToSpan as _, Zoned};

use crate::groups::{GroupBy, named};
use crate::rates::{FEW, change, rate, share};
use attest_base::time;

/// Days that are counted at most, the newest: a longer table is not read.
const MOST_DAYS: usize = 400;

/// By which column rows are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SortBy {
    /// What the rows are called
    Name,
    /// All agents
    Agents,
    /// Agents with a claim
    Claims,
    /// Agents of which a false DONE stands
    False,
    /// Their share; rows of few agents come last
    Rate,
    /// Blocks
    Blocked,
    /// Stops
    Stops,
}

/// A question with all that its answer needs.
pub(crate) struct Asked<'a> {
    pub(super) by: GroupBy,
    filter: &'a Filter,
    before: Option<Timestamp>,
    begins: Vec<Begin>,
    /// The first stop of all that is kept.
    first: Option<Timestamp>,
}

impl<'a> Asked<'a> {
    pub(crate) fn of(by: GroupBy, filter: &'a Filter, first: Option<Timestamp>) -> Self {
        let now = Zoned::now();
        let until = filter.until.unwrap_or_else(|| now.timestamp());
        let before = filter.since.filter(|_| !by.is_of_time());
        let before = before.and_then(|since| {
            let length = until.duration_since(since);
            let is_forward = length.is_positive();
            since.checked_sub(length).ok().filter(|_| is_forward)
        });
        let from = filter.since.max(first).unwrap_or(until);
        let begins = if by.is_of_time() {
            begins(by, &from.to_zoned(now.time_zone().clone()), until)
        } else {
            Vec::new()
        };
        Self {
            by,
            filter,
            before,
            begins,
            first,
        }
    }

    pub(crate) fn question(&self) -> Question<'_> {
        let begins = &self.begins;
        Question {
            filter: self.filter,
            by: match self.by {
                GroupBy::Type => By::Type,
                GroupBy::Repository => By::Repository,
                GroupBy::Host => By::Host,
                GroupBy::Day => By::Day(begins),
                GroupBy::Week => By::Week(begins),
                GroupBy::Reason => By::Reason,
                GroupBy::Claim => By::Claim,
            },
            before: self.before,
        }
    }

    /// Whether there is a time before that rows are compared with.
    pub(super) fn has_changes(&self) -> bool {
        self.before.is_some() || self.by.is_of_time()
    }

    /// How the rate of each row has changed, in words.
    pub(super) fn changes(&self, tallies: &[Tally]) -> Vec<Option<String>> {
        let mut earlier: Option<Rate> = None;
        let changes = tallies.iter().map(|tally| {
            let before = if self.by.is_of_time() {
                earlier.replace(tally.rate())
            } else {
                tally.before
            };
            before.and_then(|before| change(before, tally.rate()))
        });
        changes.collect()
    }

    /// What the time before came to, and whether that is all of it.
    pub(crate) fn before_in_words(&self, all: &Tally) -> Option<String> {
        let (before, begin) = (all.before?, self.before?);
        let since = time::second(self.filter.since?);
        let is_cut = self.first.is_none_or(|first| first > begin);
        let from = time::second(begin);
        if before.agents_with_claim == 0 {
            return Some(format!(
                "no agent with a claim is recorded of the time before, from {from} to {since}"
            ));
        }
        let (part, whole) = (before.agents_with_false_done, before.agents_with_claim);
        let share = if whole < FEW {
            String::new()
        } else {
            format!(" ({})", rate(before))
        };
        let mut text = format!(
            "the time before, from {from} to {since}: {part} of {whole} agents with a claim had a false DONE{share}"
        );
        if is_cut {
            let first = self.first.map(time::second).unwrap_or_default();
            text.push_str(&format!("; the history begins only at {first}"));
        }
        Some(text)
    }
}

/// The local days or weeks from one time to another.
fn begins(by: GroupBy, from: &Zoned, until: Timestamp) -> Vec<Begin> {
    let mut date = from.date();
    if by == GroupBy::Week {
        let back = date.weekday().since(Weekday::Monday);
        date = date.checked_sub(i64::from(back).days()).unwrap_or(date);
    }
    let length = if by == GroupBy::Week {
        7.days()
    } else {
        1.day()
    };
    let mut begins = Vec::new();
    while let Ok(at) = date.to_zoned(from.time_zone().clone()) {
        if at.timestamp() > until {
            break;
        }
        begins.push(Begin {
            at: at.timestamp(),
            name: date.to_string(),
        });
        let Ok(next) = date.checked_add(length) else {
            break;
        };
        date = next;
    }
    // What is older is told with the first of them.
    begins.split_off(begins.len().saturating_sub(MOST_DAYS))
}

pub(super) fn sort(tallies: &mut [Tally], by: Option<SortBy>) {
    if let Some(by) = by {
        tallies.sort_by(|one, other| order(by, one, other));
    }
}

pub(super) fn sort_rows(rows: &mut [(&Tally, Option<String>)], by: Option<SortBy>) {
    if let Some(by) = by {
        rows.sort_by(|(one, _), (other, _)| order(by, one, other));
    }
}

/// The largest first; what is equal keeps its order.
fn order(by: SortBy, one: &Tally, other: &Tally) -> Ordering {
    let number = |of: fn(&Tally) -> u32| of(other).cmp(&of(one));
    match by {
        SortBy::Name => named(&one.key).cmp(&named(&other.key)),
        SortBy::Agents => number(|tally| tally.agents),
        SortBy::Claims => number(|tally| tally.agents_with_claim),
        SortBy::False => number(Tally::agents_false),
        SortBy::Blocked => number(|tally| tally.blocked),
        SortBy::Stops => number(|tally| tally.stops),
        SortBy::Rate => {
            // A rate of three agents is chance.
            let is_few = |tally: &Tally| tally.agents_with_claim < FEW;
            let rate = |tally: &Tally| share(tally.rate()).unwrap_or(-1.0);
            let few = is_few(one).cmp(&is_few(other));
            few.then_with(|| rate(other).total_cmp(&rate(one)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_weeks_begin_where_people_say_so() {
        // A Thursday, in a zone whose clocks change on the Sunday after.
        let from: Zoned = "2026-03-26T12:00:00+01:00[Europe/Berlin]".parse().unwrap();
        let until = "2026-03-31T00:00:00Z".parse().unwrap();
        let named = |by| {
            let begins = begins(by, &from, until);
            let named = begins
                .into_iter()
                .map(|it| format!("{} {}", it.name, it.at));
            named.collect::<Vec<_>>()
        };
        let days = named(GroupBy::Day);
        assert_eq!(days.len(), 6);
        assert_eq!(days[0], "2026-03-26 2026-03-25T23:00:00Z");
        assert_eq!(days[5], "2026-03-31 2026-03-30T22:00:00Z");
        assert_eq!(
            named(GroupBy::Week),
            [
                "2026-03-23 2026-03-22T23:00:00Z",
                "2026-03-30 2026-03-29T22:00:00Z"
            ]
        );
    }

    #[test]
    fn a_rate_of_few_agents_comes_last() {
        let tally = |with_claim, with_false_done| Tally {
            agents_with_claim: with_claim,
            agents_with_false_done: with_false_done,
            ..Tally::default()
        };
        let mut tallies = vec![tally(3, 2), tally(100, 5), tally(40, 10), tally(0, 0)];
        sort(&mut tallies, Some(SortBy::Rate));
        let order: Vec<_> = tallies.iter().map(|it| it.agents_with_claim).collect();
        assert_eq!(order, [40, 100, 3, 0]);
    }
}
