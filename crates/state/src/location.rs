//! The state folder and file on disk: made private when made here, refused when open to others.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _};
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
        Ok(metadata) if metadata.is_file() => {
            check_private(path, &metadata)?;
            if metadata.len() == 0 {
                check_name(path)?;
            }
            check_beside(path, metadata.len() == 0)?;
        }
        Ok(_) => return Err(StoreError::NotAFile { path: path.into() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            check_name(path)?;
            check_beside(path, true)?;
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

/// Refuses a name for a new state file that a file of another kind may have.
fn check_name(path: &Path) -> Result<(), StoreError> {
    let is_database = path.extension().is_some_and(|end| end == "db");
    let mut folders = path.parent().into_iter().flat_map(Path::components);
    if is_database || folders.any(|name| name.as_os_str() == FOLDER) {
        return Ok(());
    }
    Err(StoreError::NotNamedDatabase { path: path.into() })
}

/// The folder that holds nothing but files of attest.
const FOLDER: &str = ".attest";

/// What SQLite has beside a database: the ends of the names, and what each begins with if it is not empty.
const BESIDE: [(&str, &[&[u8]]); 3] = [
    ("-wal", &[b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83"]),
    (
        "-shm",
        &[b"\x18\xe2\x2d\x00", b"\x00\x2d\xe2\x18", b"\0\0\0\0"],
    ),
    ("-journal", &[b"\xd9\xd5\x05\xf9", b"\0\0\0\0"]),
];

/// Refuses links and other files in the places that SQLite writes to and removes. Beside a database that has
/// nothing in it yet it would remove whatever has these names.
pub(crate) fn check_beside(path: &Path, is_new: bool) -> Result<(), StoreError> {
    for (end, heads) in BESIDE {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        let beside = PathBuf::from(name);
        let Ok(metadata) = fs::symlink_metadata(&beside) else {
            continue;
        };
        if !metadata.is_file() {
            return Err(StoreError::NotAFile { path: beside });
        }
        if is_new && metadata.len() > 0 {
            let mut head = Vec::new();
            let read = File::open(&beside).and_then(|it| it.take(4).read_to_end(&mut head));
            read.map_err(|source| at(&beside, source))?;
            if !heads.contains(&head.as_slice()) {
                return Err(StoreError::NotADatabase { path: beside });
            }
        }
    }
    Ok(())
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
