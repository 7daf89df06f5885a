//! Paths as they are kept in the state file: without the end of a line.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use attest_evidence::{of_one_line, one_line};
use rusqlite::Row;

/// The bytes that are kept of a path.
pub(crate) fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
    match attest_evidence::path_bytes(path) {
        Cow::Borrowed(bytes) => one_line(bytes),
        Cow::Owned(bytes) => Cow::Owned(one_line(&bytes).into_owned()),
    }
}

/// The path in a column, if there is one.
pub(crate) fn path_in(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<PathBuf>> {
    let bytes: Option<Vec<u8>> = row.get(column)?;
    Ok(bytes.map(|bytes| path_of_bytes(&bytes)))
}

/// The path of which these bytes are kept, also by a version that kept them as they are.
pub(crate) fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    let kept = of_one_line(bytes).unwrap_or(Cow::Borrowed(bytes));
    attest_evidence::path_of_bytes(&kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_kept_on_one_line_and_read_back() {
        let path = Path::new("/a\nssh-rsa AAAA\r\u{1b}/b");
        let kept = path_bytes(path);
        assert!(!kept.contains(&b'\n') && !kept.contains(&b'\r'));
        assert_eq!(path_of_bytes(&kept), path);
        assert_eq!(
            path_of_bytes(b"/a\nb"),
            Path::new("/a\nb"),
            "kept by an earlier version"
        );
        assert_eq!(&*path_bytes(Path::new("/a/b.py")), b"/a/b.py");
    }
}
