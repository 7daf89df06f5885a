//! Names that a report cannot write as they are, and what it may make of them.

use crate::RepoPath;
use attest_evidence::fold;

/// Characters that a report may leave out, escape or replace.
const QUOTES: [char; 6] = ['"', '\\', '`', '\u{fffd}', '\'', ' '];

/// Whether a report can write the name so that it is recognised again.
pub(super) fn is_speakable(path: &RepoPath) -> bool {
    std::str::from_utf8(path.as_bytes()).is_ok_and(|text| {
        !text.contains(['"', '\\', '`', '\u{fffd}']) && crate::escaped(text.as_bytes()) == text
    })
}

/// Whether a claim of `path` may be what a report made of the name of `changed`: the last part of the claim has
/// all of a part of that name that can be written, in this order, and anything where something cannot.
pub(super) fn may_mean(path: &RepoPath, changed: &RepoPath) -> bool {
    let Ok(claimed) = std::str::from_utf8(path.basename()) else {
        return true;
    };
    let claimed = fold(claimed);
    let parts = changed.as_bytes().split(|byte| *byte == b'/');
    parts
        .map(segments)
        .filter(|segments| segments.len() > 1)
        .any(|segments| matches(&claimed, &segments))
}

/// What can be written of a name, between what cannot.
fn segments(name: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(name);
    let mut segments = vec![String::new()];
    for char in text.chars() {
        let is_hidden = QUOTES.contains(&char)
            || crate::escaped(char.to_string().as_bytes()) != char.to_string();
        if is_hidden {
            segments.push(String::new());
        } else if let Some(segment) = segments.last_mut() {
            segment.push(char);
        }
    }
    segments.iter().map(|segment| fold(segment)).collect()
}

/// Whether `text` begins with the first segment, ends with the last, and has the others in between.
fn matches(text: &str, segments: &[String]) -> bool {
    let [first, between @ .., last] = segments else {
        return false;
    };
    let rest = text
        .strip_prefix(first.as_str())
        .and_then(|rest| rest.strip_suffix(last.as_str()));
    let Some(mut rest) = rest else {
        return false;
    };
    between
        .iter()
        .all(|segment| match rest.find(segment.as_str()) {
            Some(at) => {
                rest = &rest[at + segment.len()..];
                true
            }
            None => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(bytes: &[u8]) -> RepoPath {
        RepoPath::from_git(bytes).unwrap()
    }

    #[test]
    fn a_name_may_be_what_a_report_made_of_another() {
        for (changed, claimed) in [
            (
                &b"src/say \"hi\".py"[..],
                &[
                    "say hi.py",
                    "src/say 'hi'.py",
                    "say \\\"hi\\\".py",
                    "say_hi.py",
                    "Say hi.py",
                ][..],
            ),
            (
                b"caf\xe9.py",
                &["caf\u{e9}.py", "caf?.py", "caf\\351.py", "caf.py"],
            ),
            (
                b"two\nlines.py",
                &["two lines.py", "two\\nlines.py", "two_lines.py"],
            ),
            (b"we\"ird/a.py", &["weird", "src/we_ird"]),
        ] {
            for claimed in claimed {
                assert!(
                    may_mean(&path(claimed.as_bytes()), &path(changed)),
                    "{claimed}"
                );
            }
            for other in ["ghost.py", "src/other.rs", "hi.py", "a.pyc"] {
                assert!(
                    !may_mean(&path(other.as_bytes()), &path(changed)),
                    "{other}"
                );
            }
        }
    }
}
