//! By what agents are counted, and what the rows are called.

use attest_claim::Kind;
use attest_snapshot::escaped;
use attest_state::history::Key;
use clap::ValueEnum;

use super::repository::shown_repository;
use attest_base::ui::Column;

/// By what agents are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GroupBy {
    /// The type of the agent
    Type,
    /// The repository
    Repository,
    /// The host
    Host,
    /// The day of the agent's first stop
    Day,
    /// The week of the agent's first stop, from Monday
    Week,
    /// Why stops were let through or sent back
    Reason,
    /// What the claim is about
    Claim,
}

impl GroupBy {
    pub(crate) fn is_of_time(self) -> bool {
        matches!(self, Self::Day | Self::Week)
    }

    /// Whether the rows add up to all agents.
    pub(crate) fn has_sum(self) -> bool {
        !matches!(self, Self::Reason | Self::Claim)
    }
}

pub(crate) fn first_column(by: GroupBy) -> Column {
    match by {
        GroupBy::Type => Column::name("TYPE", 10),
        GroupBy::Repository => Column::path("REPOSITORY", 10).with_whole_names(),
        GroupBy::Host => Column::name("HOST", 10),
        GroupBy::Day => Column::whole("DAY", 10),
        GroupBy::Week => Column::whole("WEEK", 10),
        GroupBy::Reason => Column::name("REASON", 10),
        GroupBy::Claim => Column::name("CLAIM", 10),
    }
}

/// What a row is called, safe to print.
pub(crate) fn named(key: &Key) -> String {
    let or_dash = |text: Option<&str>| escaped(text.unwrap_or("-").as_bytes());
    match key {
        Key::AgentType(name) | Key::Host(name) => or_dash(name.as_deref()),
        Key::Repository(path) => path
            .as_deref()
            .map_or_else(|| "-".to_owned(), shown_repository),
        Key::Reason(word) => or_dash(*word),
        Key::Claim(kind) => or_dash(kind.map(Kind::as_str)),
        Key::Day(name) | Key::Week(name) => escaped(name.as_bytes()),
    }
}
