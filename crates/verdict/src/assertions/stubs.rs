//! Places in a file that are still to be written. They are counted and shown: many honest agents leave some.

use attest_evidence::{RepoPath, RepositorySource};

use crate::Finding;

/// The largest file that is read, in bytes.
pub(super) const MOST_BYTES: u64 = 64 * 1024;
/// What marks such a place. A mark of letters alone is a word by itself.
const MARKS: [&str; 5] = [
    "todo!(",
    "unimplemented!(",
    "NotImplementedError",
    "TODO",
    "FIXME",
];

/// How many more of them a file that holds these bytes has than at the start, if it has more.
pub(super) fn stubs(
    path: &RepoPath,
    bytes: &[u8],
    repository: &dyn RepositorySource,
) -> Option<(Finding, String)> {
    let now = count(bytes);
    if now.iter().all(|count| *count == 0) {
        return None;
    }
    let before = count(&repository.bytes_before(path, MOST_BYTES)?);
    let more = |mark: usize| now[mark].saturating_sub(before[mark]);
    let marks: Vec<_> = (0..MARKS.len()).filter(|mark| more(*mark) > 0).collect();
    let all: usize = marks.iter().map(|mark| more(*mark)).sum();
    let names: Vec<_> = marks
        .iter()
        .map(|mark| MARKS[*mark].trim_end_matches('('))
        .collect();
    let names = names.join(", ");
    match all {
        0 => None,
        1 => Some((Finding::Stubs, format!("1 more than at the start: {names}"))),
        all => Some((
            Finding::Stubs,
            format!("{all} more than at the start: {names}"),
        )),
    }
}

/// How often each mark stands in a text.
fn count(text: &[u8]) -> [usize; MARKS.len()] {
    let text = String::from_utf8_lossy(text);
    MARKS.map(|mark| {
        let places = text.match_indices(mark);
        places.filter(|(at, _)| is_word(&text, *at, mark)).count()
    })
}

fn is_word(text: &str, at: usize, mark: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let behind = &text[at + mark.len()..];
    let is_open = mark.ends_with(is_part) && behind.starts_with(is_part);
    !text[..at].ends_with(is_part) && !is_open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_a_word_by_itself() {
        let all = |text: &str| count(text.as_bytes());
        assert_eq!(all("fn f() { todo!() } // TODO: FIXME"), [1, 0, 0, 1, 1]);
        assert_eq!(all("raise NotImplementedError(\"x\")"), [0, 0, 1, 0, 0]);
        assert_eq!(
            all("TODOS my_TODO mytodo!() MyNotImplementedErrors"),
            [0; 5]
        );
    }
}
