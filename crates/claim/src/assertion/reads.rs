//! Files that were read: "Files reviewed: src/a.py, src/b.py".

use super::Says;
use crate::item::{self, Place};
use crate::{Certainty, Entry, Meaning, Operation, Sense, Target};

/// The files of a line that names nothing else. Words beside a file may say how it was read, or that it was not.
pub(super) fn read(text: &str) -> Vec<Says> {
    let entries = item::read(text, Operation::Changed, Place::Item);
    let files = entries.iter().map(file);
    let files: Option<Vec<_>> = files.collect();
    let files = files.unwrap_or_default().into_iter();
    files.map(|file| Says::Read { file }).collect()
}

fn file(entry: &Entry) -> Option<String> {
    let is_plain = |sense| sense == Sense::Description;
    let is_said = entry.remark.as_ref().is_none_or(|it| is_plain(it.sense));
    let Meaning::Paths(readings) = &entry.meaning else {
        return None;
    };
    match &readings.first()?.target {
        Target::File(text)
            if is_said
                && entry.operation == Operation::Changed
                && readings.first()?.certainty == Certainty::Certain =>
        {
            Some(text.clone())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(text: &str) -> Vec<String> {
        let says = read(text).into_iter();
        let files = says.map(|says| match says {
            Says::Read { file } => file,
            other => panic!("{other:?}"),
        });
        files.collect()
    }

    #[test]
    fn a_list_of_files_says_that_they_were_read() {
        assert_eq!(files("src/a.py"), ["src/a.py"]);
        assert_eq!(files("`src/a.py`, b.rs"), ["src/a.py", "b.rs"]);
        assert_eq!(files("src/a.py (unit tests for the parser)"), ["src/a.py"]);
    }

    #[test]
    fn whatever_else_stands_there_says_nothing() {
        for text in [
            "",
            "all tests pass",
            "the diff of src/a.py",
            "src/a.py (skimmed)",
            "src/a.py (not opened)",
            "src/a.py (deleted)",
            "src/a.py, and the wiki",
            "src/",
            "src/*.py",
            "12 files",
            "a.py -> b.py",
            "https://example.org/a.py",
        ] {
            assert_eq!(files(text), Vec::<String>::new(), "{text}");
        }
    }
}
