//! What the commits of a range touched on the way, be it there in the end or not.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use super::Range;
use crate::comparison::names::Names;
use crate::history::TreeChange;
use crate::odb::{self, Odb, Oid};
use crate::{Doubt, RepoPath, Unreadable, bounds};

/// Commits at each of which the files that changed so far are counted.
const COUNTED: usize = 100;

/// The paths that the commits of a range touched.
#[derive(Debug, Default)]
pub(super) struct Touched {
    pub(super) names: Names,
    /// Those that a commit removed, in their folded form, and whether each was certainly no renaming.
    pub(super) removed: HashMap<String, bool>,
    /// How many files each commit changed.
    counts: Vec<RangeInclusive<u64>>,
}

impl Touched {
    pub(super) fn read(range: &Range<'_>) -> Result<Self, Unreadable> {
        let mut bound = bounds::Paths::default();
        let mut touched = Self::default();
        for oid in &range.commits {
            let is_single = range.odb.commit(*oid)?.parents.len() <= 1;
            // One commit alone is all that its range is.
            let changes = if is_single && range.tip.is_none() {
                range.net.clone()
            } else {
                of_commit(&range.odb, *oid)?
            };
            touched.counts.push(count(&changes));
            let is_plain = changes.values().all(|it| it.old.is_some());
            for (path, change) in &changes {
                bound.add(path.as_bytes())?;
                if change.new.is_none()
                    && let Some(folded) = path.folded()
                {
                    *touched.removed.entry(folded).or_insert(true) &= is_plain;
                }
                touched.names.add(path);
            }
            if is_single && range.tip.is_some() {
                range.single.borrow_mut().insert(*oid, changes);
            }
        }
        Ok(touched)
    }

    /// The numbers of files of each commit, and of all of them up to one.
    pub(super) fn counts(&self, range: &Range<'_>) -> Result<Vec<RangeInclusive<u64>>, Unreadable> {
        let mut counts = self.counts.clone();
        for oid in &range.commits {
            let tree = range.odb.commit(*oid)?.tree;
            counts.push(count(&between(&range.odb, range.base_tree, Some(tree))?));
        }
        Ok(counts)
    }
}

impl Range<'_> {
    pub(super) fn touched(&self) -> Result<&Touched, Doubt> {
        let read = || Touched::read(self).map_err(in_doubt);
        self.touched
            .get_or_init(read)
            .as_ref()
            .map_err(Doubt::clone)
    }

    pub(super) fn count_files(&self) -> Result<Vec<RangeInclusive<u64>>, Doubt> {
        let mut counts = vec![count(&self.net)];
        if self.commits.len() > COUNTED {
            let most = COUNTED as u64;
            let what = "commits";
            return Err(Doubt::TooMany { most, what });
        }
        counts.extend(self.touched()?.counts(self).map_err(in_doubt)?);
        Ok(counts)
    }
}

/// The paths on which two trees differ.
pub(super) fn between(
    odb: &Odb<'_>,
    old: Option<Oid>,
    new: Option<Oid>,
) -> Result<BTreeMap<RepoPath, TreeChange>, Unreadable> {
    let mut bound = bounds::Paths::default();
    let mut changes = BTreeMap::new();
    odb::differing(odb, b"", old, new, |at| {
        bound.add(at.path.as_bytes())?;
        let (old, new) = (at.old, at.new);
        changes.insert(at.path, TreeChange { old, new });
        Ok(())
    })?;
    Ok(changes)
}

/// What a commit did itself: of a merge, only what is in none of its parents.
pub(super) fn of_commit(
    odb: &Odb<'_>,
    oid: Oid,
) -> Result<BTreeMap<RepoPath, TreeChange>, Unreadable> {
    let commit = odb.commit(oid)?;
    let mut parents = commit.parents.iter();
    let tree = |oid: &Oid| -> Result<Oid, Unreadable> { Ok(odb.commit(*oid)?.tree) };
    let first = parents.next().map(tree).transpose()?;
    let mut changes = between(odb, first, Some(commit.tree))?;
    for parent in parents {
        let others = between(odb, Some(tree(parent)?), Some(commit.tree))?;
        changes.retain(|path, _| others.contains_key(path));
    }
    Ok(changes)
}

/// How many files it may be said that these are: nobody knows what is taken for a renaming.
fn count(changes: &BTreeMap<RepoPath, TreeChange>) -> RangeInclusive<u64> {
    let of = |is: fn(&TreeChange) -> bool| changes.values().filter(|it| is(it)).count() as u64;
    let added = of(|it| it.old.is_none());
    let deleted = of(|it| it.new.is_none());
    let all = changes.len() as u64;
    all - added.min(deleted)..=all
}

pub(super) fn in_doubt(why: Unreadable) -> Doubt {
    match why {
        Unreadable::TooMuch(bound) => bound.into(),
        why => Doubt::Unreadable(why.to_string()),
    }
}
