//! The reader that uses libgit2.

use std::collections::HashMap;

use git2::{IndexEntryExtendedFlag, Status, StatusOptions};

use super::listing::{Listing, Seen, listed};
use super::refs;
use super::refusal::Refusal;
use crate::deadline::check_time;
use crate::origin::name_of;
use crate::os_path::as_opened;
use crate::repository::Repository;
use crate::{Limits, RepoPath, Unreadable};

struct LibGit2Reader<'a> {
    repository: &'a Repository,
    opened: &'a git2::Repository,
}

impl LibGit2Reader<'_> {
    fn differing(&self) -> Result<Vec<(RepoPath, Seen)>, Refusal> {
        let mut options = StatusOptions::new();
        options
            .include_untracked(true)
            .recurse_untracked_dirs(true)
            .exclude_submodules(true)
            .include_ignored(false)
            .update_index(false);
        let statuses = self.opened.statuses(Some(&mut options))?;
        let mut differing = Vec::new();
        let mut index = None;
        let mut ignored = IgnoredFolders::default();
        for entry in statuses.iter() {
            let path = listed(entry.path_bytes())?;
            if entry.status() == Status::WT_NEW && ignored.hold(self.opened, &path)? {
                continue;
            }
            if entry.status().contains(Status::WT_DELETED) {
                self.check_deleted(&path)?;
                // libgit2 reports a path that a sparse checkout left out as deleted.
                if index.is_none() {
                    index = Some(self.opened.index()?);
                }
                if index
                    .as_ref()
                    .is_some_and(|index| is_left_out(index, &path))
                {
                    continue;
                }
            }
            differing.push(Seen::nothing_of(path));
        }
        Ok(differing)
    }

    /// libgit2 reports a file in an unreadable folder as deleted.
    fn check_deleted(&self, path: &RepoPath) -> Result<(), Unreadable> {
        let Some(place) = path.under(&self.repository.root) else {
            return Ok(());
        };
        match std::fs::symlink_metadata(as_opened(&place)) {
            Err(error) if !crate::nothing::is_nothing(&error) => Err(Unreadable::io(&place, error)),
            _ => Ok(()),
        }
    }
}

/// What names the repository that this one was cloned from.
fn origin(opened: &git2::Repository) -> Option<String> {
    let url = opened.config().ok()?.get_string("remote.origin.url").ok()?;
    name_of(&url)
}

/// Lists what differs from HEAD in the work tree of `repository`.
pub(super) fn list(
    repository: &Repository,
    opened: &git2::Repository,
    limits: &Limits,
) -> Result<Listing, Refusal> {
    let (head, refs) = refs::read(repository, &repository.odb(limits), limits)?;
    let reader = LibGit2Reader { repository, opened };
    let listing = Listing {
        head,
        refs,
        origin: origin(opened),
        differing: reader.differing()?,
        unlisted: None,
        memory: None,
    };
    check_time(limits)?;
    Ok(listing)
}

/// Folders that an ignore rule covers. No later rule can include anything below one again (see
/// gitignore(5)), but libgit2 does so if the folder also contains a tracked file.
#[derive(Default)]
struct IgnoredFolders(HashMap<RepoPath, bool>);

impl IgnoredFolders {
    fn hold(&mut self, opened: &git2::Repository, path: &RepoPath) -> Result<bool, Refusal> {
        for folder in path.ancestors() {
            let is_ignored = if let Some(known) = self.0.get(&folder) {
                *known
            } else {
                let mut name = folder.as_bytes().to_vec();
                name.push(b'/');
                let place = crate::os_path::path_of(&name)?;
                let is_ignored = opened.is_path_ignored(&place)?;
                self.0.insert(folder, is_ignored);
                is_ignored
            };
            if is_ignored {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn is_left_out(index: &git2::Index, path: &RepoPath) -> bool {
    let place = crate::os_path::path_of(path.as_bytes());
    place
        .ok()
        .and_then(|place| index.get_path(&place, 0))
        .is_some_and(|entry| {
            IndexEntryExtendedFlag::from_bits_truncate(entry.flags_extended)
                .contains(IndexEntryExtendedFlag::SKIP_WORKTREE)
        })
}
