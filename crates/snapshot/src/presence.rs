//! Whether anything is at a path, also under another spelling of its name.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::RepoPath;
use crate::fingerprint::is_missing;
use crate::path::fold;

/// Folders that one search enters before it gives up.
const MOST_FOLDERS: usize = 64;

/// The answer of [`find`].
#[derive(Debug)]
pub(crate) enum Presence {
    /// Something is there: where, and its metadata (of a link itself).
    Here(PathBuf, Metadata),
    /// Nothing is.
    Missing,
    /// A folder on the way could not be looked into.
    Unknown,
}

/// Looks for `path` below `root`: first as it is spelt, then in any case and Unicode form.
pub(crate) fn find(root: &Path, path: &RepoPath) -> Presence {
    let Some(place) = path.under(root) else {
        return Presence::Unknown;
    };
    match at(&place) {
        Presence::Missing => find_folded(root, path).unwrap_or(Presence::Unknown),
        found => found,
    }
}

/// Looks at exactly this place.
pub(crate) fn at(place: &Path) -> Presence {
    match fs::symlink_metadata(place) {
        Ok(metadata) => Presence::Here(place.to_owned(), metadata),
        Err(error) if is_missing(&error) => Presence::Missing,
        Err(_) => Presence::Unknown,
    }
}

fn find_folded(root: &Path, path: &RepoPath) -> io::Result<Presence> {
    let Some(folded) = path.folded() else {
        return Ok(Presence::Missing);
    };
    let mut places = vec![root.to_owned()];
    for part in folded.split('/') {
        let mut next = Vec::new();
        for folder in &places {
            next.extend(children_named(folder, part)?);
        }
        if next.len() > MOST_FOLDERS {
            return Err(io::Error::other("too many names that differ in case only"));
        }
        places = next;
    }
    Ok(match places.into_iter().next() {
        Some(place) => at(&place),
        None => Presence::Missing,
    })
}

fn children_named(folder: &Path, wanted: &str) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if is_missing(&error) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry
            .file_name()
            .to_str()
            .is_some_and(|name| fold(name) == wanted)
        {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// Something on the way from `root` to `path` because of which its absence proves nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// A folder above it is a symbolic link.
    Link,
    /// A folder above it is a repository of its own.
    Repository,
    /// A folder above it cannot be looked into.
    Unreadable,
}

pub(crate) fn obstacle(root: &Path, path: &RepoPath) -> Option<Obstacle> {
    path.ancestors().find_map(|folder| {
        let place = folder.under(root)?;
        match at(&place) {
            Presence::Here(_, metadata) if metadata.is_symlink() => Some(Obstacle::Link),
            Presence::Unknown => Some(Obstacle::Unreadable),
            Presence::Here(..) | Presence::Missing => match at(&place.join(".git")) {
                Presence::Missing => None,
                Presence::Here(..) => Some(Obstacle::Repository),
                Presence::Unknown => Some(Obstacle::Unreadable),
            },
        }
    })
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn path(text: &str) -> RepoPath {
        RepoPath::from_git(text.as_bytes()).unwrap()
    }

    fn is_here(presence: &Presence) -> bool {
        matches!(presence, Presence::Here(..))
    }

    #[test]
    fn other_spellings_are_found() {
        let root = TempDir::new().unwrap();
        fs::create_dir(root.path().join("Src")).unwrap();
        fs::write(root.path().join("Src/Cafe\u{301}.py"), "").unwrap();
        assert!(is_here(&find(root.path(), &path("src/caf\u{e9}.py"))));
        assert!(matches!(
            find(root.path(), &path("src/other.py")),
            Presence::Missing
        ));
    }

    #[cfg(unix)]
    #[test]
    fn dangling_link_is_there() {
        let root = TempDir::new().unwrap();
        std::os::unix::fs::symlink("/nowhere", root.path().join("link")).unwrap();
        assert!(is_here(&find(root.path(), &path("link"))));
        assert_eq!(obstacle(root.path(), &path("link/x")), Some(Obstacle::Link));
    }

    #[test]
    fn nested_repository_is_an_obstacle() {
        let root = TempDir::new().unwrap();
        fs::create_dir_all(root.path().join("lib/.git")).unwrap();
        assert_eq!(
            obstacle(root.path(), &path("lib/x/y")),
            Some(Obstacle::Repository)
        );
        assert_eq!(obstacle(root.path(), &path("other/x")), None);
    }
}
