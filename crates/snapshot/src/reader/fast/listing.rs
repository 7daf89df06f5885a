//! Folders of the work tree, and the names in them.

use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, FileType, OFlags};
use rustix::io::Errno;

use crate::Unreadable;
use crate::identity::Identity;
use crate::reader::refusal::Refusal;

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

/// Looks at a path below an open folder. `None` if nothing is there.
pub(crate) fn stat(folder: &OwnedFd, path: &[u8]) -> Result<Option<Identity>, Errno> {
    let path = if path.is_empty() { &b"."[..] } else { path };
    match rustix::fs::statat(folder, path, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(Identity::from(&stat))),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The error for a path of the work tree that cannot be examined.
pub(super) fn refused(path: &[u8], error: Errno) -> Refusal {
    Unreadable::io(&crate::path_of_bytes(path), error.into()).into()
}
