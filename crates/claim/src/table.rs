//! Tables below a files key: which column names the file, and which one says what was done to it.

use crate::denial::is_denial;
use crate::elsewhere::is_elsewhere;
use crate::entry::{Place, denied, entries};
use crate::label::{begins_with_name, operation_of};
use crate::name::bare;
use crate::shape::{is_file, trim_end};
use crate::words::is_empty_form;
use crate::{Entry, Operation};

/// The most words of a cell that says what was done to the file; a longer one is a description.
const MAX_ACTION_WORDS: usize = 4;

/// What the head of a table says about its columns.
#[derive(Debug, Default, Clone)]
pub(crate) struct Columns {
    file: Option<usize>,
    action: Option<usize>,
}

impl Columns {
    /// Reads the head.
    pub(crate) fn of(head: &str) -> Self {
        let position = |is_it: fn(&str) -> bool| {
            cells(head).position(|cell| {
                let title = bare(cell).to_lowercase();
                title.split(|c: char| !c.is_alphanumeric()).any(is_it)
            })
        };
        Self {
            file: position(|word| {
                matches!(
                    word,
                    "file" | "files" | "path" | "paths" | "filename" | "filepath" | "location"
                )
            }),
            action: position(|word| {
                matches!(
                    word,
                    "action"
                        | "status"
                        | "operation"
                        | "type"
                        | "kind"
                        | "state"
                        | "op"
                        | "result"
                        | "done"
                        | "changed"
                )
            }),
        }
    }

    /// Whether the head names a column of files.
    pub(crate) fn names_files(&self) -> bool {
        self.file.is_some()
    }

    /// Reads one row.
    pub(crate) fn entries(&self, row: &str, operation: Operation) -> Vec<Entry> {
        let is_rule = row.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
        if is_rule {
            return Vec::new();
        }
        let Some((at, file)) = self.file_cell(row) else {
            return Vec::new();
        };
        let mut said = operation;
        let mut is_doubtful = false;
        for (index, cell) in cells(row).enumerate() {
            let is_action = match self.action {
                Some(action) => index == action,
                None => cell.split_whitespace().nth(MAX_ACTION_WORDS).is_none(),
            };
            if index == at {
                continue;
            }
            is_doubtful |= is_elsewhere(cell) || self.action.is_none() && is_denial(cell);
            if !is_action {
                continue;
            }
            let cell = bare(cell);
            // A column for what was done that says "no" or contains a dash.
            let is_word = cell.contains(char::is_alphanumeric) || matches!(cell, "-" | "–" | "—");
            let is_no = self.action.is_some() && is_word && is_empty_form(cell);
            if is_no || is_denial(cell) {
                return vec![denied(file, operation)];
            }
            said = operation_of(cell).unwrap_or(said);
        }
        let mut entries = entries(file, said, Place::Item);
        if is_doubtful {
            entries.iter_mut().for_each(Entry::doubt);
        }
        entries
    }

    /// The cell that names the file, and its column.
    fn file_cell<'a>(&self, row: &'a str) -> Option<(usize, &'a str)> {
        let named = self
            .file
            .and_then(|file| Some((file, cells(row).nth(file)?)));
        named.filter(|(_, cell)| !cell.is_empty()).or_else(|| {
            cells(row).enumerate().find(|(_, cell)| {
                let name = trim_end(bare(cell));
                is_file(name) || cell.starts_with(['`', '[']) && begins_with_name(cell)
            })
        })
    }
}

fn cells(row: &str) -> impl Iterator<Item = &str> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let row = row.strip_suffix('|').unwrap_or(row);
    row.split('|').map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Meaning, Unresolvable};

    #[test]
    fn the_action_column_takes_away() {
        let columns = Columns::of("| # | Path | Action | Why |");
        assert_eq!(
            columns.entries("| 1 | `a.py` | unchanged | x |", Operation::Changed)[0].meaning,
            Meaning::Unresolvable(Unresolvable::Denied)
        );
        let found = columns.entries("| 1 | a.py | deleted | not needed |", Operation::Changed);
        assert_eq!(found[0].operation, Operation::Deleted);
        assert!(
            columns
                .entries("| total | | | |", Operation::Changed)
                .is_empty()
        );
    }
}
