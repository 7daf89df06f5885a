//! Bounded walks over trees and commits.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

use super::Odb;
use super::oid::Oid;
use super::parse::Item;
use crate::bounds::{self, Count};
use crate::{RepoPath, Unreadable};

/// A path on which two trees differ, and what each has there unless it is a folder.
pub(crate) struct Differing {
    pub(crate) path: RepoPath,
    pub(crate) old: Option<Item>,
    pub(crate) new: Option<Item>,
}

/// Two trees to compare, and their common path.
struct Pair {
    path: Vec<u8>,
    old: Option<Oid>,
    new: Option<Oid>,
    depth: usize,
}

/// Passes each path on which two trees differ to `take`, in no particular order. Both trees are at
/// the path `base`; `None` is an empty tree.
pub(crate) fn differing(
    odb: &Odb<'_>,
    base: &[u8],
    old: Option<Oid>,
    new: Option<Oid>,
    mut take: impl FnMut(Differing) -> Result<(), Unreadable>,
) -> Result<(), Unreadable> {
    let mut trees = Count::of(bounds::TREES);
    let mut open = vec![Pair {
        path: base.to_vec(),
        old,
        new,
        depth: 0,
    }];
    while let Some(pair) = open.pop() {
        if pair.old == pair.new {
            continue;
        }
        if pair.depth > bounds::DEPTH {
            return Err(bounds::too_deep().into());
        }
        trees.add(2)?;
        let read = |oid: Option<Oid>| oid.map_or(Ok(Vec::new()), |oid| odb.tree(oid));
        let (mut old, mut new) = (read(pair.old)?, read(pair.new)?);
        // Most of a large folder is the same before and behind what changed in it.
        let ends = old.iter().rev().zip(new.iter().rev());
        let ends = ends.take_while(|(old, new)| old == new).count();
        old.truncate(old.len() - ends);
        new.truncate(new.len() - ends);
        let begins = old.iter().zip(&new).take_while(|(old, new)| old == new);
        let begins = begins.count();
        let mut names: BTreeMap<Vec<u8>, [Option<Item>; 2]> = BTreeMap::new();
        for (side, items) in [old, new].into_iter().enumerate() {
            for item in items.into_iter().skip(begins) {
                let name = item.name.clone();
                names.entry(name).or_default()[side] = Some(item);
            }
        }
        for (name, [old, new]) in names {
            if old == new {
                continue;
            }
            let mut path = pair.path.clone();
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(&name);
            let tree =
                |item: &Option<Item>| item.as_ref().filter(|it| it.is_tree()).map(|it| it.oid);
            let (old_tree, new_tree) = (tree(&old), tree(&new));
            if old_tree.is_some() || new_tree.is_some() {
                open.push(Pair {
                    path: path.clone(),
                    old: old_tree,
                    new: new_tree,
                    depth: pair.depth + 1,
                });
            }
            let file = |item: Option<Item>| item.filter(|it| !it.is_tree());
            let (old, new) = (file(old), file(new));
            if old != new {
                let Some(path) = RepoPath::from_git(&path) else {
                    return Err(Unreadable::StrangePath(crate::escaped(&path)));
                };
                take(Differing { path, old, new })?;
            }
        }
    }
    Ok(())
}

/// The commits that are reachable from one of `of` and from none of `without`.
///
/// Commit times decide when to stop searching. If they are wrong, there may be too many commits,
/// but never too few.
pub(crate) fn commits_between(
    odb: &Odb<'_>,
    without: &BTreeSet<Oid>,
    of: &BTreeSet<Oid>,
) -> Result<Vec<Oid>, Unreadable> {
    if of.is_subset(without) {
        return Ok(Vec::new());
    }
    let mut walk = Walk {
        odb,
        seen: HashMap::new(),
        queue: BinaryHeap::new(),
        wanted: 0,
    };
    for tip in without {
        walk.add(odb.peel(*tip)?, false)?;
    }
    for tip in of {
        walk.add(odb.peel(*tip)?, true)?;
    }
    let mut found = Vec::new();
    let mut slack = SLACK;
    while let Some((_, oid)) = walk.queue.pop() {
        let (is_wanted, parents) = walk.take(oid);
        if is_wanted {
            slack = SLACK;
            found.push(oid);
            if found.len() > bounds::COMMITS {
                return Err(Unreadable::TooMuchHistory(bounds::COMMITS));
            }
        } else if walk.wanted == 0 {
            // Only what `without` reaches is left. A few more are visited, because times may be
            // wrong.
            slack -= 1;
            if slack == 0 {
                break;
            }
        }
        for parent in parents {
            walk.add(parent, is_wanted)?;
        }
    }
    found.retain(|oid| walk.seen.get(oid).is_some_and(|seen| seen.is_wanted));
    Ok(found)
}

/// How many commits are visited after the last wanted one.
const SLACK: usize = 16;

/// Whether `oid` is one of the commits `tips`, or lies behind one of them. `None` if too many lie in between.
///
/// Commit times decide when to stop searching. If they are wrong, it may not be found.
pub(crate) fn leads_to(
    odb: &Odb<'_>,
    tips: &BTreeSet<Oid>,
    oid: Oid,
) -> Result<Option<bool>, Unreadable> {
    if tips.contains(&oid) {
        return Ok(Some(true));
    }
    if tips.len() > bounds::COMMITS_BEHIND {
        return Ok(None);
    }
    let time = odb.commit(oid)?.time;
    let mut newest = Newest::of(odb, tips.iter().copied());
    let mut slack = SLACK;
    while let Some(next) = newest.next()? {
        if next.oid == oid {
            return Ok(Some(true));
        }
        slack -= usize::from(next.time < time);
        if slack == 0 {
            break;
        }
        if newest.seen.len() > bounds::COMMITS_BEHIND {
            return Ok(None);
        }
    }
    Ok(Some(false))
}

/// The commits that lie behind some tips, the youngest first by what they say of their time.
pub(crate) struct Newest<'w, 'a> {
    odb: &'w Odb<'a>,
    seen: BTreeSet<Oid>,
    queue: BinaryHeap<(i64, Oid, Vec<Oid>)>,
    /// Those that are to be queued.
    open: Vec<Oid>,
}

/// One of them.
#[derive(Debug)]
pub(crate) struct Visited {
    pub(crate) oid: Oid,
    time: i64,
    pub(crate) has_parents: bool,
}

impl<'w, 'a> Newest<'w, 'a> {
    pub(crate) fn of(odb: &'w Odb<'a>, tips: impl IntoIterator<Item = Oid>) -> Self {
        Self {
            odb,
            seen: BTreeSet::new(),
            queue: BinaryHeap::new(),
            open: tips.into_iter().collect(),
        }
    }

    pub(crate) fn next(&mut self) -> Result<Option<Visited>, Unreadable> {
        for oid in self.open.drain(..) {
            if self.seen.insert(oid) {
                let oid = self.odb.peel(oid)?;
                let commit = self.odb.commit(oid)?;
                self.queue.push((commit.time, oid, commit.parents));
            }
        }
        Ok(self.queue.pop().map(|(time, oid, parents)| {
            let has_parents = !parents.is_empty();
            self.open = parents;
            Visited {
                oid,
                time,
                has_parents,
            }
        }))
    }
}

struct Walk<'w, 'a> {
    odb: &'w Odb<'a>,
    seen: HashMap<Oid, QueuedCommit>,
    /// The youngest first.
    queue: BinaryHeap<(i64, Oid)>,
    /// How many commits in the queue are wanted.
    wanted: usize,
}

/// A commit that has been queued.
struct QueuedCommit {
    parents: Vec<Oid>,
    is_wanted: bool,
    is_queued: bool,
}

impl Walk<'_, '_> {
    fn add(&mut self, oid: Oid, is_wanted: bool) -> Result<(), Unreadable> {
        if self.seen.contains_key(&oid) {
            if !is_wanted {
                self.forget(oid);
            }
            return Ok(());
        }
        if self.seen.len() >= bounds::COMMITS_SEEN {
            return Err(Unreadable::TooMuchHistory(bounds::COMMITS_SEEN));
        }
        let commit = self.odb.commit(oid)?;
        self.queue.push((commit.time, oid));
        self.wanted += usize::from(is_wanted);
        let seen = QueuedCommit {
            parents: commit.parents,
            is_wanted,
            is_queued: true,
        };
        self.seen.insert(oid, seen);
        Ok(())
    }

    /// Takes a commit from the queue. Returns whether it is wanted, and its parents.
    fn take(&mut self, oid: Oid) -> (bool, Vec<Oid>) {
        let Some(seen) = self.seen.get_mut(&oid) else {
            return (false, Vec::new());
        };
        seen.is_queued = false;
        self.wanted -= usize::from(seen.is_wanted);
        (seen.is_wanted, seen.parents.clone())
    }

    /// Marks a commit as unwanted, together with everything known to lie behind it.
    fn forget(&mut self, oid: Oid) {
        let mut open = vec![oid];
        while let Some(oid) = open.pop() {
            let Some(seen) = self.seen.get_mut(&oid) else {
                continue;
            };
            if seen.is_wanted {
                seen.is_wanted = false;
                self.wanted -= usize::from(seen.is_queued);
                open.extend(&seen.parents);
            }
        }
    }
}
