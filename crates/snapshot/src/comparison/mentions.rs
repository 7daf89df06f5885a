//! Places that the agent's tool calls name.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use crate::place::without_dots;
use crate::{Doubt, Limits, RepoPath, canonical, path_bytes};
use attest_evidence::{Searched, fold};

/// What it costs to compare a place with another one, in bytes gone through.
const EACH_PLACE: usize = 64;

/// A place that a tool call in the agent's transcript names. It can only count for the agent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Mention {
    /// This file was to be written. The path is absolute.
    Written(PathBuf),
    /// Something was asked to write this that may be on another machine, or is no file.
    Elsewhere(String),
    /// This was to be put into git's index or taken out of it, or all that differs if it is empty.
    Staged(String),
    /// A command was to take this away, a file or a folder. The path is absolute.
    Removed(PathBuf),
    /// A program at this place ran that was not read. The path is absolute.
    Program(PathBuf),
    /// A command that may write anywhere ran there or names this place. The path is absolute.
    Around(PathBuf),
    /// A command was to move something: what lies below where it went may be older than the agent.
    Moved {
        /// What was moved.
        from: PathBuf,
        /// Where it went, or the folder.
        to: PathBuf,
    },
}

impl Mention {
    /// The places of this machine at which something may be now.
    pub(super) fn places(&self) -> impl Iterator<Item = &Path> {
        let (place, other) = match self {
            Self::Written(path) | Self::Around(path) => (Some(path), None),
            Self::Moved { from, to } => (Some(from), Some(to)),
            Self::Elsewhere(_) | Self::Removed(_) | Self::Staged(_) | Self::Program(_) => {
                (None, None)
            }
        };
        place.into_iter().chain(other).map(PathBuf::as_path)
    }
}

/// All mentions, if they are known.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    /// The places of this machine.
    pub(super) places: Vec<Mention>,
    /// All of these places: an agent may call a tool for one as often as it likes.
    known: HashSet<Mention>,
    elsewhere: Tails,
    /// What was put into the index or taken out of it.
    staged: Tails,
    /// Whether all that differs was.
    stages_all: bool,
    /// What was taken away outside of the work tree.
    removed: Tails,
    unknown: Option<Doubt>,
}

impl Mentions {
    /// Adds what an agent did that began in the work tree at `root`.
    pub(super) fn add(&mut self, mentions: &Searched<Vec<Mention>>, root: &Path) {
        if let Err(why) = mentions.complete() {
            why.clone().add_to(&mut self.unknown);
        }
        for mention in mentions.found() {
            match mention {
                Mention::Elsewhere(text) => self.elsewhere.add(&folded(text)),
                Mention::Removed(path) => self.add_removed(path, root),
                Mention::Staged(text) if text.is_empty() => self.stages_all = true,
                Mention::Staged(text) => self.staged.add(&folded(text)),
                Mention::Program(path) => self.add_program(path, root),
                place => {
                    if self.known.insert(place.clone()) {
                        self.places.push(place.clone());
                    }
                }
            }
        }
    }

    /// Whether the path, or a folder above it, was put into the index or taken out of it.
    pub(super) fn is_staged(&self, path: &RepoPath) -> bool {
        let mut above = path.ancestors().chain([path.clone()]);
        let is_named = |path: String| self.staged.may_be(&path);
        self.stages_all
            || !self.staged.is_empty() && above.any(|path| path.folded().is_some_and(is_named))
    }

    /// A program of another place has its files where it is, and not here.
    fn add_program(&mut self, path: &Path, root: &Path) {
        if !without_dots(path).is_some_and(|path| path.starts_with(root)) {
            Doubt::UnknownPlace(path.display().to_string()).add_to(&mut self.unknown);
        }
    }

    /// What was taken away in the work tree itself is gone from it, or was put back.
    fn add_removed(&mut self, path: &Path, root: &Path) {
        let Some(path) = without_dots(path).filter(|path| !path.starts_with(root)) else {
            return;
        };
        self.removed
            .add(&folded(&String::from_utf8_lossy(&path_bytes(&path))));
    }

    /// Whether something that may be `path` in another repository was taken away, or a folder above it.
    pub(super) fn is_removed_elsewhere(&self, path: &RepoPath) -> bool {
        let above = path.ancestors().chain([path.clone()]);
        let mut above = above.filter_map(|path| path.folded());
        !self.removed.is_empty() && above.any(|path| self.removed.has_one_that_ends_in(&path))
    }

    /// Whether all places are known at which the agent may have worked.
    pub(super) fn check(&self) -> Result<(), Doubt> {
        self.unknown.clone().map_or(Ok(()), Err)
    }

    /// Whether a call was to write the file at `place`, or may have been: what is not looked at may lead there, and so may
    /// what the budget leaves out.
    pub(super) fn names_file(&self, place: &Path, limits: &Limits) -> bool {
        if limits.budget.take(self.places.len() * EACH_PLACE).is_err() {
            return true;
        }
        let here = canonical(place).ok();
        let leads_here = |named: &Path| {
            limits.may_look(named).is_err() || here.is_some() && canonical(named).ok() == here
        };
        let is_it = |path: &PathBuf| {
            path.file_name() == place.file_name() && {
                let named = without_dots(path).unwrap_or_else(|| path.clone());
                named == place || leads_here(&named)
            }
        };
        let mut places = self.places.iter();
        places.any(|mention| matches!(mention, Mention::Written(path) if is_it(path)))
    }

    /// Whether a tool that writes elsewhere names a path that ends in `path`, or the reverse.
    pub(super) fn has_elsewhere(&self, path: &RepoPath) -> bool {
        path.folded()
            .is_some_and(|path| self.elsewhere.may_be(&path))
    }
}

pub(super) fn folded(text: &str) -> String {
    let text = fold(&text.replace('\\', "/"));
    text.trim_start_matches("./")
        .trim_end_matches('/')
        .to_owned()
}

pub(super) fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Paths by how they end, however many there are.
#[derive(Debug, Default)]
struct Tails {
    /// Each from its last byte to its first, so that those with one end stand together.
    reversed: BTreeSet<Vec<u8>>,
    /// The [`sum`] of each.
    sums: HashSet<u64>,
}

impl Tails {
    fn add(&mut self, path: &str) {
        let path = path.trim_start_matches('/');
        self.reversed.insert(path.bytes().rev().collect());
        self.sums.extend(sums(path).last());
    }

    fn is_empty(&self) -> bool {
        self.reversed.is_empty()
    }

    /// Whether one is `path`, or ends in it.
    fn has_one_that_ends_in(&self, path: &str) -> bool {
        let mut end: Vec<u8> = path.bytes().rev().collect();
        self.reversed.contains(&end) || {
            end.push(b'/');
            let mut behind = self.reversed.range(end.clone()..);
            behind.next().is_some_and(|path| path.starts_with(&end))
        }
    }

    /// The same, or `path` ends in one. Of two with the same sum either may be meant: that only leaves a doubt.
    fn may_be(&self, path: &str) -> bool {
        sums(path).any(|sum| self.sums.contains(&sum)) || self.has_one_that_ends_in(path)
    }
}

/// A sum over each end of a path that begins with a part, the shortest first.
fn sums(path: &str) -> impl Iterator<Item = u64> {
    const FACTOR: u64 = 0x0000_0100_0000_01b3;
    let mut sum = 0_u64;
    let bytes = path.as_bytes();
    (0..bytes.len()).rev().filter_map(move |at| {
        sum = (sum ^ u64::from(bytes[at]))
            .wrapping_mul(FACTOR)
            .rotate_left(5);
        (at == 0 || bytes[at - 1] == b'/').then_some(sum)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> RepoPath {
        RepoPath::from_git(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_path_elsewhere_may_be_the_longer_or_the_shorter() {
        let mut mentions = Mentions::default();
        let named = ["./src/a.py", "C:\\work\\b.py"].map(|named| Mention::Elsewhere(named.into()));
        mentions.add(&Searched::all(named.to_vec()), Path::new("/w"));
        for named in ["a.py", "src/a.py", "project/src/a.py", "work/b.py"] {
            assert!(mentions.has_elsewhere(&path(named)), "{named}");
        }
        for other in ["lib/a.py", "c.py", "y.py"] {
            assert!(!mentions.has_elsewhere(&path(other)), "{other}");
        }
    }

    #[test]
    fn a_program_that_is_not_read_is_told_of_if_it_is_of_the_work_tree() {
        let unread = Doubt::ProgramUnread("gen.py".to_owned());
        for (place, is_told) in [
            ("/w/gen.py", true),
            ("/w/../x/gen.py", false),
            ("/x/gen.py", false),
        ] {
            let mut mentions = Mentions::default();
            let ran = Searched::stopped(vec![Mention::Program(place.into())], unread.clone());
            mentions.add(&ran, Path::new("/w"));
            assert_eq!(mentions.check().unwrap_err().is_told(), is_told, "{place}");
        }
    }

    #[test]
    fn one_place_that_is_not_known_is_enough() {
        let mut mentions = Mentions::default();
        mentions.add(
            &Searched::all(vec![Mention::Around("/a".into())]),
            Path::new("/w"),
        );
        assert_eq!(mentions.check(), Ok(()));
        mentions.add(
            &Searched::stopped(Vec::new(), Doubt::Outside),
            Path::new("/w"),
        );
        mentions.add(
            &Searched::all(vec![Mention::Around("/a".into())]),
            Path::new("/w"),
        );
        assert_eq!(
            (mentions.check(), mentions.places.len()),
            (Err(Doubt::Outside), 1)
        );
    }
}
