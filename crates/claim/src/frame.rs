//! What surrounds a list: emphasis, a label, a number, brackets.

use crate::Unresolvable;
use crate::outline::Outline;
use crate::path::shape::is_file;
use crate::path::unresolvable::unresolvable;
use crate::split::begins_with_name;

/// The most words of a label before a list.
const MAX_LABEL_WORDS: usize = 3;

/// Removes marks around the whole text: "**a.py, b.py**", "_a.py — new_", "`a.py, b.py`".
pub(crate) fn unwrapped(text: &str) -> &str {
    let inside = |mark: char| {
        let inside = text
            .strip_prefix(mark)?
            .strip_suffix(mark)?
            .trim_matches(mark);
        // In "_a.py_, _b.py_" each name has marks of its own.
        let is_closed = |end| inside.contains(&format!("{mark}{end}"));
        let is_whole = match mark {
            '`' => inside.contains(", ") && inside.split(',').all(|part| is_file(part.trim())),
            '_' => inside.contains(char::is_whitespace),
            _ => true,
        };
        (is_whole && ![' ', ',', ';', ':'].into_iter().any(is_closed)).then_some(inside)
    };
    ['*', '_', '`'].into_iter().find_map(inside).unwrap_or(text)
}

/// "**Backend:** a.py, b.py" and "Parser: a.py": a label of a few words, and the list after it.
pub(crate) fn labelled(text: &str) -> (Option<&str>, &str) {
    const MAX_LABEL_CHARS: usize = 64;
    let end = text
        .char_indices()
        .nth(MAX_LABEL_CHARS)
        .map_or(text.len(), |(at, _)| at);
    let Some(at) = text[..end].find(':') else {
        return (None, text);
    };
    let label = text[..at].trim_matches(['*', '_', ' ']);
    let list = text[at + 1..].trim_start_matches(['*', '_']);
    let is_label = !label.is_empty()
        && label.split_whitespace().nth(MAX_LABEL_WORDS).is_none()
        && label.chars().all(|c| {
            c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '/' | '&' | '#' | '(' | ')')
        })
        && !begins_with_name(label)
        && list.starts_with(char::is_whitespace)
        && begins_with_name(list.trim_start());
    if is_label {
        (Some(label), list.trim())
    } else {
        (None, text)
    }
}

/// The list after a number: "2 files (a.py, b.py)", "3 files: a.py, b.py, c.py".
pub(crate) fn counted(text: &str) -> &str {
    let is_count = |before: &str| unresolvable(before.trim()) == Some(Unresolvable::Count);
    if let Some((before, list)) = text.split_once(": ")
        && is_count(before)
        && begins_with_name(list.trim_start())
    {
        return list.trim();
    }
    text.find(['(', '['])
        .filter(|at| is_count(&text[..*at]))
        .map(|at| &text[at..])
        .filter(|list| flow_list(list).is_some() && list.contains(['.', '/']))
        .unwrap_or(text)
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
        matches!(key, "path" | "file" | "filename" | "name")
            .then(|| value.trim().trim_matches(['"', '\'']))
    })
}
