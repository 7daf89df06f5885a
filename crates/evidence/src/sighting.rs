//! What can be proven about one text that an agent calls a path.

use std::path::PathBuf;

use crate::RepoPath;

/// What happened to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It holds something that it did not hold before.
    Written,
    /// It was there and is not any more.
    Deleted,
}

/// What was seen of a claimed path. Only [`Sighting::Gone`] proves anything against a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sighting {
    /// It changed in the agent's work tree.
    Changed {
        /// The path that changed, as it is spelt on the disk.
        path: RepoPath,
        /// How.
        change: Change,
    },
    /// It changed, but not there.
    Landed(Landing),
    /// It exists and shows no change.
    OnDisk {
        /// Where.
        path: PathBuf,
        /// Whether it was written since the start.
        touch: Touch,
        /// A changed file elsewhere that has its basename, and of which the claimed path is not the
        /// end. It alone keeps `touch` from being [`Touch::Untouched`].
        namesake: Option<RepoPath>,
    },
    /// Nothing of that name is or was there, and nobody worked on it. For a folder this says the
    /// same of all that could be in it.
    Gone(RepoPath),
    /// The same, except that a changed file elsewhere has its basename.
    Namesake {
        /// The claimed path.
        path: RepoPath,
        /// The changed file.
        changed: RepoPath,
        /// Whether the claimed path is the end of the changed one.
        is_suffix: bool,
    },
    /// It is not there, and that proves nothing.
    Unproven(Doubt),
}

/// Where work landed outside the agent's work tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Landing {
    /// A commit or a stash made since the start touches it.
    History(RepoPath),
    /// It was written in another work tree since the start.
    Worktree(PathBuf),
    /// A tree with that name was written to the object store since the start.
    Object(RepoPath),
    /// It was written at a place that the agent's transcript names.
    Written(PathBuf),
}

/// Whether a file was written since the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touch {
    /// It certainly was not: wherever the path may lead there is the file of the start or nothing,
    /// and what would excuse an absence was ruled out as well. So it was not deleted either.
    Untouched,
    /// It may have been, or it is not the file of the start.
    Possible,
}

/// Why the absence of a path proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Doubt {
    /// It lies outside the agent's work tree.
    #[error("outside the work tree")]
    Outside,
    /// The text names no place in the work tree.
    #[error("no path inside the work tree")]
    NoPlace,
    /// It was already there, or already missing, at the start.
    #[error("known at the start")]
    KnownAtStart,
    /// A folder above it is a symbolic link.
    #[error("below a symbolic link")]
    SymbolicLink,
    /// It lies in a submodule or nested repository.
    #[error("in a repository of its own")]
    OtherRepository,
    /// A folder on the way to it cannot be read.
    #[error("a folder above it cannot be read")]
    UnreadableFolder,
    /// git has it in the index or in the commit of the start.
    #[error("tracked by git")]
    Tracked,
    /// What ignore rules cover is not recorded at the start.
    #[error("ignored by git")]
    Ignored,
    /// Ignore rules changed, so what was recorded at the start is not what would be now.
    #[error("the ignore rules changed")]
    IgnoreRulesChanged,
    /// A linked work tree was removed, with whatever it held.
    #[error("a linked work tree was removed")]
    WorktreeRemoved,
    /// A changed file has a name that a report cannot spell.
    #[error("a changed file has a name that text cannot carry")]
    UnspeakableName,
    /// Its folder was there at the start, and git listed nothing of what it held.
    #[error("in a folder of which git listed nothing at the start")]
    Unlisted,
    /// A folder above it is missing, and whether it was there at the start is not known.
    #[error("in a folder that is missing")]
    FolderMissing,
    /// A tool that does not write on this machine names it.
    #[error("a tool that writes elsewhere names it")]
    WrittenElsewhere,
    /// There are more repositories in the work tree than are looked into.
    #[error("too many repositories in the work tree")]
    TooManyRepositories,
    /// Objects were packed away, dropped, or are too many to be read.
    #[error("objects were packed since the start")]
    ObjectsPacked,
    /// A commit touches it, and when is not known.
    #[error("in the history")]
    InHistory,
    /// What git was asked, it could not tell.
    #[error("{0}")]
    Unreadable(String),
}

/// What is known of the texts that may be paths.
pub trait PathEvidence {
    /// How reports name the path: as the agent wrote it, but from the root of the work tree on and
    /// without dots, so that one path has one name.
    fn name(&self, text: &str) -> String;
    /// What can be proven about the text of one path. All places that it may mean are looked at, and
    /// what speaks most for the agent is the answer.
    fn sight(&self, text: &str) -> Sighting;
    /// Only what positively exists under exactly that name: changed, also in another case or
    /// Unicode form or as a folder with a change below it, landed in history or in another work
    /// tree, or on the disk. Never a namesake, a doubt or an absence: for a reading that is only
    /// likely, which may speak for the agent and never against.
    fn sight_exactly(&self, text: &str) -> Option<Sighting>;
    /// Whether the first folder that the text names exists: in the work tree now, or with a file
    /// that changed since the start or that differed from HEAD then. It is tried from the root of
    /// the work tree and from the agent's folder. A text that says where it begins (`/`, `./`,
    /// `../`), or that names no folder, has it.
    fn has_folder(&self, text: &str) -> bool;
}
