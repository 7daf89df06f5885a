//! One folder of the work tree.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::os::fd::OwnedFd;

use rustix::fs::FileType;

use super::cache::PreviousScan;
use super::folders::{Child, base, children, join};
use super::index::{Entry, Index};
use super::listing::{self, refused, stat};
use super::nested::is_repository;
use super::outcome::{Folder, Outcome};
use super::scan::Scan;
use crate::deadline::check_time;
use crate::identity::{Digest, Identity};
use crate::odb::GITLINK;
use crate::reader::listing::Seen;
use crate::reader::refusal::Refusal;
use crate::{Unreadable, bounds};

/// How many names are matched against the rules between two checks of the time.
const BETWEEN_CHECKS: usize = 256;

/// Looks into one folder after another, and reuses its buffers.
#[derive(Default)]
pub(super) struct Visit<'a> {
    pub(super) outcome: Outcome,
    names: Vec<u8>,
    /// The names that are not in the index, with their types.
    unknown: Vec<(Vec<u8>, FileType)>,
    children: Vec<Known<'a>>,
}

/// A name that is in the index.
struct Known<'a> {
    name: &'a [u8],
    /// The entry with its number; absent if the name is a folder.
    entry: Option<(usize, Entry<'a>)>,
    /// Whether something with that name exists.
    is_seen: bool,
}

impl Known<'_> {
    fn is_module(&self) -> bool {
        self.entry.is_some_and(|(_, entry)| entry.mode() == GITLINK)
    }
}

impl<'a> Visit<'a> {
    /// Looks into the folder, unless `earlier` knows what is in it.
    pub(super) fn folder(
        &mut self,
        scan: &Scan<'a>,
        earlier: Option<&PreviousScan<'_>>,
        here: &Folder,
    ) -> Result<(), Refusal> {
        if let Some(earlier) = earlier
            && earlier.folder(scan, here, &mut self.outcome)?
        {
            return Ok(());
        }
        let path = scan.path(here);
        let Some(folder) = listing::open(scan.root, path).map_err(|e| refused(path, e))? else {
            return match here {
                Folder::Tracked(number) => {
                    scan.compare_entries(*number, &mut self.outcome, |_| Ok(None))
                }
                Folder::Untracked(_) => Ok(()),
            };
        };
        let own = rustix::fs::fstat(&folder).map_err(|error| refused(path, error))?;
        let own = scan.to_keep(&Identity::from(&own));
        self.children.clear();
        if let Folder::Tracked(number) = here {
            self.children.extend(known(scan.index, *number));
        }
        let has_git = self.list(scan, &folder, path)?;
        if let Folder::Untracked(_) = here
            && has_git
            && is_repository(scan.root_path, path)?
        {
            // Its own times do not show changes inside it.
            self.outcome.note_folder(here, Digest::UNSTABLE);
            self.outcome.untracked.push((path.to_vec(), Seen::Nothing));
            return Ok(());
        }
        self.outcome.note_folder(here, own);
        self.compare_children(scan, &folder)?;
        if !self.unknown.is_empty() {
            self.forget_spellings(scan, &folder);
            self.sort_unknown(scan, here)?;
        }
        Ok(())
    }

    /// Reads the names, marks the known ones and keeps the others. Returns whether there is a
    /// `.git` among them.
    fn list(&mut self, scan: &Scan<'_>, folder: &OwnedFd, path: &[u8]) -> Result<bool, Refusal> {
        let Self {
            names,
            unknown,
            children,
            ..
        } = self;
        unknown.clear();
        let mut has_git = false;
        let mut take = |name: &[u8], kind: FileType| {
            let composed = scan
                .settings
                .precompose
                .then(|| attest_evidence::composed(name));
            let name = composed.as_deref().unwrap_or(name);
            if name == b".git"
                || (scan.settings.ignoring.ignore_case && name.eq_ignore_ascii_case(b".git"))
            {
                has_git = true;
                return;
            }
            let is_folder = kind == FileType::Directory;
            let entry = find(children, name, false);
            if let Some(at) = entry {
                children[at].is_seen = true;
            }
            let is_known = match entry {
                // A folder in place of a file: nothing in it is in the index.
                Some(at) => !is_folder || children[at].is_module(),
                None => is_folder && find(children, name, true).is_some(),
            };
            if !is_known {
                unknown.push((name.to_vec(), kind));
            }
        };
        let mut unclear = Vec::new();
        listing::each(folder, names, |name, kind| match kind {
            FileType::Unknown => unclear.push(name.to_vec()),
            kind => take(name, kind),
        })
        .map_err(|error| refused(path, error))?;
        for name in unclear {
            // If it is gone by now, it does not count.
            if let Some(now) = stat(folder, &name).map_err(|error| refused(path, error))? {
                take(&name, now.kind());
            }
        }
        Ok(has_git)
    }

    /// Compares every tracked file of the folder.
    fn compare_children(&mut self, scan: &Scan<'a>, folder: &OwnedFd) -> Result<(), Refusal> {
        for known in &self.children {
            let Some((number, entry)) = known.entry else {
                continue;
            };
            // It may still exist under another spelling.
            let now = if known.is_seen || scan.settings.ignoring.ignore_case {
                stat(folder, known.name).map_err(|error| refused(entry.path, error))?
            } else {
                None
            };
            self.outcome.note_module(number, entry.mode());
            let standing = scan.standing(entry, now.as_ref());
            self.outcome.note(number, standing);
        }
        Ok(())
    }

    /// Forgets names that differ from tracked ones only in case, if case does not count: for a
    /// folder, only if it is the same folder on disk.
    fn forget_spellings(&mut self, scan: &Scan<'a>, folder: &OwnedFd) {
        if !scan.settings.ignoring.ignore_case {
            return;
        }
        let mut tracked: HashMap<Vec<u8>, Vec<&Known<'a>>> = HashMap::new();
        for known in &self.children {
            let name = known.name.to_ascii_lowercase();
            tracked.entry(name).or_default().push(known);
        }
        let place = |name: &[u8]| {
            let now = stat(folder, name).ok().flatten()?;
            Some((now.device, now.ino))
        };
        self.unknown.retain(|(name, kind)| {
            let twins = tracked.get(&name.to_ascii_lowercase());
            !twins.into_iter().flatten().any(|known| match kind {
                FileType::Directory => {
                    known.entry.is_none()
                        && place(name).is_some_and(|it| place(known.name) == Some(it))
                }
                _ => known.entry.is_some(),
            })
        });
    }

    /// Sorts the names that are not in the index into files, folders and what rules ignore.
    fn sort_unknown(&mut self, scan: &Scan<'a>, here: &Folder) -> Result<(), Unreadable> {
        let outcome = &mut self.outcome;
        let rules = scan.rules(here, &mut outcome.sources);
        if rules.covers_all() {
            return Ok(());
        }
        let folder = scan.path(here);
        let each = folder.len() + bounds::KEPT_OF_UNKNOWN;
        scan.add_paths(self.unknown.iter().map(|(name, _)| name.len() + each).sum())?;
        for (number, (name, kind)) in self.unknown.iter().enumerate() {
            if number % BETWEEN_CHECKS == 0 {
                check_time(scan.limits)?;
            }
            let path = join(folder, name);
            match kind {
                FileType::Directory if !rules.cover(&path, true) => {
                    outcome.below.push(Folder::untracked(path, here));
                }
                FileType::Directory => outcome.ignored.push(path),
                FileType::RegularFile if !rules.cover(&path, false) => {
                    outcome.untracked.push((path, Seen::File));
                }
                FileType::Symlink if !rules.cover(&path, false) => {
                    outcome.untracked.push((path, Seen::Nothing));
                }
                // git does not list FIFOs, sockets or devices.
                _ => {}
            }
        }
        Ok(())
    }
}

/// The names in a folder that are in the index, in its order.
fn known(index: &Index, folder: usize) -> impl Iterator<Item = Known<'_>> {
    let base = base(index.folder_path(&index.folders[folder]));
    children(&index.folders, folder).map(move |child| {
        let (path, entry) = match child {
            Child::Entry(number) => {
                let entry = index.entry(number);
                (entry.path, Some((number, entry)))
            }
            Child::Folder(number) => (index.folder_path(&index.folders[number]), None),
        };
        Known {
            name: &path[base..],
            entry,
            is_seen: false,
        }
    })
}

/// The first child with this name.
fn find(children: &[Known<'_>], name: &[u8], is_folder: bool) -> Option<usize> {
    let order = |known: &Known<'_>| in_order(known.name, known.entry.is_none(), name, is_folder);
    let at = children.partition_point(|known| order(known).is_lt());
    let known = children.get(at)?;
    order(known).is_eq().then_some(at)
}

/// Compares two names in the order of the index, where a folder sorts as its name with a slash.
fn in_order(a: &[u8], a_is_folder: bool, b: &[u8], b_is_folder: bool) -> Ordering {
    let shared = a.len().min(b.len());
    let next = |name: &[u8], is_folder: bool| match name.get(shared) {
        Some(byte) => Some(*byte),
        None => is_folder.then_some(b'/'),
    };
    a[..shared]
        .cmp(&b[..shared])
        .then_with(|| next(a, a_is_folder).cmp(&next(b, b_is_folder)))
}
