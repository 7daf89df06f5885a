//! Whether a file is missing wherever it may have been meant to be.

use std::path::Path;
use std::time::Instant;

use attest_process::Stop;

use crate::criteria::Conditions;
use crate::files::{Wanted, search};
use crate::pattern::PathPattern;

/// A file that is looked for at every place whose name ends like it.
#[derive(Debug, Clone, Copy)]
pub struct Sought<'a> {
    /// The file, or with a slash at its end the folder, below the folder that is searched or below any folder in it.
    pub path: &'a str,
    /// The text that it has to contain, if any.
    pub contains: Option<&'a str>,
}

/// Says of each whether it is certainly at no place below `root`. One that could not be looked for may be there.
#[must_use]
pub fn are_nowhere(root: &Path, sought: &[Sought<'_>], deadline: Option<Instant>) -> Vec<bool> {
    let patterns: Vec<_> = sought
        .iter()
        .map(|sought| {
            let anywhere = format!("**/{}", globset::escape(sought.path));
            let conditions = Conditions {
                contains: sought.contains.map(str::to_owned),
                ..Conditions::default()
            };
            Some((PathPattern::new(&anywhere).ok()?, conditions))
        })
        .collect();
    let wanted: Vec<_> = patterns
        .iter()
        .flatten()
        .map(|(pattern, conditions)| Wanted {
            pattern,
            conditions,
            keep: 1,
            only_files: false,
        })
        .collect();
    let mut found = search(root, &wanted, &Stop::at(deadline)).into_iter();
    patterns
        .iter()
        .map(|pattern| {
            let found = pattern.as_ref().and_then(|_| found.next());
            found.is_some_and(|found| found.count == 0 && found.unknown.is_none())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn are_nowhere_in(root: &Path, sought: &[(&str, Option<&str>)]) -> Vec<bool> {
        let sought: Vec<_> = sought
            .iter()
            .map(|(path, contains)| Sought {
                path,
                contains: *contains,
            })
            .collect();
        are_nowhere(root, &sought, None)
    }

    #[test]
    fn a_file_may_be_below_any_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("pkg/src/[id]")).unwrap();
        fs::write(root.join("pkg/src/a.py"), "one\n").unwrap();
        fs::write(root.join("pkg/src/[id]/b.py"), "two\n").unwrap();
        let found = are_nowhere_in(
            root,
            &[
                ("src/a.py", None),
                ("a.py", None),
                ("lib/a.py", None),
                ("rc/a.py", None),
                ("src/a.py", Some("one")),
                ("src/a.py", Some("two")),
                ("../a.py", None),
                ("[id]/b.py", None),
                ("src/", None),
                ("a.py/", None),
            ],
        );
        assert_eq!(
            found,
            [
                false, false, true, true, false, true, false, false, false, true
            ]
        );
    }

    #[test]
    fn a_search_that_was_cut_short_finds_nothing_missing() {
        let folder = tempfile::tempdir().unwrap();
        let sought = Sought {
            path: "a.py",
            contains: None,
        };
        let over = Some(Instant::now());
        assert_eq!(are_nowhere(folder.path(), &[sought], over), [false]);
        assert_eq!(are_nowhere(folder.path(), &[sought], None), [true]);
    }
}
