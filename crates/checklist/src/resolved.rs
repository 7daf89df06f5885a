//! A path without links, to tell whether a file lies below a folder.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The path without links. Only for being compared with another one of these: on Windows each has `\\?\` in
/// front, however long it is.
#[expect(
    clippy::disallowed_methods,
    reason = "no other program sees it, and all paths that are compared have one form"
)]
pub(crate) fn resolved(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path)
}
