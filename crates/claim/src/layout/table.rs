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
        let told = self.remark(row, file);
        let said = told.map_or("", |(_, said)| said);
        let mut entries = with_action(row[file], said, operation);
        let open = self.open_title(row, told.is_some());
        let open = open.or_else(|| self.unknown_title(row, file, told?));
        item::put_below(&mut entries, open);
        // "| src/a.py | Deleted |", and nothing that may say what in it.
        if row.len() == 2 && self.action.is_some_and(|at| at != file) {
            let gone = entries
                .iter_mut()
                .filter(|it| it.operation == Operation::Deleted);
            gone.for_each(|it| it.remark = None);
        }
        entries
    }

    /// What the cells say of the file: the one in the column of actions, or one that says it is not worked on, or
    /// else the first that is understood, each with its column. Numbers say nothing of it.
    fn remark<'a>(&self, row: &[&'a str], file: usize) -> Option<(usize, &'a str)> {
        let action = self.action.filter(|at| *at != file);
        let action = action.map(|at| (at, bare(row.get(at).copied().unwrap_or_default())));
        let (at, cell) = if let Some((at, cell)) = action.filter(|it| !self.is_nothing(*it)) {
            let is_said =
                cell.contains(|c: char| c.is_alphanumeric() || matches!(c, '-' | '–' | '—'));
            // A column for what was done that says "no", or nothing.
            if is_empty_form(cell) && is_said {
                return Some((at, "no changes"));
            }
            (at, cell)
        } else {
            let cells = row.iter().enumerate();
            let is_outside = |at| at == file || self.places.contains(&at);
            let others = cells.filter(|(at, cell)| {
                !cell.is_empty() && !is_outside(*at) && !self.is_nothing((*at, cell))
            });
            let rank = |cell: &&str| match remark::read(cell) {
                Sense::Untouched => 0,
                Sense::Work(_) | Sense::Description => 1,
                Sense::Other => 2,
            };
            let others = others.map(|(at, cell)| (at, bare(cell)));
            others.min_by_key(|(_, cell)| rank(cell))?
        };
        // An empty cell or a dash where something should be said leaves it open.
        let is_said = cell.contains(char::is_alphanumeric) || !cell.is_ascii();
        Some((at, if is_said { cell } else { "–" }))
    }

    /// The title of the column that tells of the file, if it is not understood and decides what is told: with no more than
    /// a tick in the cell, or with nothing in another one: "| File | This PR | Next PR |".
    fn unknown_title(
        &self,
        row: &[&str],
        file: usize,
        (told, said): (usize, &str),
    ) -> Option<&str> {
        let title = self.titles.get(told)?;
        let is_known = self.action == Some(told)
            || words::COLUMNS.is_in(title, "about")
            || words::change(&title.to_lowercase()).is_some();
        let is_tick = !said.contains(char::is_alphanumeric)
            || words::COLUMNS.has(&said.to_lowercase(), "tick");
        let is_blank = |(at, cell): (usize, &&str)| {
            at != file && at != told && cell.trim_matches(['-', '–', '—', ' ']).is_empty()
        };
        let is_open = is_tick || row.iter().enumerate().any(is_blank);
        (is_open && !is_known && said != "–").then_some(title.as_str())
    }

    /// Whether a cell says nothing of the file: "120", "Result: ok", "Task: T2".
    fn is_nothing(&self, (at, cell): (usize, &str)) -> bool {
        let title = self.titles.get(at).map_or("", String::as_str);
        let is_of_number =
            words::COLUMNS.is_in(title, "number") || words::EXAMPLES.is_in(title, "unit");
        let is_yes = || matches!(&*cell.to_lowercase(), "yes" | "ok");
        // "Removed: 0"
        let takes = words::change(title) == Some(Operation::Deleted) || matches!(title, "-" | "−");
        remark::says_nothing(cell)
            || takes && cell == "0"
            || self.action == Some(at) && is_yes()
            || is_of_number && is_identifier(cell)
    }

    /// The title of a column that leaves open whether the file was worked on, with something in it: "To do", "Owner".
    fn open_title(&self, row: &[&str], is_told: bool) -> Option<&str> {
        // A tick below "Reviewed" says nothing against the file, if another cell tells of it.
        let is_yes = |cell: &str| words::COLUMNS.has(&cell.to_lowercase(), "tick");
        let is_word = |cell: &str| cell.contains(char::is_alphabetic) && !is_yes(cell);
        let is_filled = |cell: &str| !is_empty_form(cell) && (!is_told || is_word(cell));
        let is_line = |cell: &str| cell.contains(|c: char| c.is_ascii_digit() || c == '`');
        let is_other = |cell: &str| !cell.is_empty() && !words::COLUMNS.is_in(cell, "self");
        let mut cells = row.iter().zip(&self.titles).enumerate();
        let open = cells.find(|(at, (cell, title))| {
            let is_open = || self.file.is_some_and(|file| file != *at) && is_plan(title);
            let is_outside = || self.places.contains(at) && is_other(cell) && !is_line(cell);
            let is_of_time = words::COLUMNS.is_in(title, "time") && !cell.is_empty();
            self.owner == Some(*at) && is_other(cell)
                || is_of_time
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

/// "#13", "T2", "F-1", "Step 2": what the file was written for.
fn is_identifier(cell: &str) -> bool {
    let (kind, number) = cell.split_at(cell.find(|c: char| c.is_ascii_digit()).unwrap_or_default());
    let kind = kind.trim_end_matches(['-', ' ']);
    let is_letter = kind.len() == 1 && kind.chars().all(char::is_uppercase);
    let is_unit = || kind == "#" || words::EXAMPLES.has(&kind.to_lowercase(), "unit");
    (is_letter || is_unit()) && number.chars().all(|c| c.is_ascii_digit())
}
