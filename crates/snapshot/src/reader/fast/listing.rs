//! Folders of the work tree, and the names in them.

use std::os::fd::OwnedFd;

use rustix::fs::{FileType, OFlags};
use rustix::io::Errno;

/// To ask for what has a name in a folder, Linux need not open it in full.
#[cfg(target_os = "linux")]
const TO_ASK: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const TO_ASK: OFlags = OFlags::RDONLY;

/// Opens a folder below `root`, to list it. `None` where there is no folder of that name: nothing,
/// a file, or a link, which is not followed, on the way either.
pub(super) fn open(root: &OwnedFd, path: &[u8]) -> Result<Option<OwnedFd>, Errno> {
    open_for(OFlags::RDONLY, root, path)
}

/// The same, to ask for what has a name in it and not to list it.
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

/// Calls `take` with each name but `.` and `..`, and with what it is where the system says so.
#[cfg(target_os = "linux")]
pub(super) fn each(
    folder: &OwnedFd,
    buffer: &mut Vec<u8>,
    mut take: impl FnMut(&[u8], FileType),
) -> Result<(), Errno> {
    // One call for all but the largest folders.
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

/// The same where the system's own call is not at hand.
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
