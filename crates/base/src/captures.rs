//! The names of the files that `ATTEST_CAPTURE` keeps.

use std::fmt::Display;

/// Digits of a time in nanoseconds, as every one since 2001 has.
const DIGITS: usize = 19;
/// The most characters of an id in a file name.
const LONGEST_NAME: usize = 40;

/// The events of hooks, as they are called behind `attest hook`.
pub const EVENTS: [&str; 7] = [
    "start",
    "stop",
    "failed",
    "session-stop",
    "post-tool-use",
    "prompt",
    "event",
];

/// The name of what an agent's event sent at a moment, without an ending.
#[must_use]
pub fn name(event: &str, agent: &str, moment: impl Display) -> String {
    format!("{event}-{}-{moment}", safe(agent))
}

/// Whether a file has a name that [`name`] gives.
#[must_use]
pub fn is_named(name: &str) -> bool {
    let stem = name.strip_suffix(".json").or(name.strip_suffix(".jsonl"));
    let Some((head, moment)) = stem.and_then(|stem| stem.rsplit_once('-')) else {
        return false;
    };
    let events = EVENTS.iter();
    let mut agents = events.filter_map(|event| head.strip_prefix(event)?.strip_prefix('-'));
    moment.len() >= DIGITS
        && moment.bytes().all(|byte| byte.is_ascii_digit())
        && agents.any(|agent| safe(agent) == agent)
}

/// An id is the host's word: only letters, digits, `-` and `_` of it go into a file name.
fn safe(id: &str) -> String {
    id.chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '-' {
                c
            } else {
                '_'
            }
        })
        .take(LONGEST_NAME)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_given_here_are_those_of_captures() {
        for ours in [
            "start-a1-1764000000000000000.json",
            "session-stop-unknown-1764000000000000000.jsonl",
        ] {
            assert!(is_named(ours), "{ours}");
        }
        for theirs in [
            "start-notes.json",
            "start-a1-2026.json",
            "stop.json",
            "a1-1764000000000000000.json",
            "start-my notes-1764000000000000000.json",
        ] {
            assert!(!is_named(theirs), "{theirs}");
        }
    }
}
