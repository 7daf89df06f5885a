//! How the index differs from HEAD.

use super::cache_tree::CacheTree;
use super::folders::{Child, children, join};
use super::index::{Entry, Index};
use crate::Unreadable;
use crate::bounds::{self, Count, Paths};
use crate::odb::{GITLINK, Item, Odb, Oid, differing};

/// Compares the tree of HEAD with the index, and looks only into folders that may differ.
pub(super) struct Staged<'a, 'o> {
    odb: &'a Odb<'o>,
    index: &'a Index,
    found: Vec<Vec<u8>>,
    bound: Paths,
    trees: Count,
}

/// A folder of the index, the tree of HEAD there, and what is known about the folder.
struct Pair<'c, 'a> {
    tree: Oid,
    folder: usize,
    cache: Option<&'c CacheTree<'a>>,
    depth: usize,
}

impl<'a, 'o> Staged<'a, 'o> {
    /// The paths that differ. `head` is absent before the first commit.
    pub(super) fn list(
        odb: &'a Odb<'o>,
        index: &'a Index,
        head: Option<Oid>,
    ) -> Result<Vec<Vec<u8>>, Unreadable> {
        let mut staged = Self {
            odb,
            index,
            found: Vec::new(),
            bound: Paths::default(),
            trees: Count::of(bounds::TREES),
        };
        match head {
            // Here git names submodules as well.
            None => {
                for entry in index.entries().filter(|entry| !entry.is_intended()) {
                    staged.find(entry.path.to_vec())?;
                }
            }
            Some(tree) if index.tree() == Some(tree.as_bytes()) => {}
            Some(tree) => {
                staged.compare(tree)?;
                staged.add_left_out(tree)?;
            }
        }
        Ok(staged.found)
    }

    fn find(&mut self, path: Vec<u8>) -> Result<(), Unreadable> {
        self.bound.add(&path)?;
        self.found.push(path);
        Ok(())
    }

    fn compare(&mut self, tree: Oid) -> Result<(), Unreadable> {
        let index = self.index;
        let cache = index.cache_tree();
        let mut open = vec![Pair {
            tree,
            folder: 0,
            cache: Some(&cache),
            depth: 0,
        }];
        while let Some(pair) = open.pop() {
            if pair.depth > bounds::DEPTH {
                return Err(bounds::too_deep().into());
            }
            self.compare_folder(&pair, &mut open)?;
        }
        Ok(())
    }

    /// Compares one folder of the index with its tree. Both are sorted by name, where a folder's
    /// name ends in a slash.
    fn compare_folder<'c>(
        &mut self,
        pair: &Pair<'c, 'a>,
        open: &mut Vec<Pair<'c, 'a>>,
    ) -> Result<(), Unreadable> {
        let index = self.index;
        let own = index.folder_path(&index.folders[pair.folder]);
        let mut children = children(&index.folders, pair.folder).peekable();
        self.trees.add(1)?;
        for item in self.odb.tree(pair.tree)? {
            let path = join(own, &item.name);
            let key = key(&path, item.is_tree());
            while let Some(child) = children.next_if(|child| self.key(*child) < key) {
                self.add(child)?;
            }
            match children.next_if(|child| self.key(*child) == key) {
                Some(Child::Folder(folder)) => {
                    let cache = pair.cache.and_then(|cache| cache.below(&item.name));
                    let known = cache.and_then(CacheTree::oid);
                    if known != Some(item.oid.as_bytes()) {
                        open.push(Pair {
                            tree: item.oid,
                            folder,
                            cache,
                            depth: pair.depth + 1,
                        });
                    }
                }
                Some(Child::Entry(first)) => {
                    // The stages of a conflict share one path.
                    while children.next_if(|child| self.key(*child) == key).is_some() {}
                    self.compare_entry(self.index.entry(first), &item)?;
                }
                None if item.is_tree() => self.compare_left_out(item.oid, path)?,
                None if item.mode == GITLINK => {}
                None => self.find(path)?,
            }
        }
        for child in children {
            self.add(child)?;
        }
        Ok(())
    }

    fn compare_entry(&mut self, entry: Entry<'_>, item: &Item) -> Result<(), Unreadable> {
        let own = entry.mode();
        let both_modules = own == GITLINK && item.mode == GITLINK;
        let same = own == canonical(item.mode) && entry.oid() == item.oid.as_bytes();
        // A file that is only marked with intent to add is not in the index yet.
        let is_plain = !entry.is_conflict() && !entry.is_intended();
        if is_plain && (same || both_modules) {
            return Ok(());
        }
        self.find(entry.path.to_vec())
    }

    fn add(&mut self, child: Child) -> Result<(), Unreadable> {
        let entries = match child {
            Child::Entry(entry) => entry..entry + 1,
            Child::Folder(folder) => {
                let entries = &self.index.folders[folder].entries;
                entries.start as usize..entries.end as usize
            }
        };
        for entry in entries.map(|number| self.index.entry(number)) {
            if entry.mode() != GITLINK && !entry.is_intended() {
                self.find(entry.path.to_vec())?;
            }
        }
        Ok(())
    }

    /// A tree of HEAD that has no file in the index.
    fn compare_left_out(&mut self, tree: Oid, path: Vec<u8>) -> Result<(), Unreadable> {
        let mut open = vec![(tree, path)];
        while let Some((tree, path)) = open.pop() {
            if let Some(left_out) = self.index.collapsed_at(&path) {
                self.compare_trees(Some(tree), Some(left_out.tree), &path)?;
                continue;
            }
            if !self.index.has_collapsed_below(&path) {
                self.compare_trees(Some(tree), None, &path)?;
                continue;
            }
            self.trees.add(1)?;
            for item in self.odb.tree(tree)? {
                let path = join(&path, &item.name);
                if item.is_tree() {
                    open.push((item.oid, path));
                } else if item.mode != GITLINK {
                    self.find(path)?;
                }
            }
        }
        Ok(())
    }

    /// Folders that the index has as a single name and HEAD does not have at all.
    fn add_left_out(&mut self, head: Oid) -> Result<(), Unreadable> {
        for collapsed in &self.index.collapsed {
            let found = self.odb.at(head, &collapsed.path)?;
            if !found.is_some_and(|item| item.is_tree()) {
                self.compare_trees(None, Some(collapsed.tree), &collapsed.path)?;
            }
        }
        Ok(())
    }

    /// Files in which two trees differ, or all files of a tree that has no counterpart. Submodules
    /// do not count here.
    fn compare_trees(
        &mut self,
        one: Option<Oid>,
        other: Option<Oid>,
        path: &[u8],
    ) -> Result<(), Unreadable> {
        let odb = self.odb;
        differing(odb, path, one, other, |at| {
            let mut sides = at.old.iter().chain(&at.new);
            if sides.any(|side| side.mode != GITLINK) {
                self.find(at.path.as_bytes().to_vec())?;
            }
            Ok(())
        })
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

/// Old trees have group-writable modes, which git treats as plain ones.
pub(super) fn canonical(mode: u32) -> u32 {
    match mode {
        0o100_664 => 0o100_644,
        mode => mode,
    }
}
