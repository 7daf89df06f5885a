//! What a file held at the start, and holds now. Asked only of claimed files that changed.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;

use attest_evidence::{Before, Held};

use super::Comparison;
use crate::beneath::Root;
use crate::odb::{Item, Odb, Oid};
use crate::regular::read_at_most;
use crate::{Fingerprint, RepoPath, Unreadable};

/// What a path was at the start.
enum Was<'p> {
    Missing,
    /// A file that differed from HEAD.
    Own(&'p Fingerprint),
    /// A file of the commit.
    Committed(Item),
    /// A link, a folder, or what is not known.
    Other,
}

impl Was<'_> {
    /// How much it held; `None` if that is not known.
    fn size(&self, odb: &Odb<'_>) -> Option<Before> {
        match self {
            Self::Missing => Some(Before::Missing),
            Self::Own(Fingerprint::Large { size, .. } | Fingerprint::Locked { size, .. }) => {
                Some(Before::Bytes(*size))
            }
            Self::Own(it @ Fingerprint::File { executable, .. }) => {
                let is_empty = **it == Fingerprint::of_content(b"", *executable);
                Some(if is_empty {
                    Before::Bytes(0)
                } else {
                    Before::Some
                })
            }
            Self::Committed(item) => {
                let (_, size) = odb.find(item.oid).ok()??;
                Some(Before::Bytes(size))
            }
            Self::Own(_) | Self::Other => None,
        }
    }
}

/// Trees of one commit that were read: files of one folder have most of their trees in common.
#[derive(Default)]
struct Trees {
    top: Option<Oid>,
    read: HashMap<Oid, Vec<Item>>,
}

impl Trees {
    /// What is at `path` in a commit, which is always the same.
    fn at(&mut self, odb: &Odb<'_>, commit: Oid, path: &[u8]) -> Result<Option<Item>, Unreadable> {
        let mut here = match self.top {
            Some(top) => top,
            None => *self.top.insert(odb.commit(commit)?.tree),
        };
        let mut parts = path.split(|byte| *byte == b'/').peekable();
        while let Some(part) = parts.next() {
            let items = match self.read.entry(here) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(odb.tree(here)?),
            };
            match items.iter().find(|item| item.name == part) {
                Some(item) if parts.peek().is_none() => return Ok(Some(item.clone())),
                Some(item) if item.is_tree() => here = item.oid,
                _ => return Ok(None),
            }
        }
        Ok(None)
    }
}

impl Comparison<'_> {
    /// How much each held; `None` if that is not known.
    pub(super) fn sizes_before(&self, paths: &[&RepoPath]) -> Vec<Option<Before>> {
        let odb = self.repository.odb(&self.limits);
        let mut trees = Trees::default();
        let sizes = paths.iter().map(|path| {
            let was = self.was(path, &odb, &mut trees).ok()?;
            was.size(&odb)
        });
        sizes.collect()
    }

    /// The size that the index has of a file which was as in HEAD at the start, if it was noted before that; 0 if it has
    /// none of that name. An entry that git could not trust has no size.
    #[cfg(unix)]
    pub(super) fn size_in_index(&self, path: &RepoPath) -> Option<u64> {
        if self.start.files.contains_key(path) {
            return None;
        }
        let Some(entry) = self.basis.as_ref()?.index.find(path.as_bytes()) else {
            return Some(0);
        };
        let recorded = entry.recorded();
        let began = self.start.taken_at.wall_ns / 1_000_000_000;
        let is_older = i64::from(recorded.mtime.0) < began && i64::from(recorded.ctime.0) < began;
        (is_older && recorded.size > 0).then(|| recorded.size.into())
    }

    #[cfg(not(unix))]
    #[expect(clippy::unused_self, reason = "it is asked on each system")]
    pub(super) fn size_in_index(&self, _path: &RepoPath) -> Option<u64> {
        None
    }

    /// The bytes at the start; `None` if they are not known, or too many.
    pub(super) fn read_before(
        &self,
        path: &RepoPath,
        most: u64,
    ) -> Result<Option<Vec<u8>>, Unreadable> {
        let odb = self.repository.odb(&self.limits);
        match self.was(path, &odb, &mut Trees::default())? {
            Was::Missing => Ok(Some(Vec::new())),
            Was::Committed(item) => odb.blob(item.oid, most),
            Was::Own(_) | Was::Other => Ok(None),
        }
    }

    fn was(
        &self,
        path: &RepoPath,
        odb: &Odb<'_>,
        trees: &mut Trees,
    ) -> Result<Was<'_>, Unreadable> {
        match self.start.files.get(path).map(|state| &state.fingerprint) {
            Some(Fingerprint::Deleted) => return Ok(Was::Missing),
            Some(print) => return Ok(Was::Own(print)),
            None => {}
        }
        let Some(head) = &self.start.head.oid else {
            return Ok(Was::Missing);
        };
        // Starting git for this would cost an honest stop too much.
        let Some(commit) = Oid::from_hex(head.as_bytes()).filter(|_| odb.is_quick()) else {
            return Ok(Was::Other);
        };
        let found = trees.at(odb, commit, path.as_bytes())?;
        Ok(match found {
            None => Was::Missing,
            Some(item) if item.is_file() => Was::Committed(item),
            Some(_) => Was::Other,
        })
    }

    /// What each holds. The work tree is opened once for all, and each file once.
    pub(super) fn holds(
        &self,
        paths: &[&RepoPath],
        most: u64,
    ) -> Result<Vec<Option<Held>>, Unreadable> {
        let root = Root::open(&self.start.root);
        let root = root.map_err(|error| Unreadable::io(&self.start.root, error))?;
        let held = paths.iter().map(|path| held(&root, path, most).ok()?);
        Ok(held.collect())
    }
}

fn held(root: &Root, path: &RepoPath, most: u64) -> io::Result<Option<Held>> {
    let Some(file) = root.file(path)? else {
        return Ok(None);
    };
    let metadata = file.metadata()?;
    let size = metadata.len();
    if !metadata.is_file() {
        return Ok(None);
    }
    let bytes = if size <= most {
        Some(read_at_most(file, &metadata, most)?)
    } else {
        None
    };
    Ok(Some(Held { size, bytes }))
}
