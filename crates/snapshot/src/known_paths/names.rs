//! The names that git knows, wherever they come from.

use super::found::Found;
#[cfg(not(unix))]
use super::listed::Listed;
#[cfg(unix)]
use super::own;
use crate::{RepoPath, Unreadable};

/// Where the names come from.
pub(super) enum Names {
    /// The index and trees, read as far as a path leads into them.
    #[cfg(unix)]
    Own(Box<own::Names>),
    /// Lists that the git program made, once for all paths.
    #[cfg(not(unix))]
    Listed(Listed),
}

impl Names {
    #[cfg_attr(
        not(unix),
        expect(clippy::unnecessary_wraps, reason = "objects may be missing")
    )]
    pub(super) fn find(&self, path: &RepoPath) -> Result<Found, Unreadable> {
        match self {
            #[cfg(unix)]
            Self::Own(names) => names.find(path),
            #[cfg(not(unix))]
            Self::Listed(listed) => Ok(listed.find(path)),
        }
    }

    /// Files of the index whose paths end in this one, at most as many.
    #[cfg_attr(
        not(unix),
        expect(clippy::unnecessary_wraps, reason = "the time may be up")
    )]
    pub(super) fn ending_in(
        &self,
        path: &RepoPath,
        most: usize,
    ) -> Result<Vec<RepoPath>, Unreadable> {
        match self {
            #[cfg(unix)]
            Self::Own(names) => names.ending_in(path, most),
            #[cfg(not(unix))]
            Self::Listed(listed) => Ok(listed.ending_in(path, most)),
        }
    }

    /// What the index has for the rule file at `path`, which is not on disk.
    #[cfg(unix)]
    pub(super) fn left_out_rules(&self, path: &[u8]) -> Result<Vec<u8>, Unreadable> {
        let Self::Own(names) = self;
        names.left_out_rules(path)
    }
}
