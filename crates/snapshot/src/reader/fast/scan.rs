//! One pass over the work tree: comparing stat data with the index, and finding names that are not
//! in it.

use std::collections::{HashMap, HashSet};
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use rustix::fs::{AtFlags, FileType};
use rustix::io::Errno;

use super::cache::PreviousScan;
use super::folder::{Visit, standing};
use super::folders::{Child, children, folder_of, join};
use super::index::Index;
use super::rules::{self, Rules};
use super::settings::Settings;
use super::stat::EntryStatus;
use super::{RULES, Refusal};
use crate::identity::{Digest, Identity, Time};
use crate::odb::GITLINK;
use crate::parallel;
use crate::reader::Seen;
use crate::repository::check_time;
use crate::{Limits, TooMuch, Unreadable, bounds};

/// What the pass works with. All threads share it.
pub(super) struct Scan<'a> {
    pub(super) root: &'a OwnedFd,
    pub(super) root_path: &'a Path,
    pub(super) index: &'a Index,
    /// When git last wrote the index.
    pub(super) index_written: Time,
    pub(super) settings: &'a Settings,
    pub(super) limits: &'a Limits,
    /// What an earlier reading knew, as far as it still applies.
    pub(super) earlier: Option<PreviousScan<'a>>,
    pub(super) everywhere: Arc<Rules>,
    /// The rule files that are left out of the checkout: git reads them from the index.
    pub(super) left_out_rules: HashMap<Vec<u8>, Vec<u8>>,
    /// The rules of the tracked folders, read when a name needs them.
    pub(super) rules: Vec<OnceLock<Arc<Rules>>>,
    /// Lines read from all rule files so far.
    pub(super) rule_lines: AtomicU64,
    /// The first rule file that could not be read.
    pub(super) unread_rules: OnceLock<Unreadable>,
    /// Names found so far that are not in the index.
    pub(super) paths: AtomicU64,
    /// The wall clock before the pass began.
    pub(super) began_ns: i64,
}

/// A rule file and its state; absent if it does not exist.
pub(super) type Source = (Vec<u8>, Option<Digest>);

/// A folder to look into.
#[derive(Clone)]
pub(super) enum Folder {
    /// By its number in the index.
    Tracked(usize),
    Untracked(Arc<Place>),
}

/// A folder without anything in the index.
pub(super) struct Place {
    pub(super) path: Vec<u8>,
    above: Folder,
    rules: OnceLock<Arc<Rules>>,
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

    fn extend(&mut self, part: Self) {
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
        Self::Untracked(Arc::new(Place {
            path,
            above: above.clone(),
            rules: OnceLock::new(),
        }))
    }
}

impl<'a> Scan<'a> {
    pub(super) fn run(&self) -> Result<Outcome, Refusal> {
        let mut outcome = Outcome::default();
        let tracked: Vec<_> = (0..self.index.folders.len()).map(Folder::Tracked).collect();
        let threads = parallel::threads_for(self.index.len());
        self.visit(&tracked, threads, &mut outcome)?;
        self.forget_hidden(&mut outcome)?;
        while !outcome.below.is_empty() {
            let folders = std::mem::take(&mut outcome.below);
            let threads = parallel::threads_for(folders.len() * FILES_IN_A_FOLDER);
            self.visit(&folders, threads, &mut outcome)?;
        }
        Ok(outcome)
    }

    fn visit(
        &self,
        folders: &[Folder],
        threads: usize,
        outcome: &mut Outcome,
    ) -> Result<(), Refusal> {
        let parts = parallel::fold(folders.len(), threads, |visit: &mut Visit<'a>, at| {
            check_time(self.limits)?;
            visit.folder(self, &folders[at])?;
            self.check_rules()
        })?;
        for part in parts {
            outcome.extend(part.outcome);
        }
        Ok(())
    }

    /// If a folder is missing, or is now a link, what lies below it is not in the work tree,
    /// whatever was seen through the link.
    fn forget_hidden(&self, outcome: &mut Outcome) -> Result<(), Refusal> {
        let mut is_there = vec![false; self.index.folders.len()];
        for (number, _) in &outcome.tracked_folders {
            is_there[*number] = true;
        }
        let mut hidden = Vec::new();
        // Each folder comes before those below it; the top folder is its own parent.
        for (number, folder) in self.index.folders.iter().enumerate() {
            if is_there[number] && !is_there[folder.parent as usize] {
                is_there[number] = false;
                hidden.push(number);
            }
        }
        if hidden.is_empty() {
            return Ok(());
        }
        let paths = hidden.iter().map(|number| self.path_of(*number));
        let paths: HashSet<&[u8]> = paths.collect();
        let is_seen = |path: &[u8]| !paths.contains(folder_of(path));
        let is_entry_seen = |number: &usize| is_seen(self.index.entry(*number).path);
        outcome.changed.retain(is_entry_seen);
        outcome.undecided.retain(is_entry_seen);
        outcome.untracked.retain(|(path, _)| is_seen(path));
        outcome.ignored.retain(|path| is_seen(path));
        outcome.below.retain(|folder| is_seen(self.path(folder)));
        outcome
            .tracked_folders
            .retain(|(number, _)| is_there[*number]);
        for number in hidden {
            self.compare_entries(number, outcome, |_| Ok(None))?;
        }
        Ok(())
    }

    /// Records how the files of a tracked folder compare with what is at their paths `now`.
    pub(super) fn compare_entries(
        &self,
        folder: usize,
        outcome: &mut Outcome,
        now: impl Fn(&[u8]) -> Result<Option<Identity>, Refusal>,
    ) -> Result<(), Refusal> {
        for child in children(&self.index.folders, folder) {
            if let Child::Entry(number) = child {
                let entry = self.index.entry(number);
                outcome.note_module(number, entry.mode());
                outcome.note(number, standing(self, entry, now(entry.path)?.as_ref()));
            }
        }
        Ok(())
    }

    /// The path of a folder, without a slash at the end.
    pub(super) fn path<'p>(&'p self, folder: &'p Folder) -> &'p [u8] {
        match folder {
            Folder::Tracked(number) => self.path_of(*number),
            Folder::Untracked(place) => &place.path,
        }
    }

    fn path_of(&self, number: usize) -> &'a [u8] {
        self.index.folder_path(&self.index.folders[number])
    }

    /// The rules that apply in a folder, read when they are first needed. `sources` receives the
    /// rule files that were used.
    pub(super) fn rules(&self, folder: &Folder, sources: &mut Vec<Source>) -> Arc<Rules> {
        let mut rules = Arc::clone(&self.everywhere);
        // The folders above whose rules are not known yet, the innermost first.
        let mut unknown = Vec::new();
        let mut here = Some(folder.clone());
        while let Some(folder) = here {
            let (known, above) = self.rules_of(&folder);
            if let Some(known) = known.get() {
                rules = Arc::clone(known);
                break;
            }
            here = above;
            unknown.push(folder);
        }
        for folder in unknown.iter().rev() {
            let (known, above) = self.rules_of(folder);
            let read = || {
                let path = self.path(folder);
                Arc::new(if above.is_some() && rules.cover(path, true) {
                    rules.covering()
                } else {
                    rules.within(path, &self.rules_text(path, sources))
                })
            };
            rules = Arc::clone(known.get_or_init(read));
        }
        rules
    }

    /// Where the rules of a folder are stored, and the folder above it.
    fn rules_of<'f>(&'f self, folder: &'f Folder) -> (&'f OnceLock<Arc<Rules>>, Option<Folder>) {
        match folder {
            Folder::Tracked(0) => (&self.rules[0], None),
            Folder::Tracked(number) => {
                let parent = self.index.folders[*number].parent as usize;
                (&self.rules[*number], Some(Folder::Tracked(parent)))
            }
            Folder::Untracked(place) => (&place.rules, Some(place.above.clone())),
        }
    }

    /// Counts names that are not in the index, with this many bytes in total.
    pub(super) fn add_paths(&self, bytes: usize) -> Result<(), TooMuch> {
        let most = bounds::UNKNOWN;
        let what = "bytes of paths that are not in the index";
        let before = self.paths.fetch_add(bytes as u64, Ordering::Relaxed);
        if before > most {
            return Err(TooMuch { most, what });
        }
        Ok(())
    }

    fn check_rules(&self) -> Result<(), Refusal> {
        let most = bounds::RULES;
        let what = "lines of ignore rules";
        if self.rule_lines.load(Ordering::Relaxed) > most {
            return Err(TooMuch { most, what }.into());
        }
        match self.unread_rules.get() {
            Some(why) => Err(Unreadable::Recorded(why.to_string()).into()),
            None => Ok(()),
        }
    }

    /// The content of the folder's own rule file. Also records that it was used.
    fn rules_text(&self, folder: &[u8], sources: &mut Vec<Source>) -> Vec<u8> {
        let path = join(folder, RULES);
        let place = || self.root_path.join(crate::path_of_bytes(&path));
        let unread = |error: io::Error| {
            // The folder that asked reports the error.
            let _ = self.unread_rules.set(Unreadable::io(&place(), error));
        };
        let identity = stat(self.root, &path).unwrap_or_else(|error| {
            unread(error.into());
            None
        });
        let text = match identity.map(|it| it.kind()) {
            Some(FileType::RegularFile) => {
                let text = rules::as_git_reads(rules::text_in(self.root, &path));
                text.unwrap_or_else(|error| {
                    unread(error);
                    Vec::new()
                })
            }
            None => self.left_out_rules.get(&path).cloned().unwrap_or_default(),
            Some(_) => Vec::new(),
        };
        sources.push((path, identity.map(|it| self.to_keep(&it))));
        let lines = memchr::memchr_iter(b'\n', &text).count() as u64;
        let before = self.rule_lines.fetch_add(lines, Ordering::Relaxed);
        if before + lines > bounds::RULES {
            // The folder that asked reports the error.
            return Vec::new();
        }
        text
    }

    /// What a later reading compares `identity` with.
    pub(super) fn to_keep(&self, identity: &Identity) -> Digest {
        Digest::to_keep(identity, self.began_ns)
    }
}

/// Looks at a path below an open folder. `None` if nothing is there.
pub(crate) fn stat(folder: &OwnedFd, path: &[u8]) -> Result<Option<Identity>, Errno> {
    let path = if path.is_empty() { &b"."[..] } else { path };
    match rustix::fs::statat(folder, path, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(Identity::from(&stat))),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
        Err(error) => Err(error),
    }
}

/// An estimate, for the number of threads.
const FILES_IN_A_FOLDER: usize = 16;
