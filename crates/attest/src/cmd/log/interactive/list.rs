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
/// Verdicts in which words are looked for before a key is: a moment's work.
const AT_ONCE: usize = 1000;
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
    /// Those in which the words are still to be looked for.
    left: Vec<i64>,
    /// The verdict that was chosen when that began, until another one is.
    wanted: Option<i64>,
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
            left: Vec::new(),
            wanted: None,
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

    /// Whether words are still looked for.
    pub(super) fn is_looking(&self) -> bool {
        !self.left.is_empty()
    }

    /// Lists the verdicts that have all of these words, of which the first may be there at once.
    pub(super) fn narrow(&mut self, words: &str) -> Result<(), CommandError> {
        self.wanted = self.wanted.or(self.number());
        words.trim().clone_into(&mut self.words);
        let all = read(history::numbers(self.store, &self.filter))?;
        self.left.clear();
        self.numbers.clear();
        (self.chosen, self.top, self.loaded) = (0, 0, (0, 0));
        if !self.is_narrowed() {
            self.numbers = all;
            self.choose_wanted(0);
            return Ok(());
        }
        self.left = all;
        self.look_on()
    }

    /// Looks for the words in some more verdicts.
    pub(super) fn look_on(&mut self) -> Result<(), CommandError> {
        let rest = self.left.split_off(self.left.len().min(AT_ONCE));
        let some = std::mem::replace(&mut self.left, rest);
        let words: Vec<_> = self.words.split_whitespace().map(str::to_owned).collect();
        let before = self.numbers.len();
        let found = read(history::with_words(self.store, &some, &words))?;
        self.numbers.extend(found);
        let (first, rows) = self.loaded;
        if before < first + rows {
            // There may be room for more on the screen.
            self.loaded = (0, 0);
        }
        self.choose_wanted(before);
        Ok(())
    }

    /// Goes back to what was chosen before, if it is among the verdicts from this place on.
    fn choose_wanted(&mut self, from: usize) {
        let mut new = self.numbers.iter().skip(from);
        let place = new.position(|number| Some(*number) == self.wanted);
        if let Some(place) = place {
            self.chosen = from + place;
        }
        if place.is_some() || self.left.is_empty() {
            self.wanted = None;
        }
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
        self.wanted = None;
    }

    pub(super) fn title(&self) -> String {
        let place = match self.numbers.len() {
            0 => "none".to_owned(),
            all => format!("{} of {all}", self.chosen + 1),
        };
        let so_far = if self.is_looking() { " so far" } else { "" };
        let words = match self.words.as_str() {
            "" => String::new(),
            words => format!("  /{}", escaped(words.as_bytes())),
        };
        format!("{place}{so_far}{words}  {}", self.scope)
    }

    /// The rows around the chosen one, in at most so many lines.
    pub(super) fn lines(&mut self, width: usize, room: usize) -> Result<Vec<String>, CommandError> {
        if self.numbers.is_empty() {
            let none = if self.is_looking() {
                "looking"
            } else {
                "no verdict has all of these words"
            };
            return Ok(vec![none.to_owned()]);
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
