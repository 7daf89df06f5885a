//! How much a file held at the start, and holds now. Asked only of claimed files that changed, and of sizes first.

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

impl Comparison<'_> {
    /// The sizes; `None` if one is not known.
    pub(super) fn sizes(&self, path: &RepoPath) -> Result<Option<Content>, Unreadable> {
        let Some(now) = self.size_now(path)? else {
            return Ok(None);
        };
        let odb = self.repository.odb(&self.limits)?;
        let before = match self.was(path, &odb)? {
            Was::Missing => Before::Missing,
            Was::Own(Fingerprint::Large { size, .. } | Fingerprint::Locked { size, .. }) => {
                Before::Bytes(*size)
            }
            Was::Own(it @ Fingerprint::File { executable, .. }) => {
                if *it == Fingerprint::of_content(b"", *executable) {
                    Before::Bytes(0)
                } else {
                    Before::Some
                }
            }
            Was::Committed(item) => match odb.find(item.oid)? {
                Some((_, size)) => Before::Bytes(size),
                None => return Ok(None),
            },
            Was::Own(_) | Was::Other => return Ok(None),
        };
        Ok(Some(Content { before, now }))
    }

    /// The bytes at the start; `None` if they are not known, or too many.
    pub(super) fn read_before(
        &self,
        path: &RepoPath,
        most: u64,
    ) -> Result<Option<Vec<u8>>, Unreadable> {
        let odb = self.repository.odb(&self.limits)?;
        match self.was(path, &odb)? {
            Was::Missing => Ok(Some(Vec::new())),
            Was::Committed(item) => odb.blob(item.oid, most),
            Was::Own(_) | Was::Other => Ok(None),
        }
    }

    fn was(&self, path: &RepoPath, odb: &Odb<'_>) -> Result<Was<'_>, Unreadable> {
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
        let found = odb.at(odb.commit(commit)?.tree, path.as_bytes())?;
        Ok(match found {
            None => Was::Missing,
            Some(item) if item.is_file() => Was::Committed(item),
            Some(_) => Was::Other,
        })
    }

    /// The size of the file at a path, if there is one.
    fn size_now(&self, path: &RepoPath) -> Result<Option<u64>, Unreadable> {
        let failed = |error| Unreadable::io(&self.start.root, error);
        let Some(file) = self.root()?.file(path).map_err(failed)? else {
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
