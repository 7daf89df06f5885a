//! What a repository shows of a path long after an agent worked there, when nothing was recorded at its start: what
//! is on the disk, what commits have touched, and what git knows or ignores. It speaks for the agent, or leaves a
//! doubt; only if all of it is silent is the path absent.

mod meanings;
mod search;

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};

use attest_evidence::{ChangedElsewhere, Doubt, PathEvidence, RepoPath, Touch};

use crate::comparison::names::Names;
use crate::reach::Reach;
use crate::{KnownPaths, Limits, Repository, Unreadable, worktrees};

pub use meanings::Meanings;

/// A repository that is looked at.
pub struct LookingBack {
    /// The top of the work tree.
    pub root: PathBuf,
    /// The folder that all of its work trees share.
    pub common_dir: PathBuf,
    /// Its work trees, this one first.
    roots: Vec<PathBuf>,
    reach: Reach,
    limits: Limits,
    known: OnceCell<Result<KnownPaths, Doubt>>,
    /// What is on the disk with one of the names that were looked for.
    disk: Result<Names, Doubt>,
    /// What commits have touched with one of them.
    committed: Result<Names, Doubt>,
}

impl LookingBack {
    /// Finds the repository whose work tree contains `folder`.
    pub fn at(folder: &Path, limits: &Limits) -> Result<Self, Unreadable> {
        let repository = Repository::discover(folder, limits)?;
        let limits = &limits.trusting(&repository.root);
        let others = worktrees::others(&repository.common_dir, &repository.root, limits)?;
        let mut roots = vec![repository.root.clone()];
        roots.extend(others.into_iter().map(|other| other.path));
        Ok(Self {
            root: repository.root.clone(),
            common_dir: repository.common_dir.clone(),
            reach: Reach::of([folder.to_owned()], limits),
            roots,
            limits: limits.clone(),
            known: OnceCell::new(),
            disk: Ok(Names::default()),
            committed: Ok(Names::default()),
        })
    }

    /// Whether something is at one of the places that are meant.
    #[must_use]
    pub fn place(&self, meanings: &Meanings) -> Option<PathBuf> {
        let inside = self.roots.iter().flat_map(|root| {
            let paths = meanings.paths.iter();
            let seen = paths.filter(|path| self.limits.may_look_below(root, path).is_ok());
            seen.filter_map(|path| path.under(root))
        });
        let outside = meanings.outside.iter();
        let outside = outside.filter(|place| self.reach.check(place).is_ok());
        let mut places = inside.chain(outside.cloned());
        places.find(|place| fs::symlink_metadata(place).is_ok())
    }

    /// What can be said of what is meant.
    #[must_use]
    pub fn evidence(&self, meanings: &Meanings) -> PathEvidence {
        if let Some(seen) = self.seen(meanings) {
            return seen;
        }
        for searched in [&self.disk, &self.committed] {
            if let Err(doubt) = searched {
                return PathEvidence::Inconclusive(doubt.clone());
            }
        }
        let Some(first) = meanings.paths.first() else {
            let is_outside = meanings.outside.is_some();
            let doubt = if is_outside {
                Doubt::Outside
            } else {
                Doubt::NoPlace
            };
            return PathEvidence::Inconclusive(doubt);
        };
        let doubts = meanings.paths.iter().find_map(|path| self.doubt(path));
        doubts.map_or_else(
            || PathEvidence::Absent(first.clone()),
            PathEvidence::Inconclusive,
        )
    }

    /// What speaks for the agent.
    #[must_use]
    pub fn seen(&self, meanings: &Meanings) -> Option<PathEvidence> {
        let on_disk = |path| PathEvidence::OnDisk {
            path,
            touch: Touch::Possible,
            namesakes: Vec::new(),
        };
        if let Some(place) = self.place(meanings) {
            return Some(on_disk(place));
        }
        let found = |names: &Result<Names, Doubt>| {
            let names = names.as_ref().ok()?;
            let found = names
                .same_basename(&meanings.tail)
                .filter(|it| it.is_suffix);
            Some(found?.changed)
        };
        if let Some(path) = found(&self.disk) {
            return Some(on_disk(path.under(&self.root).unwrap_or_default()));
        }
        let path = found(&self.committed)?;
        Some(PathEvidence::ChangedElsewhere(ChangedElsewhere::History(
            path,
        )))
    }

    /// Whether the first folder that the text names is there, or was.
    #[must_use]
    pub fn has_folder(&self, text: &str, folders: &[PathBuf]) -> bool {
        let text = text.replace('\\', "/");
        if text.starts_with(['/', '.']) {
            return true;
        }
        let Some((first, _)) = text.split_once('/') else {
            return true;
        };
        let folder = self.meanings(first, folders);
        let place = self.place(&folder);
        place.is_some_and(|place| self.limits.may_open(&place).is_ok() && place.is_dir())
    }

    /// Why it proves nothing that nothing is at `path`.
    fn doubt(&self, path: &RepoPath) -> Option<Doubt> {
        let known = self.known.get_or_init(|| {
            let read = Repository::discover(&self.root, &self.limits)
                .and_then(|repository| KnownPaths::read(repository, None, &self.limits));
            read.map_err(in_doubt)
        });
        let known = match known {
            Ok(known) => known,
            Err(doubt) => return Some(doubt.clone()),
        };
        let asked = || -> Result<Option<Doubt>, Unreadable> {
            Ok(if known.is_tracked(path)? {
                Some(Doubt::Tracked)
            } else if known.in_submodule(path)? {
                Some(Doubt::OtherRepository)
            } else if known.is_ignored(path)? || known.is_ignored_folder(path)? {
                Some(Doubt::Ignored)
            } else {
                None
            })
        };
        let below_link = || {
            let above: Vec<_> = path.ancestors().collect();
            // From the top, so that none is followed.
            let mut above = above.iter().rev().filter_map(|it| it.under(&self.root));
            let is_link = |place: PathBuf| place.is_symlink();
            above.any(is_link).then_some(Doubt::SymbolicLink)
        };
        asked()
            .unwrap_or_else(|error| Some(in_doubt(error)))
            .or_else(below_link)
    }
}

impl std::fmt::Debug for LookingBack {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = out.debug_struct("LookingBack");
        out.field("root", &self.root).finish_non_exhaustive()
    }
}

fn in_doubt(error: Unreadable) -> Doubt {
    match error {
        Unreadable::TooMuch(bound) => bound.into(),
        error => Doubt::Unreadable(error.to_string()),
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
