//! A work tree at one moment.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::fingerprint::Look;
use crate::identity::{Digest, Identity};
use crate::objects::{Store, Trail};
use crate::reader::listing::ReaderKind;
use crate::reader::memory::ScanCache;
use crate::reader::refs::Head;
use crate::unlisted::Unlisted;
use crate::worktrees::LinkedWorktree;
use crate::{Fingerprint, Moment, RepoPath, touch};

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
    /// What names the repository on all machines, if it was cloned from another.
    #[serde(skip)]
    pub origin: Option<String>,
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
    /// What led to commits; absent if that is not known.
    #[serde(skip)]
    pub(crate) trail: Option<Trail>,
    /// What saves a later reading work.
    #[serde(skip)]
    pub(crate) memory: Option<ScanCache>,
}

impl WorkTree {
    /// Whether anything differed from HEAD.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        !self.files.is_empty()
    }

    /// Whether a file has certainly not been written since, judging by its times.
    #[must_use]
    pub fn is_older(&self, metadata: &Metadata) -> bool {
        !touch::is_young(metadata, &self.taken_at)
    }

    /// Whether the content of a file was certainly not written behind a moment since then, in nanoseconds since the
    /// epoch, unless it was given an older time.
    #[must_use]
    pub fn is_dated_by(&self, place: &Path, metadata: &Metadata, wall_ns: i128) -> bool {
        touch::is_dated_by(&self.taken_at, place, metadata, wall_ns)
    }
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
    pub(crate) fn of(look: Look, taken_ns: i64) -> Self {
        let identity = look.identity.map(|now| Digest::to_keep(&now, taken_ns));
        Self {
            fingerprint: look.fingerprint,
            identity: identity.unwrap_or(Digest::UNSTABLE),
        }
    }

    /// The content of the path, if what it is `now` shows for certain that the content is
    /// unchanged.
    pub(crate) fn content_at(&self, now: &Identity) -> Option<Fingerprint> {
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
