//! What kept stops from being checked as the person wants, in sentences.

use attest_snapshot::escaped;
use attest_state::history::Hindered;

use attest_base::ui::counted;

/// Why criteria were not checked, if they were not.
#[must_use]
pub fn unchecked(hindered: &Hindered) -> Option<String> {
    let words = &hindered.unchecked;
    let stops = words.values().sum::<u32>();
    if stops == 0 {
        return None;
    }
    let words = words
        .iter()
        .map(|(word, count)| format!("{count} {}", escaped(word.as_bytes())));
    let words = words.collect::<Vec<_>>().join(", ");
    let stops = counted(stops as usize, "stop");
    Some(format!(
        "the criteria of {stops} were not checked: {words} (`attest explain WORD`)"
    ))
}

/// Which gates were late, if any was.
#[must_use]
pub fn late_gates(hindered: &Hindered) -> Option<String> {
    let gates = hindered.late_gates.iter().map(|(gate, count)| {
        let stops = counted(*count as usize, "stop");
        format!("{} at {stops}", escaped(gate.as_bytes()))
    });
    let gates: Vec<_> = gates.collect();
    (!gates.is_empty()).then(|| {
        format!(
            "gates that gave no answer in time, and so had no say (GATE_LATE): {}",
            gates.join(", ")
        )
    })
}
