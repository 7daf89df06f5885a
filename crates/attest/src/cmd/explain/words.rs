//! What a finding rests on, in words.

use attest_snapshot::escaped;
use attest_state::history::Judged;

/// What a finding rests on, and what the agent's tools say of the path. Safe to print.
pub(in crate::cmd) fn why(judged: &Judged) -> String {
    let why = match &judged.why {
        Some(why) => escaped(why.as_bytes()),
        None => judged.finding.meaning().to_owned(),
    };
    match &judged.testimony {
        Some(testimony) => format!("{why}; {}", escaped(testimony.as_bytes())),
        None => why,
    }
}
