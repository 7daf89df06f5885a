//! Taking a snapshot.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use itertools::Itertools;

use crate::beneath::Root;
use crate::deadline::check_time;
use crate::fingerprint::{self, Look};
use crate::objects::{Store, Trail};
use crate::reader::{self, Basis, Seen};
use crate::{
    FileState, Fingerprint, Limits, Moment, RepoPath, Repository, Unreadable, WorkTree, parallel,
    touch, worktrees,
};

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
        let reading = reader::read(repository, limits, &taken_at, earlier)?;
        let listing = reading.listing;
        let worktrees = worktrees::others(&repository.common_dir, &repository.root, limits)?;
        let mut tree = Self {
            root: repository.root.clone(),
            common_dir: repository.common_dir.clone(),
            head: listing.head,
            refs: listing.refs,
            origin: listing.origin,
            worktrees,
            taken_at,
            reader: reading.reader,
            files: BTreeMap::new(),
            unlisted: listing.unlisted,
            // After the refs: the store contains what they point to.
            store: Store::read(&repository.common_dir),
            trail: Trail::read(&repository.common_dir),
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
        Ok((tree, reading.basis))
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
