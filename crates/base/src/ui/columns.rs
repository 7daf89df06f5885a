//! Tables that fit a terminal of any width.
//!
//! Numbers, ids and bars are never cut: a column of them is there whole or not at all. Which columns
//! go first is said by what they are worth. Names are cut at their end, paths in the middle, prose is
//! wrapped, and put below its row if there is no room beside it.

mod column;
mod plan;

use unicode_width::UnicodeWidthStr;

use self::column::ColumnKind;
pub use self::column::{Cell, Column};
use self::plan::{BELOW, GAP, Plan, ShownColumn};
use super::prose::{cut_brief, lines_of};
use super::text::STRONG;

/// Rows under a header.
#[derive(Debug)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    indent: usize,
    has_header: bool,
}

impl Table {
    /// Without rows.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self {
            columns: columns.into_iter().collect(),
            rows: Vec::new(),
            indent: 0,
            has_header: true,
        }
    }

    /// Every line begins with so many spaces.
    #[must_use]
    pub fn indented(mut self, indent: usize) -> Self {
        self.indent = indent;
        self
    }

    /// Leaves the titles out.
    #[must_use]
    pub fn without_header(mut self) -> Self {
        self.has_header = false;
        self
    }

    /// One cell for each column.
    pub fn push(&mut self, row: impl IntoIterator<Item = Cell>) {
        self.rows.push(row.into_iter().collect());
    }

    /// The lines, each with its end. No line is wider than `width`.
    #[must_use]
    pub fn render(&self, width: Option<usize>) -> String {
        let room = width.map(|width| width.saturating_sub(self.indent));
        let plan = Plan::of(&self.columns, &self.rows, self.has_header, room);
        let mut text = String::new();
        if self.has_header {
            self.header(&plan, &mut text);
        }
        for row in &self.rows {
            self.row(row, &plan, &mut text);
        }
        text
    }

    /// The same; nothing if there is no row.
    #[must_use]
    pub fn unless_empty(&self, width: Option<usize>) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        self.render(width)
    }

    fn header(&self, plan: &Plan, text: &mut String) {
        let mut line = Line::new(self.indent);
        for place in &plan.places {
            let Some(column) = self.columns.get(place.column) else {
                continue;
            };
            let cell = Cell::styled(STRONG, column.title);
            line.put(
                &cell.dressed(column.title),
                column.title.width(),
                place,
                column.kind,
            );
        }
        line.end(text);
    }

    fn row(&self, row: &[Cell], plan: &Plan, text: &mut String) {
        let mut line = Line::new(self.indent);
        // What of a wrapped cell belongs in the lines below the first.
        let mut rest: Vec<(usize, Vec<String>)> = Vec::new();
        for place in &plan.places {
            let (Some(column), Some(cell)) =
                (self.columns.get(place.column), row.get(place.column))
            else {
                continue;
            };
            if column.kind == ColumnKind::Prose {
                let mut lines = lines_of(cell.text(), Some(place.width)).into_iter();
                let first = lines.next().unwrap_or_default();
                let at = line.column;
                line.put(&cell.dressed(&first), first.width(), place, column.kind);
                rest.push((at, lines.map(|line| cell.dressed(&line)).collect()));
            } else {
                let (shown, used) = cell.line(column.kind, place.width);
                line.put(&shown, used, place, column.kind);
            }
        }
        line.end(text);
        for (at, lines) in rest {
            for line in lines {
                text.push_str(&format!("{}{line}\n", " ".repeat(at)));
            }
        }
        if let Some((column, width)) = plan.below {
            self.below(row, column, width, text);
        }
    }

    fn below(&self, row: &[Cell], column: usize, width: usize, text: &mut String) {
        let (Some(cell), Some(column)) = (row.get(column), self.columns.get(column)) else {
            return;
        };
        let lines = match column.kind {
            ColumnKind::Prose => lines_of(cell.text(), Some(width)),
            _ => vec![cut_brief(cell.text(), width)],
        };
        let indent = " ".repeat(self.indent + BELOW);
        for line in lines.iter().filter(|line| !line.is_empty()) {
            text.push_str(&format!("{indent}{}\n", cell.dressed(line)));
        }
    }
}

/// A line as it grows. Nothing is at its end that cannot be seen.
struct Line {
    text: String,
    /// Where the next column begins.
    column: usize,
    /// Spaces that are still to come, if anything comes behind them.
    owed: usize,
}

impl Line {
    fn new(indent: usize) -> Self {
        Self {
            text: String::new(),
            column: indent,
            owed: indent,
        }
    }

    fn put(&mut self, shown: &str, used: usize, place: &ShownColumn, kind: ColumnKind) {
        let free = place.width.saturating_sub(used);
        let (before, after) = match kind {
            ColumnKind::Number => (free, 0),
            _ => (0, free),
        };
        if used > 0 {
            self.text.push_str(&" ".repeat(self.owed + before));
            self.text.push_str(shown);
            self.owed = after + GAP;
        } else {
            self.owed += place.width + GAP;
        }
        self.column += place.width + GAP;
    }

    fn end(self, text: &mut String) {
        text.push_str(&self.text);
        text.push('\n');
    }
}

#[cfg(test)]
mod tests;
