//! Whether nothing at all has changed in a folder since the start. For folders whose changes cannot
//! be listed.

use std::fs::{self, DirEntry, Metadata};
use std::path::{Path, PathBuf};

use super::Comparison;
use crate::bounds::{self, Count};
use crate::deadline::check_time;
use crate::{Unreadable, touch};

impl Comparison<'_> {
    /// Whether no name in the folder of a nested repository was added or removed since the start,
    /// and nothing was written, including the repository itself, according to the change times of
    /// everything in it. If these do not tell for certain, the answer is no.
    pub(super) fn is_all_at_rest(&self, root: &Path) -> Result<bool, Unreadable> {
        let start = &self.start.taken_at;
        if !start.runs_on_to(&crate::Moment::now()) || !touch::has_our_clock(root) {
            return Ok(false);
        }
        // What is stored elsewhere is not examined.
        let dot_git = fs::symlink_metadata(root.join(".git"));
        let device = match dot_git {
            Ok(metadata) if metadata.is_dir() => device_of(&metadata),
            _ => return Ok(false),
        };
        let is_old = |metadata: &Metadata| {
            !touch::is_young(metadata, start) && device_of(metadata) == device
        };
        let mut count = Count::of(bounds::AT_REST);
        let mut open = vec![root.to_owned()];
        while let Some(folder) = open.pop() {
            check_time(&self.limits)?;
            if !fs::symlink_metadata(&folder).is_ok_and(|metadata| is_old(&metadata)) {
                return Ok(false);
            }
            let Ok(entries) = fs::read_dir(&folder) else {
                return Ok(false);
            };
            for entry in entries {
                match entry.map(|entry| Entry::of(&entry)) {
                    Ok(Entry::Folder(folder)) if count.add(1).is_ok() => open.push(folder),
                    Ok(Entry::Other(metadata)) if count.add(1).is_ok() && is_old(&metadata) => {}
                    _ => return Ok(false),
                }
            }
        }
        Ok(true)
    }
}

enum Entry {
    Folder(PathBuf),
    Other(Metadata),
    /// A link, behind which anything may happen, or something that cannot be examined.
    Unknown,
}

impl Entry {
    fn of(entry: &DirEntry) -> Self {
        match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => Self::Folder(entry.path()),
            Ok(metadata) if !metadata.is_symlink() => Self::Other(metadata),
            _ => Self::Unknown,
        }
    }
}

/// A mounted file system has times of its own.
#[cfg(unix)]
fn device_of(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::dev(metadata)
}

/// On this system times prove nothing.
#[cfg(not(unix))]
fn device_of(_metadata: &Metadata) -> u64 {
    0
}
