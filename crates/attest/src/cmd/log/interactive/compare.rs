//! What was claimed beside what was observed, as a difference of two lists.

use std::collections::BTreeSet;

use anstyle::Style;
use attest_claim::Kind;
use attest_snapshot::escaped;
use attest_state::history::{Detail, Judged};

use crate::cmd::history::Found;
use crate::cmd::{and_more, explain, word};
use crate::ui::{ADDED, BAD, Cell, Column, DOUBTFUL, FAINT, Table, hanging, styled};

pub(super) fn text(found: &Found, width: Option<usize>) -> String {
    let (entry, detail) = (&found.entry, &found.detail);
    let mut text = explain::headline(entry, detail, width) + "\n";
    if let Some(why) = &detail.unreadable {
        return text + &hanging("", &escaped(why.as_bytes()), width);
    }
    let rows = rows(detail);
    if rows.is_empty() {
        return text + &hanging("", "nothing was claimed, and nothing changed", width);
    }
    let mut table = Table::new([
        Column::whole("", 10),
        Column::path("CLAIMED", 9),
        Column::path("OBSERVED", 8),
    ]);
    for row in rows {
        table.push(row);
    }
    text += &table.render(width);
    let left_out = and_more(detail.delta.count, detail.delta.first.len());
    if !left_out.is_empty() {
        text += &format!("   {left_out} that changed\n");
    }
    let legend = "`-` is claimed and not borne out, `+` changed and is not claimed";
    text + "\n" + &hanging("", &styled(FAINT, legend), width)
}

/// The claims in their order, then what changed beside them.
fn rows(detail: &Detail) -> Vec<[Cell; 3]> {
    let changes = detail.delta.first.iter();
    let paths: BTreeSet<_> = changes.clone().map(|change| change.path.as_str()).collect();
    let unclaimed: BTreeSet<_> = detail.unclaimed.first.iter().map(String::as_str).collect();
    let (mut rows, mut named) = (Vec::new(), BTreeSet::new());
    for judged in &detail.findings {
        let path = escaped(judged.claimed.trim_start_matches("./").as_bytes());
        let same = paths.get(path.as_str()).copied();
        let same = same.filter(|_| judged.kind == Kind::Files);
        named.extend(same);
        rows.push(claimed(judged, same));
    }
    for change in changes.filter(|change| !named.contains(change.path.as_str())) {
        let (mark, style) = if unclaimed.contains(change.path.as_str()) {
            ("+", ADDED)
        } else {
            // A claim accounts for it that names it otherwise: its folder, or where it was.
            (" ", Style::new())
        };
        let deleted = if change.is_deleted { " (deleted)" } else { "" };
        let path = format!("{}{deleted}", escaped(change.path.as_bytes()));
        rows.push([
            Cell::styled(style, mark),
            Cell::new(""),
            Cell::styled(style, path),
        ]);
    }
    rows
}

/// A claim, and the change that it names; or else what was found of it, in a word.
fn claimed(judged: &Judged, same: Option<&str>) -> [Cell; 3] {
    let (mark, style) = match (judged.is_proof, judged.finding.holds()) {
        (true, _) => ("-", BAD),
        (false, true) => (" ", Style::new()),
        (false, false) => ("-", DOUBTFUL),
    };
    let observed = match same {
        Some(path) => Cell::new(escaped(path.as_bytes())),
        None => Cell::styled(FAINT, word(&judged.finding)),
    };
    [
        Cell::styled(style, mark),
        Cell::styled(style, escaped(judged.claimed.as_bytes())),
        observed,
    ]
}
