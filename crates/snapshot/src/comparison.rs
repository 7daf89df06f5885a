//! A start and a stop held against each other.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use crate::history;
use crate::objects::NewNames;
use crate::place::places;
use crate::presence::{self, Obstacle, Presence};
use crate::touch::{self, Subject};
use crate::tracked::{self, Tracked};
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
    touched: OnceCell<Result<HashMap<String, RepoPath>, String>>,
    tracked: OnceCell<Result<Tracked, String>>,
    new_names: OnceCell<Result<NewNames, String>>,
    /// What other work trees have changed since the start.
    elsewhere: OnceCell<Result<Vec<RepoPath>, String>>,
}

type Known<'a, T> = Result<&'a T, Doubt>;

impl<'a> Comparison<'a> {
    /// Reads the work tree of `start` again. `cwd` is the folder that the host names at the stop.
    pub fn with(start: &'a WorkTree, cwd: &Path, limits: &Limits) -> Result<Self, Unreadable> {
        let repository = Repository::discover(&start.root, limits)?;
        if repository.root != start.root {
            // The start's repository is gone, and another one above it was found instead.
            return Err(Unreadable::NotARepository(start.root.clone()));
        }
        let stop = WorkTree::read(&repository, limits)?;
        let delta = Delta::between(start, &stop, &repository, limits)?;
        Ok(Self {
            repository,
            start,
            stop,
            delta,
            cwd: cwd.to_owned(),
            limits: limits.clone(),
            touched: OnceCell::new(),
            tracked: OnceCell::new(),
            new_names: OnceCell::new(),
            elsewhere: OnceCell::new(),
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
        for path in &places.inside {
            let found = self
                .delta
                .find(path)
                .or_else(|| self.delta.find_within(path));
            if let Some((path, change)) = found {
                let path = path.clone();
                return Sighting::Changed { path, change };
            }
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
            inside.is_some_and(|path| self.tracked().is_ok_and(|tracked| tracked.has(path)))
        })
    }

    /// Nothing is at any of the paths. Does that prove that nothing was done?
    fn absence(&self, paths: &[RepoPath]) -> Sighting {
        let mut namesake = None;
        for path in paths {
            match self.check_absence(path) {
                Ok(None) => {}
                Ok(Some(sighting @ Sighting::Namesake { .. })) => {
                    namesake.get_or_insert(sighting);
                }
                Ok(Some(sighting)) => return sighting,
                Err(doubt) => return Sighting::Unproven(doubt),
            }
        }
        match (namesake, paths.first()) {
            (Some(namesake), _) => namesake,
            (None, Some(path)) => Sighting::Gone(path.clone()),
            (None, None) => Sighting::Unproven(Doubt::NoPlace),
        }
    }

    fn check_absence(&self, path: &RepoPath) -> Result<Option<Sighting>, Doubt> {
        self.check_start(path)?;
        match presence::obstacle(&self.start.root, path) {
            None => {}
            Some(Obstacle::Link) => return Err(Doubt::SymbolicLink),
            Some(Obstacle::Repository) => return Err(Doubt::OtherRepository),
            Some(Obstacle::Unreadable) => return Err(Doubt::UnreadableFolder),
        }
        self.check_names()?;
        let tracked = self.tracked()?;
        if tracked.in_submodule(path) {
            return Err(Doubt::OtherRepository);
        }
        if tracked.has(path) {
            return Err(Doubt::Tracked);
        }
        let git = self.repository.git(&self.limits);
        if tracked::is_ignored(&git, path).map_err(|why| unreadable(&why))? {
            return Err(Doubt::Ignored);
        }
        if let Some(namesake) = self.namesake(path)? {
            return Ok(Some(namesake));
        }
        let new_names = self.new_names()?;
        if new_names.has(path.basename()) {
            return Ok(Some(Sighting::Landed(Landing::Object(path.clone()))));
        }
        if new_names.incomplete {
            return Err(Doubt::ObjectsPacked);
        }
        Ok(None)
    }

    fn check_start(&self, path: &RepoPath) -> Result<(), Doubt> {
        let folded = path.folded();
        let recorded = |path: &RepoPath| {
            self.start.files.contains_key(path) || self.stop.files.contains_key(path)
        };
        let known = recorded(path)
            || path.ancestors().any(|folder| recorded(&folder))
            || self
                .start
                .files
                .keys()
                .any(|known| known.folded() == folded);
        if known {
            return Err(Doubt::KnownAtStart);
        }
        let removed =
            |was: &crate::LinkedWorktree| !self.stop.worktrees.iter().any(|is| is.path == was.path);
        if self.start.worktrees.iter().any(removed) {
            return Err(Doubt::WorktreeRemoved);
        }
        Ok(())
    }

    fn check_names(&self) -> Result<(), Doubt> {
        for (path, _) in self.delta.iter() {
            if path.basename() == b".gitignore" {
                return Err(Doubt::IgnoreRulesChanged);
            }
            if !is_speakable(path) {
                return Err(Doubt::UnspeakableName);
            }
        }
        Ok(())
    }

    /// A changed file of the same name: the agent may have meant that one.
    fn namesake(&self, path: &RepoPath) -> Result<Option<Sighting>, Doubt> {
        let Some(folded) = path.folded() else {
            return Err(Doubt::NoPlace);
        };
        let name = folded.rsplit('/').next().unwrap_or_default();
        let here = self.delta.iter().map(|(path, _)| path);
        let in_history = self.touched()?.values();
        let elsewhere = self.elsewhere()?;
        let namesakes = here
            .chain(in_history)
            .chain(elsewhere)
            .filter_map(|changed| {
                let other = changed.folded()?;
                let same = other.rsplit('/').next() == Some(name);
                same.then(|| {
                    (
                        changed.clone(),
                        other == folded || other.ends_with(&format!("/{folded}")),
                    )
                })
            });
        // One of which the claim is the end says more than any other.
        let best = namesakes.max_by_key(|(_, is_suffix)| *is_suffix);
        Ok(best.map(|(changed, is_suffix)| Sighting::Namesake {
            path: path.clone(),
            changed,
            is_suffix,
        }))
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

    fn touched(&self) -> Known<'_, HashMap<String, RepoPath>> {
        known(&self.touched, || {
            let (old, new) = (tips(self.start), tips(&self.stop));
            if old == new {
                return Ok(HashMap::new());
            }
            let git = self.repository.git(&self.limits);
            let paths = history::touched(&git, &old, &new)?;
            Ok(paths
                .into_iter()
                .filter_map(|path| Some((path.folded()?, path)))
                .collect())
        })
    }

    fn tracked(&self) -> Known<'_, Tracked> {
        known(&self.tracked, || {
            let moved = self.start.head.oid != self.stop.head.oid;
            let commit = self.start.head.oid.as_deref().filter(|_| moved);
            Tracked::list(&self.repository.git(&self.limits), commit)
        })
    }

    fn new_names(&self) -> Known<'_, NewNames> {
        known(&self.new_names, || {
            let git = self.repository.git(&self.limits);
            NewNames::list(&git, &self.repository.common_dir, &self.start.taken_at)
        })
    }

    fn elsewhere(&self) -> Known<'_, Vec<RepoPath>> {
        known(&self.elsewhere, || {
            let mut all = Vec::new();
            for root in self.other_roots() {
                let other = match Repository::discover(&root, &self.limits) {
                    Ok(repository) => WorkTree::read(&repository, &self.limits)?,
                    Err(Unreadable::NotARepository(_) | Unreadable::Bare(_)) => continue,
                    Err(why) => return Err(why),
                };
                let changed = other
                    .files
                    .keys()
                    .filter(|path| self.is_new(&other.root, path));
                all.extend(changed.cloned());
            }
            Ok(all)
        })
    }

    /// Whether a file of another work tree may have been written since the start.
    fn is_new(&self, root: &Path, path: &RepoPath) -> bool {
        let Some(place) = path.under(root) else {
            return true;
        };
        match presence::at(&place) {
            Presence::Here(place, metadata) => {
                self.touch(&place, &metadata, None) == Touch::Possible
            }
            // Deleted there, at a time that nobody knows.
            Presence::Missing | Presence::Unknown => true,
        }
    }
}

fn here(presence: Presence) -> Result<Option<(PathBuf, Metadata)>, Doubt> {
    match presence {
        Presence::Here(place, metadata) => Ok(Some((place, metadata))),
        Presence::Missing => Ok(None),
        Presence::Unknown => Err(Doubt::UnreadableFolder),
    }
}

/// Runs `find` the first time, and remembers also that it failed.
fn known<T>(
    cell: &OnceCell<Result<T, String>>,
    find: impl FnOnce() -> Result<T, Unreadable>,
) -> Known<'_, T> {
    cell.get_or_init(|| find().map_err(|why| why.to_string()))
        .as_ref()
        .map_err(|why| Doubt::Unreadable(why.clone()))
}

fn unreadable(why: &Unreadable) -> Doubt {
    Doubt::Unreadable(why.to_string())
}

/// Every commit that a name of the repository leads to.
fn tips(tree: &WorkTree) -> BTreeSet<&str> {
    let detached = tree.worktrees.iter().map(|other| other.head.as_str());
    let detached = detached.filter(|head| head.bytes().all(|byte| byte.is_ascii_hexdigit()));
    tree.refs
        .values()
        .map(String::as_str)
        .chain(tree.head.oid.as_deref())
        .chain(detached.filter(|head| head.len() >= 40))
        .collect()
}

/// Whether a report can spell the name such that it is recognised again.
fn is_speakable(path: &RepoPath) -> bool {
    std::str::from_utf8(path.as_bytes()).is_ok_and(|text| {
        !text.contains(['"', '\\', '`', '\u{fffd}']) && crate::escaped(text.as_bytes()) == text
    })
}
