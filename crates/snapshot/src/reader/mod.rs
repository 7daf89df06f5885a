//! Who lists what differs from HEAD. All readers give the same answer; they differ in speed and
//! in the repositories that they understand.

mod libgit2;
mod program;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::repository::{Access, Repository};
use crate::{Limits, RepoPath, Unreadable};

/// Which reader made a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "name")]
pub enum ReaderKind {
    /// libgit2.
    LibGit2,
    /// The git program, because libgit2 could not read the repository.
    Git {
        /// What libgit2 said.
        why: String,
    },
}

/// Where HEAD points.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Head {
    /// The commit; absent before the first one.
    #[serde(rename = "head")]
    pub oid: Option<String>,
    /// The full name of the branch; absent when HEAD is detached.
    pub branch: Option<String>,
}

/// What a reader found.
pub(crate) struct Listing {
    pub(crate) head: Head,
    /// Local branches and the stash: full name and object id.
    pub(crate) refs: BTreeMap<String, String>,
    /// Every path whose work tree, index or existence differs from HEAD, untracked files included.
    pub(crate) differing: BTreeSet<RepoPath>,
}

/// Lists what differs from HEAD in one work tree, without writing anything.
pub(crate) trait Reader {
    fn kind(&self) -> ReaderKind;
    fn list(&self, limits: &Limits) -> Result<Listing, Unreadable>;
}

/// Reads `repository` with the fastest reader that understands it.
pub(crate) fn read(
    repository: &Repository,
    limits: &Limits,
) -> Result<(ReaderKind, Listing), Unreadable> {
    let program = |why: &str| {
        let reader = program::ProgramReader::new(repository, why);
        Ok((reader.kind(), reader.list(limits)?))
    };
    match &repository.access {
        Access::Program { why } => program(why),
        Access::LibGit2(opened) => {
            let reader = libgit2::LibGit2Reader::new(repository, opened);
            match reader.list(limits) {
                Ok(listing) => Ok((reader.kind(), listing)),
                Err(Unreadable::LibGit2(error)) => program(error.message()),
                Err(other) => Err(other),
            }
        }
    }
}

/// Turns one listed name into a path; a name that leaves the work tree makes all unreadable.
fn listed(bytes: &[u8]) -> Result<RepoPath, Unreadable> {
    RepoPath::from_git(bytes).ok_or_else(|| Unreadable::StrangePath(crate::path::escaped(bytes)))
}
