//! What is asked of git only when a claimed path needs the answer, and then only once.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use super::Comparison;
use crate::history;
use crate::objects::NewNames;
use crate::presence::{self, Presence};
use crate::{Doubt, KnownPaths, RepoPath, Repository, Touch, Unreadable, WorkTree};

/// An answer that was found, or the doubt that it leaves.
type Known<'a, T> = Result<&'a T, Doubt>;

/// The answers so far; a failure is remembered as well.
#[derive(Debug, Default)]
pub(super) struct Knowledge {
    touched: OnceCell<Result<HashMap<String, RepoPath>, String>>,
    known_paths: OnceCell<Result<KnownPaths, String>>,
    new_names: OnceCell<Result<NewNames, String>>,
    elsewhere: OnceCell<Result<Vec<RepoPath>, String>>,
}

impl Comparison<'_> {
    /// The paths that commits and stashes touched which came or went since the start.
    pub(super) fn touched(&self) -> Known<'_, HashMap<String, RepoPath>> {
        known(&self.knowledge.touched, || {
            let (old, new) = (tips(self.start), tips(&self.stop));
            if old == new {
                return Ok(HashMap::new());
            }
            let git = self.repository.git(&self.limits);
            let paths = history::touched(&git, &old, &new)?;
            Ok(paths
                .into_iter()
                .filter_map(|path| Some((path.folded()?, path)))
                .collect())
        })
    }

    /// What git knows by name, and what it ignores.
    pub(super) fn known_paths(&self) -> Known<'_, KnownPaths> {
        known(&self.knowledge.known_paths, || {
            let moved = self.start.head.oid != self.stop.head.oid;
            let commit = self.start.head.oid.as_deref().filter(|_| moved);
            KnownPaths::read(&self.repository, commit, &self.limits)
        })
    }

    /// The names in the trees that were written since the start.
    pub(super) fn new_names(&self) -> Known<'_, NewNames> {
        known(&self.knowledge.new_names, || {
            let git = self.repository.git(&self.limits);
            NewNames::list(&git, &self.repository.common_dir, &self.start.taken_at)
        })
    }

    /// What other work trees have changed since the start.
    pub(super) fn elsewhere(&self) -> Known<'_, Vec<RepoPath>> {
        known(&self.knowledge.elsewhere, || {
            let mut all = Vec::new();
            for root in self.other_roots() {
                let other = match Repository::discover(&root, &self.limits) {
                    Ok(repository) => WorkTree::read(&repository, &self.limits, None)?,
                    Err(Unreadable::NotARepository(_) | Unreadable::Bare(_)) => continue,
                    Err(why) => return Err(why),
                };
                let changed = other
                    .files
                    .keys()
                    .filter(|path| self.is_new(&other.root, path));
                all.extend(changed.cloned());
            }
            Ok(all)
        })
    }

    /// Whether a file of another work tree may have been written since the start.
    fn is_new(&self, root: &Path, path: &RepoPath) -> bool {
        let Some(place) = path.under(root) else {
            return true;
        };
        match presence::at(&place) {
            Presence::Here(place, metadata) => {
                self.touch(&place, &metadata, None) == Touch::Possible
            }
            // Deleted there, at a time that nobody knows.
            Presence::Missing | Presence::Unknown => true,
        }
    }
}

/// Runs `find` the first time, and remembers also that it failed.
fn known<T>(
    cell: &OnceCell<Result<T, String>>,
    find: impl FnOnce() -> Result<T, Unreadable>,
) -> Known<'_, T> {
    cell.get_or_init(|| find().map_err(|why| why.to_string()))
        .as_ref()
        .map_err(|why| Doubt::Unreadable(why.clone()))
}

/// Every commit that a name of the repository leads to.
fn tips(tree: &WorkTree) -> BTreeSet<&str> {
    let detached = tree.worktrees.iter().map(|other| other.head.as_str());
    let detached = detached.filter(|head| head.bytes().all(|byte| byte.is_ascii_hexdigit()));
    tree.refs
        .values()
        .map(String::as_str)
        .chain(tree.head.oid.as_deref())
        .chain(detached.filter(|head| head.len() >= 40))
        .collect()
}
