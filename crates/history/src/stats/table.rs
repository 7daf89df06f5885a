//! The rows of `attest stats`.

use attest_state::history::{Stats, Tally};

use super::question::Asked;
use crate::groups::{first_column, named};
use crate::rates::{FEW, change, rate, share};
use attest_base::ui::{Cell, Column, Table, Ui, sparkline};

pub(super) fn table(
    rows: &[(&Tally, Option<String>)],
    stats: &Stats,
    asked: &Asked<'_>,
    ui: &Ui,
) -> String {
    let mut columns = vec![first_column(asked.by)];
    columns.extend([
        Column::number("AGENTS", 5),
        Column::number("CLAIMS", 7),
        Column::number("FALSE", 9),
        Column::number("MENDED", 6),
        Column::number("RATE", 8),
    ]);
    if asked.has_changes() {
        columns.push(Column::number("CHANGE", 7));
    }
    let has_line = !asked.by.is_of_time();
    if has_line {
        columns.push(Column::whole("OVER TIME", 6));
    }
    columns.extend([
        Column::number("BLOCKED", 4),
        Column::number("FIXED", 3),
        Column::number("WITHDRAWN", 1),
        Column::number("REPEATED", 2),
        Column::bar("RATE AS A BAR", 0),
    ]);
    let all = (asked.by.has_sum() && rows.len() > 1).then(|| {
        let before = stats.all.before.filter(|_| !asked.by.is_of_time());
        let change = before.and_then(|before| change(before, stats.all.rate()));
        (&stats.all, change)
    });
    let mut table = Table::new(columns);
    // What is of few agents would make all others flat.
    let is_enough = |tally: &Tally| tally.agents_with_claim >= FEW;
    let has_enough = rows.iter().any(|(tally, _)| is_enough(tally));
    let compared = rows.iter().map(|(tally, _)| *tally);
    let compared = compared.filter(|tally| is_enough(tally) || !has_enough);
    let shares = compared.flat_map(|tally| &tally.over_time);
    let highest = shares.filter_map(|part| share(*part)).fold(0.0, f64::max);
    let named = rows.iter().map(|row| (row, named(&row.0.key)));
    let all = all.as_ref().map(|row| (row, "all".to_owned()));
    for ((tally, change), name) in named.chain(all) {
        let mut cells = vec![Cell::new(name)];
        cells.extend(numbers([
            tally.agents,
            tally.agents_with_claim,
            tally.agents_false(),
            tally.agents_mended,
        ]));
        cells.push(Cell::new(rate(tally.rate())));
        if asked.has_changes() {
            cells.push(Cell::or_dash(change.clone()));
        }
        if has_line {
            let parts = tally.over_time.iter().map(|part| share(*part));
            cells.push(Cell::new(sparkline(parts, highest, ui.has_blocks())));
        }
        cells.extend(numbers([
            tally.blocked,
            tally.fixed,
            tally.withdrawn,
            tally.repeated,
        ]));
        cells.push(Cell::bar(
            tally.agents_with_false_done,
            tally.agents_with_claim,
        ));
        table.push(cells);
    }
    table.render(ui.width())
}

fn numbers<const N: usize>(all: [u32; N]) -> [Cell; N] {
    all.map(|number| Cell::new(number.to_string()))
}
