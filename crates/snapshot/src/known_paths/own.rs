//! The names in the index and in a commit, looked up folder by folder.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use git2::{ObjectType, Oid, Repository as Opened};

use super::Found;
use crate::path::fold;
use crate::reader::fast::{Child, GITLINK, Index, base, children, folder_of, read_index, root};
use crate::reader::refusal::Refusal;
use crate::repository::{Access, check_time};
use crate::{Limits, RepoPath, Repository, Unreadable};

/// The names, and what was looked up of them so far.
pub(super) struct Names {
    opened: Opened,
    index: Index,
    /// The tree of the commit whose names count too.
    tree: Option<Oid>,
    folders: RefCell<HashMap<Folder, Rc<Children>>>,
    limits: Limits,
}

/// A folder that has names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Folder {
    /// One of the index, by its number.
    Indexed(usize),
    /// One of which the index has nothing but folders that are left out somewhere below.
    LeftOut(Vec<u8>),
    /// A tree object.
    Tree(Oid),
}

/// The names in one folder in their folded form, of which several may be the same.
type Children = HashMap<String, Vec<Item>>;

enum Item {
    File,
    Module,
    Folder(Folder),
}

impl Names {
    pub(super) fn read(
        repository: &Repository,
        commit: Option<&str>,
        limits: &Limits,
    ) -> Result<Self, Refusal> {
        if matches!(repository.access, Access::Program { .. }) {
            return Err(Refusal::Index("only git reads it"));
        }
        // What libgit2 opened for the readers belongs to them.
        let again = Repository::discover(&repository.root, limits)?;
        let (Access::Fast(opened) | Access::LibGit2(opened)) = again.access else {
            return Err(Refusal::Index("only git reads it"));
        };
        let (index, _) = read_index(&opened, &root(&repository.root)?)?;
        let tree = match commit {
            Some(oid) => Some(opened.find_commit(Oid::from_str(oid)?)?.tree_id()),
            None => None,
        };
        Ok(Self {
            opened: *opened,
            index,
            tree,
            folders: RefCell::default(),
            limits: limits.clone(),
        })
    }

    pub(super) fn find(&self, path: &RepoPath) -> Result<Found, Unreadable> {
        let mut found = Found::default();
        let Some(folded) = path.folded() else {
            found.tracked = true;
            return Ok(found);
        };
        check_time(&self.limits)?;
        let mut folders = vec![Folder::Indexed(0)];
        folders.extend(self.tree.map(Folder::Tree));
        let mut parts = folded.split('/').peekable();
        while let Some(part) = parts.next() {
            let is_last = parts.peek().is_none();
            let mut below = Vec::new();
            for folder in &folders {
                let children = self.children(folder)?;
                for item in children.get(part).into_iter().flatten() {
                    match item {
                        Item::Module => found.module = true,
                        Item::File => found.tracked |= is_last,
                        Item::Folder(_) if is_last => found.tracked = true,
                        Item::Folder(next) => below.push(next.clone()),
                    }
                }
            }
            folders = below;
        }
        Ok(found)
    }

    fn children(&self, folder: &Folder) -> Result<Rc<Children>, Unreadable> {
        if let Some(known) = self.folders.borrow().get(folder) {
            return Ok(Rc::clone(known));
        }
        let mut children = Children::new();
        match folder {
            Folder::Indexed(number) => self.add_indexed(*number, &mut children),
            Folder::LeftOut(path) => self.add_left_out(path, &mut children),
            Folder::Tree(oid) => self.add_tree(*oid, &mut children).map_err(unreadable)?,
        }
        let children = Rc::new(children);
        let mut folders = self.folders.borrow_mut();
        folders.insert(folder.clone(), Rc::clone(&children));
        Ok(children)
    }

    fn add_indexed(&self, number: usize, found: &mut Children) {
        let path = self.index.folder_path(&self.index.folders[number]);
        for child in children(&self.index.folders, number) {
            let (below, item) = match child {
                Child::Entry(entry) => {
                    let entry = self.index.entry(entry);
                    let is_module = entry.mode() == GITLINK;
                    (
                        entry.path,
                        if is_module { Item::Module } else { Item::File },
                    )
                }
                Child::Folder(folder) => {
                    let below = self.index.folder_path(&self.index.folders[folder]);
                    (below, Item::Folder(Folder::Indexed(folder)))
                }
            };
            add(found, &below[base(path)..], item);
        }
        self.add_left_out(path, found);
    }

    /// Folders of a sparse index in or below this one.
    fn add_left_out(&self, path: &[u8], found: &mut Children) {
        let base = base(path);
        let is_below = |of: &[u8]| {
            of.len() > base && of.starts_with(path) && (base == 0 || of[base - 1] == b'/')
        };
        for collapsed in self.index.collapsed.iter().filter(|it| is_below(&it.path)) {
            let rest = &collapsed.path[base..];
            match rest.iter().position(|byte| *byte == b'/') {
                None => add(found, rest, Item::Folder(Folder::Tree(collapsed.tree))),
                Some(end) => {
                    let folder = Folder::LeftOut(collapsed.path[..base + end].to_vec());
                    add(found, &rest[..end], Item::Folder(folder));
                }
            }
        }
    }

    fn add_tree(&self, oid: Oid, found: &mut Children) -> Result<(), git2::Error> {
        for item in &self.opened.find_tree(oid)? {
            let is = match item.kind() {
                Some(ObjectType::Tree) => Item::Folder(Folder::Tree(item.id())),
                Some(ObjectType::Commit) => Item::Module,
                _ => Item::File,
            };
            add(found, item.name_bytes(), is);
        }
        Ok(())
    }

    /// What the index has of the file of rules at `path`, if that is left out of the checkout.
    pub(super) fn left_out_rules(&self, path: &[u8]) -> Result<Vec<u8>, Unreadable> {
        let entry = self.index.find(path).filter(|entry| entry.is_left_out());
        let oid = match entry {
            Some(entry) => Oid::from_bytes(entry.oid()).map_err(unreadable)?,
            None => match self.in_left_out_folder(path).map_err(unreadable)? {
                Some(oid) => oid,
                None => return Ok(Vec::new()),
            },
        };
        let blob = self.opened.find_blob(oid).map_err(unreadable)?;
        Ok(blob.content().to_vec())
    }

    fn in_left_out_folder(&self, path: &[u8]) -> Result<Option<Oid>, git2::Error> {
        let mut folder = folder_of(path);
        while !folder.is_empty() {
            if let Some(collapsed) = self.index.collapsed_at(folder) {
                let rest = crate::path_of_bytes(&path[base(folder)..]);
                return match self.opened.find_tree(collapsed.tree)?.get_path(&rest) {
                    Ok(item) if item.kind() == Some(ObjectType::Blob) => Ok(Some(item.id())),
                    Ok(_) => Ok(None),
                    Err(error) if error.code() == git2::ErrorCode::NotFound => Ok(None),
                    Err(error) => Err(error),
                };
            }
            folder = folder_of(folder);
        }
        Ok(None)
    }
}

fn add(children: &mut Children, name: &[u8], item: Item) {
    // No claim can spell another name.
    if let Ok(name) = std::str::from_utf8(name) {
        children.entry(fold(name)).or_default().push(item);
    }
}

fn unreadable(error: git2::Error) -> Unreadable {
    Unreadable::Recorded(Refusal::from(error).to_string())
}
