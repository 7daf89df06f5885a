//! Looks for many paths and globs at once: plain paths are looked up, and one walk through the tree
//! serves all globs.
//!
//! Links are not followed and `.git` is not entered, so nothing outside the folder is found.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use globset::{Candidate, GlobSet, GlobSetBuilder};
use walkdir::{DirEntry, WalkDir};

use crate::content::ConditionsMet;
use crate::criteria::Conditions;
use crate::pattern::PathPattern;
use crate::resolved::resolved;
use attest_process::{Stop, Stopped, without_number};

/// The folder that no glob enters.
const GIT_DIR: &str = ".git";

/// One thing to look for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub(crate) pattern: &'a PathPattern,
    pub(crate) conditions: &'a Conditions,
    /// How many of the files found to name.
    pub(crate) keep: usize,
    /// Leaves folders out.
    pub(crate) only_files: bool,
}

/// What was found for it.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The first that meet all conditions, relative to the folder that is checked.
    pub(crate) met: Vec<PathBuf>,
    /// How many there are. If there are conditions, the search stops at the first that meets them.
    pub(crate) count: usize,
    /// The first that exists but does not meet a condition, and why.
    pub(crate) missed: Option<(PathBuf, String)>,
    /// Something that may be what is looked for but could not be read, and why.
    pub(crate) unknown: Option<(PathBuf, String)>,
}

/// Looks for all of `wanted` below `root`. Returns what was found for each, in the same order.
pub(crate) fn search(root: &Path, wanted: &[Wanted<'_>], stop: &Stop<'_>) -> Vec<Found> {
    let mut found: Vec<Found> = wanted.iter().map(|_| Found::default()).collect();
    // Without links in it, so that the target of a link can be compared with it.
    let root = match resolved(root) {
        Ok(root) => root,
        Err(error) => {
            for one in &mut found {
                one.unknown = Some((root.to_owned(), without_number(&error.to_string())));
            }
            return found;
        }
    };
    let mut search = Search {
        root: &root,
        wanted,
        found,
        folders_read: 0,
        stop,
    };
    // If a command was stopped, what it should have made is missing, and that proves nothing.
    if let Err(stopped) = stop.check() {
        for one in &mut search.found {
            one.mark_unknown(Path::new(""), &stopped.to_string());
        }
        return search.found;
    }
    for index in 0..wanted.len() {
        search.look_up(index);
    }
    search.walk();
    search.found
}

struct Search<'a> {
    root: &'a Path,
    wanted: &'a [Wanted<'a>],
    found: Vec<Found>,
    /// How many folders were listed.
    folders_read: usize,
    stop: &'a Stop<'a>,
}

/// The globs that begin at one folder.
struct Level {
    /// The patterns of the last name, for all of them at once.
    names: GlobSet,
    /// The index in `wanted` of each of them.
    indices: Vec<usize>,
}

impl Level {
    fn of(wanted: &[Wanted<'_>], indices: Vec<usize>) -> Result<Self, globset::Error> {
        let mut names = GlobSetBuilder::new();
        let wildcards = indices.iter().map(|index| wanted[*index].pattern);
        for wildcard in wildcards.filter_map(|pattern| pattern.wildcard.as_ref()) {
            names.add(wildcard.name.clone());
        }
        Ok(Self {
            names: names.build()?,
            indices,
        })
    }
}

impl Search<'_> {
    /// Treats the pattern as a plain path.
    fn look_up(&mut self, index: usize) {
        let relative = self.wanted[index].pattern.literal();
        let path = self.root.join(relative);
        match self.is_inside(&path).and_then(|inside| {
            if inside {
                fs::symlink_metadata(&path).map(Some)
            } else {
                Ok(None)
            }
        }) {
            Ok(Some(metadata)) => self.consider(index, relative, metadata.is_dir()),
            Ok(None) => {}
            Err(error) if is_absence(&error) => {}
            Err(error) => {
                self.found[index].mark_unknown(relative, &without_number(&error.to_string()));
            }
        }
    }

    /// Whether the folder of `path` lies below the root: a link may lead out of it.
    fn is_inside(&self, path: &Path) -> io::Result<bool> {
        match path.parent() {
            Some(folder) if path != self.root => Ok(resolved(folder)?.starts_with(self.root)),
            _ => Ok(true),
        }
    }

    /// Considers something that exists and that the pattern names.
    fn consider(&mut self, index: usize, relative: &Path, is_folder: bool) {
        let wanted = self.wanted[index];
        let found = &mut self.found[index];
        if (wanted.pattern.is_folder && !is_folder) || (wanted.only_files && is_folder) {
            return;
        }
        // The same file may match by its plain name, which is looked up first, and by the glob.
        if found.met.first().is_some_and(|last| last == relative) {
            return;
        }
        if !wanted.conditions.is_empty() {
            if found.count > 0 {
                return;
            }
            let path = self.root.join(relative);
            match wanted.conditions.check(self.root, &path, self.stop) {
                ConditionsMet::Yes => {}
                ConditionsMet::No(why) => {
                    found
                        .missed
                        .get_or_insert_with(|| (relative.to_owned(), why));
                    return;
                }
                ConditionsMet::Unknown(why) => {
                    found
                        .unknown
                        .get_or_insert_with(|| (relative.to_owned(), why));
                    return;
                }
            }
        }
        found.count += 1;
        if found.met.len() < wanted.keep {
            found.met.push(relative.to_owned());
        }
    }

    fn walk(&mut self) {
        let levels = match self.levels() {
            Ok(levels) => levels,
            // Each glob compiled when the file was read; together they may be too large.
            Err(error) => {
                self.mark_globs_unknown(Path::new(""), &error);
                return;
            }
        };
        let mut done: Option<&Path> = None;
        for start in levels.keys() {
            // The starts are sorted, so those below another one come right after it.
            if done.is_some_and(|done| start.starts_with(done)) || is_in_git(start) {
                continue;
            }
            done = Some(start);
            if let Err(stopped) = self.walk_from(start, &levels) {
                self.mark_globs_unknown(Path::new(""), &stopped);
                return;
            }
        }
    }

    fn levels(&self) -> Result<BTreeMap<PathBuf, Level>, globset::Error> {
        let mut indices: BTreeMap<&Path, Vec<usize>> = BTreeMap::new();
        for (index, wanted) in self.wanted.iter().enumerate() {
            if let Some(wildcard) = &wanted.pattern.wildcard {
                indices.entry(&wildcard.root).or_default().push(index);
            }
        }
        let levels = indices.into_iter();
        levels
            .map(|(root, indices)| Ok((root.to_owned(), Level::of(self.wanted, indices)?)))
            .collect()
    }

    fn walk_from(
        &mut self,
        start: &Path,
        levels: &BTreeMap<PathBuf, Level>,
    ) -> Result<(), Stopped> {
        let top = self.root.join(start);
        // The walk would follow a link at its top.
        match self
            .is_inside(&top)
            .and_then(|inside| Ok((inside, fs::symlink_metadata(&top)?)))
        {
            Ok((true, metadata)) if metadata.is_dir() => {}
            Ok(_) => return Ok(()),
            Err(error) if is_absence(&error) => return Ok(()),
            Err(error) => {
                self.mark_globs_unknown(start, &error);
                return Ok(());
            }
        }
        let mut active: Vec<(usize, PathBuf, &Level)> = Vec::new();
        let mut scratch = Vec::new();
        let root = self.root.to_owned();
        let entries = WalkDir::new(top)
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| entry.file_name() != GIT_DIR);
        for entry in entries {
            self.stop.check()?;
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.mark_unreadable(&root, start, &error);
                    continue;
                }
            };
            let relative = entry.path().strip_prefix(&root).unwrap_or(entry.path());
            while active
                .last()
                .is_some_and(|(depth, ..)| *depth >= entry.depth())
            {
                active.pop();
            }
            let name = Candidate::new(entry.file_name());
            for (_, folder, level) in &active {
                level.names.matches_candidate_into(&name, &mut scratch);
                if scratch.is_empty() {
                    continue;
                }
                let below = Candidate::new(relative.strip_prefix(folder).unwrap_or(relative));
                for at in &scratch {
                    let index = level.indices[*at];
                    let wildcard = self.wanted[index].pattern.wildcard.as_ref();
                    let path = wildcard.and_then(|wildcard| wildcard.path.as_ref());
                    if path.is_none_or(|path| path.is_match_candidate(&below)) {
                        self.consider(index, relative, is_folder(&entry));
                    }
                }
            }
            if is_folder(&entry) {
                self.folders_read += 1;
                if let Some(level) = levels.get(relative) {
                    active.push((entry.depth(), relative.to_owned(), level));
                }
            }
        }
        Ok(())
    }

    /// A folder could not be listed, and may contain what is looked for.
    fn mark_unreadable(&mut self, root: &Path, start: &Path, error: &walkdir::Error) {
        if error.io_error().is_some_and(is_absence) {
            return;
        }
        let path = error.path().and_then(|path| path.strip_prefix(root).ok());
        let path = path.unwrap_or(start).to_owned();
        let why = match error.io_error() {
            Some(error) => error.to_string(),
            None => "it leads back to a folder above it".to_owned(),
        };
        self.mark_globs_unknown(&path, &why);
    }

    /// The globs that may match below `path` become uncertain.
    fn mark_globs_unknown(&mut self, path: &Path, why: &impl ToString) {
        let why = without_number(&why.to_string());
        for (wanted, found) in self.wanted.iter().zip(&mut self.found) {
            if let Some(wildcard) = &wanted.pattern.wildcard
                && (path.starts_with(&wildcard.root) || wildcard.root.starts_with(path))
            {
                found.mark_unknown(path, &why);
            }
        }
    }
}

impl Found {
    fn mark_unknown(&mut self, path: &Path, why: &str) {
        self.unknown
            .get_or_insert_with(|| (path.to_owned(), why.to_owned()));
    }
}

fn is_in_git(path: &Path) -> bool {
    path.iter().any(|name| name == GIT_DIR)
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_dir()
}

/// Windows says of a glob that it is no name, so nothing has it.
fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename
    )
}

#[cfg(test)]
mod tests;
