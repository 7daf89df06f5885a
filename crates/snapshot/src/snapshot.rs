//! Taking a snapshot.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use itertools::Itertools;
use serde::{Deserialize, Serialize};

use crate::fingerprint;
use crate::identity::Identity;
use crate::reader::{self, Head, Memory, ReaderKind};
use crate::repository::check_time;
use crate::worktrees::{self, LinkedWorktree};
use crate::{
    FileState, Fingerprint, Limits, Moment, RepoPath, Repository, Unreadable, parallel, touch,
};

/// Opening, two looks, reading and closing, for the number of threads.
const CALLS_FOR_A_FILE: usize = 8;

/// A work tree at one moment, or why it could not be read in full.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Snapshot {
    /// All of it was read.
    Readable(WorkTree),
    /// Nothing can be said about it.
    Unreadable(Unreadable),
}

/// What one work tree held at one moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkTree {
    /// Its top folder, links resolved.
    #[serde(with = "crate::text::path")]
    pub root: PathBuf,
    /// The folder that all work trees of the repository share; names the repository.
    #[serde(with = "crate::text::path")]
    pub common_dir: PathBuf,
    /// Where HEAD pointed.
    #[serde(flatten)]
    pub head: Head,
    /// Local branches and the stash: full name and object id.
    pub refs: BTreeMap<String, String>,
    /// The other work trees of the repository.
    pub worktrees: Vec<LinkedWorktree>,
    /// When the reading began.
    pub taken_at: Moment,
    /// Who read it.
    pub reader: ReaderKind,
    /// Every path that differed from HEAD, and what it was.
    #[serde(skip)]
    pub files: BTreeMap<RepoPath, FileState>,
    /// What spares a later reading work.
    #[serde(skip)]
    pub(crate) memory: Option<Memory>,
}

impl Snapshot {
    /// Reads the work tree that holds `folder`. `earlier` may know what the one at this root was
    /// before, which saves work.
    #[must_use]
    pub fn take(
        folder: &Path,
        limits: &Limits,
        earlier: impl FnOnce(&Path) -> Option<WorkTree>,
    ) -> Self {
        let taken = Repository::discover(folder, limits).and_then(|repository| {
            let earlier = earlier(&repository.root);
            WorkTree::read(&repository, limits, earlier.as_ref())
        });
        match taken {
            Ok(tree) => Self::Readable(tree),
            Err(why) => Self::Unreadable(why),
        }
    }
}

impl WorkTree {
    /// Reads the work tree of `repository`. Where `earlier` is what the same work tree was before,
    /// only what may have changed since is read again.
    pub fn read(
        repository: &Repository,
        limits: &Limits,
        earlier: Option<&Self>,
    ) -> Result<Self, Unreadable> {
        let taken_at = Moment::now();
        // Times tell what changed in between only on one clock that ran on.
        let earlier = earlier.filter(|earlier| {
            earlier.taken_at.runs_on_to(&taken_at) && touch::has_our_clock(&repository.root)
        });
        let (reader, listing) = reader::read(repository, limits, &taken_at, earlier)?;
        let worktrees = worktrees::others(&repository.common_dir, &repository.root)?;
        let mut tree = Self {
            root: repository.root.clone(),
            common_dir: repository.common_dir.clone(),
            head: listing.head,
            refs: listing.refs,
            worktrees,
            taken_at,
            reader,
            files: BTreeMap::new(),
            memory: listing.memory,
        };
        // A linked work tree below this one, as hosts make them, is a work tree of its own; and
        // what attest writes while it runs is no change.
        let others = inside(&tree.root, tree.worktrees.iter().map(|other| &other.path));
        let own = inside(&tree.root, &limits.own_files);
        let is_nobodys = |path: &RepoPath| {
            others.contains(path) || own.iter().any(|place| path.is_within(place))
        };
        let paths = listing.differing.into_iter();
        let paths = paths.filter(|path| !is_nobodys(path)).collect();
        tree.files = tree.states(paths, limits, earlier)?;
        Ok(tree)
    }

    /// What the paths are, which come in their order.
    fn states(
        &self,
        paths: Vec<RepoPath>,
        limits: &Limits,
        earlier: Option<&Self>,
    ) -> Result<BTreeMap<RepoPath, FileState>, Unreadable> {
        let were = earlier.into_iter().flat_map(|tree| &tree.files);
        let tasks: Vec<_> = paths
            .into_iter()
            .merge_join_by(were, |path, (was, _)| path.cmp(was))
            .filter_map(|both| {
                let (path, was) = both.left_and_right();
                Some((path?, was.map(|(_, state)| state)))
            })
            .collect();
        let threads = parallel::threads_for(tasks.len() * CALLS_FOR_A_FILE);
        let states = parallel::map(
            &tasks,
            threads,
            |reader: &mut fingerprint::Reader, (path, was)| {
                check_time(limits)?;
                let known = |now: &Identity| earlier?.content_of((*was)?, now);
                state_of(reader, path, &self.root, limits, known)
            },
        )?;
        Ok(tasks
            .into_iter()
            .map(|(path, _)| path)
            .zip(states)
            .collect())
    }

    /// What a file held that `was` so at the time, if it certainly holds the same while it is what
    /// it is `now`.
    fn content_of(&self, was: &FileState, now: &Identity) -> Option<Fingerprint> {
        let identity = was.identity.as_ref()?;
        let is_same = identity == now && identity.is_older_than(self.taken_at.wall_ns);
        is_same.then(|| was.fingerprint.clone())
    }

    /// Whether anything differed from HEAD.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        !self.files.is_empty()
    }
}

/// Those of `places` that lie in the work tree at `root`.
fn inside<'a>(root: &Path, places: impl IntoIterator<Item = &'a PathBuf>) -> Vec<RepoPath> {
    let inside = places
        .into_iter()
        .filter_map(|it| it.strip_prefix(root).ok());
    inside
        .filter_map(|place| RepoPath::from_git(&crate::path_bytes(place)))
        .collect()
}

/// What `path` of the work tree at `root` holds now.
pub(crate) fn fingerprint(
    path: &RepoPath,
    root: &Path,
    limits: &Limits,
) -> Result<Fingerprint, Unreadable> {
    let mut reader = fingerprint::Reader::default();
    Ok(state_of(&mut reader, path, root, limits, |_| None)?.fingerprint)
}

fn state_of(
    reader: &mut fingerprint::Reader,
    path: &RepoPath,
    root: &Path,
    limits: &Limits,
    known: impl FnOnce(&Identity) -> Option<Fingerprint>,
) -> Result<FileState, Unreadable> {
    let place = path
        .under(root)
        .ok_or_else(|| Unreadable::StrangePath(path.to_string()))?;
    reader
        .read(&place, limits.max_hash_bytes, known)
        .map_err(|error| Unreadable::io(&place, error))
}
