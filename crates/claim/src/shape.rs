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

pub(crate) fn has_extension(word: &str) -> bool {
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

/// Extensions by which a word is known to be a file and no folder.
const FILE_EXTENSIONS: &[&str] = &[
    "c", "cc", "cpp", "cs", "css", "go", "h", "hpp", "html", "java", "js", "json", "jsx", "kt",
    "lock", "md", "php", "py", "rb", "rs", "scss", "sh", "sql", "swift", "toml", "ts", "tsx",
    "txt", "vue", "xml", "yaml", "yml",
];

pub(crate) fn has_file_extension(name: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, extension)| FILE_EXTENSIONS.contains(&extension))
}

/// ".cpp" beside "a.h": the other half of a pair, and no file of that name.
pub(crate) fn is_lone_extension(word: &str) -> bool {
    word.strip_prefix('.')
        .is_some_and(|extension| FILE_EXTENSIONS.contains(&extension))
}

/// Without the marks that end a sentence.
pub(crate) fn trim_end(name: &str) -> &str {
    name.trim_end_matches(['.', ',', ';', ':', '!'])
}

/// Why a cleaned text is no path that could be looked for.
pub(crate) fn unresolvable(text: &str) -> Option<Unresolvable> {
    let lower = text.to_ascii_lowercase();
    if text.chars().any(|c| c.is_control() || c == '\u{fffd}') {
        return Some(Unresolvable::Garbled);
    }
    if text.contains("://")
        || lower.starts_with("mailto:")
        || (lower.starts_with("www.") && lower.matches('.').count() > 1)
    {
        return Some(Unresolvable::Url);
    }
    if text.starts_with(['~', '$', '%']) || text.contains("${") || text.contains("$(") {
        return Some(Unresolvable::HomeOrVariable);
    }
    if lower.contains("...") || lower.contains('…') || is_more(&lower) {
        return Some(Unresolvable::AndMore);
    }
    if text.contains(['*', '?']) && !text.contains("](") || is_brace_pattern(text) {
        return Some(Unresolvable::Glob);
    }
    let is_tag = |inside: &str| !is_path(inside) || lower.contains("path/to/");
    if text
        .strip_prefix('<')
        .and_then(|text| text.strip_suffix('>'))
        .is_some_and(is_tag)
        || lower.starts_with('{') && lower.ends_with('}')
        || lower.starts_with("path/to/")
        || lower.starts_with("/path/to/")
    {
        return Some(Unresolvable::Placeholder);
    }
    // "12/12", "2024-01-01"
    let is_figure = !text.is_empty()
        && !text.chars().any(|c| c.is_alphabetic() || c.is_whitespace())
        && text.chars().any(char::is_numeric);
    if is_figure || is_count(&lower) {
        return Some(Unresolvable::Count);
    }
    (is_reference(&lower) || is_revision(text)).then_some(Unresolvable::Reference)
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

/// A commit or a range of them: "1f3c9ab", "HEAD~1..HEAD".
fn is_revision(text: &str) -> bool {
    let is_hash = (7..=40).contains(&text.len())
        && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        && text.bytes().any(|b| b.is_ascii_digit());
    let is_range = !text.contains(['/', '\\', ' '])
        && text
            .split_once("..")
            .is_some_and(|(from, to)| !from.is_empty() && !to.is_empty());
    is_hash || is_range
}
