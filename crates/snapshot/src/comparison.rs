//! A start and a stop held against each other.

mod absence;
mod knowledge;

use std::fs::{self, Metadata};
use std::path::{Component, Path, PathBuf};

use knowledge::Knowledge;

use crate::history;
use crate::place::places;
use crate::presence::{self, Presence};
use crate::touch::{self, Subject};
use crate::{
    Delta, Doubt, Landing, Limits, RepoPath, Repository, Sighting, Touch, Unreadable, WorkTree,
};

/// What happened in a work tree between a start and now.
///
/// Making one costs the second reading and little else. The dearer questions (history, the index,
/// other work trees) are asked when a claimed path needs the answer, and only once.
#[derive(Debug)]
pub struct Comparison<'a> {
    repository: Repository,
    start: &'a WorkTree,
    stop: WorkTree,
    delta: Delta,
    cwd: PathBuf,
    limits: Limits,
    knowledge: Knowledge,
}

impl<'a> Comparison<'a> {
    /// Reads the work tree of `start` again. `cwd` is the folder that the host names at the stop.
    pub fn with(start: &'a WorkTree, cwd: &Path, limits: &Limits) -> Result<Self, Unreadable> {
        let repository = Repository::discover(&start.root, limits)?;
        if repository.root != start.root || repository.common_dir != start.common_dir {
            // The start's repository is gone, and another one was found in its place or above it.
            return Err(Unreadable::NotARepository(start.root.clone()));
        }
        let stop = WorkTree::read(&repository, limits, Some(start))?;
        let delta = Delta::between(start, &stop, &repository, limits)?;
        Ok(Self {
            repository,
            start,
            stop,
            delta,
            cwd: fs::canonicalize(cwd).unwrap_or_else(|_| cwd.to_owned()),
            limits: limits.clone(),
            knowledge: Knowledge::default(),
        })
    }

    /// What changed in the agent's work tree.
    #[must_use]
    pub fn delta(&self) -> &Delta {
        &self.delta
    }

    /// The start.
    #[must_use]
    pub fn start(&self) -> &WorkTree {
        self.start
    }

    /// The stop.
    #[must_use]
    pub fn stop(&self) -> &WorkTree {
        &self.stop
    }

    /// What can be proven about the text of one path.
    #[must_use]
    pub fn sight(&self, text: &str) -> Sighting {
        let places = places(text, &self.start.root, &self.cwd);
        if let Some(changed) = self.changed(&places.inside) {
            return changed;
        }
        let found = self
            .landed_in_history(&places.inside)
            .and_then(|landed| match landed {
                Some(landed) => Ok(Some(landed)),
                None => self.on_disk(&places.inside, &places.outside),
            });
        match found {
            Ok(Some(sighting)) => sighting,
            Ok(None) if places.inside.is_empty() && places.outside.is_empty() => {
                Sighting::Unproven(Doubt::NoPlace)
            }
            Ok(None) if places.inside.is_empty() => Sighting::Unproven(Doubt::Outside),
            Ok(None) => self.absence(&places.inside),
            Err(doubt) => Sighting::Unproven(doubt),
        }
    }

    /// Only what positively exists under exactly that name: changed, also in another case or
    /// Unicode form or as a folder with a change below it, landed in history or in another work
    /// tree, or on the disk. Never a namesake, a doubt or an absence: for a reading that is only
    /// likely, which may speak for the agent and never against.
    #[must_use]
    pub fn sight_exactly(&self, text: &str) -> Option<Sighting> {
        let places = places(text, &self.start.root, &self.cwd);
        if let Some(changed) = self.changed(&places.inside) {
            return Some(changed);
        }
        if let Ok(Some(landed)) = self.landed_in_history(&places.inside) {
            return Some(landed);
        }
        self.on_disk(&places.inside, &places.outside).ok().flatten()
    }

    /// Whether the first folder that the text names exists: in the work tree now, or with a file
    /// that changed since the start or that differed from HEAD then. It is tried from the root of
    /// the work tree and from the agent's folder. A text that says where it begins (`/`, `./`,
    /// `../`), or that names no folder, has it.
    #[must_use]
    pub fn has_folder(&self, text: &str) -> bool {
        let path = Path::new(text);
        let mut parts = path.components();
        let (Some(Component::Normal(first)), Some(_)) = (parts.next(), parts.next()) else {
            return true;
        };
        let first = first.to_string_lossy();
        let places = places(&first, &self.start.root, &self.cwd);
        let is_known = |folder: &RepoPath| {
            self.delta.find_within(folder).is_some()
                || self.start.files.keys().any(|path| path.is_within(folder))
                || matches!(
                    presence::find(&self.start.root, folder),
                    Presence::Here(..) | Presence::Unknown
                )
        };
        // The folder that holds the project, or the root by its own name.
        let names_root = self.start.root.file_name() == Some(first.as_ref().as_ref());
        names_root
            || places.inside.iter().any(is_known)
            || places.outside.iter().any(|place| place.exists())
    }

    fn changed(&self, paths: &[RepoPath]) -> Option<Sighting> {
        paths.iter().find_map(|path| {
            let found = self.delta.find(path);
            let (path, change) = found.or_else(|| self.delta.find_within(path))?;
            let path = path.clone();
            Some(Sighting::Changed { path, change })
        })
    }

    /// Whether any commit that the repository leads to touches the path.
    pub fn was_ever_committed(&self, path: &RepoPath) -> Result<bool, Doubt> {
        let git = self.repository.git(&self.limits);
        history::has_touched(&git, path).map_err(|why| unreadable(&why))
    }

    /// How reports name the path: as the agent wrote it, but from the root of the work tree on.
    #[must_use]
    pub fn name(&self, text: &str) -> String {
        let path = Path::new(text);
        let inside = path
            .is_absolute()
            .then(|| places(text, &self.start.root, &self.cwd).inside);
        match inside.as_deref() {
            Some([path, ..]) if text.ends_with('/') => format!("{path}/"),
            Some([path, ..]) => path.to_string(),
            _ => text.to_owned(),
        }
    }

    fn landed_in_history(&self, paths: &[RepoPath]) -> Result<Option<Sighting>, Doubt> {
        let touched = self.touched()?;
        let landed = paths
            .iter()
            .find_map(|path| touched.get(&path.folded()?))
            .map(|path| Sighting::Landed(Landing::History(path.clone())));
        Ok(landed)
    }

    /// Looks in the work tree, then in the other ones, then outside.
    fn on_disk(&self, inside: &[RepoPath], outside: &[PathBuf]) -> Result<Option<Sighting>, Doubt> {
        for path in inside {
            if let Some((path_found, metadata)) = here(presence::find(&self.start.root, path))? {
                let touch = self.touch(&path_found, &metadata, Some(path));
                let path = path_found;
                return Ok(Some(Sighting::OnDisk { path, touch }));
            }
        }
        for place in outside {
            if let Some((path, metadata)) = here(presence::at(place))? {
                let touch = self.touch(&path, &metadata, None);
                return Ok(Some(match self.worktree_of(&path) {
                    Some(_) if touch == Touch::Possible => {
                        Sighting::Landed(Landing::Worktree(path))
                    }
                    _ => Sighting::OnDisk { path, touch },
                }));
            }
        }
        for path in inside {
            for root in self.other_roots() {
                if let Some((path, metadata)) = here(presence::find(&root, path))? {
                    let touch = self.touch(&path, &metadata, None);
                    return Ok(Some(match touch {
                        Touch::Possible => Sighting::Landed(Landing::Worktree(path)),
                        Touch::Untouched => Sighting::OnDisk { path, touch },
                    }));
                }
            }
        }
        Ok(None)
    }

    fn touch(&self, place: &Path, metadata: &Metadata, inside: Option<&RepoPath>) -> Touch {
        let subject = Subject {
            place,
            metadata,
            root: inside.map(|_| self.start.root.as_path()),
        };
        touch::since(&self.start.taken_at, &subject, || {
            let known = self.known_paths();
            inside.is_some_and(|path| known.is_ok_and(|it| it.is_tracked(path).unwrap_or(false)))
        })
    }

    fn worktree_of(&self, place: &Path) -> Option<PathBuf> {
        self.other_roots()
            .into_iter()
            .find(|root| place.starts_with(root))
    }

    /// Every other place where work may have landed.
    fn other_roots(&self) -> Vec<PathBuf> {
        let mut roots: Vec<_> = self.stop.worktrees.iter().map(|w| w.path.clone()).collect();
        if !self.cwd.starts_with(&self.start.root) {
            roots.push(self.cwd.clone());
            if let Ok(other) = Repository::discover(&self.cwd, &self.limits) {
                roots.push(other.root);
            }
        }
        roots
    }
}

fn here(presence: Presence) -> Result<Option<(PathBuf, Metadata)>, Doubt> {
    match presence {
        Presence::Here(place, metadata) => Ok(Some((place, metadata))),
        Presence::Missing => Ok(None),
        Presence::Unknown => Err(Doubt::UnreadableFolder),
    }
}

fn unreadable(why: &Unreadable) -> Doubt {
    Doubt::Unreadable(why.to_string())
}

#[cfg(test)]
mod tests;
