//! What commits did to paths. Asked only if HEAD or a branch has moved.

use std::collections::{BTreeMap, BTreeSet};

use crate::bounds::{self, Paths};
use crate::git::{Ask, Git};
use crate::odb::{self, GITLINK, Item, LINK, Odb, Oid};
use crate::{Fingerprint, RepoPath, Unreadable};

/// A path on which two commits differ, and what each has there.
#[derive(Debug, Clone)]
pub(crate) struct TreeChange {
    pub(crate) old: Option<Item>,
    pub(crate) new: Option<Item>,
}

/// The paths on which the trees of two commits differ; `None` stands for no commit at all.
pub(crate) fn between(
    odb: &Odb<'_>,
    old: Option<&str>,
    new: Option<&str>,
) -> Result<BTreeMap<RepoPath, TreeChange>, Unreadable> {
    let tree = |commit: Option<&str>| -> Result<Option<Oid>, Unreadable> {
        let commit = commit.map(named).transpose()?;
        commit.map(|oid| Ok(odb.commit(oid)?.tree)).transpose()
    };
    let mut paths = Paths::default();
    let mut changes = BTreeMap::new();
    odb::differing(odb, b"", tree(old)?, tree(new)?, |at| {
        paths.add(at.path.as_bytes())?;
        let (old, new) = (at.old, at.new);
        changes.insert(at.path, TreeChange { old, new });
        Ok(())
    })?;
    Ok(changes)
}

/// What a checkout of `item` would have put on the disk, ignoring filters and line endings. `None`
/// for a file that is too large to be read.
/// for a file so large that it is not read.
pub(crate) fn content(odb: &Odb<'_>, item: &Item) -> Result<Option<Fingerprint>, Unreadable> {
    if item.mode == GITLINK {
        return Ok(Some(Fingerprint::Repository));
    }
    let most = odb.limits().max_hash_bytes.min(bounds::BLOB);
    let bytes = odb.blob(item.oid, most)?;
    Ok(bytes.map(|bytes| match item.mode {
        LINK => Fingerprint::link(&bytes),
        mode => Fingerprint::of_content(&bytes, mode & 0o100 != 0),
    }))
}

/// Every path touched by a commit that `new` reaches and `old` does not.
pub(crate) fn touched(
    odb: &Odb<'_>,
    old: &BTreeSet<&str>,
    new: &BTreeSet<&str>,
) -> Result<BTreeSet<RepoPath>, Unreadable> {
    let commits = odb::commits_between(odb, &oids(old)?, &oids(new)?)?;
    paths_of(odb, &commits)
}

/// The commits with these names.
pub(crate) fn oids(names: &BTreeSet<&str>) -> Result<BTreeSet<Oid>, Unreadable> {
    names.iter().copied().map(named).collect()
}

/// Every path that one of the commits touches. A merge is compared with each parent; but of one that begins a
/// history of its own all files count: a stash is a merge, and its third parent has the untracked files and nothing else.
pub(crate) fn paths_of(odb: &Odb<'_>, commits: &[Oid]) -> Result<BTreeSet<RepoPath>, Unreadable> {
    let mut bound = Paths::default();
    let mut paths = BTreeSet::new();
    for oid in commits {
        let commit = odb.commit(*oid)?;
        let mut pairs = Vec::new();
        for parent in &commit.parents {
            let parent = odb.commit(*parent)?;
            let begins = parent.parents.is_empty() && !pairs.is_empty();
            pairs.push(if begins {
                (None, parent.tree)
            } else {
                (Some(parent.tree), commit.tree)
            });
        }
        if pairs.is_empty() {
            pairs.push((None, commit.tree));
        }
        for (before, after) in pairs {
            odb::differing(odb, b"", before, Some(after), |at| {
                if !paths.contains(&at.path) {
                    bound.add(at.path.as_bytes())?;
                    paths.insert(at.path);
                }
                Ok(())
            })?;
        }
    }
    Ok(paths)
}

/// Whether any commit reachable from any name touches `path`.
pub(crate) fn has_touched(git: &Git<'_>, path: &RepoPath) -> Result<bool, Unreadable> {
    let Ok(path) = std::str::from_utf8(path.as_bytes()) else {
        return Ok(true);
    };
    let path = format!(":(top,literal){path}");
    let commits = git.ask_twice(Ask::EverTouched, &[path])?;
    Ok(!commits.is_empty())
}

/// The object that a snapshot names.
fn named(oid: &str) -> Result<Oid, Unreadable> {
    Oid::from_hex(oid.as_bytes()).ok_or_else(|| Unreadable::Object {
        oid: oid.to_owned(),
        why: "it is no name of an object",
    })
}
