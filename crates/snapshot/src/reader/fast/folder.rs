//! One folder of the work tree.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::os::fd::OwnedFd;

use rustix::fs::FileType;

use super::folders::{Child, base, children, is_named};
use super::index::{Entry, Index};
use super::nested::is_repository;
use super::scan::{Folder, Scan, stat};
use super::staged::GITLINK;
use super::stat::{Standing, compare};
use super::{Refusal, io, listing};
use crate::identity::Identity;

/// What one folder shows.
#[derive(Default)]
pub(super) struct Found {
    /// The folder itself, looked at before its names were; absent where there is none, and where
    /// its own times do not show what goes on inside.
    pub(super) identity: Option<Identity>,
    /// Entries of the index, by number.
    pub(super) changed: Vec<usize>,
    pub(super) undecided: Vec<usize>,
    pub(super) untracked: Vec<Vec<u8>>,
    pub(super) folders: Vec<Folder>,
}

impl Found {
    /// What a tracked folder shows that is not there.
    pub(super) fn nothing_in(scan: &Scan<'_>, number: usize) -> Result<Self, Refusal> {
        let mut found = Self::default();
        for child in children(&scan.index.folders, number) {
            if let Child::Entry(number) = child {
                found.note(number, standing(scan, scan.index.entries[number], None)?);
            }
        }
        Ok(found)
    }

    pub(super) fn note(&mut self, entry: usize, standing: Standing) {
        match standing {
            Standing::Unchanged => {}
            Standing::Changed => self.changed.push(entry),
            Standing::Undecided => self.undecided.push(entry),
        }
    }
}

/// How an entry of the index stands to what is at its path `now`.
pub(super) fn standing(
    scan: &Scan<'_>,
    entry: Entry,
    now: Option<&Identity>,
) -> Result<Standing, Refusal> {
    if entry.is_conflict() || entry.is_intended() {
        return Ok(Standing::Changed);
    }
    if entry.is_left_out() {
        let path = scan.index.path(entry);
        // git reads the rules of an absent file from the index, and lets a sparse path that is
        // there count again.
        let is_rules = is_named(path, b".gitignore");
        if is_rules || (scan.settings.sparse && now.is_some()) {
            return Err(Refusal::LeftOut(crate::escaped(path)));
        }
        return Ok(Standing::Unchanged);
    }
    if entry.is_assumed_valid() {
        return Ok(Standing::Unchanged);
    }
    let recorded = entry.recorded;
    Ok(match now {
        None if recorded.mode == GITLINK => Standing::Unchanged,
        None => Standing::Changed,
        Some(now) => compare(&recorded, now, scan.settings, scan.index_written),
    })
}

/// Looks into folders, one after the other, and reuses its buffers.
#[derive(Default)]
pub(super) struct Visit {
    names: Vec<u8>,
    path: Vec<u8>,
    /// The names that the index has not, with what they are.
    unknown: Vec<(Vec<u8>, FileType)>,
    children: Vec<Child>,
    /// Which of the children are there.
    seen: Vec<bool>,
}

impl Visit {
    pub(super) fn folder(&mut self, scan: &Scan<'_>, here: &Folder) -> Result<Found, Refusal> {
        if let Some(earlier) = &scan.earlier
            && let Some(found) = earlier.folder(scan, here)?
        {
            return Ok(found);
        }
        let mut found = Found::default();
        let path = scan.path(here);
        let Some(folder) = listing::open(scan.root, path).map_err(|e| io(path, e))? else {
            return Ok(found);
        };
        let own = rustix::fs::fstat(&folder).map_err(|error| io(path, error))?;
        found.identity = Some(Identity::from(&own));
        self.children.clear();
        if let Folder::Tracked(number) = here {
            self.children.extend(children(&scan.index.folders, *number));
        }
        let has_git = self.list(scan, &folder, path)?;
        match here {
            Folder::Tracked(_) => self.compare_children(scan, &folder, path, &mut found)?,
            Folder::Untracked(_) if has_git && is_repository(scan.root_path, path)? => {
                found.identity = None;
                found.untracked.push(path.to_vec());
                return Ok(found);
            }
            Folder::Untracked(_) => {}
        }
        if !self.unknown.is_empty() {
            self.check_spelling(scan, path)?;
            self.sort_unknown(scan, here, &mut found);
        }
        Ok(found)
    }

    /// Reads the names, marks the known ones and keeps the others. Returns whether there is a
    /// `.git` among them.
    fn list(&mut self, scan: &Scan<'_>, folder: &OwnedFd, path: &[u8]) -> Result<bool, Refusal> {
        let Self {
            names,
            unknown,
            children,
            seen,
            ..
        } = self;
        unknown.clear();
        seen.clear();
        seen.resize(children.len(), false);
        let mut has_git = false;
        let mut take = |name: &[u8], kind: FileType| {
            if name == b".git" || (scan.settings.ignore_case && name.eq_ignore_ascii_case(b".git"))
            {
                has_git = true;
                return;
            }
            let is_folder = kind == FileType::Directory;
            let entry = find(scan.index, children, path, name, false);
            if let Some(at) = entry {
                seen[at] = true;
            }
            let is_known = match entry {
                // A folder where a file was: what is in it, the index has not.
                Some(at) => !is_folder || is_module(scan.index, children[at]),
                None => is_folder && find(scan.index, children, path, name, true).is_some(),
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
        .map_err(|error| io(path, error))?;
        for name in unclear {
            // What is gone by now was never there.
            if let Some(now) = stat(folder, &name).map_err(|error| io(path, error))? {
                take(&name, now.kind());
            }
        }
        Ok(has_git)
    }

    /// Compares every tracked file of the folder.
    fn compare_children(
        &self,
        scan: &Scan<'_>,
        folder: &OwnedFd,
        path: &[u8],
        found: &mut Found,
    ) -> Result<(), Refusal> {
        for (child, seen) in self.children.iter().zip(&self.seen) {
            let Child::Entry(number) = *child else {
                continue;
            };
            let entry = scan.index.entries[number];
            let name = &scan.index.path(entry)[base(path)..];
            let now = if *seen {
                stat(folder, name).map_err(|error| io(scan.index.path(entry), error))?
            } else {
                None
            };
            found.note(number, standing(scan, entry, now.as_ref())?);
        }
        Ok(())
    }

    /// A name that is a tracked one but for its spelling is the same file to some systems.
    fn check_spelling(&self, scan: &Scan<'_>, path: &[u8]) -> Result<(), Refusal> {
        let mut names = self.unknown.iter().map(|(name, _)| name);
        let decomposes = scan.settings.precompose && names.clone().any(|name| !name.is_ascii());
        let is_twice = scan.settings.ignore_case && {
            let tracked = self.children.iter().map(|child| {
                let known = &child_path(scan.index, *child)[base(path)..];
                known.to_ascii_lowercase()
            });
            let tracked: HashSet<Vec<u8>> = tracked.collect();
            names.any(|name| tracked.contains(&name.to_ascii_lowercase()))
        };
        if decomposes || is_twice {
            return Err(Refusal::Spelling(crate::escaped(path)));
        }
        Ok(())
    }

    /// Sorts the names that the index has not into files, folders and what rules ignore.
    fn sort_unknown(&mut self, scan: &Scan<'_>, here: &Folder, found: &mut Found) {
        let rules = scan.rules(here);
        if rules.covers_all() {
            return;
        }
        let folder = scan.path(here);
        for (name, kind) in &self.unknown {
            self.path.clear();
            self.path.extend_from_slice(folder);
            if !folder.is_empty() {
                self.path.push(b'/');
            }
            self.path.extend_from_slice(name);
            match kind {
                FileType::Directory if !rules.cover(&self.path, true) => {
                    let below = Folder::untracked(self.path.clone(), here);
                    found.folders.push(below);
                }
                FileType::RegularFile | FileType::Symlink if !rules.cover(&self.path, false) => {
                    found.untracked.push(self.path.clone());
                }
                // git lists no FIFO, socket or device.
                _ => {}
            }
        }
    }
}

/// The first child of this name.
fn find(
    index: &Index,
    children: &[Child],
    folder: &[u8],
    name: &[u8],
    is_folder: bool,
) -> Option<usize> {
    let order = |child: &Child| {
        let known = &child_path(index, *child)[base(folder)..];
        in_order(known, matches!(child, Child::Folder(_)), name, is_folder)
    };
    let at = children.partition_point(|child| order(child).is_lt());
    let child = children.get(at)?;
    order(child).is_eq().then_some(at)
}

/// Compares two names as the index does, where a folder counts as its name and a slash.
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

fn child_path(index: &Index, child: Child) -> &[u8] {
    match child {
        Child::Entry(number) => index.path(index.entries[number]),
        Child::Folder(number) => index.folder_path(&index.folders[number]),
    }
}

fn is_module(index: &Index, child: Child) -> bool {
    matches!(child, Child::Entry(number) if index.entries[number].recorded.mode == GITLINK)
}
