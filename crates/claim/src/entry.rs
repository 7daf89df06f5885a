//! From the text of a value or a list item to its entries.

use std::ops::Range;

use crate::label::begins_with_name;
use crate::name::leading_span;
use crate::outline::Outline;
use crate::piece::{self, Piece};
use crate::shape::{is_lone_extension, unresolvable};
use crate::split::{arrow, pieces, remark};
use crate::words::{is_empty_form, uncommented};
use crate::{Entry, Meaning, Operation, Unresolvable};

/// Readings of one entry at most.
const MOST_READINGS: usize = 16;
/// Neighbours on each side with which a piece is read as one name.
const NEIGHBOURS: usize = 2;
/// A value of so few pieces is also read as one name.
const FEW_PIECES: usize = 8;
/// Paths of one list at most. Who claims more proves nothing by the rest of them.
pub(crate) const MOST_ENTRIES: usize = 2_000;

/// Reads a value such as `a.py, b.py (new)`.
pub(crate) fn entries(text: &str, operation: Operation) -> Vec<Entry> {
    let text = uncommented(text);
    let text = unwrapped(text.trim());
    if is_empty_form(text) {
        return Vec::new();
    }
    let text = counted(text);
    let (list, is_list) = match flow_list(text) {
        Some(list) => (list, true),
        None => (text, false),
    };
    let ranges = pieces(list);
    // Words between commas are a sentence, unless most of them are single words.
    let is_prosy =
        !is_list && ranges.len() > 1 && list.split_whitespace().count() > 2 * ranges.len() + 2;
    let is_sentence = is_prosy
        && ranges.first().is_some_and(|first| {
            let text = list[first.clone()].trim();
            !begins_with_name(text) && !starts_as_path(&piece::read(text))
        });
    let read = |range: &Range<usize>| {
        let text = list[range.clone()].trim();
        piece::read(object(text).unwrap_or(text))
    };
    let read: Vec<_> = ranges.iter().take(MOST_ENTRIES).map(read).collect();
    // Beside words that are no path, and behind a remark about what is none, a word without the
    // shape of a path is one more word: "the parser, tests", "src/*.py — formatting, imports".
    let is_wordy = !is_list
        && ranges.iter().zip(&read).any(|(range, piece)| {
            let text = list[range.clone()].trim();
            match piece {
                Ok(_) => false,
                Err(Unresolvable::Prose) => !is_empty_form(text),
                Err(_) => remark(text).is_some(),
            }
        });
    let mut found = Vec::new();
    // A remark without an end swallows what follows: "a.py — adds x, y and z".
    let mut is_swallowed = false;
    for (index, (range, mut piece)) in ranges.iter().zip(read).enumerate() {
        let text = list[range.clone()].trim();
        if is_empty_form(text) {
            // "None, I only read a.py"
            if index == 0 && !is_list {
                return found;
            }
            continue;
        }
        let begins_with_path = begins_with_name(text) || arrow(text).is_some();
        let is_remark = if is_sentence || (index > 0 && is_lone_extension(text)) {
            true
        } else if is_swallowed {
            !begins_with_path || !matches!(&piece, Ok(piece) if piece.is_open)
        } else {
            (is_prosy || is_wordy) && !begins_with_path && !starts_as_path(&piece)
        };
        if is_remark {
            piece = Err(Unresolvable::Prose);
        }
        is_swallowed |= !is_list && matches!(&piece, Ok(piece) if piece.is_open);
        if let Ok(piece) = &mut piece {
            add_joined(piece, list, &ranges, index);
        }
        found.push(entry(text, operation, piece));
    }
    if ranges.len() > MOST_ENTRIES {
        found.push(more(operation));
    }
    found
}

/// Without emphasis around all of it: "**a.py, b.py**", "_a.py — new_".
fn unwrapped(text: &str) -> &str {
    let inside = |mark: char| text.strip_prefix(mark)?.strip_suffix(mark);
    let is_emphasis = |inside: &&str| inside.contains(char::is_whitespace);
    if let Some(inside) = inside('_').filter(is_emphasis) {
        return inside;
    }
    let stars = text.trim_matches('*');
    match inside('*') {
        Some(_) if !stars.contains('*') => stars,
        _ => text,
    }
}

/// Stands for all that is too much to read.
pub(crate) fn more(operation: Operation) -> Entry {
    entry("…", operation, Err(Unresolvable::AndMore))
}

/// Stands for words that are no path.
pub(crate) fn prose(text: &str, operation: Operation) -> Entry {
    entry(text, operation, Err(Unresolvable::Prose))
}

fn entry(raw: &str, operation: Operation, piece: Result<Piece, Unresolvable>) -> Entry {
    let raw = raw.to_owned();
    match piece {
        Ok(Piece {
            mut readings,
            operation: said,
            ..
        }) => {
            readings.targets.truncate(MOST_READINGS);
            Entry {
                raw,
                // What is said of one path is nearer than what the key says of all.
                operation: said
                    .filter(|said| *said != Operation::Changed)
                    .unwrap_or(operation),
                meaning: Meaning::Paths(readings.targets),
            }
        }
        Err(why) => Entry {
            raw,
            operation,
            meaning: Meaning::Unresolvable(why),
        },
    }
}

fn starts_as_path(piece: &Result<Piece, Unresolvable>) -> bool {
    use crate::Target::{Dir, File, Rename};
    let Ok(piece) = piece else {
        return false;
    };
    match piece.readings.targets.first() {
        Some(File(name)) => crate::shape::is_path(name),
        Some(Dir(_) | Rename { .. }) => true,
        None => false,
    }
}

/// A comma or an "and" may be part of a name: the piece is also read together with its neighbours.
fn add_joined(piece: &mut Piece, list: &str, ranges: &[Range<usize>], index: usize) {
    let end = ranges.len() - 1;
    let text = |from: usize, to: usize| list[ranges[from].start..ranges[to].end].trim();
    // Quotes say where each name ends.
    if end == 0 || leading_span(text(index, index)).is_some() {
        return;
    }
    if end < FEW_PIECES {
        piece.readings.add(text(0, end));
    }
    for from in index.saturating_sub(NEIGHBOURS)..=index {
        for to in index..=(index + NEIGHBOURS).min(end) {
            if from != to {
                piece.readings.add(text(from, to));
            }
        }
    }
}

/// The list behind a number: "2 files (a.py, b.py)".
fn counted(text: &str) -> &str {
    text.find(['(', '['])
        .filter(|at| unresolvable(text[..*at].trim()) == Some(Unresolvable::Count))
        .map(|at| &text[at..])
        .filter(|list| flow_list(list).is_some() && list.contains(['.', '/']))
        .unwrap_or(text)
}

/// The inside of `[a, b]`, which is no link and no name; also of `(a, b)` and `{a, b}`.
fn flow_list(text: &str) -> Option<&str> {
    let Some(span) = Outline::of(text).first() else {
        // A list that was cut off.
        return text.strip_prefix('[').filter(|inside| {
            inside.starts_with(['"', '\'', '`']) || inside.trim_start().len() < inside.len()
        });
    };
    let (inside, after) = (&text[span.start + 1..span.end - 1], text[span.end..].trim());
    let is_list = match text.as_bytes().first()? {
        // In JSON on one line the rest of the object follows.
        b'[' => {
            after.is_empty()
                || after.starts_with(", \"")
                || after.starts_with(['}', '#'])
                || matches!(after, "," | ".")
        }
        b'(' => {
            after.is_empty()
                && inside
                    .split([',', ' '])
                    .all(|w| w.is_empty() || begins_with_name(w))
        }
        b'{' => {
            after.is_empty()
                && inside.contains(", ")
                && begins_with_name(inside.trim())
                && object(text).is_none()
        }
        _ => false,
    };
    is_list.then_some(inside)
}

/// The path of a JSON object: `{"path": "a.py", "change": "…"}`.
fn object(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('{')?.strip_suffix('}')?;
    if !inside.contains(':') {
        return None;
    }
    inside.split(',').find_map(|field| {
        let (key, value) = field.split_once(':')?;
        let key = key.trim().trim_matches(['"', '\'']);
        matches!(key, "path" | "file" | "filename" | "name")
            .then(|| value.trim().trim_matches(['"', '\'']))
    })
}
