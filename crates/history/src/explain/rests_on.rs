//! What a finding rests on, and names, in words.

use attest_snapshot::escaped;
use attest_state::history::Judged;

use attest_base::ui::and_more;

/// Paths that a sentence names at most.
const MOST_NAMED: usize = 5;

/// What a finding rests on, and what the agent's tools say of the path. Safe to print.
pub(crate) fn why(judged: &Judged) -> String {
    let why = match (&judged.why, &judged.doubt) {
        (Some(why), Some(word)) => {
            format!("{} ({})", escaped(why.as_bytes()), escaped(word.as_bytes()))
        }
        (Some(why), None) => escaped(why.as_bytes()),
        (None, _) => judged.finding.meaning().to_owned(),
    };
    match &judged.testimony {
        Some(testimony) => format!("{why}; {}", escaped(testimony.as_bytes())),
        None => why,
    }
}

/// The first of `count` names, quoted.
pub(super) fn some(names: impl Iterator<Item = impl AsRef<str>>, count: usize) -> String {
    let first: Vec<_> = names
        .take(MOST_NAMED)
        .map(|name| quoted(name.as_ref()))
        .collect();
    let listed = first.join(", ");
    match and_more(count, first.len()) {
        more if more.is_empty() => listed,
        more => format!("{listed} {more}"),
    }
}

pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", escaped(name.as_bytes()))
}
