//! What an earlier reading saves this one.

use std::collections::{BTreeMap, HashMap};
use std::os::fd::OwnedFd;

use serde_bytes::{ByteBuf, Bytes};

use super::folders::{base, folder_of};
use super::index::Index;
use super::listing::{self, refused, stat};
use super::outcome::{Folder, Outcome};
use super::scan::Scan;
use crate::identity::{Digest, Identity};
use crate::reader::listing::Seen;
use crate::reader::memory::ScanCache;
use crate::reader::refusal::Refusal;
use crate::{Fingerprint, RepoPath, WorkTree};

/// An earlier reading of the same work tree, by folder.
pub(super) struct PreviousScan<'a> {
    memory: &'a ScanCache,
    /// Untracked files by the folder that contains them.
    files: HashMap<&'a [u8], Vec<&'a RepoPath>>,
    /// Untracked folders likewise.
    folders: HashMap<&'a [u8], Vec<&'a [u8]>>,
    /// Ignored folders likewise.
    ignored: HashMap<&'a [u8], Vec<&'a [u8]>>,
}

impl<'a> PreviousScan<'a> {
    /// `None` if the earlier names say nothing about the current ones. `cache_key` is that of this
    /// reading.
    pub(super) fn new(
        tree: &'a WorkTree,
        cache_key: Digest,
        index: &Index,
        root: &OwnedFd,
    ) -> Option<Self> {
        let memory = tree.memory.as_ref()?;
        let is_same = |(path, was): (&ByteBuf, &Option<Digest>)| {
            stat(root, path).is_ok_and(|now| now.map(|now| Digest::of(&now)) == *was)
        };
        let holds = memory.cache_key == cache_key
            && memory.tracked.len() == index.folders.len()
            && memory.sources.iter().all(is_same);
        if !holds {
            return None;
        }
        let mut earlier = Self {
            memory,
            files: HashMap::new(),
            folders: HashMap::new(),
            ignored: HashMap::new(),
        };
        for path in &tree.unlisted.as_ref()?.ignored {
            let path = path.as_bytes();
            let siblings = earlier.ignored.entry(folder_of(path));
            siblings.or_default().push(path);
        }
        let files = tree.files.iter().filter(|(_, state)| {
            // Folders are examined again.
            let no_file = [Fingerprint::Deleted, Fingerprint::Repository];
            !no_file.contains(&state.fingerprint)
        });
        let files: Vec<_> = files.map(|(path, _)| path).collect();
        for siblings in files.chunk_by(|a, b| folder_of(a.as_bytes()) == folder_of(b.as_bytes())) {
            let folder = folder_of(siblings[0].as_bytes());
            let has_none = memory.untracked.contains_key(Bytes::new(folder));
            // A path that is in the index is compared with it.
            let is_untracked = |path: &&RepoPath| has_none || index.find(path.as_bytes()).is_none();
            let untracked = siblings.iter().copied().filter(is_untracked);
            earlier.files.entry(folder).or_default().extend(untracked);
        }
        for path in memory.untracked.keys() {
            let siblings = earlier.folders.entry(folder_of(path));
            siblings.or_default().push(path);
        }
        Some(earlier)
    }

    /// Takes the folder into `outcome` without listing it, if its names are the same as before.
    /// Returns whether they are.
    pub(super) fn folder(
        &self,
        scan: &Scan<'_>,
        here: &Folder,
        outcome: &mut Outcome,
    ) -> Result<bool, Refusal> {
        let path = scan.path(here);
        let was = match here {
            Folder::Tracked(number) => self.memory.tracked.get(*number),
            Folder::Untracked(_) => self.memory.untracked.get(Bytes::new(path)),
        };
        let Some(was) = was.filter(|was| **was != Digest::UNSTABLE) else {
            return Ok(false);
        };
        // Relative to the folder, because each file would be a long way from the root.
        let folder = listing::open_to_ask(scan.root, path).map_err(|error| refused(path, error))?;
        let Some(folder) = folder else {
            return Ok(false);
        };
        let now = rustix::fs::fstat(&folder).map_err(|error| refused(path, error))?;
        if *was != Digest::of(&Identity::from(&now)) {
            return Ok(false);
        }
        outcome.note_folder(here, *was);
        if let Folder::Tracked(number) = here {
            let base = base(path);
            scan.compare_entries(*number, outcome, |path| {
                stat(&folder, &path[base..]).map_err(|error| refused(path, error))
            })?;
        }
        let files = self.files.get(path).into_iter().flatten();
        outcome
            .untracked
            .extend(files.map(|file| (file.as_bytes().to_vec(), Seen::Nothing)));
        let folders = self.folders.get(path).into_iter().flatten();
        outcome
            .below
            .extend(folders.map(|below| Folder::untracked(below.to_vec(), here)));
        let ignored = self.ignored.get(path).into_iter().flatten();
        outcome.ignored.extend(ignored.map(|path| path.to_vec()));
        Ok(true)
    }
}

/// What this pass leaves for the next one. `earlier` is what it was based on.
pub(super) fn remember(
    outcome: Outcome,
    index: &Index,
    cache_key: Digest,
    earlier: Option<&PreviousScan<'_>>,
) -> ScanCache {
    let sources = outcome.sources.into_iter();
    let mut sources: BTreeMap<_, _> = sources.map(|(path, was)| (path.into(), was)).collect();
    // A folder that was not listed again has the same names and rules as before.
    if let Some(earlier) = earlier {
        sources.extend(earlier.memory.sources.clone());
    }
    let mut tracked = vec![Digest::UNSTABLE; index.folders.len()];
    for (number, digest) in outcome.tracked_folders {
        tracked[number] = digest;
    }
    let untracked = outcome.untracked_folders.into_iter();
    ScanCache {
        cache_key,
        sources,
        tracked,
        untracked: untracked.map(|(path, was)| (path.into(), was)).collect(),
    }
}
