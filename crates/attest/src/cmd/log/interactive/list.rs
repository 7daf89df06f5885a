//! The list: which verdicts, which of them are seen, and which is chosen.

use anstream::adapter::strip_str;
use anstyle::Style;
use attest_snapshot::escaped;
use attest_state::Store;
use attest_state::history::{self, Entry, Filter};

use super::Step;
use crate::cmd::history::{Scope, read};
use crate::cmd::log::Lines;
use crate::error::CommandError;
use crate::ui::{NARROWEST, styled};

pub(super) const KEYS: &[&str] = &[
    "enter explain",
    "d compare",
    "/ find",
    "y copy id",
    "q quit",
];

/// Before the row that is chosen, which is told by it where there are no colours, and before all others.
const MARKS: (&str, &str) = ("> ", "  ");
/// In fewer lines there is no header.
const ROOM_FOR_HEADER: usize = 4;

pub(super) struct List<'a> {
    store: &'a Store,
    filter: Filter,
    /// What the list was narrowed to when the command was typed.
    scope: String,
    /// The words that were looked for.
    words: String,
    /// All verdicts of the list, the newest first.
    numbers: Vec<i64>,
    chosen: usize,
    /// The first that is seen.
    top: usize,
    /// How many were seen at once.
    seen: usize,
    /// What was read of those that are seen.
    entries: Vec<Entry>,
    /// The first of these, and how many were asked for.
    loaded: (usize, usize),
}

impl<'a> List<'a> {
    pub(super) fn of(store: &'a Store, scope: &Scope) -> Result<Self, CommandError> {
        let mut list = Self {
            store,
            filter: scope.filter.clone(),
            scope: scope.words().join(" "),
            words: String::new(),
            numbers: Vec::new(),
            chosen: 0,
            top: 0,
            seen: 1,
            entries: Vec::new(),
            loaded: (0, 0),
        };
        list.narrow("")?;
        Ok(list)
    }

    pub(super) fn store(&self) -> &Store {
        self.store
    }

    pub(super) fn words(&self) -> &str {
        &self.words
    }

    pub(super) fn is_narrowed(&self) -> bool {
        !self.words.is_empty()
    }

    /// Lists the verdicts that have all of these words.
    pub(super) fn narrow(&mut self, words: &str) -> Result<(), CommandError> {
        let chosen = self.number();
        words.trim().clone_into(&mut self.words);
        let each: Vec<_> = self.words.split_whitespace().map(str::to_owned).collect();
        self.numbers = read(history::numbers(self.store, &self.filter, &each))?;
        let again = |number| self.numbers.iter().position(|other| *other == number);
        self.chosen = chosen.and_then(again).unwrap_or(0);
        self.top = 0;
        self.loaded = (0, 0);
        Ok(())
    }

    /// The verdict that is chosen.
    pub(super) fn number(&self) -> Option<i64> {
        self.numbers.get(self.chosen).copied()
    }

    /// Its id.
    pub(super) fn id(&self) -> Option<String> {
        let number = self.number()?;
        let entry = self.entries.iter().find(|entry| entry.seq == number);
        entry.map(|entry| entry.id.clone())
    }

    pub(super) fn go(&mut self, step: Step) {
        let last = self.numbers.len().saturating_sub(1);
        self.chosen = step.from(self.chosen, last, self.seen);
    }

    pub(super) fn title(&self) -> String {
        let place = match self.numbers.len() {
            0 => "none".to_owned(),
            all => format!("{} of {all}", self.chosen + 1),
        };
        let words = match self.words.as_str() {
            "" => String::new(),
            words => format!("  /{}", escaped(words.as_bytes())),
        };
        format!("{place}{words}  {}", self.scope)
    }

    /// The rows around the chosen one, in at most so many lines.
    pub(super) fn lines(&mut self, width: usize, room: usize) -> Result<Vec<String>, CommandError> {
        if self.numbers.is_empty() {
            return Ok(vec!["no verdict has all of these words".to_owned()]);
        }
        loop {
            self.top = self.top.min(self.chosen);
            self.load(room)?;
            let (header, rows) = self.rows(width);
            let header = header.filter(|_| room >= ROOM_FOR_HEADER);
            let room = room - usize::from(header.is_some());
            let tallest = rows.iter().map(Vec::len).max().unwrap_or(1);
            self.seen = (room / tallest).max(1);
            if self.chosen < self.top + self.seen {
                return Ok(self.shown(header, &rows));
            }
            self.top = self.chosen + 1 - self.seen;
        }
    }

    /// Reads what may be seen.
    fn load(&mut self, rows: usize) -> Result<(), CommandError> {
        if self.loaded == (self.top, rows) {
            return Ok(());
        }
        let end = self.numbers.len().min(self.top + rows);
        let numbers = self.numbers.get(self.top..end).unwrap_or_default();
        self.entries = read(history::numbered(self.store, numbers))?;
        self.loaded = (self.top, rows);
        Ok(())
    }

    /// The header, and the lines of each row.
    fn rows(&self, width: usize) -> (Option<String>, Vec<Vec<String>>) {
        let lines = Lines {
            json: false,
            width: Some(width.max(NARROWEST) - MARKS.0.len()),
            has_repository: self.filter.of.repository().is_none(),
            is_followed: true,
        };
        let (header, rows) = lines.table(&self.entries).parts(lines.width);
        let rows = rows
            .iter()
            .map(|row| row.lines().map(str::to_owned).collect());
        (header.lines().next().map(str::to_owned), rows.collect())
    }

    fn shown(&self, header: Option<String>, rows: &[Vec<String>]) -> Vec<String> {
        let (mark, gap) = MARKS;
        let header = header.map(|line| format!("{gap}{line}"));
        let mut shown: Vec<_> = header.into_iter().collect();
        let chosen = self.number();
        for (entry, row) in self.entries.iter().zip(rows).take(self.seen) {
            let is_chosen = Some(entry.seq) == chosen;
            for (number, line) in row.iter().enumerate() {
                shown.push(match (is_chosen, number) {
                    (true, 0) => inverted(&format!("{mark}{line}")),
                    (true, _) => inverted(&format!("{gap}{line}")),
                    (false, _) => format!("{gap}{line}"),
                });
            }
        }
        shown
    }
}

fn inverted(line: &str) -> String {
    styled(Style::new().invert(), strip_str(line))
}
