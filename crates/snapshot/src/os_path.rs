//! Paths of this system, from the bytes that git stores.

use std::path::PathBuf;

use crate::Unreadable;

#[cfg(unix)]
#[expect(
    clippy::unnecessary_wraps,
    reason = "other systems cannot name every byte string"
)]
pub(crate) fn path_of(bytes: &[u8]) -> Result<PathBuf, Unreadable> {
    use std::os::unix::ffi::OsStrExt;
    Ok(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
pub(crate) fn path_of(bytes: &[u8]) -> Result<PathBuf, Unreadable> {
    std::str::from_utf8(bytes)
        .map(PathBuf::from)
        .map_err(|_| Unreadable::StrangePath(crate::escaped(bytes)))
}
