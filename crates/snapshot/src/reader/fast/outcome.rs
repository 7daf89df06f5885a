//! What one pass over the work tree finds.

use std::sync::{Arc, OnceLock};

use super::rules::Rules;
use super::stat::EntryStatus;
use crate::identity::Digest;
use crate::odb::GITLINK;
use crate::reader::listing::Seen;

/// A rule file and its state; absent if it does not exist.
pub(super) type Source = (Vec<u8>, Option<Digest>);

/// A folder to look into.
#[derive(Clone)]
pub(super) enum Folder {
    /// By its number in the index.
    Tracked(usize),
    Untracked(Arc<BareFolder>),
}

/// A folder without anything in the index.
pub(super) struct BareFolder {
    pub(super) path: Vec<u8>,
    pub(super) above: Folder,
    /// Read when a name needs them.
    pub(super) rules: OnceLock<Arc<Rules>>,
}

/// What the pass, or one of its threads, has found.
#[derive(Default)]
pub(super) struct Outcome {
    /// Entries that differ from the index, by number.
    pub(super) changed: Vec<usize>,
    /// Entries for which only the content can decide.
    pub(super) undecided: Vec<usize>,
    pub(super) untracked: Vec<(Vec<u8>, Seen)>,
    /// Untracked folders that have not been searched yet.
    pub(super) below: Vec<Folder>,
    /// The folders of the index that exist, by number.
    pub(super) tracked_folders: Vec<(usize, Digest)>,
    pub(super) untracked_folders: Vec<(Vec<u8>, Digest)>,
    /// Folders that a rule covers and that have not been searched.
    pub(super) ignored: Vec<Vec<u8>>,
    /// Submodules, by number.
    pub(super) modules: Vec<usize>,
    pub(super) sources: Vec<Source>,
}

impl Outcome {
    pub(super) fn note(&mut self, entry: usize, standing: EntryStatus) {
        match standing {
            EntryStatus::Unchanged => {}
            EntryStatus::Changed => self.changed.push(entry),
            EntryStatus::Undecided => self.undecided.push(entry),
        }
    }

    pub(super) fn note_module(&mut self, entry: usize, mode: u32) {
        if mode == GITLINK {
            self.modules.push(entry);
        }
    }

    /// Records that a folder exists. `digest` is what a later reading compares it with.
    pub(super) fn note_folder(&mut self, folder: &Folder, digest: Digest) {
        match folder {
            Folder::Tracked(number) => self.tracked_folders.push((*number, digest)),
            Folder::Untracked(place) => self.untracked_folders.push((place.path.clone(), digest)),
        }
    }

    pub(super) fn extend(&mut self, part: Self) {
        self.changed.extend(part.changed);
        self.undecided.extend(part.undecided);
        self.untracked.extend(part.untracked);
        self.below.extend(part.below);
        self.tracked_folders.extend(part.tracked_folders);
        self.untracked_folders.extend(part.untracked_folders);
        self.ignored.extend(part.ignored);
        self.modules.extend(part.modules);
        self.sources.extend(part.sources);
    }
}

impl Folder {
    pub(super) fn untracked(path: Vec<u8>, above: &Self) -> Self {
        Self::Untracked(Arc::new(BareFolder {
            path,
            above: above.clone(),
            rules: OnceLock::new(),
        }))
    }
}
