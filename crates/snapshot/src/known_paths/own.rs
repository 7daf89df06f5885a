//! The names in the index and in a commit, looked up folder by folder.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

use git2::{ObjectType, Oid, Repository as Opened, Tree};

use super::Found;
use crate::path::fold;
use crate::reader::fast::{Child, GITLINK, Index, base, children, folder_of, read_index, root};
use crate::reader::refusal::Refusal;
use crate::repository::{Access, check_time};
use crate::{Limits, RepoPath, Repository, Unreadable};

/// The names, and what was looked up of them so far.
pub(super) struct Names {
    root: PathBuf,
    /// Opened when an object is asked for, which few repositories need.
    opened: OnceCell<Box<Opened>>,
    index: Index,
    /// The commit whose names count too.
    commit: Option<Oid>,
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
    /// The tree of a commit.
    Commit(Oid),
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
        let (Access::Fast(opened) | Access::LibGit2(opened)) = &repository.access else {
            return Err(Refusal::Index("only git reads it"));
        };
        let (index, _) = read_index(opened, &root(&repository.root)?)?;
        Ok(Self {
            root: repository.root.clone(),
            opened: OnceCell::new(),
            index,
            commit: commit.map(Oid::from_str).transpose()?,
            folders: RefCell::default(),
            limits: limits.clone(),
        })
    }

    fn opened(&self) -> Result<&Opened, Unreadable> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        match Repository::discover(&self.root, &self.limits)?.access {
            Access::Fast(opened) | Access::LibGit2(opened) => {
                Ok(self.opened.get_or_init(|| opened))
            }
            Access::Program { why } => Err(Unreadable::Recorded(why)),
        }
    }

    pub(super) fn find(&self, path: &RepoPath) -> Result<Found, Unreadable> {
        let mut found = Found::default();
        let Some(folded) = path.folded() else {
            found.tracked = true;
            return Ok(found);
        };
        check_time(&self.limits)?;
        let mut folders = vec![Folder::Indexed(0)];
        folders.extend(self.commit.map(Folder::Commit));
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
            Folder::Tree(oid) => {
                let tree = self.opened()?.find_tree(*oid).map_err(unreadable)?;
                add_tree(&tree, &mut children);
            }
            Folder::Commit(oid) => {
                let commit = self.opened()?.find_commit(*oid).map_err(unreadable)?;
                add_tree(&commit.tree().map_err(unreadable)?, &mut children);
            }
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

    /// What the index has of the file of rules at `path`, if that is left out of the checkout.
    pub(super) fn left_out_rules(&self, path: &[u8]) -> Result<Vec<u8>, Unreadable> {
        let entry = self.index.find(path).filter(|entry| entry.is_left_out());
        let oid = match entry {
            Some(entry) => Oid::from_bytes(entry.oid()).map_err(unreadable)?,
            None => match self.in_left_out_folder(path)? {
                Some(oid) => oid,
                None => return Ok(Vec::new()),
            },
        };
        let blob = self.opened()?.find_blob(oid).map_err(unreadable)?;
        Ok(blob.content().to_vec())
    }

    fn in_left_out_folder(&self, path: &[u8]) -> Result<Option<Oid>, Unreadable> {
        let mut folder = folder_of(path);
        while !folder.is_empty() {
            if let Some(collapsed) = self.index.collapsed_at(folder) {
                let rest = crate::path_of_bytes(&path[base(folder)..]);
                let tree = self.opened()?.find_tree(collapsed.tree);
                return match tree.map_err(unreadable)?.get_path(&rest) {
                    Ok(item) if item.kind() == Some(ObjectType::Blob) => Ok(Some(item.id())),
                    Ok(_) => Ok(None),
                    Err(error) if error.code() == git2::ErrorCode::NotFound => Ok(None),
                    Err(error) => Err(unreadable(error)),
                };
            }
            folder = folder_of(folder);
        }
        Ok(None)
    }
}

fn add_tree(tree: &Tree<'_>, found: &mut Children) {
    for item in tree {
        let is = match item.kind() {
            Some(ObjectType::Tree) => Item::Folder(Folder::Tree(item.id())),
            Some(ObjectType::Commit) => Item::Module,
            _ => Item::File,
        };
        add(found, item.name_bytes(), is);
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
