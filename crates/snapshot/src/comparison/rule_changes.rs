//! Whether a rule file that changed since the start may have covered a path then.
//!
//! Of two versions of a file only the lines between what both begin and end with can make a difference. A path
//! that none of them matches was ignored then if and only if it is ignored now.

use std::sync::Arc;

use super::Comparison;
use crate::odb::Oid;
use crate::reader::fast::{Rules, folder_of, root, rules_of, text_in};
use crate::{Fingerprint, RepoPath, Unreadable};

impl Comparison<'_> {
    /// Whether the change of the rule file at `rules` may make a difference to `path`. If the content at the start
    /// is not known, it may.
    pub(super) fn may_matter(&self, rules: &RepoPath, path: &RepoPath) -> bool {
        let texts = self.text_at_start(rules).and_then(|before| {
            let now = text_in(&root(&self.start.root)?, rules.as_bytes());
            let now = now.map_err(|error| Unreadable::io(&self.start.root, error))?;
            Ok(before.map(|before| (before, now)))
        });
        match texts {
            Ok(Some((before, now))) => matches_any(
                &changed_lines(&before, &now),
                folder_of(rules.as_bytes()),
                path,
            ),
            Ok(None) | Err(_) => true,
        }
    }

    /// The content of a rule file at the start. `None` if it was not that of the start's commit.
    fn text_at_start(&self, rules: &RepoPath) -> Result<Option<Vec<u8>>, Unreadable> {
        match self.start.files.get(rules).map(|state| &state.fingerprint) {
            Some(Fingerprint::Deleted) => return Ok(Some(Vec::new())),
            Some(_) => return Ok(None),
            None => {}
        }
        let head = self.start.head.oid.as_deref();
        let Some(commit) = head.and_then(|oid| Oid::from_hex(oid.as_bytes())) else {
            return Ok(None);
        };
        let odb = self.repository.odb(&self.limits);
        let found = odb.at(odb.commit(commit)?.tree, rules.as_bytes())?;
        let file = found.filter(|item| !item.is_tree());
        file.map(|item| rules_of(&odb, item.oid.as_bytes()))
            .transpose()
    }
}

/// The lines in which two texts differ, of both.
fn changed_lines<'t>(before: &'t [u8], now: &'t [u8]) -> Vec<&'t [u8]> {
    let lines = |text: &'t [u8]| -> Vec<&'t [u8]> {
        let lines = text.split(|byte| *byte == b'\n');
        lines
            .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
            .collect()
    };
    let (before, now) = (lines(before), lines(now));
    let shorter = before.len().min(now.len());
    let same = |(a, b): &(&&[u8], &&[u8])| a == b;
    let first = before.iter().zip(&now).take_while(same).count();
    let ends = before.iter().rev().zip(now.iter().rev());
    let last = ends.take_while(same).count().min(shorter - first);
    let middle = |lines: &[&'t [u8]]| lines[first..lines.len() - last].to_vec();
    [middle(&before), middle(&now)].concat()
}

/// Whether one of the lines of a file in `folder`, or what it takes back, matches the path or a folder above it.
fn matches_any(lines: &[&[u8]], folder: &[u8], path: &RepoPath) -> bool {
    let patterns = lines
        .iter()
        .map(|line| line.strip_prefix(b"!").unwrap_or(line));
    let text = patterns.collect::<Vec<_>>().join(&b'\n');
    let places: Vec<_> = std::iter::once(path.clone())
        .chain(path.ancestors())
        .collect();
    [false, true].into_iter().any(|ignore_case| {
        let above = Arc::new(Rules::everywhere(&[], ignore_case));
        let rules = above.within(folder, &text);
        let mut below = places.iter().map(RepoPath::as_bytes);
        below.any(|place| {
            let is_inside = place.len() > folder.len();
            is_inside && (rules.cover(place, false) || rules.cover(place, true))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matters(before: &str, now: &str, folder: &str, path: &str) -> bool {
        let lines = changed_lines(before.as_bytes(), now.as_bytes());
        matches_any(
            &lines,
            folder.as_bytes(),
            &RepoPath::from_git(path.as_bytes()).unwrap(),
        )
    }

    #[test]
    fn only_a_line_that_came_or_went_and_matches_makes_a_difference() {
        for (before, now, path, is_so) in [
            (
                "*.log\nbuild/\n",
                "*.log\nbuild/\ntmp/\n",
                "src/ghost.py",
                false,
            ),
            ("*.log\nbuild/\n", "", "src/ghost.py", false),
            ("*.log\nbuild/\n", "", "src/ghost.log", true),
            ("*.log\nbuild/\n", "*.log\n", "build/ghost.py", true),
            ("*.log\nbuild/\n", "*.log\n", "a/build/ghost.py", true),
            ("*.py\n!keep.py\n", "*.py\n", "keep.py", true),
            ("*.log\n!keep.log\n", "*.log\n", "ghost.py", false),
            ("*.PY\n", "", "ghost.py", true),
            ("*.log\n*.py\n", "*.py\n*.log\n", "ghost.py", true),
            ("*.log\n", "*.log\r\n", "ghost.log", false),
            ("", "*\n", "src/deep/ghost.py", true),
            ("/src\n", "", "src/deep/ghost.py", true),
            ("# src\n\n", "", "src", false),
        ] {
            assert_eq!(
                matters(before, now, "", path),
                is_so,
                "{before:?} {now:?} {path}"
            );
        }
    }

    #[test]
    fn a_file_speaks_of_its_own_folder() {
        assert!(matters("/ghost.py\n", "", "src", "src/ghost.py"));
        assert!(!matters("/ghost.py\n", "", "src", "src/deep/ghost.py"));
    }
}
