//! What a filter lets through of the stops that are read already.

use super::{Column, Stopped, Stops, microseconds};
use crate::history::{Filter, Of};
use crate::names::path_bytes;
use crate::times::stored;

/// A filter in the form in which a hundred thousand stops are compared with it.
#[derive(Debug)]
pub(in crate::history) struct Admits<'a> {
    filter: &'a Filter,
    /// By the place of the text; `None` lets all through.
    agent_types: Option<Vec<bool>>,
    repositories: Option<Vec<bool>>,
    since: Option<i64>,
    until: Option<i64>,
}

impl Stops<'_> {
    /// The sessions and agents of the filter are those that were read; ids and numbers are for lists.
    pub(in crate::history) fn admitted_by<'a>(&self, filter: &'a Filter) -> Admits<'a> {
        let agent_types = filter.agent_type.as_ref().map(|asked| {
            let is_asked = |text: &[u8]| text.eq_ignore_ascii_case(asked.as_bytes());
            self.texts.that(|text| text.is_some_and(is_asked))
        });
        let repositories = match &filter.of {
            Of::Any => None,
            Of::Repository(it) => Some(self.texts.that(|text| text == Some(&*path_bytes(it)))),
            Of::NoRepository => Some(self.texts.that(|text| text.is_none())),
        };
        let time = |at| microseconds(&stored(at));
        Admits {
            filter,
            agent_types,
            repositories,
            since: filter.since.map(time),
            until: filter.until.map(time),
        }
    }
}

impl Admits<'_> {
    pub(in crate::history) fn lets(&self, stop: &Stopped) -> bool {
        let has = |asked: &Option<Vec<bool>>, name: super::Name| {
            let asked = asked.as_ref().map(|asked| asked.get(name.place()));
            asked.is_none_or(|asked| asked == Some(&true))
        };
        let outcomes = &self.filter.outcomes;
        self.since.is_none_or(|since| stop.at >= since)
            && self.until.is_none_or(|until| stop.at < until)
            && (!self.filter.has_unmet_criteria || stop.has_unmet_criteria())
            && has(&self.repositories, stop.name(Column::Repository))
            && has(&self.agent_types, stop.name(Column::AgentType))
            && (outcomes.is_empty() || stop.outcome.is_some_and(|it| outcomes.contains(&it)))
    }
}
