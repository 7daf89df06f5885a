//! Why false DONEs were let go and claims proved nothing, each with what would change that.

use attest_snapshot::escaped;
use attest_state::history::{LetGo, Stats, Tally};
use attest_verdict::ReasonCode;

use crate::explain;
use attest_base::ui::counted;
use attest_base::ui::{Cell, Column, STRONG, Table, styled};

/// Why false DONEs were let go.
pub(super) fn table(let_go: &[LetGo], width: Option<usize>) -> String {
    let mut table = Table::new([
        Column::whole("REASON", 9),
        Column::number("AGENTS", 8),
        Column::prose("WHAT CHANGES IT", 1),
    ]);
    for it in let_go {
        table.push([
            Cell::new(it.reason.as_str()),
            Cell::new(it.agents.to_string()),
            Cell::new(remedy(it)),
        ]);
    }
    titled("why false DONEs were let go", table.unless_empty(width))
}

fn titled(title: &str, rows: String) -> String {
    match rows {
        none if none.is_empty() => none,
        rows => format!("\n{}\n{rows}", styled(STRONG, title)),
    }
}

/// The reason in words, and what changes it.
fn remedy(let_go: &LetGo) -> String {
    if let_go.reason == ReasonCode::AllowAmbiguous {
        return dirty_start(let_go.stops);
    }
    let advice = explain::advice_of(let_go.reason.as_str());
    format!("{}: {advice}", let_go.reason.meaning())
}

/// The blocks that uncommitted changes at the start took away, and the command that brings them back.
#[must_use]
pub fn dirty_start(count: u32) -> String {
    let what = counted(count as usize, "false DONE");
    let was = if count == 1 { "was" } else { "were" };
    format!(
        "{what} {was} not blocked because the work tree was dirty at the start: `attest enforce on` blocks them too"
    )
}

/// Doubts that a word of `ATTEST_STRICT` takes away.
const LETS_COUNT: [(&str, &str); 3] = [
    ("REMARK", "remarks"),
    ("TITLE", "remarks"),
    ("SAME_NAME", "basename"),
];

/// Why claimed paths proved nothing.
pub(super) fn doubts(total: &Tally, width: Option<usize>) -> String {
    let mut table = Table::new([
        Column::whole("DOUBT", 9),
        Column::number("CLAIMS", 8),
        Column::prose("MEANING", 1),
    ]);
    let mut doubts: Vec<_> = total.doubts.iter().collect();
    doubts.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    for (word, count) in doubts {
        let strict = LETS_COUNT.iter().find(|(doubt, _)| doubt == word);
        let strict = strict.map_or_else(String::new, |(_, strict)| {
            format!("; `{strict}` in `ATTEST_STRICT` lets it count")
        });
        let meaning = explain::meaning_of_doubt(word);
        table.push([
            Cell::new(escaped(word.as_bytes())),
            Cell::new(count.to_string()),
            Cell::new(format!("{meaning}{strict}")),
        ]);
    }
    titled("why claims proved nothing", table.unless_empty(width))
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
