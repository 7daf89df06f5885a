//! The files of an object store, and which of them were added since the start.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self, Metadata};
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::bounds::{self, Count};
use crate::fingerprint::hex;
use crate::identity::TICK_NS;
use crate::regular::open_regular;
use crate::{Moment, Unreadable, touch};

/// Objects that are examined before the rest counts as unknown.
const MOST_OBJECTS: usize = 20_000;
const SECOND_NS: i128 = 1_000_000_000;
/// Folders of loose objects, by the first byte of the name.
const ALL_SHELVES: usize = 256;

/// What an object store contained at a start, as far as a stop needs it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Store {
    /// The names of the packs.
    packs: BTreeSet<String>,
    /// The folders of loose objects.
    shelves: BTreeSet<String>,
    /// When one of these was last added or removed, in nanoseconds since the epoch.
    changed_ns: Option<i64>,
    /// The number of objects in each of them; counted if file times cannot be trusted.
    counts: Option<BTreeMap<String, usize>>,
}

impl Store {
    /// Reads the names in the store of `common_dir`; absent if they cannot be read.
    pub(crate) fn read(common_dir: &Path) -> Option<Self> {
        let store = common_dir.join("objects");
        let shelves = shelves(&store).ok()?;
        let counts = if is_foreign(&store) {
            let count =
                |shelf: &String| Some((shelf.clone(), names(&store.join(shelf)).ok()?.len()));
            Some(shelves.iter().map(count).collect::<Option<_>>()?)
        } else {
            None
        };
        Some(Self {
            packs: packs(&store).ok()?,
            changed_ns: changed_ns(&store),
            shelves,
            counts,
        })
    }
}

impl Store {
    /// Whether a folder of loose objects was removed, or appeared and disappeared. A fetch creates
    /// something there that is gone when it ends, and so does every command that may collect garbage:
    /// where all folders are there, none can have appeared.
    fn has_lost(&self, store: &Path, now: &BTreeSet<String>, since: &Moment) -> bool {
        let came_and_went =
            self.shelves == *now && now.len() < ALL_SHELVES && self.changed_ns != changed_ns(store);
        !self.shelves.is_subset(now) || (came_and_went && !has_fetched(store, since))
    }
}

/// Whether git fetched after `since`, in any work tree of the repository.
fn has_fetched(store: &Path, since: &Moment) -> bool {
    let common_dir = store.with_file_name("");
    let linked = common_dir.join("worktrees");
    let administration = names(&linked).unwrap_or_default().into_iter();
    let administration = administration.map(|name| linked.join(name));
    administration.chain([common_dir]).any(|folder| {
        let fetched = folder.join("FETCH_HEAD");
        fetched.exists() && is_recent(&fetched, since)
    })
}

fn changed_ns(folder: &Path) -> Option<i64> {
    let modified = fs::symlink_metadata(folder).and_then(|it| it.modified());
    let since = modified.ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_nanos()).ok()
}

/// What was added to a store.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Added {
    /// Objects that may be new. Unless there is a doubt, every new object is among them.
    pub(super) oids: HashSet<String>,
    /// Objects were dropped or moved: some may have come and gone.
    pub(super) has_lost: bool,
    /// A pack is gone, so that another one has what was in it.
    pub(super) is_repacked: bool,
    /// Too many were added, or it is not known when they were.
    pub(super) is_in_doubt: bool,
}

/// What was added to the folder `store` after `since`, when it `was` this.
pub(super) fn added(
    store: &Path,
    since: &Moment,
    was: Option<&Store>,
) -> Result<Added, Unreadable> {
    let mut added = Added::default();
    added.add_packs(store, since, was)?;
    let shelves = shelves(store)?;
    added.has_lost |= was.is_some_and(|was| was.has_lost(store, &shelves, since));
    let now = Moment::now();
    let was_set = since.boot_ns.is_some() && now.boot_ns.is_some() && !since.runs_on_to(&now);
    match was.and_then(|was| was.counts.as_ref()) {
        Some(counts) => added.add_by_count(store, &shelves, counts)?,
        None if was_set || is_foreign(store) => added.is_in_doubt = true,
        None => added.add_by_time(store, &shelves, since)?,
    }
    if added.oids.len() > MOST_OBJECTS {
        added.is_in_doubt = true;
        added.oids.clear();
    }
    Ok(added)
}

impl Added {
    /// If a pack is gone, its objects were packed again, and loose ones may have been dropped.
    fn add_packs(
        &mut self,
        store: &Path,
        since: &Moment,
        was: Option<&Store>,
    ) -> Result<(), Unreadable> {
        let packs = packs(store)?;
        let folder = store.join("pack");
        let Some(was) = was else {
            self.is_in_doubt |= !recent(&folder, since)?.is_empty();
            return Ok(());
        };
        self.is_repacked = !was.packs.is_subset(&packs);
        self.has_lost |= self.is_repacked;
        for pack in packs.difference(&was.packs) {
            match objects_of(&folder.join(pack)) {
                Some(oids) => self.oids.extend(oids),
                None => self.is_in_doubt = true,
            }
        }
        Ok(())
    }

    fn add_by_time(
        &mut self,
        store: &Path,
        shelves: &BTreeSet<String>,
        since: &Moment,
    ) -> Result<(), Unreadable> {
        for shelf in shelves {
            let folder = store.join(shelf);
            // The folder's own times show whether anything was added or removed.
            if !is_recent(&folder, since) {
                continue;
            }
            let young = recent(&folder, since)?;
            // Something was added or removed there, and nothing new is left.
            self.has_lost |= young.is_empty();
            self.oids
                .extend(young.iter().filter_map(|rest| oid(shelf, rest)));
        }
        Ok(())
    }

    fn add_by_count(
        &mut self,
        store: &Path,
        shelves: &BTreeSet<String>,
        counts: &BTreeMap<String, usize>,
    ) -> Result<(), Unreadable> {
        for shelf in shelves {
            let now = names(&store.join(shelf))?;
            let before = counts.get(shelf).copied().unwrap_or(0);
            self.has_lost |= now.len() < before;
            if now.len() > before {
                self.oids
                    .extend(now.iter().filter_map(|rest| oid(shelf, rest)));
            }
        }
        Ok(())
    }
}

/// The object stored in a file in a folder of loose objects; `None` for git's unfinished files.
fn oid(shelf: &str, rest: &str) -> Option<String> {
    let is_oid = matches!(rest.len(), 38 | 62) && rest.bytes().all(|b| b.is_ascii_hexdigit());
    is_oid.then(|| format!("{shelf}{rest}"))
}

/// Whether the times of files there come from another machine's clock.
fn is_foreign(store: &Path) -> bool {
    cfg!(target_os = "linux") && !touch::has_our_clock(store)
}

/// The objects that a pack index lists, as described by gitformat-pack(5). `None` if there are too
/// many, or the file is not understood.
fn objects_of(index: &Path) -> Option<Vec<String>> {
    const FANOUT: usize = 256 * 4;
    let (mut file, _) = open_regular(index, u64::MAX).ok()??;
    let mut head = [0; 8 + FANOUT];
    file.read_exact(&mut head).ok()?;
    let (magic, fanout) = head.split_at(8);
    if magic != b"\xfftOc\0\0\0\x02" {
        return None;
    }
    let count = fanout
        .last_chunk::<4>()
        .map(|four| u32::from_be_bytes(*four))?;
    let count = usize::try_from(count).ok()?;
    if count > MOST_OBJECTS {
        return None;
    }
    // Each object has an id, a checksum and an offset, and two checksums as long as an id are at
    // the end. Packs above 2 GB, which have longer offsets, contain more objects than are read.
    let length = usize::try_from(file.metadata().ok()?.len()).ok()?;
    let rest = length.checked_sub(head.len())?;
    let width = [20, 32]
        .into_iter()
        .find(|width| rest == count * (width + 8) + 2 * width)?;
    let mut oids = vec![0; count * width];
    file.read_exact(&mut oids).ok()?;
    Some(oids.chunks_exact(width).map(hex).collect())
}

/// Whether it is a pack index, which git writes last.
fn is_index(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it == "idx")
}

fn packs(store: &Path) -> Result<BTreeSet<String>, Unreadable> {
    let names = names(&store.join("pack"))?.into_iter();
    Ok(names.filter(|name| is_index(name)).collect())
}

fn shelves(store: &Path) -> Result<BTreeSet<String>, Unreadable> {
    let is_shelf = |name: &String| name.len() == 2 && name.bytes().all(|b| b.is_ascii_hexdigit());
    Ok(names(store)?.into_iter().filter(is_shelf).collect())
}

fn recent(folder: &Path, since: &Moment) -> Result<Vec<String>, Unreadable> {
    let mut found = names(folder)?;
    found.retain(|name| is_recent(&folder.join(name), since));
    Ok(found)
}

/// Whether it may have been written after `since`. A file that is gone was there a moment ago.
fn is_recent(place: &Path, since: &Moment) -> bool {
    fs::symlink_metadata(place).map_or(true, |metadata| {
        latest_ns(&metadata) + TICK_NS >= i128::from(since.wall_ns)
    })
}

/// The latest moment at which it may have been written. A file system that stores whole seconds has
/// cut off the rest.
#[cfg(unix)]
fn latest_ns(metadata: &Metadata) -> i128 {
    use std::os::unix::fs::MetadataExt;
    let modified = not_after_ns(metadata.mtime(), metadata.mtime_nsec());
    modified.max(not_after_ns(metadata.ctime(), metadata.ctime_nsec()))
}

#[cfg(unix)]
fn not_after_ns(seconds: i64, nanos: i64) -> i128 {
    let cut = if nanos == 0 { SECOND_NS - 1 } else { 0 };
    i128::from(seconds) * SECOND_NS + i128::from(nanos) + cut
}

#[cfg(not(unix))]
fn latest_ns(metadata: &Metadata) -> i128 {
    let modified = metadata.modified().ok();
    let since = modified.and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
    let ns = since.map_or(i128::MAX - TICK_NS, |since| {
        i128::try_from(since.as_nanos()).unwrap_or(0)
    });
    if ns % SECOND_NS == 0 {
        ns + SECOND_NS - 1
    } else {
        ns
    }
}

fn names(folder: &Path) -> Result<Vec<String>, Unreadable> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if crate::nothing::is_missing(&error) => return Ok(Vec::new()),
        Err(error) => return Err(Unreadable::io(folder, error)),
    };
    let mut count = Count::of(bounds::LISTED);
    let mut names = Vec::new();
    for entry in entries {
        // A listing that stops early would hide what was added.
        let entry = entry.map_err(|error| Unreadable::io(folder, error))?;
        count.add(1)?;
        names.extend(entry.file_name().into_string().ok());
    }
    Ok(names)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    const REST: &str = "0123456789012345678901234567890123456";

    /// A store with objects in two folders, whose names end as given.
    fn store(ends: &[&str]) -> TempDir {
        let folder = TempDir::new().unwrap();
        for end in ends {
            put(folder.path(), end);
        }
        folder
    }

    fn put(store: &Path, end: &str) {
        let shelf = store.join(if end < "5" { "aa" } else { "bb" });
        fs::create_dir_all(&shelf).unwrap();
        fs::write(shelf.join(format!("{REST}{end}")), "").unwrap();
    }

    fn counted(store: &Path) -> Store {
        let shelves = shelves(store).unwrap();
        let count = |shelf: &String| (shelf.clone(), names(&store.join(shelf)).unwrap().len());
        Store {
            packs: BTreeSet::new(),
            changed_ns: changed_ns(store),
            counts: Some(shelves.iter().map(count).collect()),
            shelves,
        }
    }

    #[test]
    fn where_times_say_nothing_objects_are_counted() {
        let folder = store(&["1", "2", "6"]);
        let was = counted(folder.path());
        let now = || added(folder.path(), &Moment::now(), Some(&was)).unwrap();
        assert_eq!(now(), Added::default());
        put(folder.path(), "7");
        let found = now();
        // Which of a folder is the new one is not known.
        assert!(!found.is_in_doubt && found.oids.len() == 2);
        fs::remove_file(folder.path().join(format!("aa/{REST}1"))).unwrap();
        assert!(now().has_lost);
    }

    #[test]
    fn a_whole_second_may_be_any_moment_of_it() {
        let since = Moment {
            wall_ns: 7_900_000_000,
            boot_ns: None,
        };
        let is_young =
            |seconds, nanos| not_after_ns(seconds, nanos) + TICK_NS >= since.wall_ns.into();
        assert!(is_young(7, 0) && is_young(7, 850_000_000));
        assert!(!is_young(7, 500_000_000) && !is_young(6, 0));
    }
}
