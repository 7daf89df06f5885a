//! The state folder and file on disk: made private when made here, refused when open to others.

use std::fs::{self, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::{StoreError, private};

/// Makes sure that `path` is a private regular file in a private folder. Gives its name with the links
/// of the folder resolved, so that SQLite can be told to follow none.
pub(crate) fn prepare(path: &Path) -> Result<PathBuf, StoreError> {
    let folder = folder_of(path)?;
    if !folder.exists() {
        private::make_folder(folder).map_err(|source| at(folder, source))?;
    }
    let metadata = fs::metadata(folder).map_err(|source| at(folder, source))?;
    check_private(folder, &metadata)?;
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => check_private(path, &metadata)?,
        Ok(_) => return Err(StoreError::NotAFile { path: path.into() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            match private::make_file(path, OpenOptions::new().write(true)) {
                // Two first starts at once: the other one made it.
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(at(path, error));
                }
                _ => {}
            }
        }
        Err(source) => return Err(at(path, source)),
    }
    resolved(path)
}

pub(crate) fn resolved(path: &Path) -> Result<PathBuf, StoreError> {
    let folder = folder_of(path)?;
    let name = path
        .file_name()
        .ok_or_else(|| StoreError::NoFileName { path: path.into() })?;
    let folder = attest_snapshot::canonical(folder).map_err(|source| at(folder, source))?;
    Ok(folder.join(name))
}

fn folder_of(path: &Path) -> Result<&Path, StoreError> {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Ok(Path::new(".")),
        Some(parent) if path.file_name().is_some() => Ok(parent),
        _ => Err(StoreError::NoFileName { path: path.into() }),
    }
}

fn at(path: &Path, source: io::Error) -> StoreError {
    StoreError::Prepare {
        path: path.into(),
        source,
    }
}

#[cfg(unix)]
pub(crate) fn check_private(path: &Path, metadata: &Metadata) -> Result<(), StoreError> {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::geteuid().as_raw();
    if metadata.uid() != user {
        return Err(StoreError::ForeignOwner {
            path: path.into(),
            owner: metadata.uid(),
            user,
        });
    }
    let mode = metadata.mode() & 0o7777;
    if mode & 0o022 != 0 {
        return Err(StoreError::OpenToOthers {
            path: path.into(),
            mode,
        });
    }
    Ok(())
}

// A profile folder on Windows is private to its user by its inherited access list.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "Unix has what to refuse")]
pub(crate) fn check_private(_path: &Path, _metadata: &Metadata) -> Result<(), StoreError> {
    Ok(())
}
