//! How a person knows a verdict and an agent: ids as lists show them.

use attest_snapshot::escaped;
use attest_state::turn_number;

/// Digits of an id that lists show; the whole of it is never needed.
pub(super) const SHORT_ID: usize = 8;

/// An id as lists show it.
pub(super) fn short_id(id: &str) -> &str {
    id.get(..SHORT_ID).unwrap_or(id)
}

/// An agent as a person knows it: by its turn, or by its task, or else by its id. Safe to print.
pub(super) fn agent_name(id: &str, task: Option<&str>) -> String {
    match (turn_number(id), task) {
        (Some(turn), _) => format!("turn {turn}"),
        (None, Some(task)) => escaped(task.as_bytes()),
        (None, None) => escaped(id.as_bytes()),
    }
}

/// The id of an agent that is named so in a list.
pub(super) fn agent_id(name: &str) -> String {
    let turn = name.strip_prefix("turn ");
    turn.map_or_else(|| name.to_owned(), |turn| format!("turn:{turn}"))
}
