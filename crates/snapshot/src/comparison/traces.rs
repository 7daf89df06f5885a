//! What the folders say of a file that is not there: nothing in them tells which one, but a name that came or went
//! leaves its time.

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::path::Path;
use std::time::Duration;

use attest_evidence::{Before, Change, Held, RepositorySource as _, Trace, path_bytes};

use super::Comparison;
use crate::odb::Oid;
use crate::{Moment, RepoPath, touch};

/// Entries of a folder that are looked at.
#[cfg(unix)]
const MOST_ENTRIES: usize = 10_000;
/// Changed files among which one is looked for by its content.
const MOST_CHANGED: usize = 500;
/// A file that was written and at once given its name, as editors do, is no older than this when it gets it.
const AT_ONCE: Duration = Duration::from_millis(50);
/// The same if others are at work, who may have moved it as soon as it was there.
const BESIDE_OTHERS: Duration = Duration::from_millis(1);

/// Two times that are closer do not show which came first: a file system has that of the last tick.
const CLOCK_NS: i128 = 10_000_000;

impl Comparison<'_> {
    /// What the folder shows in which the text of a path would be, or the nearest above it that is there.
    #[must_use]
    pub fn trace(&self, text: &str, has_others: bool) -> Trace {
        let at_once = if has_others { BESIDE_OTHERS } else { AT_ONCE };
        let traces = self.places(text).inside;
        let traces = traces.iter().map(|path| self.trace_of(path, at_once));
        traces.max_by_key(rank).unwrap_or(Trace::Changed)
    }

    fn trace_of(&self, path: &RepoPath, at_once: Duration) -> Trace {
        let root = &self.start.root;
        let folders = path.ancestors().filter_map(|folder| folder.under(root));
        let mut folders = folders.chain([root.clone()]);
        let found = folders.find_map(|folder| Some((fs::metadata(&folder).ok()?, folder)));
        let Some((metadata, folder)) = found else {
            return Trace::Changed;
        };
        let is_known =
            self.start.taken_at.runs_on_to(&Moment::now()) && touch::has_our_clock(&folder);
        if !is_known {
            return Trace::Changed;
        }
        let start = &self.start.taken_at;
        if !touch::is_young(&metadata, start) {
            return Trace::AtRest;
        }
        match gone_from(&folder, &metadata, at_once) {
            // What went just before the start was none of the agent's.
            Some(at) if is_not_before(at, start) && !self.is_known_to_lack(&folder) => {
                Trace::NameGone(at)
            }
            _ => Trace::Changed,
        }
    }

    /// Whether something is known to have gone from the folder: what was deleted in it, or is in a commit or a stash of
    /// this run and not on disk.
    fn is_known_to_lack(&self, folder: &Path) -> bool {
        let root = &self.start.root;
        let inside = folder.strip_prefix(root).map(path_bytes);
        let lacks = |path: &RepoPath| {
            let is_in = inside
                .as_ref()
                .is_ok_and(|inside| path.parent() == &**inside);
            let place = path.under(root).filter(|_| is_in);
            place.is_some_and(|place| fs::symlink_metadata(place).is_err())
        };
        let mut deleted = self.delta.iter();
        let touched = self.touched();
        let mut touched = touched.iter().flat_map(|it| &it.paths);
        deleted.any(|(path, change)| change == Change::Deleted && lacks(path)) || touched.any(lacks)
    }

    /// One of these changed files that was given another name, right or time after it was written, and when, in
    /// nanoseconds since the epoch. It may be what was written under another name.
    #[must_use]
    pub fn moved_of<'p>(&self, paths: &'p [RepoPath]) -> Option<(&'p RepoPath, i64)> {
        let mut paths = paths.iter().take(MOST_CHANGED);
        paths.find_map(|path| {
            let place = path.under(&self.start.root)?;
            let at = moved_at(&fs::symlink_metadata(place).ok()?)?;
            let was = self.held_before(&[path]);
            (was == [Some(Before::Missing)]).then_some((path, at))
        })
    }

    /// Whether git was given the content of a file since the start that no commit and no tree of then has, and that is
    /// not in the index: it was staged and is gone.
    #[must_use]
    pub fn keeps_a_file_of_no_name(&self) -> bool {
        let made = self.made().ok().and_then(|made| made.work.first());
        made.is_some_and(|own| self.are_left(&own.loose))
    }

    #[cfg(unix)]
    fn are_left(&self, objects: &HashSet<Oid>) -> bool {
        let Some(basis) = self.basis.as_ref().filter(|_| !objects.is_empty()) else {
            return false;
        };
        let staged = basis.index.entries();
        let staged: HashSet<_> = staged.filter_map(|it| Oid::from_bytes(it.oid())).collect();
        !objects.is_subset(&staged)
    }

    #[cfg(not(unix))]
    #[expect(clippy::unused_self, reason = "it is asked on each system")]
    fn are_left(&self, _objects: &HashSet<Oid>) -> bool {
        false
    }

    /// The changed file that holds exactly this.
    #[must_use]
    pub fn changed_to(&self, content: &str) -> Option<RepoPath> {
        let changes = self.delta.iter();
        let written = changes.filter(|(_, change)| *change == Change::Written);
        let written: Vec<_> = written.map(|(path, _)| path).take(MOST_CHANGED).collect();
        let sizes = self.held_now(&written, 0).into_iter();
        let same_size = |held: Option<Held>| {
            held.is_some_and(|held| usize::try_from(held.size) == Ok(content.len()))
        };
        let likely = written.into_iter().zip(sizes);
        let likely: Vec<_> = likely
            .filter_map(|(path, held)| same_size(held).then_some(path))
            .collect();
        let most = content.len() as u64;
        let held = self.held_now(&likely, most).into_iter();
        let mut held = likely.into_iter().zip(held);
        held.find_map(|(path, held)| {
            (held?.bytes? == content.as_bytes() && !content.is_empty()).then(|| path.clone())
        })
    }
}

fn is_not_before(at: i64, start: &Moment) -> bool {
    i128::from(at) + CLOCK_NS >= i128::from(start.wall_ns)
}

fn rank(trace: &Trace) -> u8 {
    match trace {
        Trace::AtRest => 0,
        Trace::Changed => 1,
        Trace::NameGone(_) => 2,
    }
}

/// When a name went from the folder, if that is what changed it last: nothing that is there is as young, or what is
/// was given its name long after it was written.
#[cfg(unix)]
fn gone_from(folder: &Path, metadata: &Metadata, at_once: Duration) -> Option<i64> {
    use std::os::unix::fs::MetadataExt;
    let ns = |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
    let written = |it: &Metadata| ns(it.mtime(), it.mtime_nsec());
    let changed = |it: &Metadata| ns(it.ctime(), it.ctime_nsec());
    let at = written(metadata);
    let at_once = i128::try_from(at_once.as_nanos()).ok()?;
    for (count, entry) in fs::read_dir(folder).ok()?.enumerate() {
        let entry = entry.ok()?;
        if count >= MOST_ENTRIES {
            return None;
        }
        // git changes its own folder at will.
        if entry.file_name() == ".git" {
            continue;
        }
        let it = entry.metadata().ok()?;
        // The time of a folder is that of what is in it.
        let made = it.created().ok().filter(|_| it.is_dir());
        let made = made.and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        let made = made.and_then(|at| i128::try_from(at.as_nanos()).ok());
        let is_as_young = made.unwrap_or_else(|| changed(&it)) + CLOCK_NS >= at;
        let was_moved = it.is_file() && written(&it) + at_once < changed(&it);
        if is_as_young && !was_moved {
            return None;
        }
    }
    i64::try_from(at).ok()
}

/// When a file was given its name, in nanoseconds since the epoch, if that was after its last writing.
#[cfg(unix)]
fn moved_at(it: &Metadata) -> Option<i64> {
    use std::os::unix::fs::MetadataExt;
    let (written, changed) = ((it.mtime(), it.mtime_nsec()), (it.ctime(), it.ctime_nsec()));
    let seconds = changed.0.checked_mul(1_000_000_000)?;
    let is_moved = it.is_file() && written < changed;
    seconds.checked_add(changed.1).filter(|_| is_moved)
}

/// On this system the times do not tell.
#[cfg(not(unix))]
fn moved_at(_it: &Metadata) -> Option<i64> {
    None
}

/// On this system the times do not tell.
#[cfg(not(unix))]
fn gone_from(_folder: &Path, _metadata: &Metadata, _at_once: Duration) -> Option<i64> {
    None
}
