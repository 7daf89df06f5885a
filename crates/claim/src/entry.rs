//! From the text of a value or a list item to its entries.

use std::ops::Range;

use crate::denial::is_denial;
use crate::frame::{counted, flow_list, labelled, object, unwrapped};
use crate::hedge::part_leaves_doubt;
use crate::label::begins_with_name;
use crate::list_line::has_other_label;
use crate::name::leading_span;
use crate::parts::Parts;
use crate::piece::{self, Piece, names_no_change};
use crate::plain_text::PlainText;
use crate::shape::is_lone_extension;
use crate::shared::spread_doubts;
use crate::split::pieces;
use crate::words::{is_empty_form, uncommented};
use crate::written::{without_entities, without_tags};
use crate::{Entry, Meaning, Operation, Unresolvable, lexicon};

/// The most readings of one entry.
const MAX_READINGS: usize = 16;
/// How many neighbours on each side are joined with a piece to form one name.
const JOINED_NEIGHBOURS: usize = 2;

/// A value of no more pieces than this is also read as one name.
const MAX_JOINED_PIECES: usize = 8;
/// The most paths of one claim. Paths beyond it prove nothing.
pub(crate) const MAX_ENTRIES: usize = 2_000;

/// Where the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// On the line of its key, where several remarks may follow each other: "a.py — adds x, b.py —
    /// adds y".
    Value,
    /// On a line of a list, which names one file and then talks about it.
    Item,
}

/// Reads a text such as `a.py, b.py (new)`.
pub(crate) fn entries(text: &str, operation: Operation, place: Place) -> Vec<Entry> {
    let text = uncommented(text);
    let text = without_tags(&text);
    let text = without_entities(&text);
    let plain = PlainText::of(&text);
    let whole = unwrapped(plain.text().trim());
    if is_empty_form(whole) {
        return Vec::new();
    }
    let with_label = whole;
    let (label, whole) = labelled(whole);
    if label.is_some_and(names_no_change) {
        return vec![denied(whole, operation)];
    }
    let operation = label.and_then(lexicon::change).unwrap_or(operation);
    let whole = counted(whole);
    let (list, is_marked) = match flow_list(whole) {
        Some(list) => (list, true),
        None => (whole, false),
    };
    let mut value = Value {
        list,
        with_label,
        plain: &plain,
        ranges: pieces(list),
        operation,
        place,
        is_marked,
        is_sentence: false,
        has_open_remark: false,
        found: Vec::new(),
    };
    for index in 0..value.ranges.len().min(MAX_ENTRIES) {
        if !value.read(index) {
            return value.found;
        }
    }
    value.finish()
}

/// A value that is being read piece by piece.
struct Value<'a> {
    list: &'a str,
    /// The list with what stands before it: all of it may be one name.
    with_label: &'a str,
    plain: &'a PlainText<'a>,
    ranges: Vec<Range<usize>>,
    operation: Operation,
    place: Place,
    /// Brackets around all of it show that it is a list.
    is_marked: bool,
    /// There were words between the separators: it is a sentence, and names in it are not claimed.
    is_sentence: bool,
    /// A remark that has no end of its own has begun: "a.py — adds x, y and z".
    has_open_remark: bool,
    found: Vec<Entry>,
}

impl Value<'_> {
    /// Reads one piece. `false` if nothing is claimed from here on.
    fn read(&mut self, index: usize) -> bool {
        let range = self.ranges[index].clone();
        let text = self.list[range.clone()].trim();
        // "a.py and b.py. Reviewed c.py, d.py."
        self.is_sentence |= self.list[..range.start].ends_with('.');
        // "a.md; broken links found: b.md, c.md"
        self.is_sentence |= self.place == Place::Value && has_other_label(text);
        if is_empty_form(text) {
            // "a.py — checked, no changes"
            self.extend_remark(text);
            // "None, I only read a.py"
            return index > 0 || self.is_marked;
        }
        let mut piece = piece::read(object(text).unwrap_or(text));
        if index > 0 && is_lone_extension(text) {
            piece = Err(Unresolvable::Prose);
        }
        let is_prose =
            piece == Err(Unresolvable::Prose) && text.split_whitespace().nth(1).is_some();
        // A word of a sentence or of a remark is not a name.
        let mut is_plain_word = false;
        if let Ok(piece) = &mut piece {
            let has_remark = piece.is_open || text.ends_with([')', ']']);
            let is_in_remark = self.has_open_remark && (self.place == Place::Item || !has_remark);
            if self.is_sentence || is_in_remark {
                is_plain_word = !piece.is_sure();
                piece.doubt();
            }
            if !is_in_remark {
                self.has_open_remark |= piece.is_open && !self.is_marked;
            }
            self.add_joined(piece, index);
            if index == 0 {
                piece.readings.add_likely(self.with_label);
            }
            let start = text.as_ptr() as usize - self.plain.text().as_ptr() as usize;
            if let Some(original) = self.plain.original(&(start..start + text.len())) {
                piece.readings.add_likely(original);
            }
        }
        if is_plain_word {
            piece = Err(Unresolvable::Prose);
        }
        if !piece.as_ref().is_ok_and(Piece::is_sure) {
            self.extend_remark(text);
        }
        self.is_sentence |= is_prose && !self.is_marked && !self.has_open_remark;
        self.found.push(entry(text, self.operation, piece));
        true
    }

    /// A remark continues after a comma or an "and": "a.py — tried and discarded".
    fn extend_remark(&mut self, text: &str) {
        let is_remark = self.has_open_remark || self.place == Place::Item;
        let names_path = text.split_whitespace().any(begins_with_name);
        let mut before = self.found.iter_mut().rev();
        let Some(named) = before
            .find(|entry| entry.meaning != Meaning::Unresolvable(Unresolvable::Prose))
            .filter(|_| is_remark && !names_path)
        else {
            return;
        };
        let remark = Parts::of(&named.raw).remark;
        // "a.py — created and removed", "a.py — used once, then deleted"
        let is_away = |joint: &str| part_leaves_doubt(&format!("{remark}{joint}{text}"));
        if is_denial(text) {
            named.meaning = Meaning::Unresolvable(Unresolvable::Denied);
        } else if part_leaves_doubt(text) || is_away(" and ") || is_away(", ") {
            named.doubt();
        }
    }

    fn finish(mut self) -> Vec<Entry> {
        if self.ranges.len() > MAX_ENTRIES {
            self.found.push(more(self.operation));
        }
        // "a.py and b.py (both unchanged)"
        let last = self.found.last().filter(|entry| entry.is_denied());
        let count = last.map_or(0, |entry| denied_by_word(&entry.raw, self.found.len()));
        for entry in self.found.iter_mut().rev().take(count) {
            entry.meaning = Meaning::Unresolvable(Unresolvable::Denied);
        }
        spread_doubts(&mut self.found, self.place == Place::Value);
        self.found
    }

    /// A comma or an "and" may be part of a name, so the piece is also read together with its
    /// neighbours.
    fn add_joined(&self, piece: &mut Piece, index: usize) {
        let end = self.ranges.len() - 1;
        let text =
            |from: usize, to: usize| self.list[self.ranges[from].start..self.ranges[to].end].trim();
        // Quotes show where each name ends.
        if end == 0 || leading_span(text(index, index)).is_some() {
            return;
        }
        if end < MAX_JOINED_PIECES {
            piece.readings.add_likely(text(0, end));
        }
        for from in index.saturating_sub(JOINED_NEIGHBOURS)..=index {
            for to in index..=(index + JOINED_NEIGHBOURS).min(end) {
                if from != to {
                    let joined = text(from, to);
                    piece.readings.add_likely(joined);
                    // "src/a,b.py — new": the remark is of the whole name.
                    let name = Parts::of(joined).name;
                    if name.len() > text(from, to - 1).len() {
                        piece.readings.add_likely(name);
                    }
                }
            }
        }
    }
}

/// How many names a denial behind the last of `all` is about, by the words in it.
fn denied_by_word(text: &str, all: usize) -> usize {
    let words = || text.split(|c: char| !c.is_alphanumeric());
    if words().any(|word| word == "both") {
        2
    } else if words().any(|word| matches!(word, "all" | "neither" | "none" | "were" | "are")) {
        all
    } else {
        0
    }
}

/// Stands for everything that is too much to read.
pub(crate) fn more(operation: Operation) -> Entry {
    entry("…", operation, Err(Unresolvable::AndMore))
}

/// An entry that is said not to have been worked on.
pub(crate) fn denied(text: &str, operation: Operation) -> Entry {
    entry(text, operation, Err(Unresolvable::Denied))
}

fn entry(raw: &str, operation: Operation, piece: Result<Piece, Unresolvable>) -> Entry {
    let raw = raw.to_owned();
    match piece {
        Ok(Piece {
            mut readings,
            operation: said,
            ..
        }) => {
            // Certain readings come first, and are never cut off.
            readings
                .readings
                .sort_by_key(|reading| std::cmp::Reverse(reading.certainty));
            readings.readings.truncate(MAX_READINGS);
            Entry {
                raw,
                // What is said of one path is more specific than what the key says of all.
                operation: said
                    .filter(|said| *said != Operation::Changed)
                    .unwrap_or(operation),
                meaning: Meaning::Paths(readings.readings),
            }
        }
        Err(why) => Entry {
            raw,
            operation,
            meaning: Meaning::Unresolvable(why),
        },
    }
}
