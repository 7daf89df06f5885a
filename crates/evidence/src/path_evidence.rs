//! What can be proven about one text that an agent calls a path.

use std::path::PathBuf;

use crate::RepoPath;

/// What happened to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It contains something that it did not contain before.
    Written,
    /// It existed and no longer does.
    Deleted,
}

/// How many changed files that have one basename are named. Of more it is not known which one is meant.
pub const MOST_NAMESAKES: usize = 16;

/// What was seen of a claimed path. Only [`PathEvidence::Absent`] proves anything against a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathEvidence {
    /// It changed in the agent's work tree.
    Changed {
        /// The path that changed, as spelt on disk.
        path: RepoPath,
        /// How.
        change: Change,
    },
    /// It changed, but not there.
    ChangedElsewhere(ChangedElsewhere),
    /// It exists and shows no change.
    OnDisk {
        /// Where.
        path: PathBuf,
        /// Whether it was written since the start.
        touch: Touch,
        /// Changed files elsewhere that have the same basename, the likeliest first. They are the only thing that keeps
        /// `touch` from being [`Touch::Untouched`].
        namesakes: Vec<RepoPath>,
    },
    /// Nothing with that name exists or existed, and nothing was done to it. For a folder, the same
    /// is true of everything that could be in it.
    Absent(RepoPath),
    /// The same, except that changed files elsewhere have its basename.
    SameBasename {
        /// The claimed path.
        path: RepoPath,
        /// The changed files, of which the first is the likeliest, and not more than [`MOST_NAMESAKES`] and one.
        changed: Vec<RepoPath>,
        /// Whether the first of them ends in the claimed one.
        is_suffix: bool,
        /// Whether all that changed and has the name is certainly gone.
        is_gone: bool,
        /// Why it would prove nothing that no other changed file has the name.
        doubt: Option<Doubt>,
    },
    /// Nothing has all of that name, but a file that did not change has a path that ends in it.
    EndOf {
        /// The file.
        path: RepoPath,
        /// Whether it was written since the start.
        touch: Touch,
    },
    /// It does not exist, and that proves nothing.
    Inconclusive(Doubt),
}

/// Where work landed outside the agent's work tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangedElsewhere {
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
    /// It certainly was not: wherever the path may lead, there is the file of the start or nothing,
    /// and everything that would excuse an absence was ruled out as well. So it was not deleted
    /// either.
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
    /// A look there may mount something, or reach a device.
    #[error("not looked at: it may be on another machine, or a device")]
    NotLookedAt,
    /// The text does not name a place in the work tree.
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
    /// It lies in another work tree of the repository, which was there at the start and was not recorded.
    #[error("in another work tree, whose state at the start is not known")]
    OtherWorktree,
    /// A folder on the way to it cannot be read.
    #[error("a folder above it cannot be read")]
    UnreadableFolder,
    /// git has it in the index or in the start commit.
    #[error("tracked by git")]
    Tracked,
    /// The content of ignored paths is not recorded at the start.
    #[error("ignored by git")]
    Ignored,
    /// Ignore rules changed, so what was recorded at the start is not what would be recorded now.
    #[error("the ignore rules changed")]
    IgnoreRulesChanged,
    /// A linked work tree was removed, with everything in it.
    #[error("a linked work tree was removed")]
    WorktreeRemoved,
    /// A changed file has a name that a report cannot write, and this may be what the report made of it.
    #[error("a changed file with a name that text cannot carry may be meant")]
    UnspeakableName,
    /// A part of the name may stand for something, or all of it for several names, and what changed fits.
    #[error("the name may stand for others, and changed files fit")]
    Pattern,
    /// Its folder existed at the start, and git listed nothing of its content.
    #[error("in a folder of which git listed nothing at the start")]
    Unlisted,
    /// A folder above it is missing, and it is not known whether that existed at the start.
    #[error("in a folder that is missing")]
    FolderMissing,
    /// A call names it whose work is not in this work tree.
    #[error("a call that works elsewhere names it")]
    WrittenElsewhere,
    /// There is more than is searched.
    #[error("not all was searched: more than {most} {what}")]
    TooMany {
        /// The bound.
        most: u64,
        /// What it counts.
        what: &'static str,
    },
    /// The agent may have worked at a place that is not known, because of what one of its calls was given.
    #[error("work may be where it cannot be looked for: {0}")]
    UnknownPlace(String),
    /// A program of the work tree ran that was not read.
    #[error("a program ran that was not read and may have written it elsewhere: {0}")]
    ProgramUnread(String),
    /// Objects were dropped, or there are too many to read.
    #[error("objects may have been dropped or packed since the start")]
    ObjectsPacked,
    /// A commit or a stash touched it that nothing leads to.
    #[error("nothing leads any more to the commit or stash that touched it")]
    Dropped,
    /// What commits did to it was undone by others behind them.
    #[error("commits of this run touched it, and behind them it is what it was before")]
    Reverted,
    /// A commit touched it that need not be of this run.
    #[error("in the history")]
    InHistory,
    /// Several objects have a name that begins so.
    #[error("more than one object has a name that begins so")]
    Ambiguous,
    /// The name is that of a tag, a folder or a file.
    #[error("the name of something in git that is no commit")]
    NotACommit,
    /// No commit has that name here; another clone may have it.
    #[error("no commit of that name is in this clone")]
    NotInClone,
    /// The branch is there without what was committed.
    #[error("HEAD, or what was committed since the start, is on another branch")]
    OtherBranch,
    /// A shallow or partial clone does not have all commits.
    #[error("a shallow or partial clone does not have all commits")]
    PartOfHistory,
    /// git could not answer.
    #[error("{0}")]
    Unreadable(String),
}

impl Doubt {
    /// Whether the path is told of all the same: nothing but this speaks for work that is not where it should be.
    #[must_use]
    pub fn is_told(&self) -> bool {
        matches!(self, Self::ProgramUnread(_) | Self::IgnoreRulesChanged)
    }

    /// Takes a reason for a doubt beside another one: the first stays, unless only it is told.
    pub fn add_to(self, doubt: &mut Option<Self>) {
        if doubt
            .as_ref()
            .is_none_or(|it| it.is_told() && !self.is_told())
        {
            *doubt = Some(self);
        }
    }

    crate::doubt_words! {
        Self::Outside => "OUTSIDE", "the path lies outside the work tree";
        Self::NotLookedAt => "NOT_LOOKED_AT", "a look at the path may mount something, or reach a device";
        Self::NoPlace => "NO_PLACE", "the text does not name a place in the work tree";
        Self::KnownAtStart => "KNOWN_AT_START", "the path was there at the start, or differed from HEAD then or at the stop";
        Self::SymbolicLink => "SYMBOLIC_LINK", "a folder above the path is a symbolic link";
        Self::OtherRepository => "OTHER_REPOSITORY", "the path lies in a submodule or another repository, or one beside the work tree has it, written since the start";
        Self::OtherWorktree => "OTHER_WORKTREE", "the path lies in another work tree of the repository that was there before the agent";
        Self::UnreadableFolder => "UNREADABLE_FOLDER", "a folder above the path, or one that may hold it, cannot be read";
        Self::Tracked => "TRACKED", "git has the path in the index or had it in the commit of the start";
        Self::Ignored => "IGNORED", "git ignores the path";
        Self::IgnoreRulesChanged => "IGNORE_RULES_CHANGED", "a rule that may have covered the path came or went";
        Self::WorktreeRemoved => "WORKTREE_REMOVED", "a linked work tree was removed since the start";
        Self::Pattern => "PATTERN", "a part of the name may stand for something, or it is several names in one, and changed files fit";
        Self::UnspeakableName => "UNSPEAKABLE_NAME", "a changed file has a name that text cannot carry, and may be meant";
        Self::Unlisted => "UNLISTED", "the path lies in a folder of which git listed nothing at the start";
        Self::FolderMissing => "FOLDER_MISSING", "a folder above the path is missing, and may have been there at the start";
        Self::WrittenElsewhere => "WRITTEN_ELSEWHERE", "a call names the path that works on another machine, in a clone that is gone, or in git alone";
        Self::TooMany { .. } => "TOO_MANY", "there is more than is searched, and the work may be in what was not looked at";
        Self::UnknownPlace(_) => "UNKNOWN_PLACE", "the agent may have worked where it cannot be looked for";
        Self::ProgramUnread(_) => "PROGRAM_UNREAD", "a program of the work tree ran that was not read, and may have written the path elsewhere";
        Self::ObjectsPacked => "OBJECTS_PACKED", "objects of the repository may have been dropped, and a commit with them";
        Self::Dropped => "DROPPED", "a commit or a stash of this run touched the path, and nothing leads to that any more";
        Self::Reverted => "REVERTED", "commits of this run touched the path, and where they lead now it is what it was before them";
        Self::InHistory => "IN_HISTORY", "a commit touched the path, and need not be of this run";
        Self::Ambiguous => "AMBIGUOUS", "several objects have a name that begins like the claimed commit";
        Self::NotACommit => "NOT_A_COMMIT", "the name of the claimed commit is that of a tag, a folder or a file";
        Self::NotInClone => "NOT_IN_CLONE", "no commit of the claimed name is in this clone: it may have been squashed or rebased since, or be in another";
        Self::OtherBranch => "OTHER_BRANCH", "a branch of the claimed name is there, and HEAD, or what was committed since the start, is not on it";
        Self::PartOfHistory => "PART_OF_HISTORY", "the repository is a shallow or partial clone, which does not have all commits";
        Self::Unreadable(_) => "UNREADABLE", "a question that the absence depends on could not be answered";
    }
}

/// What is known about the texts that may be paths.
pub trait EvidenceSource {
    /// The name of the path in reports: as the agent wrote it, but relative to the root of the work
    /// tree and without dots, so that each path has one name.
    fn name(&self, text: &str) -> String;
    /// What can be proven about the text of one path. All places that it may mean are examined, and
    /// the answer is the evidence that is best for the agent.
    fn evidence_for(&self, text: &str) -> PathEvidence;
    /// Only positive evidence for exactly that name: changed (also in another case or Unicode form,
    /// or as a folder with a change below it), landed in history or in another work tree, or on
    /// disk. Never a file with the same basename, a doubt or an absence: this is for a reading that
    /// is merely likely, which may count for the agent and never against.
    fn exact_evidence_for(&self, text: &str) -> Option<PathEvidence>;
    /// Whether the first folder that the text names exists: in the work tree now, or with a file
    /// that has changed since the start or differed from HEAD then. It is looked for in the root of
    /// the work tree and in the agent's folder. `true` for a text that says where it begins (`/`,
    /// `./`, `../`) or names no folder.
    fn has_folder(&self, text: &str) -> bool;
    /// Whether no commit before the start, of those that are looked at, touched a path that the text names.
    fn check_before(&self, _text: &str) -> Result<(), Doubt> {
        Ok(())
    }
    /// Whether the text, read as several names that are written as one, names only files that changed.
    fn names_several(&self, _text: &str) -> bool {
        false
    }
    /// Whether it is known that the text names a path that differed from HEAD at the start.
    fn differed_at_start(&self, text: &str) -> bool;
}
