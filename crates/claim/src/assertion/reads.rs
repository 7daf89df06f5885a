//! Files that were read: "Files reviewed: src/a.py, src/b.py".

use super::Says;
use crate::item::{self, ItemPlace};
use crate::{Entry, Operation, Sense};

/// The files of a line that names nothing else. Words beside a file may say how it was read, or that it was not.
pub(super) fn read(text: &str) -> Option<Vec<Says>> {
    let is_read = |entry: &&Entry| {
        let remark = entry.remark.as_ref();
        entry.operation == Operation::Changed
            && remark.is_none_or(|remark| remark.sense == Sense::Description)
    };
    let says = |entry: &Entry| {
        let file = Some(entry).filter(is_read)?.file()?.to_owned();
        Some(Says::Read { file })
    };
    let entries = item::read(text, Operation::Changed, ItemPlace::Item);
    entries.iter().map(says).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(text: &str) -> Vec<String> {
        let says = read(text).into_iter().flatten();
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
