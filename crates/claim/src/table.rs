//! Tables below a files key: which column names the file, and which one says what was done to it.

use crate::denial::{is_denial, is_denying_label};
use crate::entry::{Place, denied, entries};
use crate::hedge::leaves_doubt;
use crate::label::{begins_with_name, operation_of};
use crate::name::bare;
use crate::shape::{is_file, trim_end};
use crate::words::is_empty_form;
use crate::{Entry, Operation, lexicon};

/// The most words of a cell that says what was done to the file; a longer one is a description.
const MAX_ACTION_WORDS: usize = 4;

/// What the head of a table says about its columns.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Columns {
    file: Option<usize>,
    action: Option<usize>,
    /// The column of actions is one by its name, so each cell says what was done.
    is_strict: bool,
    /// Who worked on the file.
    owner: Option<usize>,
    titles: Vec<String>,
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
        let is_strict = position(|word| matches!(word, "action" | "operation" | "op")).is_some();
        Self {
            is_strict,
            titles: cells(head).map(str::to_owned).collect(),
            owner: position(|word| matches!(word, "agent" | "owner" | "who" | "assignee")),
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
            is_doubtful |= if self.owner == Some(index) {
                !is_self(cell)
            } else {
                leaves_doubt(cell) || self.action.is_none() && is_denial(cell)
            };
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
            is_doubtful |= self.is_strict && is_other_word(cell);
        }
        is_doubtful |= self.says_nothing(row, at);
        is_doubtful |= self.names_files() && self.says_what_is_open(row);
        let mut entries = entries(file, said, Place::Item);
        if is_doubtful {
            entries.iter_mut().for_each(Entry::doubt);
        }
        entries
    }

    /// "| src/a.py | – | – |" says of no file what was done to it, nor does an empty cell in the column of
    /// actions.
    fn says_nothing(&self, row: &str, file: usize) -> bool {
        let action = self.action.and_then(|action| cells(row).nth(action));
        let mut others = cells(row)
            .enumerate()
            .filter(|(index, _)| *index != file)
            .map(|(_, cell)| cell)
            .peekable();
        action.is_some_and(str::is_empty)
            || self.names_files() && others.peek().is_some() && others.all(is_dash)
    }

    /// Something in a column such as "To do" or "Suggestion".
    fn says_what_is_open(&self, row: &str) -> bool {
        // Not a tick below "Reviewed".
        let says = |cell: &str| {
            let is_yes = matches!(
                cell.to_lowercase().as_str(),
                "yes" | "no" | "ok" | "x" | "done"
            );
            cell.contains(char::is_alphabetic) && !is_yes && !is_empty_form(cell)
        };
        cells(row)
            .zip(&self.titles)
            .any(|(cell, title)| is_denial(bare(title)) && says(cell))
    }

    /// The cell that names the file, and its column.
    fn file_cell<'a>(&self, row: &'a str) -> Option<(usize, &'a str)> {
        let named = self
            .file
            .and_then(|file| Some((file, cells(row).nth(file)?)));
        named.filter(|(_, cell)| !cell.is_empty()).or_else(|| {
            // Not in a column such as "Planned".
            let is_claimed = |column: usize| {
                let title = self.titles.get(column);
                title.is_none_or(|title| !is_denying_label(title))
            };
            cells(row).enumerate().find(|(column, cell)| {
                let name = trim_end(bare(cell));
                let is_name =
                    is_file(name) || cell.starts_with(['`', '[']) && begins_with_name(cell);
                is_name && is_claimed(*column)
            })
        })
    }
}

/// "me", "this agent": the file is of the one who reports.
fn is_self(cell: &str) -> bool {
    cell.split(|c: char| !c.is_alphanumeric()).any(|word| {
        matches!(
            word.to_lowercase().as_str(),
            "me" | "i" | "self" | "this" | "myself" | "us"
        )
    })
}

fn is_dash(cell: &str) -> bool {
    matches!(cell, "-" | "–" | "—")
}

/// A single word for something that is not work: "keep".
fn is_other_word(cell: &str) -> bool {
    cell.len() > 1
        && cell.chars().all(|c| c.is_ascii_alphabetic())
        && lexicon::change(cell).is_none()
        && !matches!(
            cell.to_ascii_lowercase().as_str(),
            "done" | "yes" | "write" | "rewrite" | "ok"
        )
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
