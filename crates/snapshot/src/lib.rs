//! A git work tree as it is now, as it was, and what happened in between.
//!
//! [`Snapshot::take`] reads a work tree. Two of them make a [`Comparison`], which says, for any
//! text that an agent calls a path, what can be proven about it ([`PathEvidence`]). Nothing here ever
//! writes to a repository.

mod around;
mod beneath;
mod blob;
mod bounds;
mod clock;
mod comparison;
#[cfg(unix)]
mod config;
mod deadline;
mod delta;
mod document;
mod fingerprint;
mod git;
mod history;
mod hooks;
mod identity;
mod known_paths;
mod libgit2;
mod looking_back;
#[cfg(all(unix, feature = "measured"))]
#[doc(hidden)]
pub mod measured;
mod mounts;
mod nothing;
mod objects;
mod odb;
mod origin;
mod os_path;
mod parallel;
mod place;
mod presence;
mod range;
mod reach;
mod reader;
mod regular;
mod repository;
#[cfg(test)]
mod scratch;
mod snapshot;
mod stored;
mod text;
mod touch;
mod unlisted;
mod unreadable;
mod work_tree;
mod worktrees;

use std::path::PathBuf;

pub use around::{Around, stops};
pub use attest_evidence::{
    Budget, Change, ChangedElsewhere, Doubt, PathEvidence, Printable, RepoPath, Searched, TooMuch,
    Touch, Trace, Untrusted, ends_in, escaped, fold, is_blank, path_bytes, path_of_bytes,
    visible_json, visible_lines,
};
pub use blob::Content;
pub use clock::Moment;
pub use comparison::{Back, Comparison, Mention, Now};
pub use delta::Delta;
pub use document::{DocumentError, Format, document, from_document};
pub use fingerprint::{Fingerprint, UnknownFingerprint};
pub use git::{GitError, opens_a_dialog};
pub use hooks::may_run_hooks;
pub use known_paths::KnownPaths;
pub use looking_back::{LookingBack, Meanings};
pub use os_path::canonical;
pub use range::{CommitMessage, Range, RangeError};
pub use reader::{Head, ReaderKind};
pub use regular::read_regular_whole;
pub use repository::Repository;
pub use snapshot::Snapshot;
pub use stored::{Stored, StoredError};
pub use unreadable::Unreadable;
pub use work_tree::{FileState, WorkTree};
pub use worktrees::LinkedWorktree;

/// The size above which a file is not hashed whole, in bytes, unless the person sets another.
pub const DEFAULT_MAX_HASH_BYTES: u64 = 10 * 1024 * 1024;

/// How much work a reading may be.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Larger files are known by size, time, head and tail.
    pub max_hash_bytes: u64,
    /// When to give up, and how much of what others wrote is read until then.
    pub budget: Budget,
    /// Files and folders of attest itself: changes there do not count as work.
    pub own_files: Vec<PathBuf>,
    /// The person's home folder.
    pub home: Option<PathBuf>,
    /// Folders that are looked at wherever they lie: the person's, and those that the person has named.
    pub trusted: Vec<PathBuf>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_hash_bytes: DEFAULT_MAX_HASH_BYTES,
            budget: Budget::default(),
            own_files: Vec::new(),
            home: None,
            trusted: Vec::new(),
        }
    }
}
