//! What a text may mean that an agent wrote: paths in the work tree, or a place outside.

use std::path::{Path, PathBuf};

use attest_evidence::{RepoPath, fold, path_bytes};

use super::LookingBack;
use crate::bounds;

/// What a text may mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meanings {
    /// Paths in the work tree, the most likely first.
    pub(super) paths: Vec<RepoPath>,
    /// A place that is not in it.
    pub(super) outside: Option<PathBuf>,
    /// The text without dots, folded: what a path that is meant ends in.
    pub(super) tail: String,
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
