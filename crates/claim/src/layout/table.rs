//! Tables below a files key: which column names the file, and which one says what was done to it.

use crate::item::{self, Place, is_empty_form};
use crate::path::bare;
use crate::path::shape::{is_file, trim_end};
use crate::remark::{self, Sense};
use crate::split::begins_with_name;
use crate::title::is_plan;
use crate::words;
use crate::{Entry, Operation};

/// What the head of a table says about its columns.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) file: Option<usize>,
    action: Option<usize>,
    owner: Option<usize>,
    titles: Vec<String>,
}

impl Columns {
    /// Reads the head.
    pub(crate) fn of(head: &[&str]) -> Self {
        let position = |kind| {
            let mut cells = head.iter();
            cells.position(|cell| words::COLUMNS.is_in(bare(cell), kind))
        };
        Self {
            file: position("file"),
            action: position("action"),
            owner: position("owner"),
            titles: head.iter().map(|cell| (*cell).to_owned()).collect(),
        }
    }

    /// Reads one row.
    pub(crate) fn entries(&self, row: &[&str], operation: Operation) -> Vec<Entry> {
        let Some(file) = self.file_column(row) else {
            return Vec::new();
        };
        let mut entries = item::read(row[file], operation, Place::Item);
        if let Some(remark) = self.remark(row, file) {
            for entry in &mut entries {
                entry.put_action(remark);
            }
        }
        item::put_below(&mut entries, self.open_title(row, file));
        entries
    }

    /// What the cells say of the file: the one in the column of actions, or one that says it is not worked on, or
    /// else the first that is understood.
    fn remark<'a>(&self, row: &[&'a str], file: usize) -> Option<&'a str> {
        let cell = if let Some(action) = self.action.filter(|at| *at != file) {
            let cell = bare(row.get(action).copied().unwrap_or_default());
            let is_said =
                cell.contains(|c: char| c.is_alphanumeric() || matches!(c, '-' | '–' | '—'));
            // A column for what was done that says "no", or nothing.
            if is_empty_form(cell) && is_said {
                return Some("no changes");
            }
            cell
        } else {
            let cells = row.iter().enumerate();
            let others = cells.filter(|(at, cell)| *at != file && !cell.is_empty());
            let rank = |cell: &&str| match remark::read(cell) {
                Sense::Untouched => 0,
                Sense::Work(_) | Sense::Description => 1,
                Sense::Other => 2,
            };
            others.map(|(_, cell)| bare(cell)).min_by_key(rank)?
        };
        // An empty cell or a dash where something should be said leaves it open.
        let is_said = cell.contains(char::is_alphanumeric) || !cell.is_ascii();
        Some(if is_said { cell } else { "–" })
    }

    /// The title of a column that leaves open whether the file was worked on, with something in it: "To do", "Owner".
    fn open_title<'a>(&'a self, row: &[&str], file: usize) -> Option<&'a str> {
        // A tick below "Reviewed" says nothing against the file.
        let is_yes = |cell: &str| words::COLUMNS.has(&cell.to_lowercase(), "tick");
        let is_filled = |cell: &str| {
            cell.contains(char::is_alphabetic) && !is_empty_form(cell) && !is_yes(cell)
        };
        let of_other =
            |at: usize, cell: &str| self.owner == Some(at) && !words::COLUMNS.is_in(cell, "self");
        let mut cells = row.iter().zip(&self.titles).enumerate();
        let open = cells.find(|(at, (cell, title))| {
            let ends = *at != file && self.file.is_some() && is_plan(bare(title));
            of_other(*at, cell) && !cell.is_empty() || ends && is_filled(cell)
        });
        open.map(|(_, (_, title))| title.as_str())
    }

    /// The cell that names the file.
    fn file_column(&self, row: &[&str]) -> Option<usize> {
        // Not in a column such as "Planned".
        let is_open = |at: usize| {
            self.titles
                .get(at)
                .is_some_and(|title| is_plan(bare(title)))
        };
        let is_marked = |cell: &str| cell.starts_with(['`', '[']) && begins_with_name(cell);
        let is_name = |(at, cell): (usize, &&str)| {
            (is_file(trim_end(bare(cell))) || is_marked(cell)) && !is_open(at)
        };
        let named = self.file.filter(|at| *at < row.len());
        named.or_else(|| row.iter().enumerate().position(is_name))
    }
}
