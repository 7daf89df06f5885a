//! Why false DONEs were let go and claims proved nothing, each with what would change that.

use attest_snapshot::escaped;
use attest_state::history::{LetGo, Stats, Tally};

use crate::explain;
use attest_base::ui::counted;

/// Why false DONEs were let go, and what changes that: a line for each reason.
pub(super) fn reasons(let_go: &[LetGo]) -> impl Iterator<Item = String> {
    let_go.iter().map(|it| {
        let agents = counted(it.agents as usize, "agent");
        let was = if it.agents == 1 { "was" } else { "were" };
        let (word, meaning) = (it.reason.as_str(), it.reason.meaning());
        let advice = explain::advice_of(word);
        let advice = advice.strip_prefix("Nothing. ").unwrap_or(advice);
        format!("{agents} with a false DONE {was} let go: {meaning} ({word}). {advice}")
    })
}

/// Why claims proved nothing, the most frequent reason first.
pub(super) fn doubts(total: &Tally) -> Option<String> {
    let mut doubts: Vec<_> = total.doubts.iter().collect();
    doubts.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let words = doubts.iter();
    let words = words.map(|(word, count)| format!("{count} {}", escaped(word.as_bytes())));
    let words = words.collect::<Vec<_>>().join(", ");
    (!words.is_empty())
        .then(|| format!("claims that proved nothing: {words} (`attest explain WORD`)"))
}

/// The stops that could not be judged at all, in a sentence.
pub(super) fn unseen(stats: &Stats) -> Option<String> {
    let all: u32 = stats.unseen.iter().map(|(_, count)| count).sum();
    let words = stats.unseen.iter();
    let words = words.map(|(outcome, count)| format!("{count} {outcome}, {}", outcome.meaning()));
    let words = words.collect::<Vec<_>>().join("; ");
    let stops = counted(all as usize, "stop");
    (all > 0).then(|| {
        format!("{stops} could not be compared with a start: {words} (`attest explain WORD`)")
    })
}
