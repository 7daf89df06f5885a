//! Where a key stands in a message: what stands above it.

use crate::markdown::Line;
use crate::words;

/// The most lines above a key among which the item that it belongs to is looked for.
const MAX_LINES_ABOVE: usize = 64;

/// Where a key stands, in numbers of lines.
#[derive(Debug, Clone, Default)]
pub(crate) struct Place {
    /// The line of the key.
    pub(crate) at: usize,
    pub(crate) block: Block,
}

/// What stands above a key. Keys with the same above them, and nothing but keys and their lists between, are beside each
/// other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Block {
    /// The headings whose sections it is in, and the items that it is indented below.
    pub(crate) titles: Vec<usize>,
    /// The label or the sentence right above it.
    pub(crate) lead: Option<usize>,
    /// How many lines that are no keys stand in front of it.
    pub(crate) run: usize,
}

/// The items and labels that a line is indented below.
pub(crate) fn items_around(lines: &[Line<'_>], at: usize) -> Vec<usize> {
    let mut column = lines[at].indent;
    let mut items = Vec::new();
    let above = lines[..at].iter().enumerate().rev();
    for (above, line) in above.take(MAX_LINES_ABOVE) {
        if column == 0 || line.level().is_some() {
            break;
        }
        if line.is_text() && line.indent < column {
            column = line.indent;
            if line.is_item || leads_in(line) {
                items.push(above);
            }
        }
    }
    items
}

/// Whether a line ends with a colon, or goes on below: "**For example:**", "It prints messages such as".
pub(crate) fn leads_in(line: &Line<'_>) -> bool {
    let text = line.text.trim_end_matches(['*', '_', ' ']);
    let last = || text.rsplit(' ').next().map(str::to_lowercase);
    // "* Go on" is an item of a list.
    text.ends_with([':', '\u{ff1a}'])
        || !line.is_item && last().is_some_and(|word| words::closed(&word) == Some("preposition"))
}
