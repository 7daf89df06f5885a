//! Folders of the work tree, and the names in them.

use std::os::fd::OwnedFd;

use rustix::fs::{FileType, OFlags};
use rustix::io::Errno;

/// On Linux, a folder need not be opened for reading to look up a name in it.
#[cfg(target_os = "linux")]
const TO_ASK: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const TO_ASK: OFlags = OFlags::RDONLY;

/// Opens a folder below `root` to list it. `None` if there is no such folder: nothing is there, or
/// a file, or a link. Links are not followed, not even on the way.
pub(super) fn open(root: &OwnedFd, path: &[u8]) -> Result<Option<OwnedFd>, Errno> {
    open_for(OFlags::RDONLY, root, path)
}

/// The same, to look up names in it without listing it.
pub(super) fn open_to_ask(root: &OwnedFd, path: &[u8]) -> Result<Option<OwnedFd>, Errno> {
    open_for(TO_ASK, root, path)
}

fn open_for(access: OFlags, root: &OwnedFd, path: &[u8]) -> Result<Option<OwnedFd>, Errno> {
    match crate::beneath::open(root, path, access | OFlags::DIRECTORY) {
        Ok(folder) => Ok(Some(folder)),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Calls `take` with each name except `.` and `..`, and with its type if the system reports it.
#[cfg(target_os = "linux")]
pub(super) fn each(
    folder: &OwnedFd,
    buffer: &mut Vec<u8>,
    mut take: impl FnMut(&[u8], FileType),
) -> Result<(), Errno> {
    // One call is enough for all but the largest folders.
    buffer.reserve(32 * 1024);
    let mut names = rustix::fs::RawDir::new(folder, buffer.spare_capacity_mut());
    while let Some(entry) = names.next() {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            take(name, entry.file_type());
        }
    }
    Ok(())
}

/// The same on systems without that call.
#[cfg(not(target_os = "linux"))]
pub(super) fn each(
    folder: &OwnedFd,
    _buffer: &mut Vec<u8>,
    mut take: impl FnMut(&[u8], FileType),
) -> Result<(), Errno> {
    let mut names = rustix::fs::Dir::read_from(folder)?;
    while let Some(entry) = names.read() {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            take(name, entry.file_type());
        }
    }
    Ok(())
}
