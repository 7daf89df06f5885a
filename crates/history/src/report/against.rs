//! What the page is of, compared with the same time before it.

use std::collections::BTreeMap;

use attest_state::Store;
use attest_state::history::{self, By, Filter, Key, Question, Rate, Stops};
use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};

use super::parts::moment;
use crate::history::read;
use crate::rates::{change, rate};
use attest_base::error::CommandError;

/// What is compared if the page is of all that is kept.
const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Two times of equal length, and what came of agents in them.
#[derive(Debug, Default)]
pub(super) struct Against {
    /// The beginning of the second, if a person has named it.
    since: Option<Timestamp>,
    before: Rate,
    now: Rate,
    /// When the history begins, if that is after the beginning of the first.
    begins_at: Option<Timestamp>,
    rows: BTreeMap<Key, (Rate, Rate)>,
}

impl Against {
    pub(super) fn of(
        store: &Store,
        stops: &Stops<'_>,
        filter: &Filter,
    ) -> Result<Self, CommandError> {
        let end = filter.until.unwrap_or_else(Timestamp::now);
        let begin = filter.since.or_else(|| end.checked_sub(WEEK).ok());
        let length = begin.map(|begin| end.duration_since(begin));
        let before = begin.zip(length.filter(SignedDuration::is_positive));
        let before = before.and_then(|(begin, length)| begin.checked_sub(length).ok());
        let (Some(begin), Some(before)) = (begin, before) else {
            return Ok(Self::default());
        };
        let named = filter.since;
        let filter = Filter {
            since: Some(begin),
            ..filter.clone()
        };
        let mut against = Self {
            since: named,
            ..Self::default()
        };
        for by in [By::Type, By::Repository] {
            let question = Question {
                filter: &filter,
                by,
                before: Some(before),
            };
            let stats = read(stops.stats(&question))?;
            (against.before, against.now) =
                (stats.all.before.unwrap_or_default(), stats.all.rate());
            let rows = stats.tallies.into_iter();
            let rows = rows.map(|it| (it.key.clone(), (it.before.unwrap_or_default(), it.rate())));
            against.rows.extend(rows);
        }
        let first = read(history::first_stop(store))?;
        against.begins_at = first.filter(|first| *first > before);
        Ok(against)
    }

    /// How the rate of a row has changed.
    pub(super) fn change(&self, key: &Key) -> Option<String> {
        let (before, now) = self.rows.get(key)?;
        change(*before, *now)
    }

    /// Whether there is anything to compare.
    pub(super) fn has_any(&self) -> bool {
        self.before.agents_with_claim + self.now.agents_with_claim > 0
    }

    /// Both times in a sentence; nothing if there was no claim in either.
    pub(super) fn sentence(&self) -> Markup {
        let of = |it: Rate| {
            let counts = format!("{} of {}", it.agents_with_false_done, it.agents_with_claim);
            let share = rate(it);
            if share.ends_with('%') {
                format!("{counts}, {share}")
            } else {
                counts
            }
        };
        html! {
            @if self.has_any() {
                p.soft {
                    "Of the agents with a claim, those with a false DONE: " strong { (of(self.now)) }
                    @match self.since {
                        Some(since) => { " since " (moment(since)) ", " strong { (of(self.before)) } " in the same time before." }
                        None => { " in the last 7 days, " strong { (of(self.before)) } " in the 7 days before." }
                    }
                    @if let Some(first) = self.begins_at { " The history begins only at " (moment(first)) "." }
                }
            }
        }
    }
}
