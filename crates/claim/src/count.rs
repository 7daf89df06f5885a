//! How many files a message says were changed: a number under a files key, or the line with which git ends a list of
//! differences.

use crate::markdown::Document;
use crate::{Claim, Meaning, Unresolvable};

/// The most numbers of a message.
const MOST: usize = 20;

/// A number of changed files, as it is claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCount {
    /// How many.
    pub files: u64,
    /// The text that says so.
    pub raw: String,
}

impl FileCount {
    fn of(text: &str) -> Option<Self> {
        let text = text.trim().trim_end_matches('.');
        Some(Self {
            files: number(text)?,
            raw: text.to_owned(),
        })
    }
}

/// The numbers of changed files in a message with this claim. A number that is understood only in part is none.
#[must_use]
pub fn file_counts(message: &str, claim: &Claim) -> Vec<FileCount> {
    let is_count = |meaning: &Meaning| *meaning == Meaning::Unresolvable(Unresolvable::Count);
    let entries = claim
        .entries
        .iter()
        .filter(|entry| is_count(&entry.meaning));
    let mut found: Vec<_> = entries
        .filter(|entry| entry.doubt().is_none())
        .filter_map(|entry| FileCount::of(&entry.raw))
        .collect();
    // Most messages have no such line, and need not be read again.
    if message.len() <= crate::MAX_MESSAGE_BYTES && message.contains(" changed, ") {
        let document = Document::parse(message);
        let lines = document.lines.iter().filter(|line| line.is_text());
        let whole = lines.filter(|line| is_of_git(line.text));
        found.extend(whole.filter_map(|line| FileCount::of(line.text)));
    }
    found.truncate(MOST);
    found
}

/// `12`, `12 files`, or git's `12 files changed` with what follows.
fn number(text: &str) -> Option<u64> {
    let digits = text.split(' ').next()?;
    let rest = &text[digits.len()..];
    let is_understood = matches!(rest, "" | " file" | " files") || is_of_git(text);
    digits.parse().ok().filter(|_| is_understood)
}

/// Whether it is the last line of `git diff --stat`: "2 files changed, 3 insertions(+), 1 deletion(-)".
fn is_of_git(text: &str) -> bool {
    let mut parts = text.trim().trim_end_matches('.').split(", ");
    let is_part = |part: &str, ends: &[&str]| {
        let (number, end) = part.split_once(' ').unwrap_or_default();
        number.parse::<u64>().is_ok() && ends.contains(&end)
    };
    let first = parts.next().unwrap_or_default();
    let mut rest = parts.peekable();
    let ends = [
        "insertion(+)",
        "insertions(+)",
        "deletion(-)",
        "deletions(-)",
    ];
    is_part(first, &["file changed", "files changed"])
        && rest.peek().is_some()
        && rest.all(|part| is_part(part, &ends))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn counts(message: &str) -> Vec<u64> {
        let found = file_counts(message, &parse(message));
        found.into_iter().map(|count| count.files).collect()
    }

    #[test]
    fn a_number_counts_files_only_where_all_of_the_line_is_understood() {
        for (message, expected) in [
            ("Files changed: 12", vec![12]),
            ("Files changed: 3 files", vec![3]),
            ("2 files changed, 3 insertions(+), 1 deletion(-)", vec![2]),
            ("- 1 file changed, 3 insertions(+)", vec![1]),
            ("Files changed: about 12", vec![]),
            ("Files changed: 12+", vec![]),
            ("It was 12 files changed, 3 of them tests", vec![]),
            ("12 files changed, 3 of them tests", vec![]),
            ("12 files changed, as planned", vec![]),
            ("```\n2 files changed, 3 insertions(+)\n```", vec![]),
            ("> 2 files changed, 3 insertions(+)", vec![]),
            ("Files changed: src/a.py", vec![]),
        ] {
            assert_eq!(counts(message), expected, "{message}");
        }
    }
}
