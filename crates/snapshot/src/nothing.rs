//! What the system says of a path at which there is nothing to read, and how to find out without waiting.

use std::io;

/// For opening what may be a FIFO or a terminal.
#[cfg(unix)]
pub(crate) const WITHOUT_WAITING: rustix::fs::OFlags =
    rustix::fs::OFlags::NONBLOCK.union(rustix::fs::OFlags::NOCTTY);

/// Nothing is at the path, or a part of it is not a folder.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Nothing is there, or nothing that could be a regular file.
pub(crate) fn is_nothing(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        let errno = Errno::from_io_error(error);
        // A link where links are not followed, or a FIFO or socket without anything at its other
        // end.
        if matches!(errno, Some(Errno::LOOP | Errno::NXIO)) {
            return true;
        }
    }
    is_missing(error)
}
