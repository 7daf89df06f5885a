//! Where a settings file really is, and what is there.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::path::{Path, PathBuf};

use super::super::error::SettingsError;

/// As many links as the kernel follows.
const MAX_LINKS: usize = 40;

/// Follows the links of `path` to the file, which need not exist.
pub(super) fn resolve(path: &Path) -> Result<PathBuf, SettingsError> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        // Anything that is not a link, a missing file included, is where the links end.
        let Ok(link) = fs::read_link(&target) else {
            return Ok(target);
        };
        target = folder_of(&target).join(link);
    }
    Err(SettingsError::LinkLoop {
        path: path.to_owned(),
    })
}

/// The folder that `path` is in.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder.as_os_str() != OsStr::new("") => folder,
        _ => Path::new("."),
    }
}

/// What is there instead of a regular file.
pub(super) fn kind(metadata: &Metadata) -> &'static str {
    if metadata.is_dir() {
        "a folder"
    } else {
        "a device, pipe or socket"
    }
}

/// Gives `new` the owner and group of `old`.
#[cfg(unix)]
pub(super) fn keep_owner(old: &Path, new: &File) -> Result<(), SettingsError> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let (Ok(was), Ok(is)) = (fs::metadata(old), new.metadata()) else {
        return Ok(());
    };
    if was.uid() != is.uid() && fchown(new, Some(was.uid()), None).is_err() {
        return Err(SettingsError::ForeignOwner {
            path: old.to_owned(),
        });
    }
    if was.gid() != is.gid() {
        // A group that the person is not in cannot be given; the mode below still keeps others out.
        let _ = fchown(new, None, Some(was.gid()));
    }
    Ok(())
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "Unix has what to refuse")]
pub(super) fn keep_owner(_old: &Path, _new: &File) -> Result<(), SettingsError> {
    Ok(())
}
