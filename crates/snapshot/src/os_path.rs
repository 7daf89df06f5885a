//! Paths of this system, from the bytes that git stores.

use std::borrow::Cow;
use std::io;
use std::path::{Component, Path, PathBuf, Prefix};

use crate::Unreadable;

pub(crate) fn path_of(bytes: &[u8]) -> Result<PathBuf, Unreadable> {
    attest_evidence::exact_path_of_bytes(bytes)
        .ok_or_else(|| Unreadable::StrangePath(crate::escaped(bytes)))
}

/// The path without links. On Windows it has no `\\?\` in front unless it needs one: git and most
/// other programs do not understand that form.
pub fn canonical(path: &Path) -> io::Result<PathBuf> {
    dunce::canonicalize(path)
}

/// The path as it is given to the system to be opened. On Windows a whole path gets `\\?\` in front, so that it may be
/// longer than 260 characters, and a file may have the name of a device or end in a dot.
pub(crate) fn as_opened(path: &Path) -> Cow<'_, Path> {
    let mut parts = path.components();
    let Some(Component::Prefix(prefix)) = parts.next() else {
        return Cow::Borrowed(path);
    };
    let start = match prefix.kind() {
        Prefix::Disk(letter) => PathBuf::from(format!(r"\\?\{}:\", char::from(letter))),
        Prefix::UNC(server, share) => {
            let mut start = PathBuf::from(r"\\?\UNC");
            start.push(server);
            start.push(share);
            start
        }
        _ => return Cow::Borrowed(path),
    };
    // A path on a drive may also be relative to the folder that is open there, and dots are names behind that mark.
    if !path.has_root() || parts.clone().any(|part| part == Component::ParentDir) {
        return Cow::Borrowed(path);
    }
    let names = parts.filter(|part| matches!(part, Component::Normal(_)));
    Cow::Owned(names.fold(start, |path, name| path.join(name)))
}

/// The same without that mark: as it is compared, and shown.
pub(crate) fn as_named(path: &Path) -> Cow<'_, Path> {
    let mut parts = path.components();
    let Some(Component::Prefix(prefix)) = parts.next() else {
        return Cow::Borrowed(path);
    };
    let start = match prefix.kind() {
        Prefix::VerbatimDisk(letter) => PathBuf::from(format!(r"{}:\", char::from(letter))),
        Prefix::VerbatimUNC(server, share) => {
            let (server, share) = (server.display(), share.display());
            PathBuf::from(format!(r"\\{server}\{share}\"))
        }
        _ => return Cow::Borrowed(path),
    };
    let names = parts.filter(|part| *part != Component::RootDir);
    Cow::Owned(names.fold(start, |path, name| path.join(name)))
}

/// The server and the share that a path is on.
pub(crate) fn share_of(path: &Path) -> Option<(String, String)> {
    match path.components().next()? {
        Component::Prefix(prefix) => match prefix.kind() {
            Prefix::UNC(server, share) | Prefix::VerbatimUNC(server, share) => Some((
                server.to_string_lossy().into_owned(),
                share.to_string_lossy().into_owned(),
            )),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(all(test, windows))]
mod tests {
    use super::*;

    #[test]
    fn what_is_opened_is_what_is_named() {
        for (named, opened) in [
            (r"C:\p\nul", r"\\?\C:\p\nul"),
            ("C:/p/a.py.", r"\\?\C:\p\a.py."),
            (r"\\server\share\p\a.py", r"\\?\UNC\server\share\p\a.py"),
        ] {
            let path = as_opened(Path::new(named));
            assert_eq!(path.as_os_str(), opened);
            assert_eq!(*as_named(&path), *Path::new(named));
        }
        for path in [r"C:a.py", r"C:\p\..\a.py", "a.py", r"\\.\pipe\a"] {
            assert_eq!(*as_opened(Path::new(path)), *Path::new(path));
        }
    }
}
