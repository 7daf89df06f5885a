//! Objects of a repository: read in full, or an error.
//!
//! Each answer can be checked for completeness, because an object is named by the hash of its
//! content. What git prints, or what is read from a file, is checked here. So nothing that counts
//! against an agent depends on a list that another process may have cut short.

mod delta;
mod index;
mod inflate;
mod kind;
mod loose;
mod name;
mod oid;
mod pack;
mod parse;
mod program;
mod walk;

use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;
use std::path::PathBuf;

use crate::deadline::check_time;
use crate::git::Git;
use crate::regular::read_regular;
use crate::{Limits, TooMuch, Unreadable, bounds};
pub(crate) use kind::ObjectKind;
use loose::Loose;
pub(crate) use name::Named;
pub(crate) use oid::Oid;
use oid::bad;
use pack::Packs;
#[cfg(unix)]
pub(crate) use parse::TREE;
pub(crate) use parse::{Commit, GITLINK, Item, LINK};
use program::Program;
pub(crate) use walk::{Newest, commits_between, differing, leads_to};

/// How often the bytes of an object are gone through: inflated, hashed and read.
const INFLATED: usize = 4;

/// The objects of one repository, and how much of them is read.
pub(crate) struct Odb<'a> {
    source: Source<'a>,
    common_dir: PathBuf,
    limits: &'a Limits,
    /// Commits whose parents are missing (see `git clone --depth`).
    shallow: OnceCell<HashSet<Oid>>,
}

enum Source<'a> {
    Files(&'a OnceCell<Files>),
    Program(Box<RefCell<Program<'a>>>),
}

/// The files in which the objects of a repository are, found once for all of its readers.
#[derive(Debug)]
pub(crate) struct Files {
    loose: Loose,
    packs: Packs,
}

impl<'a> Odb<'a> {
    /// The objects in the files of a repository.
    pub(crate) fn of_files(
        files: &'a OnceCell<Files>,
        common_dir: PathBuf,
        limits: &'a Limits,
    ) -> Self {
        Self {
            source: Source::Files(files),
            common_dir,
            limits,
            shallow: OnceCell::new(),
        }
    }

    /// The objects of a repository that only git can read.
    pub(crate) fn of_program(git: Git<'a>, common_dir: PathBuf, limits: &'a Limits) -> Self {
        Self {
            source: Source::Program(Box::new(RefCell::new(Program::new(git)))),
            common_dir,
            limits,
            shallow: OnceCell::new(),
        }
    }

    pub(crate) fn limits(&self) -> &'a Limits {
        self.limits
    }

    /// The kind and the size of an object. `None` if no object has that name.
    pub(crate) fn find(&self, oid: Oid) -> Result<Option<(ObjectKind, u64)>, Unreadable> {
        check_time(self.limits)?;
        self.limits.budget.take_items(1)?;
        match &self.source {
            Source::Files(files) => {
                let files = self.files(files)?;
                match files.loose.find(oid)? {
                    None => files.packs.find(oid, self.limits),
                    found => Ok(found),
                }
            }
            Source::Program(program) => program.borrow_mut().find(oid),
        }
    }

    /// The size of an object of this kind.
    fn size(&self, oid: Oid, kind: ObjectKind) -> Result<u64, Unreadable> {
        match self.find(oid)? {
            Some((found, size)) if found == kind => Ok(size),
            Some(_) => Err(bad(oid, "it is of another kind")),
            None => Err(bad(oid, "it is missing")),
        }
    }

    /// The content of an object of this kind, unless there is more of it than is read of one.
    fn read(&self, oid: Oid, kind: ObjectKind) -> Result<Vec<u8>, Unreadable> {
        let size = self.size(oid, kind)?;
        if size > bounds::OBJECT {
            let (most, what) = (bounds::OBJECT, "bytes in one object");
            return Err(TooMuch { most, what }.into());
        }
        self.content(oid, kind, size)
    }

    fn content(&self, oid: Oid, kind: ObjectKind, size: u64) -> Result<Vec<u8>, Unreadable> {
        let bytes = usize::try_from(size).unwrap_or(usize::MAX);
        self.limits.budget.take(bytes.saturating_mul(INFLATED))?;
        match &self.source {
            Source::Files(files) => {
                let files = self.files(files)?;
                match files.loose.read(oid, kind, size)? {
                    None => files.packs.read(oid, kind, self.limits),
                    Some(content) => Ok(content),
                }
            }
            Source::Program(program) => program.borrow_mut().read(oid, kind, size),
        }
    }

    /// Whether objects are found without starting git.
    pub(crate) fn is_quick(&self) -> bool {
        matches!(self.source, Source::Files(_))
    }

    fn files(&self, files: &'a OnceCell<Files>) -> Result<&'a Files, Unreadable> {
        if let Some(files) = files.get() {
            return Ok(files);
        }
        let loose = Loose::of(&self.common_dir, self.limits)?;
        let packs = Packs::of(loose.stores())?;
        Ok(files.get_or_init(|| Files { loose, packs }))
    }

    pub(crate) fn commit(&self, oid: Oid) -> Result<Commit, Unreadable> {
        let content = self.read(oid, ObjectKind::Commit)?;
        let commit = Commit::parse(&content, oid.len());
        let mut commit = commit.ok_or_else(|| bad(oid, "it has no tree"))?;
        if self.is_shallow(oid)? {
            commit.parents.clear();
        }
        Ok(commit)
    }

    /// What whoever made the commit wrote of it. `None` if that is not UTF-8.
    pub(crate) fn message(&self, oid: Oid) -> Result<Option<String>, Unreadable> {
        let mut content = self.read(oid, ObjectKind::Commit)?;
        let end = memchr::memmem::find(&content, b"\n\n").map_or(content.len(), |at| at + 2);
        content.drain(..end);
        Ok(String::from_utf8(content).ok())
    }

    pub(crate) fn tree(&self, oid: Oid) -> Result<Vec<Item>, Unreadable> {
        let content = self.read(oid, ObjectKind::Tree)?;
        parse::tree(&content, oid.len()).ok_or_else(|| bad(oid, "it is damaged"))
    }

    /// What is at `path` below a tree.
    pub(crate) fn at(&self, tree: Oid, path: &[u8]) -> Result<Option<Item>, Unreadable> {
        let mut here = tree;
        let mut parts = path.split(|byte| *byte == b'/').peekable();
        while let Some(part) = parts.next() {
            let items = self.tree(here)?;
            match items.into_iter().find(|item| item.name == part) {
                Some(item) if parts.peek().is_none() => return Ok(Some(item)),
                Some(item) if item.is_tree() => here = item.oid,
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The content of a file, unless it is larger than `most`.
    pub(crate) fn blob(&self, oid: Oid, most: u64) -> Result<Option<Vec<u8>>, Unreadable> {
        let size = self.size(oid, ObjectKind::Blob)?;
        let is_read = size <= most;
        is_read
            .then(|| self.content(oid, ObjectKind::Blob, size))
            .transpose()
    }

    /// The commit that a name leads to, possibly through a tag.
    pub(crate) fn peel(&self, mut oid: Oid) -> Result<Oid, Unreadable> {
        for _ in 0..bounds::TAGS {
            match self.find(oid)? {
                Some((ObjectKind::Commit, _)) => return Ok(oid),
                Some((ObjectKind::Tag, _)) => {
                    let tag = self.read(oid, ObjectKind::Tag)?;
                    let next = parse::tagged(&tag, oid.len());
                    oid = next.ok_or_else(|| bad(oid, "it names nothing"))?;
                }
                Some(_) => return Err(bad(oid, "it is of another kind")),
                None => return Err(bad(oid, "it is missing")),
            }
        }
        Err(bad(oid, "too many tags name it"))
    }

    fn is_shallow(&self, oid: Oid) -> Result<bool, Unreadable> {
        if self.shallow.get().is_none() {
            let path = self.common_dir.join("shallow");
            let text = read_regular(&path, bounds::CONFIG);
            let text = text.map_err(|error| Unreadable::io(&path, error))?;
            let text = text.unwrap_or_default();
            let lines = text.split(|byte| *byte == b'\n');
            let oids = lines.filter_map(Oid::from_hex).collect();
            // Nothing else can have set it.
            let _ = self.shallow.set(oids);
        }
        Ok(self.shallow.get().is_some_and(|oids| oids.contains(&oid)))
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
