//! Which runs and verdicts are asked for.

use std::path::{Path, PathBuf};

use attest_verdict::Outcome;
use jiff::Timestamp;
use rusqlite::types::Value;

use super::summary::NOT_MET;
use crate::names::path_bytes;
use crate::times::stored;

/// What a list is narrowed to. Everything that is `None` or empty lets all through.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// The beginning of a verdict's id.
    pub verdict: Option<String>,
    /// The beginning of a session id.
    pub session: Option<String>,
    /// The beginning of an agent's id.
    pub agent: Option<String>,
    /// The agent's type, in any case.
    pub agent_type: Option<String>,
    /// Any of these.
    pub outcomes: Vec<Outcome>,
    /// Of which repository.
    pub of: Of,
    /// Only verdicts with criteria that are not met, and that did not disprove the claim.
    pub has_unmet_criteria: bool,
    /// The earliest time.
    pub since: Option<Timestamp>,
    /// The first time that is too late.
    pub until: Option<Timestamp>,
    /// Only verdicts, or runs, recorded after the one with this number.
    pub after: Option<i64>,
    /// How many at most.
    pub limit: Option<u32>,
}

/// Which repository rows are of. What is recorded without one, because too little of it was seen, is of none, so the
/// rows of all repositories and those of none are all there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Of {
    /// All of them, and none.
    #[default]
    Any,
    /// The one that this names.
    Repository(PathBuf),
    /// None.
    NoRepository,
}

impl Of {
    /// The repository that it is narrowed to.
    #[must_use]
    pub fn repository(&self) -> Option<&Path> {
        match self {
            Self::Repository(common_dir) => Some(common_dir),
            Self::Any | Self::NoRepository => None,
        }
    }
}

impl From<Of> for Filter {
    fn from(of: Of) -> Self {
        Self {
            of,
            ..Self::default()
        }
    }
}

/// A condition in SQL, with its values in order.
pub(super) struct Condition {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl Filter {
    /// The same for false DONEs alone; `None` if it lets none of them through.
    #[must_use]
    pub fn of_false_dones(&self) -> Option<Self> {
        let is_asked = |it: &Outcome| self.outcomes.is_empty() || self.outcomes.contains(it);
        let outcomes: Vec<_> = Outcome::ALL
            .into_iter()
            .filter(|it| it.is_false_done() && is_asked(it))
            .collect();
        (!outcomes.is_empty()).then(|| Self {
            outcomes,
            ..self.clone()
        })
    }

    /// `time` is the expression that holds the time of a row.
    pub(super) fn condition(&self, time: &str) -> Condition {
        let mut condition = Condition {
            sql: "1".to_owned(),
            values: Vec::new(),
        };
        if let Some(verdict) = &self.verdict {
            condition.and("id >= ?", verdict.clone());
            condition.and("id < ?", above(verdict));
        }
        if let Some(session) = &self.session {
            condition.and("session >= ?", session.clone());
            condition.and("session < ?", above(session));
        }
        if let Some(agent) = &self.agent {
            condition.and("agent_id >= ?", agent.clone());
            condition.and("agent_id < ?", above(agent));
        }
        if let Some(agent_type) = &self.agent_type {
            condition.and("agent_type = ? COLLATE NOCASE", agent_type.clone());
        }
        match &self.of {
            Of::Any => {}
            Of::Repository(it) => condition.and("repository = ?", path_bytes(it).into_owned()),
            Of::NoRepository => condition.sql.push_str(" AND repository IS NULL"),
        }
        if self.has_unmet_criteria {
            let sql = format!(" AND instr(summary, '{NOT_MET}') > 0");
            condition.sql.push_str(&sql);
        }
        if let Some(since) = self.since {
            condition.and(&format!("{time} >= ?"), stored(since));
        }
        if let Some(until) = self.until {
            condition.and(&format!("{time} < ?"), stored(until));
        }
        if !self.outcomes.is_empty() {
            let words: Vec<_> = self.outcomes.iter().map(|o| format!("'{o}'")).collect();
            condition
                .sql
                .push_str(&format!(" AND outcome IN ({})", words.join(", ")));
        }
        condition
    }

    /// Whether it may let few through that are no newer than others, by what counts are made of.
    pub(super) fn is_rare(&self) -> bool {
        let is_of_some =
            self.session.is_some() || self.agent.is_some() || self.agent_type.is_some();
        let is_narrow = is_of_some || self.of != Of::Any || !self.outcomes.is_empty();
        (is_narrow || self.has_unmet_criteria) && self.is_of_counts()
    }

    /// Whether it asks for nothing but what counts are made of, which have no ids.
    pub(super) fn is_of_counts(&self) -> bool {
        self.verdict.is_none() && self.after.is_none()
    }

    /// For `LIMIT`, to which a negative number is none.
    pub(super) fn most(&self) -> i64 {
        self.limit.map_or(-1, i64::from)
    }
}

impl Condition {
    pub(super) fn and(&mut self, sql: &str, value: impl Into<Value>) {
        self.sql.push_str(" AND ");
        self.sql.push_str(sql);
        self.values.push(value.into());
    }
}

/// The least text above all that begin with `prefix`, as far as ids go.
pub(super) fn above(prefix: &str) -> String {
    format!("{prefix}{}", char::MAX)
}
