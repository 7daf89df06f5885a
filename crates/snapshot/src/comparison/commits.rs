//! Whether a commit or a branch that a report names is there: in the agent's repository, or in another one in which it
//! can have worked.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use attest_evidence::{CommitEvidence, Searched, fold};

use super::answers::tips;
use super::{Comparison, unreadable};
use crate::bounds;
use crate::mounts::Lookout;
use crate::odb::{Named, ObjectKind, Oid, commits_between, leads_to};
use crate::place::without_dots;
use crate::reader::refs;
use crate::{Doubt, Mention, RepoPath, Repository, Unreadable, WorkTree, escaped};

/// The folders of branches of this repository, and of what is known of others.
const BRANCHES: &str = "refs/heads/";
pub(super) const OF_REMOTES: &str = "refs/remotes/";

impl Comparison<'_> {
    pub(super) fn commit_evidence(&self, hash: &str) -> CommitEvidence {
        let own = self.look_up(&self.repository, hash);
        if let Ok(Named::One(oid, ObjectKind::Commit)) = own {
            return CommitEvidence::Found {
                is_old: self.leads_to(self.start, oid) == Some(true),
                is_reachable: self.leads_to(&self.stop, oid),
            };
        }
        let mut doubt = check(&own).err();
        for other in self.stores().found() {
            let found = self.look_up(other, hash);
            if let Ok(Named::One(_, ObjectKind::Commit)) = found {
                return CommitEvidence::FoundElsewhere(other.root.clone());
            }
            doubt = doubt.or_else(|| check(&found).err());
        }
        match doubt.map_or_else(|| self.check_missing(hash), Err) {
            Ok(()) => CommitEvidence::Missing,
            Err(doubt) => CommitEvidence::Inconclusive(doubt),
        }
    }

    /// Whether everything was searched that may have the commit, and nothing of it can have been lost.
    fn check_missing(&self, hash: &str) -> Result<(), Doubt> {
        let others = self.stores().complete().map_err(Doubt::clone)?;
        for repository in std::iter::once(&*self.repository).chain(others) {
            repository.odb(&self.limits).check_whole(hash)?;
        }
        if self.made()?.work.iter().any(|work| work.incomplete) {
            return Err(Doubt::ObjectsPacked);
        }
        Ok(())
    }

    fn look_up(&self, repository: &Repository, hash: &str) -> Result<Named, Unreadable> {
        repository.odb(&self.limits).named(hash)
    }

    /// Whether a branch or a detached HEAD of `tree` leads to the commit, if that is known.
    fn leads_to(&self, tree: &WorkTree, oid: Oid) -> Option<bool> {
        let tips = oids(tips(tree).into_iter());
        leads_to(&self.repository.odb(&self.limits), &tips, oid).ok()?
    }

    /// Whether all of it is on a remote-tracking branch: any, or the one of this name, or one of the remote of this name.
    pub(super) fn is_all_on_a_remote(&self, to: Option<&str>) -> bool {
        let is_meant = |name: &str| {
            to.is_none_or(|to| {
                let rest = name
                    .strip_prefix(OF_REMOTES)
                    .and_then(|it| it.strip_prefix(to));
                is_name_of(name, to) || rest.is_some_and(|rest| rest.starts_with('/'))
            })
        };
        self.is_all_below(|name| name.starts_with(OF_REMOTES) && is_meant(name))
    }

    /// Whether one of these refs has HEAD, and one has what each branch leads to that came since the start.
    fn is_all_below(&self, is_meant: impl Fn(&str) -> bool) -> bool {
        let Some(head) = self.stop.head.oid.as_deref() else {
            return false;
        };
        let (before, refs) = (tips(self.start), self.stop.refs.iter());
        let meant = refs.clone().filter(|(name, _)| is_meant(name));
        let new = refs.filter(|(name, _)| name.starts_with(BRANCHES));
        let new = new.map(|(_, oid)| oid.as_str());
        let new = new.filter(|oid| !before.contains(oid));
        let (meant, own) = (
            oids(meant.map(|(_, oid)| oid.as_str())),
            oids(new.chain([head])),
        );
        let left = commits_between(&self.repository.odb(&self.limits), &meant, &own);
        !own.is_empty() && left.is_ok_and(|left| left.is_empty())
    }

    pub(super) fn knows_branch(&self, name: &str) -> Result<bool, Doubt> {
        if is_branch_of(self.start, name) || is_branch_of(&self.stop, name) {
            // Another branch may have what was committed.
            let is_it = |full: &str| is_name_of(full, name);
            let is_here = self.stop.head.oid.is_some() && self.stop.refs.keys().any(|it| is_it(it));
            return if is_here && !self.is_all_below(is_it) {
                Err(Doubt::OtherBranch)
            } else {
                Ok(true)
            };
        }
        let others = self.stores();
        for other in std::iter::once(&*self.repository).chain(others.found()) {
            // One that names another branch is not among the others.
            let place = other.common_dir.join(BRANCHES).join(name);
            if RepoPath::is_sound(name.as_bytes()) && place.exists()
                || self
                    .has_branch_in(other, name)
                    .map_err(|why| unreadable(&why))?
            {
                return Ok(true);
            }
        }
        others.complete().map_err(Doubt::clone)?;
        Ok(false)
    }

    fn has_branch_in(&self, repository: &Repository, name: &str) -> Result<bool, Unreadable> {
        let odb = repository.odb(&self.limits);
        let (head, refs) = refs::read(repository, &odb, &self.limits)?;
        let mut names = refs.keys().chain(&head.branch);
        Ok(names.any(|other| is_name_of(other, name)))
    }

    /// The other repositories in which the agent can have worked: those in its work tree, and those at the places that
    /// its calls name.
    fn stores(&self) -> &Searched<Vec<Repository>> {
        self.knowledge.stores.get_or_init(|| self.find_stores())
    }

    fn find_stores(&self) -> Searched<Vec<Repository>> {
        let ground = self.ground();
        let mut found = Searched::all(Vec::new());
        if let Err(why) = ground.nested.complete() {
            found.stop(why.clone());
        }
        let named = self.mentions.places.iter().filter_map(place_of);
        let places = ground.roots.iter().chain(ground.nested.found()).cloned();
        let mut folders = HashSet::new();
        let mut lookout = Lookout::within(&self.limits);
        let mut known = HashSet::from([self.repository.common_dir.clone()]);
        for place in places.chain(named) {
            if let Err(why) = lookout.check(&place) {
                found.stop(why);
                continue;
            }
            let Some(folder) = nearest_folder(&place) else {
                continue;
            };
            if !folders.insert(folder.to_owned()) {
                continue;
            }
            if folders.len() > bounds::PLACES.0 {
                let (most, what) = bounds::PLACES;
                let most = most as u64;
                found.stop(Doubt::TooMany { most, what });
                break;
            }
            match Repository::discover(folder, &self.limits) {
                Ok(other) if known.insert(other.common_dir.clone()) => {
                    found.found_mut().push(other);
                }
                Ok(_) | Err(Unreadable::NotARepository(_)) => {}
                Err(Unreadable::Bare(_)) => found.stop(Doubt::OtherRepository),
                Err(why) => found.stop(unreadable(&why)),
            }
        }
        found
    }
}

/// Why an object that was looked for is not known to be missing.
fn check(found: &Result<Named, Unreadable>) -> Result<(), Doubt> {
    match found {
        Ok(Named::Nothing) => Ok(()),
        Ok(Named::One(..)) => Err(Doubt::NotACommit),
        Ok(Named::Several) => Err(Doubt::Ambiguous),
        Err(why) => Err(unreadable(why)),
    }
}

/// Where a repository may be that a mention leads to.
fn place_of(mention: &Mention) -> Option<PathBuf> {
    match mention {
        Mention::Written(path) | Mention::Around(path) | Mention::Moved { to: path, .. } => {
            Some(without_dots(path).unwrap_or_else(|| path.clone()))
        }
        Mention::Elsewhere(_) | Mention::Removed(_) | Mention::Staged(_) | Mention::Program(_) => {
            None
        }
    }
}

/// The folder at a place, or the nearest above it.
fn nearest_folder(place: &Path) -> Option<&Path> {
    place.ancestors().find(|folder| folder.is_dir())
}

fn is_branch_of(tree: &WorkTree, name: &str) -> bool {
    let heads = tree.worktrees.iter().map(|other| other.head.as_str());
    let heads = heads.filter_map(|head| head.strip_prefix("ref: "));
    let refs = tree
        .refs
        .keys()
        .chain(&tree.head.branch)
        .map(String::as_str);
    refs.chain(heads).any(|other| is_name_of(other, name))
}

fn oids<'t>(names: impl Iterator<Item = &'t str>) -> BTreeSet<Oid> {
    names
        .filter_map(|name| Oid::from_hex(name.as_bytes()))
        .collect()
}

/// Whether a ref is the branch, or one of that name on a remote. Some systems do not tell cases apart.
fn is_name_of(full: &str, name: &str) -> bool {
    let name = fold(&escaped(name.as_bytes()));
    let full = fold(full);
    let of_remote = full.strip_prefix(OF_REMOTES);
    full.strip_prefix(BRANCHES) == Some(&name)
        || of_remote == Some(&name)
        || of_remote
            .and_then(|rest| rest.split_once('/'))
            .is_some_and(|(_, rest)| rest == name)
        || full == name
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
