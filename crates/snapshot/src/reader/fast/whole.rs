//! An index that stores a part of itself elsewhere, assembled in memory.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::FileType;

use super::bitmap;
use super::folders::{Collapsed, join};
use super::index::{Index, OID};
use super::listing::{refused, stat};
use super::staged::canonical;
use crate::bounds::{self, Count};
use crate::odb::{Odb, Oid, TREE};
use crate::reader::raw_index::{self, RawEntry, RawIndex, STAGE};
use crate::reader::refusal::Refusal;

/// Trees nested deeper than this are refused.
const DEEPEST: usize = 512;

/// Where the parts of an index may be.
pub(super) struct Parts<'a, 'o> {
    /// The folder of the index file.
    pub(super) git_dir: &'a Path,
    pub(super) odb: &'a Odb<'o>,
    pub(super) root: &'a OwnedFd,
}

impl Parts<'_, '_> {
    /// Assembles the parts. A folder that is left out becomes its files if it exists on disk, and
    /// stays a single name otherwise.
    pub(super) fn join(&self, mut raw: RawIndex) -> Result<Index, Refusal> {
        if raw.link.is_some() && raw.is_sparse {
            // git refuses such an index.
            return Err(Refusal::Index("both split and sparse"));
        }
        if let Some(link) = raw.link.take() {
            raw.entries = self.merge(&link, raw.entries)?;
        }
        let mut whole = Whole {
            entries: Vec::new(),
            collapsed: Vec::new(),
            paths: Count::of(bounds::ENTRY_PATHS),
        };
        for entry in raw.entries {
            if entry.oid.len() != OID {
                return Err(Refusal::Index("other object ids"));
            }
            match entry.path.strip_suffix(b"/") {
                Some(path) if entry.mode() == TREE => {
                    let tree = Oid::from_bytes(&entry.oid);
                    let tree = tree.ok_or(Refusal::Index("other object ids"))?;
                    self.expand(path, tree, &mut whole, 0)?;
                }
                _ => whole.add(entry)?,
            }
        }
        let order = |entry: &RawEntry| (entry.path.clone(), entry.flags & STAGE);
        whole.entries.sort_by_cached_key(order);
        let bytes = raw_index::write(&whole.entries, &raw.cache_tree)?;
        let mut index = Index::read(bytes, OID)?;
        whole.collapsed.sort_by(|a, b| a.path.cmp(&b.path));
        index.collapsed = whole.collapsed;
        index.is_made_whole = true;
        Ok(index)
    }

    /// Applies the `link` extension as git does: entries without a name replace those that the
    /// second bitmap marks, those that the first bitmap marks are removed, and all others are new.
    fn merge(&self, link: &[u8], own: Vec<RawEntry>) -> Result<Vec<RawEntry>, Refusal> {
        const BROKEN: Refusal = Refusal::Index("a split index that does not fit");
        let (name, mut bitmaps) = link.split_at_checked(OID).ok_or(BROKEN)?;
        if name.iter().all(|byte| *byte == 0) {
            return Ok(own);
        }
        let name = format!("sharedindex.{}", crate::fingerprint::hex(name));
        let shared = RawIndex::open(&self.git_dir.join(name));
        let mut shared = shared.ok().flatten().ok_or(BROKEN)??.entries;
        let (deleted, replaced) = if bitmaps.is_empty() {
            (Vec::new(), Vec::new())
        } else {
            let mut next = || bitmap::read(&mut bitmaps, shared.len()).ok_or(BROKEN);
            (next()?, next()?)
        };
        let mut own = own.into_iter();
        for at in replaced {
            let mut entry = own.next().filter(|entry| entry.path.is_empty());
            let entry = entry.as_mut().ok_or(BROKEN)?;
            entry.rename(&shared[at].path);
            shared[at] = entry.clone();
        }
        let mut all: BTreeMap<(Vec<u8>, u16), RawEntry> = BTreeMap::new();
        let is_deleted = |at: &usize| deleted.binary_search(at).is_ok();
        let kept = shared.into_iter().enumerate();
        let kept = kept
            .filter(|(at, _)| !is_deleted(at))
            .map(|(_, entry)| entry);
        for entry in kept.chain(own) {
            if entry.path.is_empty() {
                return Err(BROKEN);
            }
            all.insert((entry.path.clone(), entry.flags & STAGE), entry);
        }
        Ok(all.into_values().collect())
    }

    /// Adds the files of a left-out folder that exists on disk.
    fn expand(
        &self,
        path: &[u8],
        tree: Oid,
        whole: &mut Whole,
        depth: usize,
    ) -> Result<(), Refusal> {
        let now = stat(self.root, path).map_err(|error| refused(path, error))?;
        if now.is_none_or(|now| now.kind() != FileType::Directory) {
            whole.collapsed.push(Collapsed {
                path: path.to_vec(),
                tree,
            });
            return Ok(());
        }
        if depth > DEEPEST {
            return Err(Refusal::Index("trees nested too deep"));
        }
        for item in self.odb.tree(tree)? {
            let path = join(path, &item.name);
            if item.is_tree() {
                self.expand(&path, item.oid, whole, depth + 1)?;
            } else {
                let mode = canonical(item.mode);
                let oid = item.oid.as_bytes().to_vec();
                whole.add(RawEntry::left_out(path, mode, oid))?;
            }
        }
        Ok(())
    }
}

struct Whole {
    entries: Vec<RawEntry>,
    collapsed: Vec<Collapsed>,
    paths: Count,
}

impl Whole {
    fn add(&mut self, entry: RawEntry) -> Result<(), Refusal> {
        if self.entries.len() >= bounds::ENTRIES {
            return Err(Refusal::Index("too large"));
        }
        self.paths.add(entry.path.len() as u64)?;
        self.entries.push(entry);
        Ok(())
    }
}
