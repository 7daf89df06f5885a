//! Where a claimed path may be, besides the places that its text names.

use std::path::{Path, PathBuf};

use super::Comparison;
use super::knowledge::Ground;
use crate::presence::{self, Presence};
use crate::{Fingerprint, RepoPath, Repository, WorkTree};

/// How many repositories in the work tree are searched.
const MOST_NESTED: usize = 256;
/// How many folders that git does not list are searched, those nearest to the root first.
const MOST_UNLISTED: usize = 64;

impl Comparison<'_> {
    pub(super) fn ground(&self) -> &Ground {
        self.knowledge.ground.get_or_init(|| {
            let mut nested = self.nested();
            let has_more = nested.len() > MOST_NESTED;
            nested.truncate(MOST_NESTED);
            Ground {
                roots: self.other_roots(),
                nested,
                has_more,
                unlisted: self.unlisted(),
            }
        })
    }

    fn other_roots(&self) -> Vec<PathBuf> {
        let mut roots: Vec<_> = self.stop.worktrees.iter().map(|w| w.path.clone()).collect();
        let mut add = |root: PathBuf| {
            if !roots.contains(&root) && root != self.start.root {
                roots.push(root);
            }
        };
        if !self.cwd.starts_with(&self.start.root) {
            add(self.cwd.clone());
        }
        if self.is_beyond(&self.cwd)
            && let Ok(other) = Repository::discover(&self.cwd, &self.limits)
        {
            add(other.root);
        }
        roots
    }

    /// Whether the folder is in another repository, or in none.
    fn is_beyond(&self, folder: &Path) -> bool {
        let root = &self.start.root;
        let mut between = folder.ancestors().take_while(|it| it != root);
        !folder.starts_with(root) || between.any(is_repository)
    }

    fn nested(&self) -> Vec<PathBuf> {
        let trees = [self.start, &self.stop];
        let modules = trees.iter().filter_map(|tree| tree.unlisted.as_ref());
        let modules = modules.flat_map(|unlisted| &unlisted.modules);
        let listed = trees.iter().flat_map(|tree| listed_repositories(tree));
        let mut nested: Vec<_> = modules
            .chain(listed)
            .filter_map(|path| path.under(&self.start.root))
            .filter(|place| is_repository(place))
            .collect();
        nested.sort_unstable();
        nested.dedup();
        nested
    }

    fn unlisted(&self) -> Vec<PathBuf> {
        let unlisted = self.stop.unlisted.iter();
        let mut folders: Vec<_> = unlisted
            .flat_map(|unlisted| unlisted.ignored.iter().chain(&unlisted.hollow))
            .collect();
        folders.sort_by_key(|folder| folder.ancestors().count());
        let nearest = folders.into_iter().take(MOST_UNLISTED);
        let places = nearest.filter_map(|path| path.under(&self.start.root));
        places.collect()
    }
}

fn listed_repositories(tree: &WorkTree) -> impl Iterator<Item = &RepoPath> {
    let files = tree.files.iter();
    let repositories = files.filter(|(_, file)| file.fingerprint == Fingerprint::Repository);
    repositories.map(|(path, _)| path)
}

fn is_repository(folder: &Path) -> bool {
    // If it cannot be examined, it may be one.
    !matches!(presence::at(&folder.join(".git")), Presence::Missing)
}
