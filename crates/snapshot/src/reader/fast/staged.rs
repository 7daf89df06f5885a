//! What the index has otherwise than HEAD.

use std::collections::BTreeSet;

use git2::{ErrorCode, ObjectType, Oid, Repository, Tree};

use super::Refusal;
use super::cache_tree::CacheTree;
use super::folders::{Child, children, join};
use super::index::{Entry, Index};

/// git's mode of a submodule.
pub(crate) const GITLINK: u32 = 0o160_000;
/// git's mode of a folder.
pub(super) const TREE: u32 = 0o040_000;

/// Compares the tree of HEAD with the index, and looks only into folders that may differ.
pub(super) struct Staged<'a> {
    repository: &'a Repository,
    index: &'a Index,
    found: Vec<Vec<u8>>,
}

impl<'a> Staged<'a> {
    /// The paths that differ. `head` is absent before the first commit.
    pub(super) fn list(
        repository: &'a Repository,
        index: &'a Index,
        head: Option<Oid>,
    ) -> Result<Vec<Vec<u8>>, Refusal> {
        let mut staged = Self {
            repository,
            index,
            found: Vec::new(),
        };
        match head {
            // Here git names submodules as well.
            None => {
                let entries = index.entries().filter(|entry| !entry.is_intended());
                staged
                    .found
                    .extend(entries.map(|entry| entry.path.to_vec()));
            }
            Some(tree) if index.tree() == Some(tree.as_bytes()) => {}
            Some(tree) => {
                let tree = repository.find_tree(tree)?;
                staged.compare(&tree, 0, Some(&index.cache_tree()))?;
                staged.add_left_out(&tree)?;
            }
        }
        Ok(staged.found)
    }

    /// Compares one folder of the index with its tree. Both are in the order of their names, a
    /// folder's with a slash at its end.
    fn compare(
        &mut self,
        tree: &Tree<'_>,
        folder: usize,
        cache: Option<&CacheTree<'_>>,
    ) -> Result<(), Refusal> {
        let index = self.index;
        let own = index.folder_path(&index.folders[folder]);
        let mut children = children(&index.folders, folder).peekable();
        for position in 0..tree.len() {
            let Some(item) = tree.get(position) else {
                continue;
            };
            let mode = u32::try_from(item.filemode_raw()).unwrap_or(0);
            let is_tree = item.kind() == Some(ObjectType::Tree);
            let path = join(own, item.name_bytes());
            let key = key(&path, is_tree);
            while let Some(child) = children.next_if(|child| self.key(*child) < key) {
                self.add(child);
            }
            match children.next_if(|child| self.key(*child) == key) {
                Some(Child::Folder(below)) => {
                    let cache = cache.and_then(|cache| cache.below(item.name_bytes()));
                    let known = cache.and_then(CacheTree::oid);
                    if known != Some(item.id().as_bytes()) {
                        let tree = self.repository.find_tree(item.id())?;
                        self.compare(&tree, below, cache)?;
                    }
                }
                Some(Child::Entry(first)) => {
                    // The stages of a conflict share one path.
                    while children.next_if(|child| self.key(*child) == key).is_some() {}
                    self.compare_entry(self.index.entry(first), mode, item.id());
                }
                None if is_tree => self.compare_left_out(item.id(), &path)?,
                None if mode == GITLINK => {}
                None => self.found.push(path),
            }
        }
        for child in children {
            self.add(child);
        }
        Ok(())
    }

    fn compare_entry(&mut self, entry: Entry<'_>, mode: u32, oid: Oid) {
        let own = entry.mode();
        let both_modules = own == GITLINK && mode == GITLINK;
        let same = own == canonical(mode) && entry.oid() == oid.as_bytes();
        // A file that is only intended is not in the index yet.
        let is_plain = !entry.is_conflict() && !entry.is_intended();
        if !(is_plain && (same || both_modules)) {
            self.found.push(entry.path.to_vec());
        }
    }

    fn add(&mut self, child: Child) {
        match child {
            Child::Entry(entry) => self.add_entries(entry..entry + 1),
            Child::Folder(folder) => {
                let entries = &self.index.folders[folder].entries;
                self.add_entries(entries.start as usize..entries.end as usize);
            }
        }
    }

    fn add_entries(&mut self, entries: std::ops::Range<usize>) {
        for entry in entries.map(|number| self.index.entry(number)) {
            if entry.mode() != GITLINK && !entry.is_intended() {
                self.found.push(entry.path.to_vec());
            }
        }
    }

    /// A tree of HEAD of which the index has no file.
    fn compare_left_out(&mut self, tree: Oid, path: &[u8]) -> Result<(), Refusal> {
        if let Some(left_out) = self.index.collapsed_at(path) {
            return self.compare_trees(Some(tree), Some(left_out.tree), path);
        }
        if !self.index.has_collapsed_below(path) {
            return self.compare_trees(Some(tree), None, path);
        }
        for item in &self.repository.find_tree(tree)? {
            let path = join(path, item.name_bytes());
            match item.kind() {
                Some(ObjectType::Tree) => self.compare_left_out(item.id(), &path)?,
                Some(ObjectType::Commit) => {}
                _ => self.found.push(path),
            }
        }
        Ok(())
    }

    /// Folders that the index has as one name and HEAD has not at all.
    fn add_left_out(&mut self, head: &Tree<'_>) -> Result<(), Refusal> {
        for collapsed in &self.index.collapsed {
            let place = crate::repository::path_of(&collapsed.path)?;
            match head.get_path(&place) {
                Ok(item) if item.kind() == Some(ObjectType::Tree) => {}
                Ok(_) => self.compare_trees(None, Some(collapsed.tree), &collapsed.path)?,
                Err(error) if error.code() == ErrorCode::NotFound => {
                    self.compare_trees(None, Some(collapsed.tree), &collapsed.path)?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Files in which two trees differ, or all of one that has no counterpart. Submodules say
    /// nothing here.
    fn compare_trees(
        &mut self,
        one: Option<Oid>,
        other: Option<Oid>,
        path: &[u8],
    ) -> Result<(), Refusal> {
        if one == other {
            return Ok(());
        }
        let find = |oid: Option<Oid>| oid.map(|oid| self.repository.find_tree(oid)).transpose();
        let (one, other) = (find(one)?, find(other)?);
        let of = |tree: &Option<Tree<'_>>, name: &[u8]| {
            let item = tree.as_ref()?.get_name_bytes(name)?.to_owned();
            Some((item.id(), item.filemode_raw(), item.kind()))
        };
        let names = one.iter().chain(&other).flat_map(Tree::iter);
        let names: BTreeSet<Vec<u8>> = names.map(|item| item.name_bytes().to_vec()).collect();
        for name in names {
            let sides = [of(&one, &name), of(&other, &name)];
            if sides[0] == sides[1] {
                continue;
            }
            let path = join(path, &name);
            let [one, other] = sides.map(|side| {
                let (oid, _, kind) = side?;
                (kind == Some(ObjectType::Tree)).then_some(oid)
            });
            self.compare_trees(one, other, &path)?;
            let is_file = |side: &Option<(Oid, i32, Option<ObjectType>)>| {
                side.is_some_and(|(_, _, kind)| kind == Some(ObjectType::Blob))
            };
            if sides.iter().any(is_file) {
                self.found.push(path);
            }
        }
        Ok(())
    }

    fn key(&self, child: Child) -> Vec<u8> {
        match child {
            Child::Entry(entry) => self.index.entry(entry).path.to_vec(),
            Child::Folder(folder) => {
                let folder = &self.index.folders[folder];
                key(self.index.folder_path(folder), true)
            }
        }
    }
}

fn key(path: &[u8], is_folder: bool) -> Vec<u8> {
    let mut key = path.to_vec();
    if is_folder {
        key.push(b'/');
    }
    key
}

/// Old trees have group-writable modes, which git reads as plain ones.
pub(super) fn canonical(mode: u32) -> u32 {
    match mode {
        0o100_664 => 0o100_644,
        mode => mode,
    }
}
