//! Opening files whose type the repository decides.
//!
//! A FIFO in place of a file makes a reader wait for ever, and a device has no end. So every file
//! that is read here is opened without waiting, has to be a regular one, and is read up to a bound.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

#[cfg(unix)]
use crate::nothing::WITHOUT_WAITING;
use crate::nothing::{is_missing, is_nothing};
use crate::{TooMuch, Unreadable};

/// The most memory that is reserved before reading, in bytes.
const PREPARED: u64 = 16 * 1024 * 1024;

/// Opens the regular file at `path`, following links; at most `max_bytes` of it are wanted. `None`
/// if nothing or something else is there. A larger file is an error of the kind `FileTooLarge`.
pub(crate) fn open_regular(path: &Path, max_bytes: u64) -> io::Result<Option<(File, Metadata)>> {
    // Merely opening a device may have an effect.
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Ok(None),
        Err(error) if is_nothing(&error) => return Ok(None),
        Err(error) => return Err(error),
    }
    match open_without_waiting(path) {
        Ok(file) => regular(file, max_bytes),
        Err(error) if is_nothing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Fails if what is at `path` is neither nothing nor a regular file of at most `most` bytes.
pub(crate) fn check_file(path: &Path, most: u64) -> Result<(), Unreadable> {
    let why = match std::fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => io::Error::other("not a regular file"),
        Ok(metadata) if metadata.len() > most => io::Error::other(TooMuch {
            most,
            what: "bytes",
        }),
        Ok(_) => return Ok(()),
        Err(error) if is_missing(&error) => return Ok(()),
        Err(error) => error,
    };
    Err(Unreadable::io(path, why))
}

/// The content of the regular file at `path`, under the same conditions.
pub(crate) fn read_regular(path: &Path, max_bytes: u64) -> io::Result<Option<Vec<u8>>> {
    Ok(read_regular_whole(path, max_bytes)?.map(|(bytes, _)| bytes))
}

/// The content of the regular file at `path`, following links, and its metadata. `None` if nothing
/// or something else is there. More than `max_bytes` is an error of the kind `FileTooLarge`.
pub fn read_regular_whole(path: &Path, max_bytes: u64) -> io::Result<Option<(Vec<u8>, Metadata)>> {
    let Some((file, metadata)) = open_regular(path, max_bytes)? else {
        return Ok(None);
    };
    let bytes = read_at_most(file, &metadata, max_bytes)?;
    Ok(Some((bytes, metadata)))
}

/// The content of the regular file at `path` below the open `folder`, under the same conditions. A
/// link is refused, as git refuses one in place of its own files in the work tree.
#[cfg(unix)]
pub(crate) fn read_regular_at(
    folder: &std::os::fd::OwnedFd,
    path: &[u8],
    max_bytes: u64,
) -> io::Result<Option<Vec<u8>>> {
    match open_regular_at(folder, path, max_bytes)? {
        Some((file, metadata)) => read_at_most(file, &metadata, max_bytes).map(Some),
        None => Ok(None),
    }
}

/// The same for a file that was seen to be a regular one a moment ago. Links on the way are not
/// followed.
#[cfg(unix)]
pub(crate) fn open_regular_at(
    folder: &std::os::fd::OwnedFd,
    path: &[u8],
    max_bytes: u64,
) -> io::Result<Option<(File, Metadata)>> {
    let flags = WITHOUT_WAITING | rustix::fs::OFlags::RDONLY;
    match crate::beneath::open(folder, path, flags) {
        Ok(file) => regular(File::from(file), max_bytes),
        Err(error) if is_nothing(&error.into()) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn regular(file: File, max_bytes: u64) -> io::Result<Option<(File, Metadata)>> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Ok(None);
    }
    if metadata.len() > max_bytes {
        return Err(too_large(max_bytes));
    }
    Ok(Some((file, metadata)))
}

/// The content of an open file, with the metadata that it had a moment ago.
pub(crate) fn read_at_most(file: File, metadata: &Metadata, max_bytes: u64) -> io::Result<Vec<u8>> {
    // A file may be sparse, and may grow while it is read.
    let room = metadata.len().min(PREPARED);
    let mut bytes = Vec::with_capacity(usize::try_from(room).unwrap_or(0));
    let read = file.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if read as u64 > max_bytes {
        return Err(too_large(max_bytes));
    }
    Ok(bytes)
}

fn too_large(max_bytes: u64) -> io::Error {
    io::Error::new(
        ErrorKind::FileTooLarge,
        format!("larger than {max_bytes} bytes"),
    )
}

#[cfg(unix)]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = i32::try_from(WITHOUT_WAITING.bits()).map_err(io::Error::other)?;
    File::options().read(true).custom_flags(flags).open(path)
}

#[cfg(not(unix))]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(all(test, unix))]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests start what they need")]

    use std::os::unix::fs::symlink;
    use std::process::Command;
    use std::time::{Duration, Instant};

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn what_is_no_regular_file_is_nothing_and_costs_nothing() {
        let folder = TempDir::new().unwrap();
        let fifo = folder.path().join("fifo");
        assert!(
            Command::new("mkfifo")
                .arg(&fifo)
                .status()
                .unwrap()
                .success()
        );
        symlink("/dev/zero", folder.path().join("endless")).unwrap();
        symlink(&fifo, folder.path().join("to-fifo")).unwrap();
        symlink("loop", folder.path().join("loop")).unwrap();
        std::fs::create_dir(folder.path().join("folder")).unwrap();
        let began = Instant::now();
        for name in [
            "fifo", "endless", "to-fifo", "loop", "folder", "gone", "fifo/x",
        ] {
            let found = read_regular(&folder.path().join(name), 10);
            assert!(found.unwrap().is_none(), "{name}");
        }
        assert!(began.elapsed() < Duration::from_secs(1));
    }

    #[test]
    fn a_link_is_followed() {
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("file"), "text").unwrap();
        let link = folder.path().join("link");
        symlink("file", &link).unwrap();
        assert_eq!(
            read_regular(&link, 4).unwrap().as_deref(),
            Some(&b"text"[..])
        );
    }

    #[test]
    fn a_larger_file_is_refused() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "text").unwrap();
        let error = read_regular(&file, 3).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    }
}
