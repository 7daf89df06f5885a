//! What looks like a path, and what certainly is none.

use crate::Unresolvable;

/// Files that are known by a name without an extension.
const BARE_NAMES: &[&str] = &[
    "makefile",
    "dockerfile",
    "containerfile",
    "license",
    "licence",
    "readme",
    "changelog",
    "gemfile",
    "rakefile",
    "procfile",
    "justfile",
    "codeowners",
    "vagrantfile",
    "jenkinsfile",
    "brewfile",
    "notice",
    "authors",
    "version",
    "build",
    "workspace",
];

/// One word that only a path looks like.
pub(crate) fn is_path(word: &str) -> bool {
    if word.is_empty()
        || word.chars().any(char::is_whitespace)
        || !word.chars().any(char::is_alphanumeric)
    {
        return false;
    }
    if word.contains(['/', '\\']) {
        return true;
    }
    let lower = word.to_ascii_lowercase();
    BARE_NAMES.contains(&lower.as_str()) || has_extension(word)
}

fn has_extension(word: &str) -> bool {
    let Some((stem, extension)) = word.rsplit_once('.') else {
        return false;
    };
    let is_name = (1..=12).contains(&extension.len())
        && extension
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        && !extension.chars().all(|c| c.is_ascii_digit());
    // ".env" has no stem, and "e.g." no extension.
    is_name && (stem.is_empty() || stem.chars().any(char::is_alphanumeric))
}

/// Nothing was changed, said in one of the usual ways.
pub(crate) fn is_empty_form(text: &str) -> bool {
    let text = text
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_ascii_lowercase();
    let text: Vec<_> = text
        .split(|c: char| c.is_whitespace() || c == '_')
        .collect();
    matches!(
        text.join(" ").as_str(),
        "" | "none"
            | "n/a"
            | "na"
            | "nil"
            | "null"
            | "nothing"
            | "no"
            | "no files"
            | "no changes"
            | "no files changed"
            | "no file changed"
            | "no files modified"
            | "no files were changed"
            | "no changes made"
            | "no file changes"
            | "no files touched"
            | "nothing changed"
            | "not applicable"
            | "0"
            | "0 files"
            | "zero"
            | "empty"
            | "none changed"
            | "no code changes"
            | "no files created"
            | "no files deleted"
    ) || text
        .first()
        .is_some_and(|word| *word == "none" || *word == "n/a")
        && is_aside(&text)
}

/// "none (read-only task)", "None - analysis only".
fn is_aside(words: &[&str]) -> bool {
    words
        .get(1)
        .is_none_or(|word| !word.chars().next().is_some_and(char::is_alphanumeric))
}

/// Why a cleaned text is no path that could be looked for.
pub(crate) fn unresolvable(text: &str) -> Option<Unresolvable> {
    let lower = text.to_ascii_lowercase();
    if text.chars().any(|c| c.is_control() || c == '\u{fffd}') {
        return Some(Unresolvable::Garbled);
    }
    if text.contains("://") || lower.starts_with("mailto:") || lower.starts_with("www.") {
        return Some(Unresolvable::Url);
    }
    if text.starts_with(['~', '$', '%']) || text.contains("${") || text.contains("$(") {
        return Some(Unresolvable::HomeOrVariable);
    }
    if lower.contains("...") || lower.contains('…') || is_more(&lower) {
        return Some(Unresolvable::AndMore);
    }
    if text.contains(['*', '?']) || is_brace_pattern(text) {
        return Some(Unresolvable::Glob);
    }
    if text.starts_with('<') && text.ends_with('>')
        || lower.starts_with("path/to/")
        || lower.starts_with("/path/to/")
    {
        return Some(Unresolvable::Placeholder);
    }
    if is_count(&lower) {
        return Some(Unresolvable::Count);
    }
    is_reference(&lower).then_some(Unresolvable::Reference)
}

fn is_more(lower: &str) -> bool {
    let words: Vec<_> = lower.split_whitespace().collect();
    matches!(
        words.as_slice(),
        ["etc" | "etc." | "more" | "others"] | ["and", "more" | "others", ..]
    ) || words.len() <= 6
        && words
            .last()
            .is_some_and(|last| matches!(*last, "more" | "others" | "etc" | "etc."))
}

fn is_brace_pattern(text: &str) -> bool {
    text.find('{')
        .is_some_and(|open| text[open..].contains(',') && text[open..].contains('}'))
}

fn is_count(lower: &str) -> bool {
    let mut words = lower.split_whitespace();
    let number = words
        .next()
        .unwrap_or_default()
        .trim_matches(['~', '+', '(', ')', ',', '.', ':']);
    let is_number = !number.is_empty()
        && number
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
        || matches!(
            number,
            "one"
                | "two"
                | "three"
                | "four"
                | "five"
                | "six"
                | "several"
                | "many"
                | "multiple"
                | "all"
                | "various"
        );
    is_number
        && words.next().is_none_or(|unit| {
            let unit = unit.trim_matches(|c: char| !c.is_alphabetic());
            matches!(
                unit,
                "file"
                    | "files"
                    | "total"
                    | "new"
                    | "modified"
                    | "changed"
                    | "changes"
                    | "created"
                    | "in"
                    | "source"
                    | "test"
                    | "lines"
                    | "of"
                    | "the"
            )
        })
}

fn is_reference(lower: &str) -> bool {
    let words: Vec<_> = lower.split_whitespace().collect();
    matches!(
        words.as_slice(),
        [
            "see" | "as" | "listed" | "same" | "described" | "mentioned",
            _,
            ..
        ] | ["above" | "below" | "ditto" | "(above)" | "(below)"]
    )
}
