//! Texts that no path can be read from, although a path could be expected in their place.

use crate::Unresolvable;
use crate::words;

/// Why a cleaned text is not a path that could be looked for.
pub(crate) fn unresolvable(text: &str) -> Option<Unresolvable> {
    let lower = text.to_ascii_lowercase();
    let why = if text.chars().any(|c| c.is_control() || c == '\u{fffd}') {
        Unresolvable::Garbled
    } else if text.contains("://") || lower.starts_with("www.") && lower.matches('.').count() > 1 {
        Unresolvable::Url
    } else if text.starts_with(['~', '$', '%']) || text.contains("${") || text.contains("$(") {
        Unresolvable::HomeOrVariable
    // "[...slug].vue" is a name.
    } else if lower.replace("[...", "[").contains("...") || lower.contains('…') || is_more(&lower)
    {
        Unresolvable::AndMore
    } else if text.contains(['*', '?']) && !text.contains("](") || is_brace_pattern(text) {
        Unresolvable::Glob
    } else if is_placeholder(text, &lower) {
        Unresolvable::Placeholder
    } else if is_figure(text) || is_count(&lower) {
        Unresolvable::Count
    } else if is_reference(&lower) || is_revision(text) {
        Unresolvable::Reference
    } else {
        return None;
    };
    Some(why)
}

/// "<name>", "src/{file}.py", "path/to/file.py": a name that is still to be filled in.
fn is_placeholder(text: &str, lower: &str) -> bool {
    let is_filled = |open: char, close: char| {
        let behind = text.split_once(open).map_or("", |(_, behind)| behind);
        behind.split_once(close).is_some_and(|(inside, _)| {
            let inside = inside.trim_start_matches(open);
            let is_part = |c: char| c.is_alphanumeric() || " _-/.|,".contains(c);
            inside.contains(char::is_alphabetic) && inside.chars().all(is_part)
        })
    };
    is_filled('<', '>')
        || is_filled('{', '}')
        || lower.starts_with("path/to/")
        || lower.contains("/path/to/")
}

/// "and 3 more", "etc."
fn is_more(lower: &str) -> bool {
    const MAX_WORDS: usize = 6;
    let words: Vec<_> = lower.split_whitespace().take(MAX_WORDS + 1).collect();
    let ends = |word: &&str| matches!(*word, "more" | "others" | "etc" | "etc.");
    words.len() <= MAX_WORDS && words.last().is_some_and(ends)
        || matches!(words.as_slice(), ["and", "more" | "others", ..])
}

fn is_brace_pattern(text: &str) -> bool {
    let behind = text.split_once('{').map_or("", |(_, behind)| behind);
    behind.contains(',') && behind.contains('}')
}

/// "12/12", "2024-01-01"
fn is_figure(text: &str) -> bool {
    text.contains(char::is_numeric)
        && !text.contains(|c: char| c.is_alphabetic() || c.is_whitespace())
}

/// "3", "12 files", "two new files", "~10 in all"
fn is_count(lower: &str) -> bool {
    let mut words = lower.split_whitespace();
    let number = words.next().unwrap_or_default();
    let number = number.trim_matches(['~', '+', '(', ')', ',', '.', ':']);
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let is_number = !number.is_empty() && number.chars().all(is_digit);
    let is_unit = |unit: &str| {
        let unit = unit.trim_matches(|c: char| !c.is_alphabetic());
        words::KEYS.contains(unit) || words::ROLES.has(unit, "unit")
    };
    (is_number || words::ROLES.has(number, "number")) && words.next().is_none_or(is_unit)
}

fn is_reference(lower: &str) -> bool {
    match lower.split_once(char::is_whitespace) {
        Some((first, _)) => words::ROLES.has(first, "pointer"),
        None => words::ROLES.has(lower, "place"),
    }
}

/// A commit or a range of them: "1f3c9ab", "HEAD~1..HEAD".
fn is_revision(text: &str) -> bool {
    let is_hash = (7..=40).contains(&text.len())
        && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        && text.contains(|c: char| c.is_ascii_digit());
    let sides = text
        .split_once("..")
        .filter(|_| !text.contains(['/', '\\', ' ']));
    is_hash || sides.is_some_and(|(from, to)| !from.is_empty() && !to.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons() {
        use Unresolvable::{AndMore, Count, Garbled, Glob, HomeOrVariable, Reference};
        for (text, why) in [
            ("a\u{fffd}.py", Some(Garbled)),
            ("a\u{7}.py", Some(Garbled)),
            ("src/${NAME}.md", Some(HomeOrVariable)),
            ("src/$(date).md", Some(HomeOrVariable)),
            ("src/$a.md", None),
            ("and others in src", Some(AndMore)),
            ("a few more", Some(AndMore)),
            ("more parsers", None),
            ("a b c d e f more", None),
            ("src/{a,b}.py", Some(Glob)),
            ("src/{12}/a.py", None),
            ("12/12", Some(Count)),
            ("above", Some(Reference)),
            ("above all", None),
            ("HEAD~1..HEAD", Some(Reference)),
            ("HEAD..", None),
            ("..a", None),
        ] {
            assert_eq!(unresolvable(text), why, "{text}");
        }
    }

    #[test]
    fn placeholders() {
        for text in [
            "<name>",
            "{file}",
            "src/{name}.py",
            "path/to/a.py",
            "/path/to/a.py",
            "<path to file>",
        ] {
            assert_eq!(
                unresolvable(text),
                Some(Unresolvable::Placeholder),
                "{text}"
            );
        }
    }
}
