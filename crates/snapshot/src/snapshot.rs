//! Taking a snapshot.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use itertools::Itertools;
use serde::{Deserialize, Serialize};

use crate::beneath::Root;
use crate::fingerprint::{self, Look};
use crate::identity::{Digest, Identity};
use crate::objects::Store;
use crate::reader::{self, Basis, Head, ReaderKind, ScanCache, Seen};
use crate::repository::check_time;
use crate::unlisted::Unlisted;
use crate::worktrees::{self, LinkedWorktree};
use crate::{Fingerprint, Limits, Moment, RepoPath, Repository, Unreadable, parallel, touch};

/// Opening, two looks, reading and closing: used to choose the number of threads.
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

/// What one work tree contained at one moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkTree {
    /// Its top folder, with links resolved.
    #[serde(with = "crate::text::path")]
    pub root: PathBuf,
    /// The folder that all work trees of the repository share; it identifies the repository.
    #[serde(with = "crate::text::path")]
    pub common_dir: PathBuf,
    /// Where HEAD pointed.
    #[serde(flatten)]
    pub head: Head,
    /// Local branches, what is known about those of other repositories, and the stash: full name
    /// and object id.
    pub refs: BTreeMap<String, String>,
    /// The other work trees of the repository.
    pub worktrees: Vec<LinkedWorktree>,
    /// When the reading began.
    pub taken_at: Moment,
    /// The reader that was used.
    pub reader: ReaderKind,
    /// Every path that differed from HEAD, and its state.
    #[serde(skip)]
    pub files: BTreeMap<RepoPath, FileState>,
    /// The folders in which git lists nothing; absent if the reader does not report them.
    #[serde(skip)]
    pub(crate) unlisted: Option<Unlisted>,
    /// What the object store contained.
    #[serde(skip)]
    pub(crate) store: Option<Store>,
    /// What saves a later reading work.
    #[serde(skip)]
    pub(crate) memory: Option<ScanCache>,
}

/// What one path of a work tree was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileState {
    /// What it contained.
    pub fingerprint: Fingerprint,
    /// Its identity when that was read.
    identity: Digest,
}

impl FileState {
    /// `taken_ns` is the wall clock before the look.
    fn of(look: Look, taken_ns: i64) -> Self {
        let identity = look.identity.map(|now| Digest::to_keep(&now, taken_ns));
        Self {
            fingerprint: look.fingerprint,
            identity: identity.unwrap_or(Digest::UNSTABLE),
        }
    }

    /// The content of the path, if what it is `now` shows for certain that the content is
    /// unchanged.
    fn content_at(&self, now: &Identity) -> Option<Fingerprint> {
        (self.identity == Digest::of(now)).then(|| self.fingerprint.clone())
    }
}

impl From<Fingerprint> for FileState {
    fn from(fingerprint: Fingerprint) -> Self {
        Self {
            fingerprint,
            identity: Digest::UNSTABLE,
        }
    }
}

impl Snapshot {
    /// Reads the work tree that contains `folder`. `earlier` may know an earlier state of the work
    /// tree at this root, which saves work.
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
    /// Reads the work tree of `repository`. If `earlier` is an earlier state of the same work tree,
    /// only what may have changed since is read again.
    pub fn read(
        repository: &Repository,
        limits: &Limits,
        earlier: Option<&Self>,
    ) -> Result<Self, Unreadable> {
        Ok(Self::read_with_basis(repository, limits, earlier)?.0)
    }

    /// The same, with the basis of the reading.
    pub(crate) fn read_with_basis(
        repository: &Repository,
        limits: &Limits,
        earlier: Option<&Self>,
    ) -> Result<(Self, Option<Basis>), Unreadable> {
        let taken_at = Moment::now();
        // Times show what changed in between only if the clock ran undisturbed.
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
            unlisted: listing.unlisted,
            // After the refs: the store contains what they point to.
            store: Store::read(&repository.common_dir),
            memory: listing.memory,
        };
        // A linked work tree below this one, as hosts create them, is a work tree of its own; and
        // what attest writes while it runs is not a change.
        let others = inside(&tree.root, tree.worktrees.iter().map(|other| &other.path));
        let own = inside(&tree.root, &limits.own_files);
        let is_nobodys = |path: &RepoPath| {
            others.contains(path) || own.iter().any(|place| path.is_within(place))
        };
        let mut paths = listing.differing;
        paths.retain(|(path, _)| !is_nobodys(path));
        paths.sort_by(|(a, _), (b, _)| a.cmp(b));
        paths.dedup_by(|(a, _), (b, _)| a == b);
        tree.files = tree.states(paths, limits, earlier)?;
        Ok((tree, listing.basis))
    }

    /// The states of the paths, in order.
    fn states(
        &self,
        paths: Vec<(RepoPath, Seen)>,
        limits: &Limits,
        earlier: Option<&Self>,
    ) -> Result<BTreeMap<RepoPath, FileState>, Unreadable> {
        let were = earlier.into_iter().flat_map(|tree| &tree.files);
        let tasks: Vec<_> = paths
            .into_iter()
            .merge_join_by(were, |(path, _), (was, _)| path.cmp(was))
            .filter_map(|both| {
                let (now, was) = both.left_and_right();
                let (path, seen) = now?;
                Some((path, seen, was.map(|(_, state)| state)))
            })
            .collect();
        let root = open(&self.root)?;
        let threads = parallel::threads_for(tasks.len() * CALLS_FOR_A_FILE);
        let states = parallel::map(
            &tasks,
            threads,
            |reader: &mut fingerprint::Reader, (path, seen, was)| {
                check_time(limits)?;
                let look = look_at(reader, &root, path, *seen, *was, limits.max_hash_bytes);
                let look = look.map_err(|error| refused(&self.root, path, error))?;
                Ok::<_, Unreadable>(FileState::of(look, self.taken_at.wall_ns))
            },
        )?;
        Ok(tasks
            .into_iter()
            .map(|(path, ..)| path)
            .zip(states)
            .collect())
    }

    /// Whether anything differed from HEAD.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        !self.files.is_empty()
    }
}

/// Looks at a path that a listing has `seen` and that `was` in another state before.
fn look_at(
    reader: &mut fingerprint::Reader,
    root: &Root,
    path: &RepoPath,
    seen: Seen,
    was: Option<&FileState>,
    max_hash_bytes: u64,
) -> io::Result<Look> {
    // A file that has to be read anyway need not be looked at before it is open.
    if was.is_none()
        && seen == Seen::File
        && let Ok(Some(look)) = reader.read_file(root, path, max_hash_bytes)
    {
        return Ok(look);
    }
    reader.read(root, path, max_hash_bytes, |now| was?.content_at(now))
}

/// Those of `places` that are in the work tree at `root`.
fn inside<'a>(root: &Path, places: impl IntoIterator<Item = &'a PathBuf>) -> Vec<RepoPath> {
    let inside = places
        .into_iter()
        .filter_map(|it| it.strip_prefix(root).ok());
    inside
        .filter_map(|place| RepoPath::from_git(&crate::path_bytes(place)))
        .collect()
}

/// The current content of `path` in the work tree at `root`.
pub(crate) fn fingerprint(
    path: &RepoPath,
    root: &Path,
    limits: &Limits,
) -> Result<Fingerprint, Unreadable> {
    let mut reader = fingerprint::Reader::default();
    let look = reader.read(&open(root)?, path, limits.max_hash_bytes, |_| None);
    let look = look.map_err(|error| refused(root, path, error))?;
    Ok(look.fingerprint)
}

fn open(root: &Path) -> Result<Root, Unreadable> {
    Root::open(root).map_err(|error| Unreadable::io(root, error))
}

fn refused(root: &Path, path: &RepoPath, error: io::Error) -> Unreadable {
    match path.under(root) {
        Some(place) => Unreadable::io(&place, error),
        None => Unreadable::StrangePath(path.to_string()),
    }
}
