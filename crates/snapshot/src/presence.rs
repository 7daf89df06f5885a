//! Whether anything exists at a path, also under another spelling of its name.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::bounds::{self, Count};
use crate::nothing::is_missing;
use crate::os_path::as_opened;
use crate::{Doubt, Limits, RepoPath};
use attest_evidence::fold;

/// The answer of [`Listings::find`].
#[derive(Debug)]
pub(crate) enum Presence {
    /// Something is there: the place, and its metadata (of a link itself).
    Here(PathBuf, Metadata),
    /// Nothing is there.
    Missing,
    /// A folder on the way could not be searched, and why.
    Unknown(Doubt),
}

/// The names in the folders that were asked for, each listed once.
#[derive(Debug)]
pub(crate) struct Listings {
    limits: Limits,
    known: RefCell<HashMap<PathBuf, Listing>>,
}

/// The content of a folder, by the folded form of its names.
#[derive(Debug, Clone)]
enum Listing {
    Names(Rc<HashMap<String, Vec<OsString>>>),
    NoFolder,
    Unreadable(Doubt),
}

impl Listings {
    pub(crate) fn within(limits: &Limits) -> Self {
        Self {
            limits: limits.clone(),
            known: RefCell::default(),
        }
    }

    /// Looks for `path` below `root`: first exactly as written, then in any case and Unicode form.
    pub(crate) fn find(&self, root: &Path, path: &RepoPath) -> Presence {
        let Some(place) = path.under(root) else {
            return Presence::Unknown(Doubt::NoPlace);
        };
        if let Err(why) = self.limits.may_look_below(root, path) {
            return Presence::Unknown(why);
        }
        match at(&place) {
            Presence::Missing => self.find_folded(root, path),
            found => found,
        }
    }

    /// Looks for `path` below `root` by listings alone, in any case and Unicode form: for many
    /// folders that most likely do not contain it.
    pub(crate) fn find_folded(&self, root: &Path, path: &RepoPath) -> Presence {
        let Some(folded) = path.folded() else {
            return Presence::Missing;
        };
        let mut places = vec![root.to_owned()];
        for part in folded.split('/') {
            let mut next = Vec::new();
            for folder in &places {
                match self.of(folder) {
                    Listing::Names(names) => {
                        let spellings = names.get(part).into_iter().flatten();
                        next.extend(spellings.map(|name| folder.join(name)));
                    }
                    Listing::NoFolder => {}
                    Listing::Unreadable(why) => return Presence::Unknown(why),
                }
            }
            let next = bounds::first(next, bounds::SPELLINGS);
            match next.complete() {
                Ok(next) => places.clone_from(next),
                Err(why) => return Presence::Unknown(why.clone()),
            }
        }
        // The exact spelling, if it is among them.
        let exact = path.under(root).filter(|place| places.contains(place));
        match exact.or_else(|| places.into_iter().next()) {
            Some(place) => at(&place),
            None => Presence::Missing,
        }
    }

    fn of(&self, folder: &Path) -> Listing {
        let known = self.known.borrow().get(folder).cloned();
        known.unwrap_or_else(|| {
            let listing = match self.limits.may_open(folder) {
                Ok(()) => list(folder),
                Err(why) => Listing::Unreadable(why),
            };
            self.known
                .borrow_mut()
                .insert(folder.to_owned(), listing.clone());
            listing
        })
    }
}

fn list(folder: &Path) -> Listing {
    let entries = match fs::read_dir(as_opened(folder)) {
        Ok(entries) => entries,
        Err(error) if is_missing(&error) => return Listing::NoFolder,
        Err(_) => return Listing::Unreadable(Doubt::UnreadableFolder),
    };
    let mut names: HashMap<String, Vec<OsString>> = HashMap::new();
    let mut count = Count::of(bounds::LISTED);
    for entry in entries {
        if let Err(why) = count.add(1) {
            return Listing::Unreadable(why.into());
        }
        let Ok(entry) = entry else {
            return Listing::Unreadable(Doubt::UnreadableFolder);
        };
        let name = entry.file_name();
        if let Some(folded) = name.to_str().map(fold) {
            names.entry(folded).or_default().push(name);
        }
    }
    Listing::Names(Rc::new(names))
}

/// Looks at exactly this place.
pub(crate) fn at(place: &Path) -> Presence {
    match fs::symlink_metadata(as_opened(place)) {
        Ok(metadata) => Presence::Here(place.to_owned(), metadata),
        Err(error) if is_missing(&error) => Presence::Missing,
        Err(_) => Presence::Unknown(Doubt::UnreadableFolder),
    }
}

/// Something on the way from `root` to `path` because of which its absence proves nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// A folder above it is a symbolic link.
    Link,
    /// A folder above it is a repository of its own.
    Repository,
    /// A folder above it cannot be searched.
    Unreadable,
}

pub(crate) fn obstacle(root: &Path, path: &RepoPath) -> Option<Obstacle> {
    path.ancestors().find_map(|folder| {
        let place = folder.under(root)?;
        match at(&place) {
            Presence::Here(_, metadata) if metadata.is_symlink() => Some(Obstacle::Link),
            Presence::Unknown(_) => Some(Obstacle::Unreadable),
            Presence::Here(..) | Presence::Missing => match at(&place.join(".git")) {
                Presence::Missing => None,
                Presence::Here(..) => Some(Obstacle::Repository),
                Presence::Unknown(_) => Some(Obstacle::Unreadable),
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
        let find = |text| Listings::within(&Limits::default()).find(root.path(), &path(text));
        assert!(is_here(&find("src/caf\u{e9}.py")));
        assert!(matches!(find("src/other.py"), Presence::Missing));
    }

    #[cfg(unix)]
    #[test]
    fn dangling_link_is_there() {
        let root = TempDir::new().unwrap();
        std::os::unix::fs::symlink("/nowhere", root.path().join("link")).unwrap();
        assert!(is_here(
            &Listings::within(&Limits::default()).find(root.path(), &path("link"))
        ));
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
