//! Objects that came to the store since the start.
//!
//! Work that was committed leaves a commit behind even when the branch, the stash or the work tree
//! that led to it is gone again. What such a commit touches is work; and where a tree was written
//! without a commit, each of its names that is new.

mod store;

use std::collections::{HashMap, HashSet};
use std::path::Path;

pub(crate) use store::Store;

use crate::git::{Git, GitError};
use crate::history;
use crate::path::fold;
use crate::{Moment, RepoPath, Unreadable};

/// What new objects tell of work.
#[derive(Debug, Clone, Default)]
pub(crate) struct NewWork {
    /// What the new commits touch.
    pub(crate) paths: Vec<RepoPath>,
    /// The new names in trees that belong to none of them, in their folded form.
    names: HashSet<String>,
    /// There may be, or have been, objects that were not read.
    pub(crate) incomplete: bool,
}

impl NewWork {
    /// Reads what came to the store of `common_dir` after `since`, when it `was` this and HEAD was
    /// `head`, if those are known.
    pub(crate) fn list(
        git: &Git<'_>,
        common_dir: &Path,
        since: &Moment,
        was: Option<&Store>,
        head: Option<&str>,
    ) -> Result<Self, Unreadable> {
        let added = store::added(&common_dir.join("objects"), since, was)?;
        let mut new = Self {
            incomplete: added.is_in_doubt,
            ..Self::default()
        };
        if !added.oids.is_empty() {
            new.read(git, &added.oids, head)?;
        }
        Ok(new)
    }

    pub(crate) fn has(&self, basename: &[u8]) -> bool {
        std::str::from_utf8(basename).is_ok_and(|name| self.names.contains(&fold(name)))
    }

    fn read(
        &mut self,
        git: &Git<'_>,
        oids: &HashSet<String>,
        head: Option<&str>,
    ) -> Result<(), Unreadable> {
        let list: String = oids.iter().flat_map(|oid| [oid, "\n"]).collect();
        let format = "--batch-check=%(objecttype) %(objectname)";
        let kinds = git.run_with(&["cat-file", format], list.as_bytes(), &[0])?;
        let of_kind = |kind: &[u8]| -> Vec<u8> {
            let lines = kinds.split(|byte| *byte == b'\n');
            let oids = lines.filter_map(|line| line.strip_prefix(kind));
            oids.flat_map(|oid| [oid, b"\n"].concat()).collect()
        };
        let (commits, trees) = (of_kind(b"commit "), of_kind(b"tree "));
        if !commits.is_empty() {
            self.paths = history::paths_of(git, &commits)?.into_iter().collect();
        }
        if !trees.is_empty() {
            let both = [commits, trees].concat();
            let output = git.run_with(&["cat-file", "--batch"], &both, &[0])?;
            let forest = Forest::parse(&output).ok_or(GitError::Answer {
                command: "cat-file",
            })?;
            self.names = forest.names_beside_commits(git, head)?;
        }
        Ok(())
    }
}

/// Trees, and which of them are those of commits.
#[derive(Default)]
struct Forest {
    trees: HashMap<String, Vec<Entry>>,
    roots: Vec<String>,
}

struct Entry {
    /// In its folded form.
    name: String,
    oid: String,
}

impl Forest {
    /// Reads `<oid> <kind> <size>\n<content>\n`, again and again.
    fn parse(mut rest: &[u8]) -> Option<Self> {
        let mut forest = Self::default();
        while !rest.is_empty() {
            let end = rest.iter().position(|byte| *byte == b'\n')?;
            let header = std::str::from_utf8(&rest[..end]).ok()?;
            let mut fields = header.split(' ');
            let (oid, kind) = (fields.next()?, fields.next()?);
            let size: usize = fields.next()?.parse().ok()?;
            let content = rest.get(end + 1..end + 1 + size)?;
            if kind == "tree" {
                let entries = entries(content, oid.len() / 2)?;
                forest.trees.insert(oid.to_owned(), entries);
            } else if let Some(tree) = content.strip_prefix(b"tree ") {
                let oid = std::str::from_utf8(tree.get(..oid.len())?).ok()?;
                forest.roots.push(oid.to_owned());
            }
            rest = rest.get(end + 2 + size..)?;
        }
        Some(forest)
    }

    /// The names in trees that no commit leads to. A name that `head` has for the same object was
    /// only listed once more.
    fn names_beside_commits(
        self,
        git: &Git<'_>,
        head: Option<&str>,
    ) -> Result<HashSet<String>, Unreadable> {
        let Self { mut trees, roots } = self;
        let mut open = roots;
        while let Some(oid) = open.pop() {
            let entries = trees.remove(&oid).unwrap_or_default();
            open.extend(entries.into_iter().map(|entry| entry.oid));
        }
        let known = match head {
            Some(head) if !trees.is_empty() => history::names_in(git, head)?,
            _ => HashSet::new(),
        };
        let listed = trees.into_values().flatten();
        let listed = listed.map(|entry| (entry.name, entry.oid));
        let added = listed.filter(|entry| !known.contains(entry));
        Ok(added.map(|(name, _)| name).collect())
    }
}

/// `<mode> <name>\0<oid>`, again and again.
fn entries(mut rest: &[u8], oid_bytes: usize) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    while !rest.is_empty() {
        let space = rest.iter().position(|byte| *byte == b' ')?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        let oid = rest.get(end + 1..end + 1 + oid_bytes)?;
        // A report cannot name what is not UTF-8.
        if let Ok(name) = std::str::from_utf8(rest.get(space + 1..end)?) {
            entries.push(Entry {
                name: fold(name),
                oid: crate::fingerprint::hex(oid),
            });
        }
        rest = &rest[end + 1 + oid_bytes..];
    }
    Some(entries)
}

#[cfg(test)]
mod tests;
