//! Tables below a files key: which column names the file, and which one says what was done to it.

use crate::item::{self, Place, is_empty_form};
use crate::path::bare;
use crate::path::shape::{is_file, trim_end};
use crate::remark::{self, Sense};
use crate::split::begins_with_name;
use crate::title::is_plan;
use crate::words::is_column;
use crate::{Entry, Operation};

/// What the head of a table says about its columns.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Columns {
    file: Option<usize>,
    action: Option<usize>,
    owner: Option<usize>,
    titles: Vec<String>,
}

impl Columns {
    /// Reads the head.
    pub(crate) fn of(head: &[&str]) -> Self {
        let position = |kind| head.iter().position(|cell| is_column(bare(cell), kind));
        Self {
            file: position("file"),
            action: position("action"),
            owner: position("owner"),
            titles: head.iter().map(|cell| (*cell).to_owned()).collect(),
        }
    }

    /// Whether the head names a column of files.
    pub(crate) fn names_files(&self) -> bool {
        self.file.is_some()
    }

    /// Reads one row.
    pub(crate) fn entries(&self, row: &[&str], operation: Operation) -> Vec<Entry> {
        let Some(file) = self.file_column(row) else {
            return Vec::new();
        };
        let mut entries = item::read(row[file], operation, Place::Item);
        let remark = self.remark(row, file);
        for entry in &mut entries {
            if let Some(remark) = &remark {
                entry.put_action(remark);
            }
            if let Some(title) = self.open_title(row, file) {
                entry.put_below(title);
            }
        }
        entries
    }

    /// What the cells say of the file: the one in the column of actions, or one that says it is not worked on, or
    /// else the first that is understood.
    fn remark(&self, row: &[&str], file: usize) -> Option<String> {
        if let Some(action) = self.action.filter(|action| *action != file) {
            let cell = bare(row.get(action).copied().unwrap_or_default());
            // A column for what was done that says "no", or nothing.
            let is_no = is_empty_form(cell)
                && cell.contains(|c: char| c.is_alphanumeric() || matches!(c, '-' | '–' | '—'));
            return Some(if is_no {
                "no changes".to_owned()
            } else {
                or_dash(cell).to_owned()
            });
        }
        let others = || {
            row.iter()
                .enumerate()
                .filter(|(at, cell)| *at != file && !cell.is_empty())
                .map(|(_, cell)| bare(cell))
        };
        let senses = || others().map(|cell| (remark::read(cell), cell));
        let untouched = senses().find(|(sense, _)| *sense == Sense::Untouched);
        let understood = senses().find(|(sense, _)| sense.is_understood());
        untouched
            .or(understood)
            .or_else(|| senses().next())
            .map(|(_, cell)| or_dash(cell).to_owned())
    }

    /// The title of a column that leaves open whether the file was worked on, with something in it: "To do", "Owner".
    fn open_title<'a>(&'a self, row: &[&str], file: usize) -> Option<&'a str> {
        let is_filled = |cell: &str| {
            cell.contains(char::is_alphabetic) && !is_empty_form(cell) && !is_yes(cell)
        };
        let of_other = |at: usize, cell: &str| self.owner == Some(at) && !is_column(cell, "self");
        let mut cells = row.iter().zip(&self.titles).enumerate();
        let open = cells.find(|(at, (cell, title))| {
            let ends = *at != file && self.names_files() && is_plan(bare(title));
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

/// A tick below "Reviewed" says nothing against the file.
fn is_yes(cell: &str) -> bool {
    matches!(
        cell.to_lowercase().as_str(),
        "yes" | "no" | "ok" | "x" | "done"
    )
}

/// An empty cell or a dash where something should be said leaves it open.
fn or_dash(cell: &str) -> &str {
    if cell.chars().any(char::is_alphanumeric) || !cell.is_ascii() {
        cell
    } else {
        "–"
    }
}
