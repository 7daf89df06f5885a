//! What the commits of a run came to: whether a path is another one there than before them, or was taken back again.

use std::cell::Cell;
use std::collections::{BTreeSet, HashSet};
use std::iter::once;

use super::answers::{Known, known, tips};
use super::end::{End, MOST, MOST_COMMITS, split};
use super::knowledge::LedTo;
use super::{Comparison, unreadable};
use crate::history::oids;
use crate::odb::{Odb, Oid};
use crate::{Doubt, RepoPath, Unreadable, WorkTree};

/// The name of the newest stash.
const STASH: &str = "refs/stash";
/// Where a name leads, and where the same name led at the start.
type Tip = (Oid, Option<Oid>);

impl Comparison<'_> {
    /// Whether something leads to a commit of this run that has at `path`, or at another one of these with that `folded`
    /// form or below it, something else than was there before. What cannot be read counts.
    pub(super) fn is_kept<'p>(
        &self,
        path: &'p RepoPath,
        folded: &str,
        all: impl Iterator<Item = &'p RepoPath>,
    ) -> bool {
        let is_cut = Cell::new(false);
        let is_meant = |path: &&RepoPath| {
            // Each claimed path may go through all of them.
            is_cut.set(is_cut.get() || self.limits.budget.take(path.as_bytes().len()).is_err());
            let path = path.folded().filter(|_| !is_cut.get());
            let rest = path.as_deref().and_then(|path| path.strip_prefix(folded));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let meant = once(path).chain(all.filter(is_meant));
        meant
            .take(MOST + 1)
            .enumerate()
            .any(|(at, path)| at == MOST || self.has_changed_at_an_end(path).unwrap_or(true))
            || is_cut.get()
    }

    /// Names that are no branches are read only if no branch has it.
    fn has_changed_at_an_end(&self, path: &RepoPath) -> Result<bool, Doubt> {
        let odb = self.repository.odb(&self.limits);
        for ends in [Self::own_ends, Self::other_ends] {
            for end in ends(self)? {
                if end
                    .has_changed(&odb, path)
                    .map_err(|why| unreadable(&why))?
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Those to which HEAD, a branch, another work tree or the newest stash leads.
    fn own_ends(&self) -> Known<'_, Vec<End>> {
        let touched = self.touched()?;
        known(&self.knowledge.own_ends, || {
            let odb = self.repository.odb(&self.limits);
            read(&odb, moved(self.start, &self.stop), &touched.commits)
        })
    }

    /// Those to which anything else leads: a tag, an older stash.
    fn other_ends(&self) -> Known<'_, Vec<End>> {
        let LedTo {
            tips: all, commits, ..
        } = self.led_to()?;
        known(&self.knowledge.other_ends, || {
            let odb = self.repository.odb(&self.limits);
            let own = oids(&tips(&self.stop))?;
            let others = all.difference(&own).map(|oid| (*oid, None));
            read(&odb, others.collect(), commits)
        })
    }
}

/// The names that came or moved. A branch is compared with itself: an amended commit has all that was in the one before
/// it, and what is brought to another branch may be here already.
fn moved(start: &WorkTree, stop: &WorkTree) -> BTreeSet<Tip> {
    let named = |oid: &str| Oid::from_hex(oid.as_bytes());
    let refs = stop.refs.iter().map(|(name, now)| {
        // Each stash is a work of its own.
        let before = start.refs.get(name).filter(|_| name != STASH);
        (Some(now.as_str()), before.map(String::as_str))
    });
    let before = if start.head.branch == stop.head.branch {
        start.head.oid.as_deref()
    } else {
        let branch = stop.head.branch.as_ref();
        branch.and_then(|it| start.refs.get(it)).map(String::as_str)
    };
    let head = once((stop.head.oid.as_deref(), before));
    let trees = stop.worktrees.iter().map(|is| {
        let before = start.worktrees.iter().find(|was| was.path == is.path);
        (Some(is.head.as_str()), before.map(|was| was.head.as_str()))
    });
    let all = refs.chain(head).chain(trees);
    let all = all.filter_map(|(now, before)| Some((named(now?)?, before.and_then(named))));
    all.filter(|(now, before)| Some(*now) != *before).collect()
}

/// The ends among some tips: those that are new commits, and the parts of a stash.
fn read(odb: &Odb<'_>, tips: BTreeSet<Tip>, new: &HashSet<Oid>) -> Result<Vec<End>, Unreadable> {
    let (mut ends, mut left) = (Vec::new(), MOST_COMMITS);
    for (oid, before) in tips {
        let oid = odb.peel(oid)?;
        if !new.contains(&oid) {
            continue;
        }
        let mut commit = odb.commit(oid)?;
        for part in split(odb, &mut commit)? {
            ends.push(End::since(odb, &part, None, new, &mut left)?);
        }
        ends.push(End::since(odb, &commit, before, new, &mut left)?);
        if ends.len() > MOST {
            return Err(Unreadable::TooMuchHistory(MOST));
        }
    }
    Ok(ends)
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
