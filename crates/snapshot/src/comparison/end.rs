//! A commit to which a name leads, and what was there before it.

use std::collections::{BTreeSet, HashSet};
use std::iter::once;

use crate::odb::{Commit, Odb, Oid};
use crate::{RepoPath, Unreadable};

/// Ends. Where there are more, each touch of a path counts.
pub(super) const MOST: usize = 256;
/// The commits that are gone through to find what was before all of them.
pub(super) const MOST_COMMITS: usize = 1_024;

/// A commit of this run to which a name leads, by its tree.
#[derive(Debug)]
pub(super) struct End {
    tree: Oid,
    /// The trees of what was there before it; `None` is an empty one.
    bases: BTreeSet<Option<Oid>>,
}

impl End {
    pub(super) fn has_changed(&self, odb: &Odb<'_>, path: &RepoPath) -> Result<bool, Unreadable> {
        let now = odb.at(self.tree, path.as_bytes())?;
        for base in &self.bases {
            let before = match base {
                Some(tree) => odb.at(*tree, path.as_bytes())?,
                None => None,
            };
            if before != now {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What is before it is what its name led to, or the old commits on which its new ones rest.
    pub(super) fn since(
        odb: &Odb<'_>,
        commit: &Commit,
        before: Option<Oid>,
        new: &HashSet<Oid>,
        left: &mut usize,
    ) -> Result<Self, Unreadable> {
        let bases = match before {
            Some(before) => once(Some(odb.commit(odb.peel(before)?)?.tree)).collect(),
            None => bases(odb, commit, |oid, _| new.contains(&oid), left)?,
        };
        let tree = commit.tree;
        Ok(Self { tree, bases })
    }
}

/// Takes from a stash its index and its untracked files, which are commits beside it.
pub(super) fn split(odb: &Odb<'_>, commit: &mut Commit) -> Result<Vec<Commit>, Unreadable> {
    let others = commit.parents.iter().skip(1);
    let others: Vec<_> = others
        .map(|oid| odb.commit(*oid))
        .collect::<Result<_, _>>()?;
    if !others.first().is_some_and(|other| other.is_of_stash) {
        return Ok(Vec::new());
    }
    commit.parents.truncate(1);
    Ok(others)
}

/// The trees of the nearest commits behind one that are not new; `None` is what a history begins with. `left` says how
/// many more may be gone through.
pub(super) fn bases(
    odb: &Odb<'_>,
    commit: &Commit,
    is_new: impl Fn(Oid, &Commit) -> bool,
    left: &mut usize,
) -> Result<BTreeSet<Option<Oid>>, Unreadable> {
    let (mut bases, mut seen) = (BTreeSet::new(), HashSet::new());
    let mut open = vec![commit.clone()];
    while let Some(commit) = open.pop() {
        if commit.parents.is_empty() {
            bases.insert(None);
        }
        for oid in commit.parents {
            if !seen.insert(oid) {
                continue;
            }
            let too_many = Unreadable::TooMuchHistory(MOST_COMMITS);
            *left = left.checked_sub(1).ok_or(too_many)?;
            let parent = odb.commit(oid)?;
            if is_new(oid, &parent) {
                open.push(parent);
            } else {
                bases.insert(Some(parent.tree));
            }
        }
    }
    Ok(bases)
}
