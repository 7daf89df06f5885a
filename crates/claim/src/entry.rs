//! From the text of a value or a list item to its entries.

use std::ops::Range;

use crate::clean::{Cleaned, clean};
use crate::shape::{is_empty_form, is_path};
use crate::split::{arrow, pieces};
use crate::{Entry, Meaning, Operation, Target, Unresolvable};

/// Readings of one entry at most.
const MOST_READINGS: usize = 24;
/// Neighbours on each side with which a piece is read as one name.
const NEIGHBOURS: usize = 2;
/// Paths of one value at most; the rest is a doubt that proves nothing.
const MOST_ENTRIES: usize = 2_000;

/// Reads a value such as `a.py, b.py (new)`.
pub(crate) fn entries(text: &str, operation: Operation) -> Vec<Entry> {
    let text = text.trim();
    if is_empty_form(text) {
        return Vec::new();
    }
    let (list, is_list) = match flow_list(text) {
        Some(list) => (list, true),
        None => (text, false),
    };
    let ranges = pieces(list);
    let mut found = Vec::new();
    // An annotation without an end swallows what follows: "a.py — adds x, y and z".
    let mut is_swallowed = false;
    for (index, range) in ranges.iter().enumerate().take(MOST_ENTRIES) {
        let piece = list[range.clone()].trim();
        if is_empty_form(piece) {
            continue;
        }
        let mut cleaned = clean(piece);
        if is_swallowed
            && !matches!(&cleaned, Ok(cleaned) if cleaned.is_open && starts_with_path(piece))
        {
            cleaned = Err(Unresolvable::Prose);
        } else if ranges.len() > 1
            && !is_list
            && !starts_with_path(piece)
            && list.split_whitespace().count() > 2 * ranges.len() + 2
        {
            // Words between commas are a sentence, unless all of them are single words.
            cleaned = Err(Unresolvable::Prose);
        }
        is_swallowed |= cleaned.as_ref().is_ok_and(|cleaned| cleaned.is_open) && !is_list;
        if let Ok(cleaned) = &mut cleaned {
            add_joined(cleaned, list, &ranges, index);
        }
        found.push(entry(piece, operation, cleaned));
    }
    found
}

fn entry(piece: &str, operation: Operation, cleaned: Result<Cleaned, Unresolvable>) -> Entry {
    let raw = piece.to_owned();
    match cleaned {
        Ok(mut cleaned) => {
            cleaned.targets.truncate(MOST_READINGS);
            // What is said of one path is nearer than what the key says of all.
            Entry {
                raw,
                operation: cleaned
                    .operation
                    .filter(|o| *o != Operation::Changed)
                    .unwrap_or(operation),
                meaning: Meaning::Paths(cleaned.targets),
            }
        }
        Err(why) => Entry {
            raw,
            operation,
            meaning: Meaning::Unresolvable(why),
        },
    }
}

/// A comma or an "and" may be part of a name: the piece is also read together with its neighbours.
fn add_joined(cleaned: &mut Cleaned, list: &str, ranges: &[Range<usize>], index: usize) {
    if ranges.len() < 2 {
        return;
    }
    let nearest = index.saturating_sub(NEIGHBOURS);
    let farthest = (index + NEIGHBOURS).min(ranges.len() - 1);
    for from in nearest..=index {
        for to in index..=farthest {
            if from != to {
                let joined = list[ranges[from].start..ranges[to].end].trim();
                cleaned.add_file(joined.trim_matches(['`', '"']));
            }
        }
    }
}

/// The inside of `[a, b]`, which is no link and no name.
fn flow_list(text: &str) -> Option<&str> {
    // In JSON on one line the end of the object follows.
    let text = text.trim_end_matches([',', '}', ' ']);
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    let is_name = !inside.contains([',', '"', '\'', '`', ' ']) && inside.contains("].");
    (!is_name && !inside.contains("](")).then_some(inside)
}

fn starts_with_path(piece: &str) -> bool {
    let first = piece.split_whitespace().next().unwrap_or_default();
    first.starts_with(['`', '"', '['])
        || arrow(piece).is_some()
        || is_path(first.trim_matches(|c: char| {
            matches!(c, '`' | '*' | '"' | '\'' | ':' | ',' | '.' | '(' | ')')
        }))
        || matches!(clean(piece), Ok(cleaned) if matches!(cleaned.targets.first(), Some(Target::File(name)) if is_path(name)))
}
