//! Objects added to the store since the start.
//!
//! Committed work leaves a commit behind even if the branch, the stash or the work tree that led to
//! it is gone again. What such a commit touches is work. If a tree was written without a commit,
//! each of its new names is work.

mod store;
mod trail;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

pub(crate) use store::Store;
pub(crate) use trail::Trail;

use crate::bounds::{self, Count};
use crate::history;
use crate::odb::{ObjectKind, Odb, Oid, commits_between};
use crate::{Moment, RepoPath, Unreadable};
use attest_evidence::fold;

/// What new objects reveal about work.
#[derive(Debug, Clone, Default)]
pub(crate) struct NewWork {
    /// What the new commits touch.
    pub(crate) paths: Vec<RepoPath>,
    /// The new names in trees that belong to none of those commits, in their folded form.
    names: HashSet<String>,
    /// The new contents of files that none of the new trees has.
    pub(crate) loose: HashSet<Oid>,
    /// Whether there are, or were, objects that were not read.
    pub(crate) incomplete: bool,
}

/// What is known of a repository at the start.
#[derive(Default)]
pub(crate) struct Before<'a> {
    /// Its object store.
    pub(crate) store: Option<&'a Store>,
    /// What led to commits.
    pub(crate) trail: Option<&'a Trail>,
    /// The commit of HEAD.
    pub(crate) head: Option<&'a str>,
    /// Every commit that a name led to.
    pub(crate) tips: BTreeSet<&'a str>,
    /// Whether a branch of then is gone now.
    pub(crate) has_dropped_a_branch: bool,
    /// Whether a commit is one that the agent's own repository had, if this is another one: a clone has it from there.
    pub(crate) is_known: Option<&'a dyn Fn(Oid) -> bool>,
}

impl Before<'_> {
    /// Whether no commit since then can be gone: what led to commits still does, and of each stash that came the
    /// commit is among those that were `made`, wherever the stash itself went.
    fn leads_to_all(
        &self,
        odb: &Odb<'_>,
        common_dir: &Path,
        since: &Moment,
        made: &[Oid],
    ) -> Result<bool, Unreadable> {
        let stashes = |trail: &Trail| trail.stashes(common_dir, self.has_dropped_a_branch);
        let Some(stashes) = self.trail.and_then(stashes) else {
            return Ok(false);
        };
        let mut found = 0;
        for oid in made {
            let commit = odb.commit(*oid)?;
            let is_new = commit.time >= since.wall_ns / 1_000_000_000;
            found += usize::from(commit.is_of_stash && is_new);
        }
        Ok(found >= stashes)
    }
}

impl NewWork {
    /// Reads what was added to the store of `common_dir` after `since`.
    pub(crate) fn list(
        odb: &Odb<'_>,
        common_dir: &Path,
        since: &Moment,
        before: &Before<'_>,
    ) -> Result<Self, Unreadable> {
        let added = store::added(&common_dir.join("objects"), since, before.store)?;
        let mut new = Self::default();
        let made = if added.oids.is_empty() {
            Vec::new()
        } else {
            new.read(odb, &added.oids, before, added.is_repacked)?
        };
        new.incomplete |= added.is_in_doubt;
        if added.has_lost && !new.incomplete {
            new.incomplete = !before.leads_to_all(odb, common_dir, since, &made)?;
        }
        Ok(new)
    }

    pub(crate) fn has(&self, basename: &[u8]) -> bool {
        std::str::from_utf8(basename).is_ok_and(|name| self.names.contains(&fold(name)))
    }

    /// Reads the objects, and gives the commits that were made.
    fn read(
        &mut self,
        odb: &Odb<'_>,
        oids: &HashSet<String>,
        before: &Before<'_>,
        is_repacked: bool,
    ) -> Result<Vec<Oid>, Unreadable> {
        let (mut commits, mut trees) = (Vec::new(), Vec::new());
        for oid in oids.iter().filter_map(|oid| Oid::from_hex(oid.as_bytes())) {
            match odb.find(oid)? {
                Some((ObjectKind::Commit, _)) => commits.push(oid),
                Some((ObjectKind::Tree, _)) => trees.push(oid),
                Some((ObjectKind::Blob, _)) => drop(self.loose.insert(oid)),
                Some(_) => {}
                // It was dropped after it was listed.
                None => self.incomplete = true,
            }
        }
        let mut made = if is_repacked {
            // A pack that replaces others has what was there before as well.
            let known = before.tips.iter();
            let known = known.filter_map(|tip| Oid::from_hex(tip.as_bytes()));
            commits_between(odb, &known.collect(), &commits.iter().copied().collect())?
        } else {
            commits.clone()
        };
        if let Some(is_known) = before.is_known {
            made.retain(|oid| !is_known(*oid));
        }
        self.paths = history::paths_of(odb, &made)?.into_iter().collect();
        if !trees.is_empty() {
            let forest = Forest::read(odb, &commits, &trees)?;
            for entry in forest.trees.values().flatten() {
                self.loose.remove(&entry.oid);
            }
            self.names = forest.names_beside_commits(odb, before.head)?;
        }
        Ok(made)
    }
}

/// Trees, and which of them belong to commits.
struct Forest {
    trees: HashMap<Oid, Vec<Entry>>,
    roots: Vec<Oid>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Entry {
    /// In its folded form.
    name: String,
    oid: Oid,
}

impl Forest {
    fn read(odb: &Odb<'_>, commits: &[Oid], trees: &[Oid]) -> Result<Self, Unreadable> {
        let roots = commits.iter().map(|oid| Ok(odb.commit(*oid)?.tree));
        let roots = roots.collect::<Result<_, Unreadable>>()?;
        let mut names = Count::of(bounds::NAMES);
        let mut read = HashMap::new();
        for oid in trees {
            let entries = entries(odb, *oid)?;
            names.add(entries.len() as u64)?;
            read.insert(*oid, entries);
        }
        let trees = read;
        Ok(Self { trees, roots })
    }

    /// The names in trees that no commit leads to. A name that `head` has for the same object was
    /// merely listed again.
    fn names_beside_commits(
        self,
        odb: &Odb<'_>,
        head: Option<&str>,
    ) -> Result<HashSet<String>, Unreadable> {
        let Self { mut trees, roots } = self;
        let mut open = roots;
        while let Some(oid) = open.pop() {
            let entries = trees.remove(&oid).unwrap_or_default();
            open.extend(entries.into_iter().map(|entry| entry.oid));
        }
        let mut added: HashSet<Entry> = trees.into_values().flatten().collect();
        if let Some(head) = head.and_then(|head| Oid::from_hex(head.as_bytes())) {
            forget_known(odb, odb.commit(head)?.tree, &mut added)?;
        }
        Ok(added.into_iter().map(|entry| entry.name).collect())
    }
}

/// Removes every name that `tree`, or a tree below it, has for the same object.
fn forget_known(odb: &Odb<'_>, tree: Oid, added: &mut HashSet<Entry>) -> Result<(), Unreadable> {
    let mut seen = HashSet::new();
    let mut trees = Count::of(bounds::TREES);
    let mut open = vec![tree];
    while let Some(oid) = open.pop() {
        if added.is_empty() {
            break;
        }
        // A tree that occurs twice has the same names both times.
        if !seen.insert(oid) {
            continue;
        }
        trees.add(1)?;
        for item in odb.tree(oid)? {
            if item.is_tree() {
                open.push(item.oid);
            }
            if let Some(entry) = Entry::of(&item.name, item.oid) {
                added.remove(&entry);
            }
        }
    }
    Ok(())
}

fn entries(odb: &Odb<'_>, tree: Oid) -> Result<Vec<Entry>, Unreadable> {
    let items = odb.tree(tree)?.into_iter();
    Ok(items
        .filter_map(|item| Entry::of(&item.name, item.oid))
        .collect())
}

impl Entry {
    /// `None` for a name that is not UTF-8, which a report cannot contain.
    fn of(name: &[u8], oid: Oid) -> Option<Self> {
        let name = fold(std::str::from_utf8(name).ok()?);
        Some(Self { name, oid })
    }
}

#[cfg(test)]
mod tests;
