//! Taking a snapshot.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::reader::{self, Head, ReaderKind};
use crate::repository::check_time;
use crate::worktrees::{self, LinkedWorktree};
use crate::{Fingerprint, Limits, Moment, RepoPath, Repository, Unreadable};

/// A work tree at one moment, or why it could not be read in full.
#[derive(Debug)]
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
    /// Every path that differed from HEAD, and what it held.
    #[serde(skip)]
    pub files: BTreeMap<RepoPath, Fingerprint>,
}

impl Snapshot {
    /// Reads the work tree that holds `folder`.
    #[must_use]
    pub fn take(folder: &Path, limits: &Limits) -> Self {
        let taken = Repository::discover(folder, limits)
            .and_then(|repository| WorkTree::read(&repository, limits));
        match taken {
            Ok(tree) => Self::Readable(tree),
            Err(why) => Self::Unreadable(why),
        }
    }
}

impl WorkTree {
    /// Reads the work tree of `repository`.
    pub fn read(repository: &Repository, limits: &Limits) -> Result<Self, Unreadable> {
        let taken_at = Moment::now();
        let (reader, listing) = reader::read(repository, limits)?;
        let worktrees = worktrees::others(&repository.common_dir, &repository.root)?;
        let mut files = BTreeMap::new();
        for path in listing.differing {
            check_time(limits)?;
            if is_nobodys_work(&path, &repository.root, &worktrees, limits) {
                continue;
            }
            let print = fingerprint(&path, &repository.root, limits)?;
            files.insert(path, print);
        }
        Ok(Self {
            root: repository.root.clone(),
            common_dir: repository.common_dir.clone(),
            head: listing.head,
            refs: listing.refs,
            worktrees,
            taken_at,
            reader,
            files,
        })
    }

    /// Whether anything differed from HEAD.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        !self.files.is_empty()
    }
}

/// What `path` of the work tree at `root` holds now.
pub(crate) fn fingerprint(
    path: &RepoPath,
    root: &Path,
    limits: &Limits,
) -> Result<Fingerprint, Unreadable> {
    let place = path
        .under(root)
        .ok_or_else(|| Unreadable::StrangePath(path.to_string()))?;
    Fingerprint::of(&place, limits.max_hash_bytes).map_err(|e| Unreadable::io(&place, e))
}

/// A linked work tree below this one, as hosts make them, is a work tree of its own; and what
/// attest writes while it runs is no change.
fn is_nobodys_work(
    path: &RepoPath,
    root: &Path,
    worktrees: &[LinkedWorktree],
    limits: &Limits,
) -> bool {
    if worktrees.is_empty() && limits.own_files.is_empty() {
        return false;
    }
    path.under(root).is_some_and(|place| {
        worktrees.iter().any(|other| other.path == place)
            || limits.own_files.iter().any(|own| place.starts_with(own))
    })
}
