//! Files at other places that are only there as they came: from a checkout into a work tree that was made in this run, or
//! as a copy of what the agent's own work tree has. Nothing was done to them.

use std::path::Path;

use super::Comparison;
use super::end::{MOST_COMMITS, bases};
use crate::odb::{Commit, Oid};
use crate::place::Places;
use crate::presence::Presence;
use crate::reader::refs;
use crate::regular::read_regular;
use crate::{RepoPath, Repository, Touch, Unreadable, path_bytes, touch};

/// The most bytes of a file that is compared with another one.
const MOST_BYTES: u64 = 8 * 1024 * 1024;
/// As how many things a look at the history of a clone counts: its branches are read, and commits.
const EACH_CLONE: usize = 64;
/// The most places of one claim that a file is compared with.
const MOST_ORIGINALS: usize = 4;

impl Comparison<'_> {
    /// Whether the file at `place`, outside of what the agent's own work tree has, is there as it came. What cannot be
    /// read is not. In a linked work tree that was there at the start something may have been put back.
    pub(super) fn is_as_it_came(&self, place: &Path, claimed: &Places) -> bool {
        let trees = self.stop.worktrees.iter().map(|tree| tree.path.as_path());
        let around = trees.filter(|tree| place.starts_with(tree));
        match around.max_by_key(|tree| tree.components().count()) {
            Some(tree) => {
                let was_there = self.start.worktrees.iter().any(|was| was.path == tree);
                !was_there && self.is_checked_out(tree, place)
            }
            None => self.is_copy(place, claimed),
        }
    }

    /// Whether the commit of the work tree at `root` has the file, and it is as it is there. A commit of this run that
    /// touches it was found before.
    fn is_checked_out(&self, root: &Path, place: &Path) -> bool {
        let Some(path) = path_below(root, place) else {
            return false;
        };
        let head = self.other_tree(root).and_then(|tree| tree.head.as_ref());
        let head = head.and_then(|head| Oid::from_hex(head.as_bytes()));
        let odb = self.repository.odb(&self.limits);
        let item =
            head.and_then(|head| odb.at(odb.commit(head).ok()?.tree, path.as_bytes()).ok()?);
        item.is_some_and(|item| item.is_file()) && self.is_listed_clean(root, &path)
    }

    /// Whether the file has the bytes of the one that is claimed, which was not written since the start. One that a call
    /// names was written.
    fn is_copy(&self, place: &Path, claimed: &Places) -> bool {
        let mut originals = claimed.inside.iter().take(MOST_ORIGINALS);
        let Some(bytes) = originals.find_map(|path| self.same_bytes(path, place)) else {
            return false;
        };
        !self.mentions.names_file(place, &self.limits)
            && self.came_whole(place, &bytes).unwrap_or(false)
    }

    /// The bytes at `place`, if the agent's own file at `path` has the same and was not written.
    fn same_bytes(&self, path: &RepoPath, place: &Path) -> Option<Vec<u8>> {
        let root = &self.start.root;
        let Presence::Here(own, metadata) = self.listings.find(root, path) else {
            return None;
        };
        let touch = self.touch(&own, &metadata, Some(root), || self.is_tracked(path));
        let has_size = std::fs::symlink_metadata(place)
            .is_ok_and(|other| other.is_file() && other.len() == metadata.len());
        if touch != Touch::Untouched || !has_size || own == place {
            return None;
        }
        let read = |place: &Path| {
            let bytes = read_regular(place, MOST_BYTES).ok()??;
            self.limits.budget.take(bytes.len()).ok()?;
            Some(bytes)
        };
        read(&own).filter(|bytes| read(place).as_ref() == Some(bytes))
    }

    /// Whether what is around a file came with it: a file that was there may have been brought to what it is now, as a
    /// fix is to an older branch.
    fn came_whole(&self, place: &Path, bytes: &[u8]) -> Result<bool, Unreadable> {
        let Some(folder) = place.parent() else {
            return Ok(false);
        };
        match Repository::discover(folder, &self.limits) {
            Ok(other) if other.common_dir == self.repository.common_dir => Ok(false),
            Ok(other) => self.came_with_a_clone(&other, place, bytes),
            Err(Unreadable::NotARepository(_)) => Ok(self.is_new_folder(folder)),
            Err(why) => Err(why),
        }
    }

    /// Whether another repository has the bytes in its commit, and had them in all that was there before this run.
    fn came_with_a_clone(
        &self,
        other: &Repository,
        place: &Path,
        bytes: &[u8],
    ) -> Result<bool, Unreadable> {
        if self.limits.budget.take_items(EACH_CLONE).is_err() {
            return Ok(false);
        }
        let odb = other.odb(&self.limits);
        let (head, _) = refs::read(other, &odb, &self.limits)?;
        let head = head.oid.and_then(|oid| Oid::from_hex(oid.as_bytes()));
        let place = crate::canonical(place).map_err(|why| Unreadable::io(place, why))?;
        let (Some(head), Some(path)) = (head, path_below(&other.root, &place)) else {
            return Ok(false);
        };
        let commit = odb.commit(head)?;
        let Some(now) = odb.at(commit.tree, path.as_bytes())? else {
            return Ok(false);
        };
        if odb.blob(now.oid, MOST_BYTES)?.as_deref() != Some(bytes) {
            return Ok(false);
        }
        let is_new = |oid: Oid, it: &Commit| !self.is_of_before(oid, it);
        let trees = if is_new(head, &commit) {
            let mut left = MOST_COMMITS;
            bases(&odb, &commit, is_new, &mut left)?
        } else {
            [Some(commit.tree)].into()
        };
        for tree in trees {
            let before = match tree {
                Some(tree) => odb.at(tree, path.as_bytes())?,
                None => None,
            };
            if before.is_none_or(|before| before != now) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the folder was made since the start. Not every file system knows.
    fn is_new_folder(&self, folder: &Path) -> bool {
        let made = std::fs::metadata(folder).and_then(|metadata| metadata.created());
        let made = made
            .ok()
            .and_then(|it| it.duration_since(std::time::UNIX_EPOCH).ok());
        let made = made.and_then(|it| i64::try_from(it.as_nanos()).ok());
        touch::has_our_clock(folder) && made.is_some_and(|made| made >= self.start.taken_at.wall_ns)
    }
}

fn path_below(root: &Path, place: &Path) -> Option<RepoPath> {
    let rest = place.strip_prefix(root).ok()?;
    RepoPath::from_git(&path_bytes(rest))
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests;
