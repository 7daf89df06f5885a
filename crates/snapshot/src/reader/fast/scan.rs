//! What all threads of a pass over the work tree share: the index to compare with, and the rules.

use std::collections::HashMap;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use rustix::fs::FileType;

use super::folders::{Child, children, join};
use super::index::{Entry, Index};
use super::listing::stat;
use super::outcome::{Folder, Outcome, Source};
use super::rules::{self, RULES, Rules};
use super::settings::Settings;
use super::stat::{EntryStatus, compare};
use crate::identity::{Digest, Identity, Time};
use crate::odb::GITLINK;
use crate::reader::refusal::Refusal;
use crate::{Limits, TooMuch, Unreadable, bounds};

/// What the pass works with.
pub(super) struct Scan<'a> {
    pub(super) root: &'a OwnedFd,
    pub(super) root_path: &'a Path,
    pub(super) index: &'a Index,
    /// When git last wrote the index.
    pub(super) index_written: Time,
    pub(super) settings: &'a Settings,
    pub(super) limits: &'a Limits,
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

impl<'a> Scan<'a> {
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
                outcome.note(number, self.standing(entry, now(entry.path)?.as_ref()));
            }
        }
        Ok(())
    }

    /// How an entry of the index compares with what is at its path `now`.
    pub(super) fn standing(&self, entry: Entry<'_>, now: Option<&Identity>) -> EntryStatus {
        if entry.is_conflict() {
            return EntryStatus::Changed;
        }
        // In a sparse checkout, a path that exists counts again.
        let counts_again = self.settings.sparse && now.is_some();
        if entry.is_assumed_valid() || (entry.is_left_out() && !counts_again) {
            return EntryStatus::Unchanged;
        }
        if entry.is_intended() {
            return EntryStatus::Changed;
        }
        match now {
            None if entry.mode() == GITLINK => EntryStatus::Unchanged,
            None => EntryStatus::Changed,
            Some(now) => compare(&entry.recorded(), now, self.settings, self.index_written),
        }
    }

    /// The path of a folder, without a slash at the end.
    pub(super) fn path<'p>(&'p self, folder: &'p Folder) -> &'p [u8] {
        match folder {
            Folder::Tracked(number) => self.path_of(*number),
            Folder::Untracked(place) => &place.path,
        }
    }

    pub(super) fn path_of(&self, number: usize) -> &'a [u8] {
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

    pub(super) fn check_rules(&self) -> Result<(), Refusal> {
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
