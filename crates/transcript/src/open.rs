//! Opens a file that must be a regular one, without ever waiting.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

use crate::TranscriptError;

/// Opens the regular file at `path`, or the one that a symbolic link there leads to.
pub(crate) fn regular_file(path: &Path) -> Result<(File, Metadata), TranscriptError> {
    let unreadable = TranscriptError::unreadable(path);
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => TranscriptError::Missing {
            path: path.to_owned(),
        },
        _ => unreadable(source),
    };
    let require_file = |metadata: &Metadata| {
        metadata
            .is_file()
            .then_some(())
            .ok_or_else(|| TranscriptError::NotAFile {
                path: path.to_owned(),
            })
    };
    // Before opening, because merely opening a device can have an effect; and after, because by
    // then the name may stand for something else.
    require_file(&fs::metadata(path).map_err(failed)?)?;
    let file = without_waiting().open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    require_file(&metadata)?;
    Ok((file, metadata))
}

/// Opening a pipe would otherwise wait for a writer. On a regular file the flag does nothing.
#[cfg(unix)]
fn without_waiting() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;

    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let mut options = OpenOptions::new();
    // The bits of these two flags are far below the sign bit of the type that std takes.
    options.read(true).custom_flags(flags.bits().cast_signed());
    options
}

#[cfg(not(unix))]
fn without_waiting() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests start what they need")]

    use super::*;

    #[test]
    fn a_missing_file_and_a_folder_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let missing = regular_file(&folder.path().join("t.jsonl"));
        assert!(matches!(missing, Err(TranscriptError::Missing { .. })));
        let folder = regular_file(folder.path());
        assert!(matches!(folder, Err(TranscriptError::NotAFile { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn pipes_devices_and_loops_are_errors_also_behind_a_link() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let [pipe, link, ring] = ["pipe", "link", "ring"].map(|name| folder.path().join(name));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        symlink(&pipe, &link).unwrap();
        symlink(&ring, &ring).unwrap();
        for path in [pipe.as_path(), &link, Path::new("/dev/zero")] {
            let opened = regular_file(path);
            assert!(matches!(opened, Err(TranscriptError::NotAFile { .. })));
        }
        let ring = regular_file(&ring);
        assert!(matches!(ring, Err(TranscriptError::Unreadable { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn the_open_itself_does_not_wait_for_a_pipe() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        assert!(without_waiting().open(&pipe).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_regular_file_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        fs::write(&file, "{}\n").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(regular_file(&link).is_ok());
    }
}
