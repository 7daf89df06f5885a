//! What surrounds a list: emphasis, a label, a number, brackets.

use crate::Unresolvable;
use crate::outline::Outline;
use crate::path::bare;
use crate::path::shape::{is_file, trim_end};
use crate::path::unresolvable::unresolvable;
use crate::split::{self, begins_with_name};
use crate::words::names_file;

/// The most words of a label in front of what may be no file.
const MAX_LABEL_WORDS: usize = 3;
/// How far the colon of a label is looked for, in bytes.
const MAX_LABEL_BYTES: usize = 64;

/// Removes marks around the whole text: "**a.py, b.py**", "_a.py — new_", "`a.py, b.py`".
pub(crate) fn unwrapped(text: &str) -> &str {
    let marks = &text[..text.len() - text.trim_start_matches(['*', '_', '`']).len()];
    let is_even = || text.matches(marks).count().is_multiple_of(2);
    let inside = |mark: char| {
        let inside = text.strip_prefix(mark)?.strip_suffix(mark)?;
        let inside = inside.trim_matches(mark);
        // In "_a.py_, _b.py_" each name has marks of its own.
        let ends = |part: &str| part.starts_with([' ', ',', ';', ':']);
        let is_closed = || inside.split(mark).skip(1).any(ends);
        let is_whole = match mark {
            '`' => inside.contains(", ") && inside.split(',').all(|part| is_file(part.trim())),
            // "__Files changed: src/__init__" has one mark that belongs to the name.
            '_' => inside.contains(char::is_whitespace) && is_even(),
            _ => true,
        };
        (is_whole && !is_closed()).then_some(inside)
    };
    ['*', '_', '`'].into_iter().find_map(inside).unwrap_or(text)
}

/// "**Backend:** a.py, b.py", "Parser → src/a.py": a label, and the names behind it.
pub(crate) fn labelled(text: &str) -> Option<(&str, &str)> {
    let near = &text[..text.floor_char_boundary(MAX_LABEL_BYTES)];
    let behind_colon = near.find(':').and_then(|at| {
        let list = text[at + 1..].trim_start_matches(['*', '_']);
        let is_short = near[..at].split_whitespace().count() <= MAX_LABEL_WORDS;
        let is_list = is_short && list.starts_with(char::is_whitespace) && begins_with_name(list);
        is_list.then_some((&text[..at], list))
    });
    let behind_sign = || {
        let sign = split::remark(text).filter(|sign| text[sign.clone()] != *"  ")?;
        let signs = ['-', '=', '>', '→', '➜', '⟶', '#', '/', ' '];
        let list = text[sign.end..].trim_start_matches(signs);
        let name = list.split_whitespace().next()?;
        is_file(trim_end(bare(name))).then_some((&text[..sign.start], list))
    };
    let (label, list) = behind_colon.or_else(behind_sign)?;
    let label = label.trim_matches(['*', '_', ' ']);
    let is_plain = |c: char| c.is_alphanumeric() || " -_/&#().".contains(c);
    let is_label = !label.is_empty()
        && label.chars().all(is_plain)
        && !label.split_whitespace().any(begins_with_name);
    is_label.then(|| (label, list.trim()))
}

/// The list after a number: "2 files (a.py, b.py)", "3 files: a.py, b.py, c.py".
pub(crate) fn counted(text: &str) -> &str {
    let is_count = |before: &str| unresolvable(before.trim()) == Some(Unresolvable::Count);
    if let Some((before, list)) = text.split_once(": ")
        && is_count(before)
    {
        return list.trim();
    }
    let (before, list) = text.split_at(text.find(['(', '[']).unwrap_or_default());
    let is_list = || flow_list(list).is_some() && list.contains(['.', '/']);
    if is_count(before) && is_list() {
        list
    } else {
        text
    }
}

/// The inside of `[a, b]`, if that is neither a link nor a name; also of `(a, b)` and `{a, b}`.
pub(crate) fn flow_list(text: &str) -> Option<&str> {
    let Some(span) = Outline::of(text).first() else {
        // A list that was truncated.
        return text.strip_prefix('[');
    };
    let (inside, after) = (&text[span.start + 1..span.end - 1], text[span.end..].trim());
    let is_list = match text.as_bytes().first()? {
        b'[' => matches!(after, "" | "," | ".") || after.starts_with(['}', '#']),
        b'(' | b'{' => {
            let mut words = inside.split([',', ' ']);
            let is_name = |word: &str| word.is_empty() || begins_with_name(word);
            let is_several = text.starts_with('(') || inside.contains(',');
            after.is_empty() && is_several && words.all(is_name) && object(text).is_none()
        }
        _ => false,
    };
    is_list.then_some(inside)
}

/// The path in a JSON object: `{"path": "a.py", "change": "…"}`.
pub(crate) fn object(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('{')?.strip_suffix('}')?;
    inside.split(',').find_map(|field| {
        let (key, value) = field.split_once(':')?;
        let key = key.trim().trim_matches(['"', '\'']);
        names_file(key).then(|| value.trim().trim_matches(['"', '\'']))
    })
}
