//! How much a file held at the start, and holds now. Asked only of claimed files that changed, and of sizes first.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::Read;

use attest_evidence::{Before, Content};

use super::Comparison;
use crate::beneath::Root;
use crate::odb::{Item, Odb, Oid};
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
    /// The sizes of each; `None` if one is not known. The repository and the work tree are opened once for all.
    pub(super) fn sizes(&self, paths: &[&RepoPath]) -> Result<Vec<Option<Content>>, Unreadable> {
        let odb = self.repository.odb(&self.limits)?;
        let (root, mut trees) = (self.root()?, Trees::default());
        let sizes = paths.iter().map(|path| {
            let now = self.size_now(&root, path).ok().flatten()?;
            let was = self.was(path, &odb, &mut trees).ok()?;
            let before = was.size(&odb)?;
            Some(Content { before, now })
        });
        Ok(sizes.collect())
    }

    /// The bytes at the start; `None` if they are not known, or too many.
    pub(super) fn read_before(
        &self,
        path: &RepoPath,
        most: u64,
    ) -> Result<Option<Vec<u8>>, Unreadable> {
        let odb = self.repository.odb(&self.limits)?;
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

    /// The size of the file at a path, if there is one.
    fn size_now(&self, root: &Root, path: &RepoPath) -> Result<Option<u64>, Unreadable> {
        let failed = |error| Unreadable::io(&self.start.root, error);
        let Some(file) = root.file(path).map_err(failed)? else {
            return Ok(None);
        };
        let metadata = file.metadata().map_err(failed)?;
        Ok(metadata.is_file().then_some(metadata.len()))
    }

    /// The bytes as they are; `None` if there is no file, or they are too many.
    pub(super) fn read_now(
        &self,
        path: &RepoPath,
        most: u64,
    ) -> Result<Option<Vec<u8>>, Unreadable> {
        let failed = |error| Unreadable::io(&self.start.root, error);
        let Some(file) = self.root()?.file(path).map_err(failed)? else {
            return Ok(None);
        };
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() || metadata.len() > most {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        file.take(most + 1)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
        Ok((bytes.len() as u64 <= most).then_some(bytes))
    }

    fn root(&self) -> Result<Root, Unreadable> {
        Root::open(&self.start.root).map_err(|error| Unreadable::io(&self.start.root, error))
    }
}
