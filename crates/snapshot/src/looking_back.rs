//! What a repository shows of a path long after an agent worked there, when nothing was recorded at its start: what
//! is on the disk, what commits have touched, and what git knows or ignores. It speaks for the agent, or leaves a
//! doubt; only if all of it is silent is the path absent.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use attest_evidence::{ChangedElsewhere, Doubt, PathEvidence, RepoPath, Touch, fold, path_bytes};

use crate::bounds::{self, Count};
use crate::comparison::names::Names;
use crate::deadline::check_time;
use crate::git::Ask;
use crate::reach::Reach;
use crate::{KnownPaths, Limits, Repository, Unreadable, worktrees};

/// Names that git is asked for at once.
const NAMES_AT_ONCE: usize = 200;

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

/// What a text may mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meanings {
    /// Paths in the work tree, the most likely first.
    paths: Vec<RepoPath>,
    /// A place that is not in it.
    outside: Option<PathBuf>,
    /// The text without dots, folded: what a path that is meant ends in.
    tail: String,
}

impl Meanings {
    /// The name of the path in reports.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        self.paths.first().map(ToString::to_string)
    }

    /// The last part of what is meant, folded.
    #[must_use]
    pub fn last(&self) -> &str {
        self.tail.rsplit('/').next().unwrap_or(&self.tail)
    }

    /// Its folders, folded, from the last one up.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.tail.rsplit('/').skip(1)
    }

    /// Whether `path`, which is folded, may be what is meant, or lie in it.
    #[must_use]
    pub fn may_be(&self, path: &str) -> bool {
        if self.tail.is_empty() {
            return false;
        }
        let inner = format!("/{}/", self.tail);
        format!("/{path}/").contains(&inner)
    }
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

    /// What `text` may mean that an agent wrote who worked in `folders`.
    #[must_use]
    pub fn meanings(&self, text: &str, folders: &[PathBuf]) -> Meanings {
        if text.len() > bounds::CLAIMED {
            return Meanings::default();
        }
        let text = text.replace('\\', "/");
        let is_whole = text.starts_with('/') || text.as_bytes().get(1) == Some(&b':');
        let tail = fold(&joined("", &text).unwrap_or_default());
        let mut meanings = Meanings {
            paths: Vec::new(),
            outside: None,
            tail,
        };
        if is_whole {
            self.add_whole(&text, &mut meanings);
            return meanings;
        }
        let folders = folders.iter();
        let folders = folders.filter(|folder| folder.as_os_str().len() <= bounds::CLAIMED);
        let own = folders.filter_map(|folder| self.inside(folder));
        let own: Vec<_> = own.collect();
        let mut bases = vec![String::new()];
        for folder in &own {
            let mut rest = folder.as_str();
            while !rest.is_empty() {
                bases.push(rest.to_owned());
                rest = rest.rsplit_once('/').map_or("", |(above, _)| above);
            }
        }
        let mut names: Vec<_> = bases
            .iter()
            .filter_map(|base| joined(base, &text))
            .collect();
        // The name of the work tree in front of the path.
        let below = |name: &String| RepoPath::from_git(name.as_bytes())?.below(&self.root);
        let inner: Vec<_> = names.iter().filter_map(below).collect();
        names.dedup();
        let paths = names
            .iter()
            .filter_map(|name| RepoPath::from_git(name.as_bytes()));
        meanings.paths = paths.chain(inner).collect();
        meanings
    }

    fn add_whole(&self, text: &str, meanings: &mut Meanings) {
        let place = PathBuf::from(text);
        let inside = self.inside(&place).and_then(|name| joined("", &name));
        match inside.and_then(|name| RepoPath::from_git(name.as_bytes())) {
            Some(path) => {
                meanings.tail = path.folded().unwrap_or_default();
                meanings.paths.push(path);
            }
            None => meanings.outside = Some(place),
        }
    }

    /// The path of `place` below one of the work trees, with slashes.
    fn inside(&self, place: &Path) -> Option<String> {
        let below = |place: &Path| {
            let mut roots: Vec<_> = self.roots.iter().collect();
            roots.sort_by_key(|root| std::cmp::Reverse(root.as_os_str().len()));
            let below = roots
                .into_iter()
                .find_map(|root| place.strip_prefix(root).ok())?;
            String::from_utf8(path_bytes(below).into_owned()).ok()
        };
        below(place).or_else(|| {
            self.reach.check(place).ok()?;
            below(&crate::canonical(place).ok()?)
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

    /// Looks for all paths that end in one of these names, which are folded: on the disk, and in the commits since a
    /// time, or in all of them.
    pub fn search(&mut self, wanted: &BTreeSet<String>, since: Option<&str>) {
        self.disk = self.on_disk(wanted);
        self.committed = self.in_commits(wanted, since);
    }

    fn on_disk(&self, wanted: &BTreeSet<String>) -> Result<Names, Doubt> {
        let mut names = Names::default();
        let mut count = Count::of(bounds::LOOKED_THROUGH);
        for root in &self.roots {
            let is_in_another = self
                .roots
                .iter()
                .any(|it| it != root && root.starts_with(it));
            if !is_in_another {
                self.walk(root, wanted, &mut count, &mut names)?;
            }
        }
        Ok(names)
    }

    fn walk(
        &self,
        root: &Path,
        wanted: &BTreeSet<String>,
        count: &mut Count,
        names: &mut Names,
    ) -> Result<(), Doubt> {
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            check_time(&self.limits).map_err(in_doubt)?;
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) if crate::nothing::is_missing(&error) => continue,
                Err(_) => return Err(Doubt::UnreadableFolder),
            };
            for entry in entries {
                let entry = entry.map_err(|_| Doubt::UnreadableFolder)?;
                count.add(1)?;
                let name = entry.file_name();
                if name == ".git" {
                    continue;
                }
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                let path = entry.path();
                if is_wanted(&name.to_string_lossy(), wanted)
                    && let Some(path) = path.strip_prefix(root).ok().map(path_bytes)
                    && let Some(path) = RepoPath::from_git(&path)
                {
                    names.add(&path);
                }
                if is_folder {
                    folders.push(path);
                }
            }
        }
        Ok(())
    }

    fn in_commits(&self, wanted: &BTreeSet<String>, since: Option<&str>) -> Result<Names, Doubt> {
        let repository = Repository::discover(&self.root, &self.limits).map_err(in_doubt)?;
        if repository.common_dir.join("shallow").exists() {
            return Err(Doubt::PartOfHistory);
        }
        let git = repository.git(&self.limits);
        let mut names = Names::default();
        let wanted: Vec<_> = wanted.iter().collect();
        for some in wanted.chunks(NAMES_AT_ONCE) {
            let mut arguments = Vec::new();
            arguments.extend(since.map(|since| format!("--since={since}")));
            arguments.push("--".to_owned());
            for name in some {
                let pattern = pattern(name);
                arguments.push(format!(":(top,icase,glob)**/{pattern}"));
                arguments.push(format!(":(top,icase,glob)**/{pattern}/**"));
                // A name without its ending.
                arguments.push(format!(":(top,icase,glob)**/{pattern}.*"));
            }
            let answer = git
                .ask_twice(Ask::Touched, &arguments)
                .map_err(|error| in_doubt(error.into()))?;
            let paths = answer
                .split(|byte| *byte == 0)
                .map(<[u8]>::trim_ascii_start);
            for path in paths.filter_map(RepoPath::from_git) {
                names.add(&path);
            }
        }
        Ok(names)
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

/// Whether the last part of a path is looked for: whole, or without its endings.
fn is_wanted(name: &str, wanted: &BTreeSet<String>) -> bool {
    let name = fold(name);
    let dots = name.match_indices('.').map(|(at, _)| &name[..at]);
    dots.chain([name.as_str()]).any(|it| wanted.contains(it))
}

/// The parts of `text` behind `base`, without dots. `None` if it leads out of the work tree.
fn joined(base: &str, text: &str) -> Option<String> {
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// A name in a pattern of git: what is not ASCII may be spelt in several ways.
fn pattern(name: &str) -> String {
    let mut pattern = String::new();
    for char in name.chars() {
        match char {
            '*' | '?' | '[' | ']' | '\\' => {
                pattern.push('\\');
                pattern.push(char);
            }
            char if char.is_ascii() => pattern.push(char),
            _ if pattern.ends_with('*') => {}
            _ => pattern.push('*'),
        }
    }
    pattern
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
