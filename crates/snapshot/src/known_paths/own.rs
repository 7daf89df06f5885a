//! The names in the index and in a commit, looked up folder by folder.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::ends::Ends;
use super::found::Found;
use crate::deadline::check_time;
use crate::odb::{GITLINK, Item as TreeItem, Odb, Oid};
use crate::reader::Basis;
use crate::reader::fast::{Child, Index, base, children, folder_of, rules_of};
use crate::{Limits, RepoPath, Repository, Unreadable};
use attest_evidence::{ends_in, fold};

/// The names, and what has been looked up so far.
pub(super) struct Names {
    basis: Rc<Basis>,
    repository: Rc<Repository>,
    /// The commit whose names count too.
    commit: Option<Oid>,
    folders: RefCell<HashMap<Folder, Rc<Children>>>,
    /// The numbers of the entries by their last parts.
    ends: OnceCell<Ends<usize>>,
    limits: Limits,
}

/// A folder that contains names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Folder {
    /// A folder in the index, by number.
    Indexed(usize),
    /// A folder whose only trace in the index is that folders below it are left out.
    LeftOut(Vec<u8>),
    /// A tree object.
    Tree(Oid),
    /// The tree of a commit.
    Commit(Oid),
}

/// The names in one folder in their folded form, in which several may coincide.
type Children = HashMap<String, Vec<Item>>;

enum Item {
    File,
    Module,
    Folder(Folder),
}

impl Names {
    pub(super) fn by(
        basis: Rc<Basis>,
        repository: Rc<Repository>,
        commit: Option<&str>,
        limits: &Limits,
    ) -> Self {
        Self {
            basis,
            repository,
            commit: commit.and_then(|commit| Oid::from_hex(commit.as_bytes())),
            folders: RefCell::default(),
            ends: OnceCell::new(),
            limits: limits.clone(),
        }
    }

    fn index(&self) -> &Index {
        &self.basis.index
    }

    fn odb(&self) -> Odb<'_> {
        self.repository.odb(&self.limits)
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

    pub(super) fn ending_in(
        &self,
        path: &RepoPath,
        most: usize,
    ) -> Result<Vec<RepoPath>, Unreadable> {
        check_time(&self.limits)?;
        let Some(folded) = path.folded() else {
            return Ok(Vec::new());
        };
        let entries = || (0..self.index().len()).map(|at| (self.index().entry(at).path, at));
        let ends = self.ends.get_or_init(|| Ends::of(entries()));
        let known = ends.like(&folded).map(|at| self.index().entry(*at));
        let files = known.filter(|entry| entry.mode() != GITLINK);
        let paths = files.filter_map(|entry| RepoPath::from_git(entry.path));
        let is_meant =
            |path: &RepoPath| path.folded().is_some_and(|known| ends_in(&known, &folded));
        Ok(paths.filter(is_meant).take(most).collect())
    }

    fn children(&self, folder: &Folder) -> Result<Rc<Children>, Unreadable> {
        if let Some(known) = self.folders.borrow().get(folder) {
            return Ok(Rc::clone(known));
        }
        let mut children = Children::new();
        match folder {
            Folder::Indexed(number) => self.add_indexed(*number, &mut children),
            Folder::LeftOut(path) => self.add_left_out(path, &mut children),
            Folder::Tree(oid) => add_tree(self.odb().tree(*oid)?, &mut children),
            Folder::Commit(oid) => {
                let odb = self.odb();
                add_tree(odb.tree(odb.commit(*oid)?.tree)?, &mut children);
            }
        }
        let children = Rc::new(children);
        let mut folders = self.folders.borrow_mut();
        folders.insert(folder.clone(), Rc::clone(&children));
        Ok(children)
    }

    fn add_indexed(&self, number: usize, found: &mut Children) {
        let path = self.index().folder_path(&self.index().folders[number]);
        for child in children(&self.index().folders, number) {
            let (below, item) = match child {
                Child::Entry(entry) => {
                    let entry = self.index().entry(entry);
                    let is_module = entry.mode() == GITLINK;
                    (
                        entry.path,
                        if is_module { Item::Module } else { Item::File },
                    )
                }
                Child::Folder(folder) => {
                    let below = self.index().folder_path(&self.index().folders[folder]);
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
        for collapsed in self
            .index()
            .collapsed
            .iter()
            .filter(|it| is_below(&it.path))
        {
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

    /// What the index has for the rule file at `path`, if that is left out of the checkout.
    pub(super) fn left_out_rules(&self, path: &[u8]) -> Result<Vec<u8>, Unreadable> {
        let entry = self.index().find(path).filter(|entry| entry.is_left_out());
        if let Some(entry) = entry {
            return rules_of(&self.odb(), entry.oid());
        }
        match self.in_left_out_folder(path)? {
            Some(oid) => rules_of(&self.odb(), oid.as_bytes()),
            None => Ok(Vec::new()),
        }
    }

    fn in_left_out_folder(&self, path: &[u8]) -> Result<Option<Oid>, Unreadable> {
        let mut folder = folder_of(path);
        while !folder.is_empty() {
            if let Some(collapsed) = self.index().collapsed_at(folder) {
                let found = self.odb().at(collapsed.tree, &path[base(folder)..])?;
                let file = found.filter(|item| !item.is_tree() && item.mode != GITLINK);
                return Ok(file.map(|item| item.oid));
            }
            folder = folder_of(folder);
        }
        Ok(None)
    }
}

fn add_tree(tree: Vec<TreeItem>, found: &mut Children) {
    for item in tree {
        let is = match item.mode {
            _ if item.is_tree() => Item::Folder(Folder::Tree(item.oid)),
            GITLINK => Item::Module,
            _ => Item::File,
        };
        add(found, &item.name, is);
    }
}

fn add(children: &mut Children, name: &[u8], item: Item) {
    // No claim can write any other name.
    if let Ok(name) = std::str::from_utf8(name) {
        children.entry(fold(name)).or_default().push(item);
    }
}
