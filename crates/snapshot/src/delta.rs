//! What changed in one work tree between two snapshots.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;

use itertools::Itertools;

use crate::history::{self, TreeChange};
use crate::odb::Odb;
use crate::snapshot::fingerprint;
use crate::{Change, Fingerprint, Limits, RepoPath, Repository, Unreadable, WorkTree};

/// Every path whose content changed, whatever git did with it.
///
/// The content of a path in a snapshot is what the snapshot recorded for it. If it recorded
/// nothing, it is what HEAD had. So a committed change is a change, and committing what had already
/// been changed is not.
#[derive(Debug, Clone, Default)]
pub struct Delta {
    changes: BTreeMap<RepoPath, Change>,
    folded: HashMap<String, RepoPath>,
}

impl Delta {
    /// The changes, sorted by path.
    pub fn iter(&self) -> impl Iterator<Item = (&RepoPath, Change)> {
        self.changes.iter().map(|(path, change)| (path, *change))
    }

    /// The same as a list.
    #[must_use]
    pub fn changes(&self) -> Vec<(RepoPath, Change)> {
        let changes = self.iter().map(|(path, change)| (path.clone(), change));
        changes.collect()
    }

    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The change of `path`, also if it is written in another case or Unicode form.
    pub(crate) fn find(&self, path: &RepoPath) -> Option<(&RepoPath, Change)> {
        let known = match self.changes.get_key_value(path) {
            Some((known, _)) => known,
            None => self.folded.get(&path.folded()?)?,
        };
        self.changes.get(known).map(|change| (known, *change))
    }

    /// The changes of `folder` and of what is below it.
    pub(crate) fn within(&self, folder: &RepoPath) -> impl Iterator<Item = (&RepoPath, Change)> {
        let first = [folder.as_bytes(), b"/"].concat();
        // The sign behind the slash.
        let end = [folder.as_bytes(), b"0"].concat();
        let below = (Bound::Included(&first[..]), Bound::Excluded(&end[..]));
        let own = self.changes.get_key_value(folder).into_iter();
        own.chain(self.changes.range::<[u8], _>(below))
            .map(|(path, change)| (path, *change))
    }

    pub(crate) fn from_changes(changes: BTreeMap<RepoPath, Change>) -> Self {
        let folded = changes
            .keys()
            .filter_map(|path| Some((path.folded()?, path.clone())))
            .collect();
        Self { changes, folded }
    }

    /// Compares `start` with `stop`; both are of the work tree of `repository`.
    pub(crate) fn between(
        start: &WorkTree,
        stop: &WorkTree,
        repository: &Repository,
        limits: &Limits,
    ) -> Result<Self, Unreadable> {
        let odb = repository.odb(limits);
        let trees = if start.head.oid == stop.head.oid {
            BTreeMap::new()
        } else {
            let (old, new) = (&start.head.oid, &stop.head.oid);
            history::between(&odb, old.as_deref(), new.as_deref())?
        };
        let pair = Pair {
            stop,
            trees: &trees,
            odb,
            limits,
        };
        let mut changes = BTreeMap::new();
        let mut note = |path: &RepoPath, change: Option<Change>| {
            changes.extend(change.map(|change| (path.clone(), change)));
        };
        let sides = start
            .files
            .iter()
            .merge_join_by(&stop.files, |a, b| a.0.cmp(b.0));
        for side in sides {
            let (path, _) = *side.as_ref().reduce(|before, _| before);
            let (before, after) = side.left_and_right();
            let before = before.map(|(_, state)| &state.fingerprint);
            let after = after.map(|(_, state)| &state.fingerprint);
            note(path, pair.change_of(path, before, after)?);
        }
        for path in trees.keys() {
            if !start.files.contains_key(path) && !stop.files.contains_key(path) {
                note(path, pair.change_of(path, None, None)?);
            }
        }
        Ok(Self::from_changes(changes))
    }
}

struct Pair<'a> {
    stop: &'a WorkTree,
    trees: &'a BTreeMap<RepoPath, TreeChange>,
    odb: Odb<'a>,
    limits: &'a Limits,
}

impl Pair<'_> {
    /// How `path` changed, given its differences from HEAD at the start (`before`) and at the stop
    /// (`after`).
    fn change_of(
        &self,
        path: &RepoPath,
        before: Option<&Fingerprint>,
        after: Option<&Fingerprint>,
    ) -> Result<Option<Change>, Unreadable> {
        let now = |path| fingerprint(path, &self.stop.root, self.limits);
        Ok(match (before, after) {
            (Some(before), Some(after)) => compare(before, after),
            (Some(before), None) => compare(before, &now(path)?),
            (None, Some(after)) => match self.trees.get(path) {
                // HEAD has the same there as at the start, and the disk differs from it.
                None => Some(kind_of(after)),
                Some(TreeChange { old: None, .. }) => compare(&Fingerprint::Deleted, after),
                Some(TreeChange {
                    old: Some(item), ..
                }) => match history::content(&self.odb, item)? {
                    Some(before) => compare(&before, after),
                    None => Some(kind_of(after)),
                },
            },
            (None, None) => self.trees.get(path).map(|change| match change {
                TreeChange { new: None, .. } => Change::Deleted,
                TreeChange { .. } => Change::Written,
            }),
        })
    }
}

fn kind_of(after: &Fingerprint) -> Change {
    match after {
        Fingerprint::Deleted => Change::Deleted,
        _ => Change::Written,
    }
}

fn compare(before: &Fingerprint, after: &Fingerprint) -> Option<Change> {
    match (before, after) {
        (before, after) if before == after => None,
        (_, after) => Some(kind_of(after)),
    }
}
