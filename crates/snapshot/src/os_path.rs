//! Paths of this system, from the bytes that git stores.

use std::io;
use std::path::{Path, PathBuf};

use crate::Unreadable;

pub(crate) fn path_of(bytes: &[u8]) -> Result<PathBuf, Unreadable> {
    attest_evidence::exact_path_of_bytes(bytes)
        .ok_or_else(|| Unreadable::StrangePath(crate::escaped(bytes)))
}

/// The path without links. On Windows it has no `\\?\` in front unless it needs one: git and most
/// other programs do not understand that form.
pub fn canonical(path: &Path) -> io::Result<PathBuf> {
    dunce::canonicalize(path)
}
