//! A comparison of a start and a stop.

mod absence;
mod answers;
mod back;
mod before;
mod beside;
mod commits;
mod content;
mod copies;
mod end;
mod ends;
mod excuse;
mod folder;
mod ground;
mod knowledge;
mod linked;
mod look;
mod mentions;
pub(crate) mod names;
mod now;
mod outside;
mod placeholders;
mod rest;
#[cfg(unix)]
mod rule_changes;
mod several;
mod traces;
mod unspeakable;
mod untouched;

use std::cell::OnceCell;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

pub use back::Back;
use knowledge::Knowledge;
pub use mentions::Mention;
use mentions::Mentions;
pub use now::Now;

use attest_evidence::{
    Before, CommitEvidence, EvidenceSource, FolderPlace, Held, RepositorySource, Searched,
};

use crate::history;
use crate::place::{self, Linked, without_dots};
use crate::presence::{Listings, Presence};
use crate::reach::Reach;
use crate::reader::Basis;
use crate::touch;
use crate::{
    ChangedElsewhere, Delta, Doubt, Limits, PathEvidence, RepoPath, Repository, Touch, Unreadable,
    WorkTree,
};

/// What happened in a work tree between a start and now.
///
/// Creating one costs the second reading and little else. The expensive questions (history, the
/// index, other work trees) are asked only when a claimed path needs the answer, and only once.
#[derive(Debug)]
pub struct Comparison<'a> {
    repository: Rc<Repository>,
    start: &'a WorkTree,
    stop: Rc<WorkTree>,
    /// The basis of the reading at the stop.
    basis: Option<Rc<Basis>>,
    delta: Delta,
    cwd: PathBuf,
    /// Why the folder that the host reports is not looked at.
    unseen_cwd: Option<Doubt>,
    reach: Reach,
    limits: Limits,
    knowledge: Knowledge,
    listings: Listings,
    mentions: Mentions,
}

impl<'a> Comparison<'a> {
    /// Reads the work tree of `start` again. `cwd` is the folder that the host reports at the stop.
    pub fn with(start: &'a WorkTree, cwd: &Path, limits: &Limits) -> Result<Self, Unreadable> {
        Self::at(&Now::read(start, limits)?, start, cwd)
    }

    /// The same with what was read before, if that was of the same work tree.
    pub fn once(
        now: &OnceCell<Now>,
        start: &'a WorkTree,
        cwd: &Path,
        limits: &Limits,
    ) -> Result<Self, Unreadable> {
        if let Some(now) = now.get().filter(|now| now.is_of(start)) {
            return Self::at(now, start, cwd);
        }
        let read = Now::read(start, limits)?;
        let compared = Self::at(&read, start, cwd)?;
        now.get_or_init(|| read);
        Ok(compared)
    }

    fn at(now: &Now, start: &'a WorkTree, cwd: &Path) -> Result<Self, Unreadable> {
        let (limits, stop) = (&now.limits, Rc::clone(&now.tree));
        let delta = Delta::between(start, &stop, &now.repository, limits)?;
        let unseen_cwd = limits.may_look(cwd).err();
        let resolved = match &unseen_cwd {
            None => crate::canonical(cwd).unwrap_or_else(|_| cwd.to_owned()),
            Some(_) => start.root.clone(),
        };
        let trees = stop.worktrees.iter().map(|tree| tree.path.clone());
        let own = trees.chain([cwd.to_owned(), resolved.clone()]);
        Ok(Self {
            reach: Reach::of(own, limits),
            unseen_cwd,
            repository: Rc::clone(&now.repository),
            start,
            stop,
            basis: now.basis.clone(),
            delta,
            cwd: resolved,
            limits: limits.clone(),
            knowledge: Knowledge::default(),
            listings: Listings::within(limits),
            mentions: Mentions::default(),
        })
    }

    /// What changed in the agent's work tree.
    #[must_use]
    pub fn delta(&self) -> &Delta {
        &self.delta
    }

    /// The work tree at the start.
    #[must_use]
    pub fn start(&self) -> &WorkTree {
        self.start
    }

    /// The work tree at the stop.
    #[must_use]
    pub fn stop(&self) -> &WorkTree {
        &self.stop
    }

    /// Adds what the agent's transcript names. From now on this supports the agent as well; and if not all that the
    /// agent did can be read from it, nothing is missing for certain.
    pub fn add_mentions(&mut self, mentions: &Searched<Vec<Mention>>) {
        self.mentions.add(mentions, &self.start.root);
        for place in mentions.found().iter().flat_map(Mention::places) {
            self.reach
                .add(without_dots(place).unwrap_or_else(|| place.to_owned()));
        }
        self.knowledge.outside.take();
        self.knowledge.stores.take();
    }

    /// Whether the report names a place that is looked at only if a call of the agent names it as well.
    #[must_use]
    pub fn has_left_out(&self) -> bool {
        self.reach.has_left_out()
    }

    fn changed(&self, paths: &[RepoPath]) -> Option<PathEvidence> {
        paths.iter().find_map(|path| {
            let (path, change) = match self.delta.find(path) {
                Some(found) => found,
                None => self.changed_within(path)?,
            };
            let path = path.clone();
            Some(PathEvidence::Changed { path, change })
        })
    }

    /// Whether any commit that is reachable in the repository touches the path.
    pub fn was_ever_committed(&self, path: &RepoPath) -> Result<bool, Doubt> {
        let git = self.repository.git(&self.limits);
        history::has_touched(&git, path).map_err(|why| unreadable(&why))
    }

    fn landed_in_history(&self, paths: &[RepoPath]) -> Result<Option<PathEvidence>, Doubt> {
        let touched = self.touched()?;
        let mut is_reverted = false;
        for folded in paths.iter().filter_map(RepoPath::folded) {
            let Some(path) = touched.names.get(&folded) else {
                continue;
            };
            if self.is_kept(path, &folded, touched.paths.iter()) {
                let landing = ChangedElsewhere::History(path.clone());
                return Ok(Some(PathEvidence::ChangedElsewhere(landing)));
            }
            is_reverted = true;
        }
        if is_reverted {
            return Err(Doubt::Reverted);
        }
        Ok(None)
    }
}

impl EvidenceSource for Comparison<'_> {
    fn name(&self, text: &str) -> String {
        let path = Path::new(text);
        let named = if path.has_root() || place::is_of_home(text) {
            self.places(text).inside.into_iter().next()
        } else {
            place::relative(path).filter(|path| path.as_bytes() != text.as_bytes())
        };
        match named {
            Some(path) if text.ends_with('/') => format!("{path}/"),
            Some(path) => path.to_string(),
            None => text.to_owned(),
        }
    }

    fn evidence_for(&self, text: &str) -> PathEvidence {
        let places = self.places(text);
        if let Some(changed) = self.changed(&places.inside) {
            return changed;
        }
        let landed = self.landed_in_history(&places.inside);
        if let Ok(Some(landed)) = landed {
            return landed;
        }
        let look = self.look(&places);
        if let Some(written) = look.written() {
            return written;
        }
        match (look.path(), landed.err().or(look.doubt.clone())) {
            (Some(place), None) => self.untouched(place, &places),
            (Some(place), Some(_)) => PathEvidence::OnDisk {
                path: place.to_owned(),
                touch: Touch::Possible,
                namesakes: Vec::new(),
            },
            (None, Some(doubt)) => PathEvidence::Inconclusive(doubt),
            (None, None) if places.inside.is_empty() && places.outside.is_empty() => {
                PathEvidence::Inconclusive(Doubt::NoPlace)
            }
            (None, None) if places.inside.is_empty() => PathEvidence::Inconclusive(Doubt::Outside),
            (None, None) => match self.check_linked(&places) {
                Ok(()) => match self.absence(&places.inside) {
                    absent @ PathEvidence::Absent(_) => self.end_of(&places).unwrap_or(absent),
                    mut seen => {
                        if let PathEvidence::SameBasename { is_gone, doubt, .. } = &mut seen
                            && let Some(end) = self.end_of(&places)
                        {
                            *is_gone = false;
                            match end {
                                PathEvidence::Inconclusive(why) => why.add_to(doubt),
                                _ => Doubt::KnownAtStart.add_to(doubt),
                            }
                        }
                        seen
                    }
                },
                Err(doubt) => PathEvidence::Inconclusive(doubt),
            },
        }
    }

    fn exact_evidence_for(&self, text: &str) -> Option<PathEvidence> {
        let places = self.places(text);
        if let Some(changed) = self.changed(&places.inside) {
            return Some(changed);
        }
        if let Ok(Some(landed)) = self.landed_in_history(&places.inside) {
            return Some(landed);
        }
        let look = self.look(&places);
        look.found()
    }

    fn has_folder(&self, text: &str) -> bool {
        if place::is_of_home(text) {
            return !self.places(text).inside.is_empty();
        }
        let path = Path::new(text);
        let mut parts = path.components();
        let (Some(Component::Normal(first)), Some(_)) = (parts.next(), parts.next()) else {
            return true;
        };
        let first = first.to_string_lossy();
        let places = self.places(&first);
        let is_known = |folder: &RepoPath| {
            self.delta.within(folder).next().is_some()
                || folder
                    .folded()
                    .is_some_and(|folder| self.recorded().get(&folder).is_some())
                || matches!(
                    self.listings.find(&self.start.root, folder),
                    Presence::Here(..) | Presence::Unknown(_)
                )
        };
        // The folder that contains the project, or the root by its own name.
        let names_root = self.start.root.file_name() == Some(first.as_ref().as_ref());
        names_root
            || places.inside.iter().any(is_known)
            || places.outside.iter().any(|place| place.exists())
            || places.linked.iter().any(Linked::exists)
    }

    fn check_before(&self, text: &str) -> Result<(), Doubt> {
        self.check_touched_before(&self.places(text).inside)
    }

    fn names_several(&self, text: &str) -> bool {
        let names = self.changed_names();
        let mut paths = self.places(text).inside.into_iter();
        names.is_ok_and(|names| paths.any(|path| names.has_several(&path, &self.limits.budget)))
    }

    fn differed_at_start(&self, text: &str) -> bool {
        let places = self.places(text);
        let differed = |path: &RepoPath| self.start.files.contains_key(path);
        places.inside.iter().any(differed)
    }
}

impl RepositorySource for Comparison<'_> {
    fn uncommitted(&self) -> Vec<RepoPath> {
        let changes = self.delta.changes().into_iter();
        let left = changes.filter(|(path, _)| self.stop.files.contains_key(path));
        left.map(|(path, _)| path).collect()
    }

    fn left_before(&self) -> Option<RepoPath> {
        let changed = self.uncommitted();
        let mut left = self.stop.files.keys();
        // They are in the order of their names.
        left.find(|path| changed.binary_search(path).is_err())
            .cloned()
    }

    // What cannot be read is not known, whatever the reason.
    fn held_now(&self, paths: &[&RepoPath], most: u64) -> Vec<Option<Held>> {
        let held = self.holds(paths, most);
        held.unwrap_or_else(|_| vec![None; paths.len()])
    }

    fn held_before(&self, paths: &[&RepoPath]) -> Vec<Option<Before>> {
        self.sizes_before(paths)
    }

    fn noted_size(&self, path: &RepoPath) -> Option<u64> {
        self.size_in_index(path)
    }

    fn bytes_before(&self, path: &RepoPath, most: u64) -> Option<Vec<u8>> {
        self.read_before(path, most).ok()?
    }

    fn commit(&self, hash: &str) -> CommitEvidence {
        self.commit_evidence(hash)
    }

    fn has_branch(&self, name: &str) -> Result<bool, Doubt> {
        self.knows_branch(name)
    }

    fn may_run_hooks(&self) -> bool {
        crate::may_run_hooks(&self.repository, &self.limits)
    }

    fn changed(&self) -> Vec<(RepoPath, Option<i128>)> {
        let root = &self.start.root;
        let at = |path: &RepoPath| touch::last_changed(&path.under(root)?);
        let paths = self.delta.iter().map(|(path, _)| path);
        paths.map(|path| (path.clone(), at(path))).collect()
    }

    fn is_pushed(&self, to: Option<&str>) -> bool {
        self.is_all_on_a_remote(to)
    }

    fn has_moved_on_a_remote(&self) -> bool {
        let now = self.stop.refs.iter();
        let mut now = now.filter(|(name, _)| name.starts_with(commits::OF_REMOTES));
        now.any(|(name, oid)| self.start.refs.get(name) != Some(oid))
    }

    fn may_be_committed(&self, path: &RepoPath) -> bool {
        self.touched().map_or(true, |it| it.paths.contains(path))
    }

    fn folder(&self, folder: &str) -> FolderPlace {
        let root = &self.start.root;
        let Some(path) = without_dots(&self.cwd.join(folder)) else {
            return FolderPlace::Elsewhere;
        };
        let seen = self.limits.may_look(&path).ok();
        let path = seen
            .and_then(|()| crate::canonical(&path).ok())
            .unwrap_or(path);
        let mut trees = path.ancestors().take_while(|it| *it != root);
        if path == *root {
            FolderPlace::Root
        } else if path.starts_with(root) && !trees.any(|it| it.join(".git").exists()) {
            FolderPlace::Below
        } else {
            FolderPlace::Elsewhere
        }
    }
}

fn unreadable(why: &Unreadable) -> Doubt {
    Doubt::Unreadable(why.to_string())
}

#[cfg(test)]
mod tests;
