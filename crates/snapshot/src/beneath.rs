//! Opening what lies below a folder, and never anything else: no part of the path may be a link.
//!
//! Otherwise a folder that is exchanged for a link while a work tree is read would lead out of the
//! tree.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::RepoPath;
use crate::identity::Identity;

/// What kind of thing is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    File,
    Link,
    Folder,
    Special,
}

/// An open folder.
pub(crate) struct Root(imp::Folder);

impl Root {
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        imp::Folder::open(folder).map(Self)
    }

    /// Looks at a path. `None` if nothing is there, or if it is only reachable through a link.
    pub(crate) fn look(
        &self,
        path: &RepoPath,
    ) -> io::Result<Option<(EntryKind, Option<Identity>)>> {
        self.0.look(path)
    }

    /// The target of a link. `None` if there is no link.
    pub(crate) fn target(&self, path: &RepoPath) -> io::Result<Option<Vec<u8>>> {
        self.0.target(path)
    }

    /// Opens what was a regular file a moment ago, without waiting. `None` if nothing is there, if
    /// it is a link, or if it is only reachable through one. The caller has to check again what was
    /// opened.
    pub(crate) fn file(&self, path: &RepoPath) -> io::Result<Option<File>> {
        self.0.file(path)
    }
}

#[cfg(unix)]
pub(crate) use imp::{open, target};

#[cfg(unix)]
mod imp {
    use std::fs::File;
    use std::io;
    use std::os::fd::OwnedFd;
    use std::path::Path;

    use rustix::fs::{FileType, Mode, OFlags};
    use rustix::io::Errno;

    use super::EntryKind;
    use crate::RepoPath;
    use crate::identity::Identity;
    use crate::nothing::{WITHOUT_WAITING, is_nothing};

    /// For asking what a name stands for, and for the target of a link.
    #[cfg(target_os = "linux")]
    const TO_LOOK: OFlags = OFlags::PATH;
    /// How many times a path that is being renamed is tried.
    #[cfg(target_os = "linux")]
    const ATTEMPTS: usize = 8;

    pub(super) struct Folder(OwnedFd);

    impl Folder {
        pub(super) fn open(folder: &Path) -> io::Result<Self> {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            Ok(Self(rustix::fs::open(folder, flags, Mode::empty())?))
        }

        pub(super) fn look(
            &self,
            path: &RepoPath,
        ) -> io::Result<Option<(EntryKind, Option<Identity>)>> {
            // The answer is only compared with other answers: the path to it is checked when it is
            // opened.
            let flags = rustix::fs::AtFlags::SYMLINK_NOFOLLOW;
            let found = rustix::fs::statat(&self.0, path.as_bytes(), flags);
            let Some(stat) = there(found)? else {
                return Ok(None);
            };
            let identity = Identity::from(&stat);
            let kind = match identity.kind() {
                FileType::RegularFile => EntryKind::File,
                FileType::Symlink => EntryKind::Link,
                FileType::Directory => EntryKind::Folder,
                _ => EntryKind::Special,
            };
            Ok(Some((kind, Some(identity))))
        }

        pub(super) fn target(&self, path: &RepoPath) -> io::Result<Option<Vec<u8>>> {
            Ok(there(target(&self.0, path.as_bytes()))?.flatten())
        }

        pub(super) fn file(&self, path: &RepoPath) -> io::Result<Option<File>> {
            let file = open(&self.0, path.as_bytes(), OFlags::RDONLY | WITHOUT_WAITING);
            Ok(there(file)?.map(File::from))
        }
    }

    fn there<T>(found: Result<T, Errno>) -> io::Result<Option<T>> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(error) if is_nothing(&error.into()) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens `path` below `folder`. If the path is a link, or leads through one, the error is
    /// `LOOP` or `NOTDIR`.
    pub(crate) fn open(folder: &OwnedFd, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let path = if path.is_empty() { &b"."[..] } else { path };
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::ResolveFlags;
            let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
            for _ in 0..ATTEMPTS {
                match rustix::fs::openat2(folder, path, flags, Mode::empty(), resolve) {
                    Err(Errno::AGAIN | Errno::INTR) => {}
                    // An old kernel, or a sandbox that refuses calls it does not know.
                    Err(Errno::NOSYS | Errno::PERM | Errno::INVAL) => break,
                    found => return found,
                }
            }
        }
        part_by_part(folder, path, flags)
    }

    /// The same for systems without that call.
    fn part_by_part(folder: &OwnedFd, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
        const ON_THE_WAY: OFlags = OFlags::RDONLY
            .union(OFlags::DIRECTORY)
            .union(OFlags::NOFOLLOW)
            .union(OFlags::CLOEXEC);
        let mut here: Option<OwnedFd> = None;
        let mut rest = path;
        while let Some(end) = rest.iter().position(|byte| *byte == b'/') {
            let from = here.as_ref().unwrap_or(folder);
            here = Some(rustix::fs::openat(
                from,
                &rest[..end],
                ON_THE_WAY,
                Mode::empty(),
            )?);
            rest = &rest[end + 1..];
        }
        let from = here.as_ref().unwrap_or(folder);
        rustix::fs::openat(from, rest, flags, Mode::empty())
    }

    /// The target of the link at `path` below `folder`. `None` if it is not a link.
    pub(crate) fn target(folder: &OwnedFd, path: &[u8]) -> Result<Option<Vec<u8>>, Errno> {
        #[cfg(target_os = "linux")]
        let found = {
            let link = open(folder, path, TO_LOOK)?;
            rustix::fs::readlinkat(link, "", Vec::new())
        };
        #[cfg(not(target_os = "linux"))]
        let found = {
            let slash = path.iter().rposition(|byte| *byte == b'/');
            let above = open(folder, &path[..slash.unwrap_or(0)], OFlags::RDONLY)?;
            let name = &path[slash.map_or(0, |slash| slash + 1)..];
            rustix::fs::readlinkat(above, name, Vec::new())
        };
        match found {
            Ok(target) => Ok(Some(target.into_bytes())),
            // It is not a link: some systems also report its empty name as missing.
            Err(Errno::INVAL | Errno::NOENT) => Ok(None),
            Err(error) => Err(error),
        }
    }

    #[cfg(test)]
    mod tests {
        use std::os::unix::fs::symlink;

        use tempfile::TempDir;

        use super::*;

        #[test]
        fn no_part_of_the_way_is_a_link() {
            let base = TempDir::new().unwrap();
            let root = base.path().join("root");
            std::fs::create_dir_all(root.join("in/deep")).unwrap();
            std::fs::create_dir(base.path().join("out")).unwrap();
            std::fs::write(root.join("in/deep/file"), "in").unwrap();
            std::fs::write(base.path().join("out/file"), "out").unwrap();
            symlink("../out", root.join("link")).unwrap();
            symlink("deep/file", root.join("in/to-file")).unwrap();
            symlink("in", root.join("to-in")).unwrap();
            let flags = OFlags::RDONLY | OFlags::DIRECTORY;
            let folder = rustix::fs::open(&root, flags, Mode::empty()).unwrap();
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            for open in [
                |folder: &OwnedFd, path: &[u8], flags| open(folder, path, flags),
                part_by_part,
            ] {
                for path in ["in/deep/file", "in/deep", "in"] {
                    assert!(open(&folder, path.as_bytes(), flags).is_ok(), "{path}");
                }
                for path in [
                    "link/file",
                    "link",
                    "to-in/deep/file",
                    "in/to-file",
                    "in/gone",
                ] {
                    let error = open(&folder, path.as_bytes(), flags).unwrap_err();
                    assert!(is_nothing(&error.into()), "{path}: {error}");
                }
            }
            let target = |path: &str| target(&folder, path.as_bytes());
            assert_eq!(target("in/to-file"), Ok(Some(b"deep/file".to_vec())));
            assert_eq!(target("in/deep/file"), Ok(None));
            assert!(target("to-in/to-file").is_err());
        }
    }
}

/// Here the path is not checked: making links needs rights that few people have.
#[cfg(not(unix))]
mod imp {
    use std::fs::{self, File};
    use std::io;
    use std::path::{Path, PathBuf};

    use super::EntryKind;
    use crate::RepoPath;
    use crate::identity::Identity;
    use crate::nothing::is_missing;
    use crate::os_path::as_opened;

    pub(super) struct Folder(PathBuf);

    impl Folder {
        #[expect(clippy::unnecessary_wraps, reason = "other systems open the folder")]
        pub(super) fn open(folder: &Path) -> io::Result<Self> {
            Ok(Self(folder.to_owned()))
        }

        pub(super) fn look(
            &self,
            path: &RepoPath,
        ) -> io::Result<Option<(EntryKind, Option<Identity>)>> {
            let Some(metadata) = there(self.place(path).and_then(fs::symlink_metadata))? else {
                return Ok(None);
            };
            let kind = metadata.file_type();
            let kind = match () {
                () if kind.is_symlink() => EntryKind::Link,
                () if kind.is_dir() => EntryKind::Folder,
                () if kind.is_file() => EntryKind::File,
                () => EntryKind::Special,
            };
            Ok(Some((kind, Identity::of(&metadata))))
        }

        pub(super) fn target(&self, path: &RepoPath) -> io::Result<Option<Vec<u8>>> {
            let target = there(self.place(path).and_then(fs::read_link))?;
            Ok(target.map(|target| crate::path_bytes(&target).into_owned()))
        }

        pub(super) fn file(&self, path: &RepoPath) -> io::Result<Option<File>> {
            there(self.place(path).and_then(File::open))
        }

        fn place(&self, path: &RepoPath) -> io::Result<PathBuf> {
            match path.under(&self.0) {
                Some(place) => Ok(as_opened(&place).into_owned()),
                // git writes such bytes in another way, and signs that no name has not at all.
                None if std::str::from_utf8(path.as_bytes()).is_err() => {
                    Err(io::Error::other("a name that this system cannot have"))
                }
                None => Err(io::ErrorKind::NotFound.into()),
            }
        }
    }

    fn there<T>(found: io::Result<T>) -> io::Result<Option<T>> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
