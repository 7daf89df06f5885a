//! Where a claimed path may be, besides the places that its text names.

use std::path::{Path, PathBuf};

use super::Comparison;
use super::knowledge::Ground;
use crate::bounds;
use crate::presence::{self, Presence};
use crate::{Fingerprint, RepoPath, Repository, WorkTree};

impl Comparison<'_> {
    pub(super) fn ground(&self) -> &Ground {
        self.knowledge.ground.get_or_init(|| Ground {
            roots: self.other_roots(),
            nested: bounds::first(self.nested(), bounds::NESTED),
            unlisted: bounds::first(self.unlisted(), bounds::UNLISTED),
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
        let places = folders
            .into_iter()
            .filter_map(|path| path.under(&self.start.root));
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
