//! The most of a repository that is read.
//!
//! The author of a repository decides how large each of its lists is, so each has a limit here, far
//! above what people have. If there is more, the list is not read in part: the answer is
//! Unreadable.
#![cfg_attr(
    not(unix),
    allow(dead_code, reason = "most of them bound attest's own reader")
)]

use attest_evidence::{Doubt, Searched, TooMuch};

/// Folders above a path, and trees in trees: as many as git itself follows (`core.maxTreeDepth`).
pub(crate) const DEPTH: usize = 2048;

/// Bytes of a file that names one thing: `HEAD`, `.git`, `commondir`, `gitdir`, a branch.
pub(crate) const NAME_FILE: u64 = 64 * 1024;
/// Bytes of a configuration, or of a list of other object stores or of shallow or grafted commits.
pub(crate) const CONFIG: u64 = 4 * 1024 * 1024;
/// Bytes of `packed-refs`.
pub(crate) const PACKED_REFS: u64 = 64 * 1024 * 1024;

/// Branches of this repository and of others.
pub(crate) const REFS: (u64, &str) = (300_000, "branches");
/// Nested folders of branches.
pub(crate) const REF_DEPTH: usize = 128;
/// Bytes of an index, or of its shared part.
pub(crate) const INDEX: u64 = 128 * 1024 * 1024;

/// Bytes of a file of ignore rules or attributes.
pub(crate) const RULE_FILE: u64 = 4 * 1024 * 1024;
/// Lines in all rule files of one reading.
pub(crate) const RULES: u64 = 400_000;
/// Folders that follow from the paths of an index.
pub(crate) const FOLDERS: usize = 1_000_000;
/// Bytes of the paths of an index that stores only how each differs from the one before.
pub(crate) const UNFOLDED: usize = 64 * 1024 * 1024;
/// Bytes of an index that is assembled from parts, or of one part.
pub(crate) const PART: u64 = 64 * 1024 * 1024;
/// Entries of an assembled index.
pub(crate) const ENTRIES: usize = 300_000;
/// Bytes of their paths.
pub(crate) const ENTRY_PATHS: (u64, &str) = (
    32 * 1024 * 1024,
    "bytes of paths in a split or sparse index",
);

/// Bytes of the paths that are not in the index, including what is stored with each.
pub(crate) const UNKNOWN: u64 = 48 * 1024 * 1024;
/// What is stored with such a path, in bytes.
pub(crate) const KEPT_OF_UNKNOWN: usize = 64;
/// Work trees of one repository.
pub(crate) const WORK_TREES: (u64, &str) = (10_000, "work trees");
/// Names in a folder of objects, or in one that is searched for a spelling.
pub(crate) const LISTED: (u64, &str) = (500_000, "names in one folder");
/// Names in an unreadable nested repository whose times are examined.
pub(crate) const AT_REST: (u64, &str) = (50_000, "names in a nested repository");
/// Bytes of a path that a report names: no system accepts a longer one.
pub(crate) const CLAIMED: usize = 4096;
/// Names in the folders outside of the work tree that the commands of an agent name.
pub(crate) const OUTSIDE: (u64, &str) = (100_000, "names in folders outside");
/// Folders that the calls of an agent name and in which a repository is looked for.
pub(crate) const PLACES: (usize, &str) = (1_000, "folders that calls name");
/// Names in the work trees of a repository that are looked through long after an agent worked there.
pub(crate) const LOOKED_THROUGH: (u64, &str) = (500_000, "names in the work trees");
/// Repositories in the work tree that are searched.
pub(crate) const NESTED: (usize, &str) = (256, "repositories in the work tree");
/// Folders that git does not list and that are searched, those nearest to the root first.
pub(crate) const UNLISTED: (usize, &str) = (1_000, "folders in which git lists nothing");
/// Folders that one search for a name in any spelling enters.
pub(crate) const SPELLINGS: (usize, &str) = (64, "folders of one name in other spellings");
/// Paths that differ, in one list.
pub(crate) const PATHS: u64 = 250_000;
/// Bytes of all paths of one list.
pub(crate) const PATH_BYTES: u64 = 32 * 1024 * 1024;

/// Bytes of a commit, a tree or a tag.
pub(crate) const OBJECT: u64 = 16 * 1024 * 1024;
/// Bytes of a file in the object store that is compared with one on disk. A larger one counts as
/// different, whatever `ATTEST_MAX_HASH_BYTES` says.
pub(crate) const BLOB: u64 = 32 * 1024 * 1024;
/// Trees read for one comparison.
pub(crate) const TREES: (u64, &str) = (1_000_000, "trees in one comparison");
/// Names in the new trees of an object store.
pub(crate) const NAMES: (u64, &str) = (500_000, "names in new trees");
/// Object stores that others refer to, and the length of a chain of them: git follows no more.
pub(crate) const ALTERNATES: usize = 1_000;
pub(crate) const ALTERNATES_DEPTH: usize = 6;
/// Tags that point to each other.
pub(crate) const TAGS: usize = 8;
/// Commits that are searched before the rest counts as unknown.
pub(crate) const COMMITS: usize = 5_000;
/// Commits that are visited to find those.
pub(crate) const COMMITS_SEEN: usize = 30_000;
/// Commits that are visited to find one of them. What is known of its age is only shown.
pub(crate) const COMMITS_BEHIND: usize = 2_000;

/// Bytes of one answer from git.
pub(crate) const ANSWER: usize = 32 * 1024 * 1024;
/// Bytes of memory that git may use, not counting mapped files.
#[cfg(target_os = "linux")]
pub(crate) const MEMORY_OF_GIT: u64 = 192 * 1024 * 1024;

/// The error for nesting that is too deep.
pub(crate) fn too_deep() -> TooMuch {
    let most = DEPTH as u64;
    let what = "folders in each other";
    TooMuch { most, what }
}

/// The first of `all`, up to a bound.
pub(crate) fn first<T>(mut all: Vec<T>, (most, what): (usize, &'static str)) -> Searched<Vec<T>> {
    if all.len() <= most {
        return Searched::all(all);
    }
    all.truncate(most);
    let most = most as u64;
    Searched::stopped(all, Doubt::TooMany { most, what })
}

/// Counts up to a bound.
#[derive(Debug)]
pub(crate) struct Count {
    left: u64,
    bound: TooMuch,
}

impl Count {
    /// A counter with this bound.
    pub(crate) fn of((most, what): (u64, &'static str)) -> Self {
        Self {
            left: most,
            bound: TooMuch { most, what },
        }
    }

    pub(crate) fn add(&mut self, count: u64) -> Result<(), TooMuch> {
        self.left = self.left.checked_sub(count).ok_or(self.bound)?;
        Ok(())
    }
}

/// Counts the paths of one list, and their bytes.
#[derive(Debug)]
pub(crate) struct Paths {
    count: Count,
    bytes: Count,
}

impl Default for Paths {
    fn default() -> Self {
        Self {
            count: Count::of((PATHS, "paths that differ")),
            bytes: Count::of((PATH_BYTES, "bytes of paths that differ")),
        }
    }
}

impl Paths {
    pub(crate) fn add(&mut self, path: &[u8]) -> Result<(), TooMuch> {
        self.count.add(1)?;
        self.bytes.add(path.len() as u64)
    }
}
