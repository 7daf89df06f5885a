//! The table of what was found of each claim.

use anstyle::Style;
use attest_verdict::Finding;

use super::columns::{Cell, Column, Table};
use super::text::BAD;

/// Each finding, whether it counts against the report, what is claimed, and why it is found: both safe to print.
pub fn findings(all: impl IntoIterator<Item = (Finding, bool, String, String)>) -> Table {
    let mut table = Table::new([
        Column::whole("FINDING", 9),
        Column::path("CLAIMED", 8),
        Column::prose("WHY", 1),
    ]);
    for (finding, counts, claimed, why) in all {
        let style = if counts { BAD } else { Style::new() };
        let word = Cell::styled(style, finding.as_str());
        table.push([word, Cell::new(claimed), Cell::new(why)]);
    }
    table
}
