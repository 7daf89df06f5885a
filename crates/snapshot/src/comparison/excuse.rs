//! What supports the agent about a path, wherever its file is or is not.

use super::Comparison;
use super::knowledge::{LedTo, Made};
use super::names::Names;
use crate::presence::{self, Presence};
use crate::{Change, ChangedElsewhere, Doubt, LinkedWorktree, PathEvidence, RepoPath};

impl Comparison<'_> {
    /// Anything that supports the agent, wherever its file is or is not.
    pub(super) fn excuse(&self, path: &RepoPath) -> Result<Option<PathEvidence>, Doubt> {
        let removed =
            |was: &LinkedWorktree| !self.stop.worktrees.iter().any(|is| is.path == was.path);
        if self.start.worktrees.iter().any(removed) {
            return Err(Doubt::WorktreeRemoved);
        }
        let outside = self.outside();
        let is_outside = |path: &RepoPath| outside.found().ending_in(path).next().is_some();
        let is_of_another = self
            .behind_unknown_folder(path)
            .is_some_and(|rest| outside.found().has_gone(&rest) || is_outside(&rest));
        if self.mentions.has_elsewhere(path) || outside.found().has_gone(path) || is_of_another {
            return Err(Doubt::WrittenElsewhere);
        }
        let Some(folded) = path.folded() else {
            return Err(Doubt::NoPlace);
        };
        let made = self.made()?;
        if let Some(path) = made.names.get(&folded) {
            return self.landed(path, &folded, made).map(Some);
        }
        if self.touched()?.dropped.get(&folded).is_some() {
            return Err(Doubt::Dropped);
        }
        let names = self.changed_names()?;
        if names.may_be_unspeakable(&folded) {
            return Err(Doubt::UnspeakableName);
        }
        let is_in_new_tree = made.work.iter().any(|work| work.has(path.basename()));
        if let Some(it) = names.same_basename(&folded) {
            // Where the folder is that the path names, the path is no short form of another one.
            let is_suffix = it.is_suffix || it.is_short && !self.has_folder_of(path);
            return Ok(Some(PathEvidence::SameBasename {
                path: path.clone(),
                changed: it.all(),
                is_suffix,
                is_gone: self.are_gone(names, &folded) && !is_in_new_tree,
                doubt: self.check_searched(made).err(),
            }));
        }
        if is_in_new_tree {
            return Ok(Some(PathEvidence::ChangedElsewhere(
                ChangedElsewhere::Object(path.clone()),
            )));
        }
        self.check_searched(made)?;
        Ok(None)
    }

    /// A commit or a stash that is new, or was there at the start, touches the path. What nothing leads to any more is no
    /// place for work, nor is what was taken away again.
    fn landed(&self, path: &RepoPath, folded: &str, made: &Made) -> Result<PathEvidence, Doubt> {
        let is_of_another = made.elsewhere.get(folded).is_some();
        let is_led_to = |led_to: &LedTo| led_to.names.get(folded).is_some();
        if !is_of_another && !self.led_to().map_or(true, is_led_to) {
            return Err(Doubt::Dropped);
        }
        let made = made.work.iter().flat_map(|work| &work.paths);
        if !is_of_another && !self.is_kept(path, folded, made) {
            return Err(Doubt::Reverted);
        }
        let landing = ChangedElsewhere::History(path.clone());
        Ok(PathEvidence::ChangedElsewhere(landing))
    }

    /// Whether all that changed and has this last part was in the work tree, and is not there any more. Of more than so
    /// many that is not asked.
    fn are_gone(&self, names: &Names, folded: &str) -> bool {
        const MOST: usize = 16;
        let all: Vec<_> = names.of_basename(folded).take(MOST + 1).collect();
        let is_gone = |(known, path): (&str, &RepoPath)| {
            let depth = known.matches('/').count();
            let mut ends = std::iter::once(path.clone()).chain(path.ancestors());
            let end = ends.find(|end| end.to_string().matches('/').count() == depth);
            let place = end.and_then(|end| end.under(&self.start.root));
            let is_missing = place.is_some_and(|it| matches!(presence::at(&it), Presence::Missing));
            is_missing && matches!(self.delta.find(path), Some((_, Change::Deleted)))
        };
        all.len() <= MOST && all.into_iter().all(is_gone)
    }

    /// Whether the folder in which the path would be is in the work tree.
    fn has_folder_of(&self, path: &RepoPath) -> bool {
        let folder = path.ancestors().next();
        let folder = folder.and_then(|folder| folder.under(&self.start.root));
        folder.is_some_and(|folder| folder.is_dir())
    }

    /// Whether everything was searched that may have the path.
    fn check_searched(&self, made: &Made) -> Result<(), Doubt> {
        self.ground().nested.complete().map_err(Doubt::clone)?;
        self.ground().unlisted.complete().map_err(Doubt::clone)?;
        let mentions = self.mentions.check();
        if mentions.as_ref().is_err_and(|why| !why.is_told()) {
            return mentions;
        }
        self.outside().complete().map_err(Doubt::clone)?;
        if made.work.iter().any(|work| work.incomplete) {
            return Err(Doubt::ObjectsPacked);
        }
        mentions
    }

    /// What is left of a path behind a folder that the work tree does not have: that may be the name of another
    /// repository. One name alone may be anything.
    fn behind_unknown_folder(&self, path: &RepoPath) -> Option<RepoPath> {
        let bytes = path.as_bytes();
        let at = bytes.iter().position(|byte| *byte == b'/')?;
        let (folder, rest) = (&bytes[..at], &bytes[at + 1..]);
        let place = RepoPath::from_git(folder)?.under(&self.start.root)?;
        let is_unknown = rest.contains(&b'/') && matches!(presence::at(&place), Presence::Missing);
        is_unknown.then(|| RepoPath::from_git(rest)).flatten()
    }
}
