//! Tables below a files key: which column names the file, and which one says what was done to it.

use crate::item::{self, is_empty_form};
use crate::layout::with_action;
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
    /// The columns that say where a file is, unless by a line of it.
    places: Vec<usize>,
    titles: Vec<String>,
}

impl Columns {
    /// Reads the head.
    pub(crate) fn of(head: &[&str]) -> Self {
        let position = |kind| {
            let mut cells = head.iter();
            cells.position(|cell| words::COLUMNS.is_in(bare(cell), kind))
        };
        let named = |kind| {
            let cells = head.iter().enumerate();
            let cells =
                cells.filter(move |(_, cell)| words::COLUMNS.has(&bare(cell).to_lowercase(), kind));
            cells.map(|(at, _)| at)
        };
        let file = position("file");
        Self {
            file,
            action: position("action"),
            owner: position("owner").or_else(|| named("whose").next()),
            places: named("place").filter(|at| Some(*at) != file).collect(),
            titles: head.iter().map(|cell| bare(cell).to_owned()).collect(),
        }
    }

    /// Whether a column says what was done.
    pub(crate) fn has_action(&self) -> bool {
        self.action.is_some()
    }

    /// Reads one row.
    pub(crate) fn entries(&self, row: &[&str], operation: Operation) -> Vec<Entry> {
        let Some(file) = self.file_column(row) else {
            return Vec::new();
        };
        let action = self.remark(row, file).unwrap_or_default();
        let mut entries = with_action(row[file], action, operation);
        item::put_below(&mut entries, self.open_title(row));
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
            let is_of_place = |at| self.places.contains(&at);
            let others =
                cells.filter(|(at, cell)| *at != file && !cell.is_empty() && !is_of_place(*at));
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
    fn open_title(&self, row: &[&str]) -> Option<&str> {
        // A tick below "Reviewed" says nothing against the file.
        let is_yes = |cell: &str| words::COLUMNS.has(&cell.to_lowercase(), "tick");
        let is_filled = |cell: &str| {
            cell.contains(char::is_alphabetic) && !is_empty_form(cell) && !is_yes(cell)
        };
        let is_line = |cell: &str| cell.contains(|c: char| c.is_ascii_digit() || c == '`');
        let is_other = |cell: &str| !cell.is_empty() && !words::COLUMNS.is_in(cell, "self");
        let mut cells = row.iter().zip(&self.titles).enumerate();
        let open = cells.find(|(at, (cell, title))| {
            let is_open = || self.file.is_some_and(|file| file != *at) && is_plan(title);
            let is_outside = || self.places.contains(at) && is_other(cell) && !is_line(cell);
            self.owner == Some(*at) && is_other(cell)
                || is_outside()
                || is_filled(cell) && is_open()
        });
        open.map(|(_, (_, title))| title.as_str())
    }

    /// The cell that names the file.
    fn file_column(&self, row: &[&str]) -> Option<usize> {
        let is_marked = |cell: &str| cell.starts_with(['`', '[']) && begins_with_name(cell);
        let is_name = |(at, cell): (usize, &&str)| {
            // Not in a column such as "Planned".
            let is_open = || self.titles.get(at).is_some_and(|title| is_plan(title));
            (is_file(trim_end(bare(cell))) || is_marked(cell)) && !is_open()
        };
        let named = self.file.filter(|at| *at < row.len());
        named.or_else(|| row.iter().enumerate().position(is_name))
    }
}
