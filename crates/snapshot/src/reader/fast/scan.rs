//! One pass over the work tree: stat data against the index, and names that the index has not.

use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustix::fs::{AtFlags, FileType};
use rustix::io::Errno;

use super::folder::{Found, Visit};
use super::folders::join;
use super::index::Index;
use super::recall::Earlier;
use super::rules::{self, Rules};
use super::settings::Settings;
use super::{Refusal, io};
use crate::Limits;
use crate::identity::{Identity, Time};
use crate::parallel;
use crate::repository::check_time;

/// What the pass works with. All of it is shared by the threads.
pub(super) struct Scan<'a> {
    pub(super) root: &'a OwnedFd,
    pub(super) root_path: &'a Path,
    pub(super) index: &'a Index,
    /// When git last wrote the index.
    pub(super) index_written: Time,
    pub(super) settings: &'a Settings,
    pub(super) limits: &'a Limits,
    /// What an earlier reading knew, where it still holds.
    pub(super) earlier: Option<Earlier<'a>>,
    pub(super) everywhere: Arc<Rules>,
    pub(super) own: Own,
}

/// What the pass learns about ignore rules on its way.
pub(super) struct Own {
    /// The rules of the tracked folders, read when a name needs them.
    rules: Vec<OnceLock<Arc<Rules>>>,
    sources: Mutex<Vec<Source>>,
}

/// A file of rules, and what it was; absent where there was none.
pub(super) type Source = (Vec<u8>, Option<Identity>);

/// A folder to look into.
#[derive(Clone)]
pub(super) enum Folder {
    /// By its number in the index.
    Tracked(usize),
    Untracked(Arc<Place>),
}

/// A folder of which the index has nothing.
pub(super) struct Place {
    pub(super) path: Vec<u8>,
    above: Folder,
    rules: OnceLock<Arc<Rules>>,
}

/// What the whole pass found.
#[derive(Default)]
pub(super) struct Outcome {
    /// Entries that differ from the index, by number.
    pub(super) changed: Vec<usize>,
    /// Entries of which only the content can tell.
    pub(super) undecided: Vec<usize>,
    pub(super) untracked: Vec<Vec<u8>>,
    /// The tracked folders in their order; absent where there is none.
    pub(super) tracked_folders: Vec<Option<Identity>>,
    /// Absent where the folder has to be looked at each time.
    pub(super) untracked_folders: Vec<(Vec<u8>, Option<Identity>)>,
    pub(super) sources: Vec<Source>,
}

impl Folder {
    pub(super) fn untracked(path: Vec<u8>, above: &Self) -> Self {
        Self::Untracked(Arc::new(Place {
            path,
            above: above.clone(),
            rules: OnceLock::new(),
        }))
    }
}

impl Own {
    pub(super) fn new(index: &Index) -> Self {
        Self {
            rules: index.folders.iter().map(|_| OnceLock::new()).collect(),
            sources: Mutex::default(),
        }
    }
}

impl Scan<'_> {
    pub(super) fn run(self) -> Result<Outcome, Refusal> {
        let mut outcome = Outcome::default();
        let tracked: Vec<_> = (0..self.index.folders.len()).map(Folder::Tracked).collect();
        let threads = parallel::threads_for(self.index.entries.len());
        let found = self.visit(&tracked, threads)?;
        let mut next = self.take_tracked(found, &mut outcome)?;
        while !next.is_empty() {
            let found = self.visit(&next, parallel::threads_for(next.len() * FILES_IN_A_FOLDER))?;
            let mut below = Vec::new();
            for (folder, found) in next.iter().zip(found) {
                let path = self.path(folder).to_vec();
                outcome.untracked_folders.push((path, found.identity));
                outcome.untracked.extend(found.untracked);
                below.extend(found.folders);
            }
            next = below;
        }
        let sources = self.own.sources.into_inner();
        outcome.sources = sources.unwrap_or_else(PoisonError::into_inner);
        Ok(outcome)
    }

    fn visit(&self, folders: &[Folder], threads: usize) -> Result<Vec<Found>, Refusal> {
        parallel::map(folders, threads, |visit: &mut Visit, folder| {
            check_time(self.limits)?;
            visit.folder(self, folder)
        })
    }

    /// What lies behind a folder that is not there, or that is a link now, is not in the work
    /// tree, whatever was seen through the link.
    fn take_tracked(
        &self,
        found: Vec<Found>,
        outcome: &mut Outcome,
    ) -> Result<Vec<Folder>, Refusal> {
        let mut next = Vec::new();
        for (number, found) in found.into_iter().enumerate() {
            let parent = self.index.folders[number].parent;
            let parent_is_there = outcome.tracked_folders.get(parent);
            let is_reached = number == 0 || parent_is_there.is_some_and(Option::is_some);
            let found = if is_reached && found.identity.is_some() {
                found
            } else {
                Found::nothing_in(self, number)?
            };
            outcome.tracked_folders.push(found.identity);
            outcome.changed.extend(found.changed);
            outcome.undecided.extend(found.undecided);
            outcome.untracked.extend(found.untracked);
            next.extend(found.folders);
        }
        Ok(next)
    }

    /// The path of a folder, without a slash at its end.
    pub(super) fn path<'p>(&'p self, folder: &'p Folder) -> &'p [u8] {
        match folder {
            Folder::Tracked(number) => self.index.folder_path(&self.index.folders[*number]),
            Folder::Untracked(place) => &place.path,
        }
    }

    /// The rules that hold in a folder, read the first time that they are asked for.
    pub(super) fn rules(&self, folder: &Folder) -> Arc<Rules> {
        let (rules, above) = match folder {
            Folder::Tracked(0) => (&self.own.rules[0], None),
            Folder::Tracked(number) => {
                let parent = self.index.folders[*number].parent;
                (&self.own.rules[*number], Some(Folder::Tracked(parent)))
            }
            Folder::Untracked(place) => (&place.rules, Some(place.above.clone())),
        };
        let rules = rules.get_or_init(|| {
            let path = self.path(folder);
            let above = above.map_or_else(|| Arc::clone(&self.everywhere), |it| self.rules(&it));
            Arc::new(if above.cover(path, true) {
                above.covering()
            } else {
                above.within(path, &self.rules_text(path))
            })
        });
        Arc::clone(rules)
    }

    /// What the folder's own file of rules says. That it was asked for is noted.
    fn rules_text(&self, folder: &[u8]) -> Vec<u8> {
        let path = join(folder, b".gitignore");
        let identity = self.stat(&path).ok().flatten();
        let is_file = identity.is_some_and(|it| it.kind() == FileType::RegularFile);
        let text = if is_file {
            rules::text_in(self.root, &path)
        } else {
            Vec::new()
        };
        let mut sources = self
            .own
            .sources
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        sources.push((path, identity));
        text
    }

    /// Looks at a path of the work tree, without following a link at its end.
    pub(super) fn stat(&self, path: &[u8]) -> Result<Option<Identity>, Refusal> {
        stat(self.root, path).map_err(|error| io(path, error))
    }
}

/// Looks at a path below an open folder. `None` where nothing is there.
pub(super) fn stat(folder: &OwnedFd, path: &[u8]) -> Result<Option<Identity>, Errno> {
    let path = if path.is_empty() { &b"."[..] } else { path };
    match rustix::fs::statat(folder, path, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(Identity::from(&stat))),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A guess, for the number of threads.
const FILES_IN_A_FOLDER: usize = 16;
