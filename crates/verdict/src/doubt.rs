//! Why a claimed path without a change proves nothing.

use attest_evidence::{Doubt as SeenDoubt, RepoPath};
use serde::{Serialize, Serializer};

/// A doubt about one claimed path. It can only take a proof away, and keeps its reason up to the person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// What was seen of the path leaves it.
    #[error(transparent)]
    Seen(#[from] SeenDoubt),
    /// A file that changed, or may have, has its name.
    #[error("{0} has the same name, and may be what is meant")]
    SameName(RepoPath),
    /// The list does not claim it: it is named beside a file that is gone.
    #[error("it is named beside {0}, as where that went")]
    NamedBeside(String),
    /// It was claimed as deleted, is not there, and was never seen to be.
    #[error("not there, as claimed, and never seen")]
    NeverSeen,
    /// Nothing has that name, and the text may not be a path.
    #[error("nothing of that name, and it may not be a path")]
    NotAPath,
    /// The file is there as it was, and the text may not be a path.
    #[error("may not be a path")]
    PerhapsNoPath,
    /// A single word with a slash.
    #[error("may not be a folder")]
    PerhapsNoFolder,
    /// The words beside it are not understood as work.
    #[error("the remark «{0}» is not understood as work")]
    Remark(String),
    /// The words above it, or in front of it, are not understood.
    #[error("the title «{0}» is not understood")]
    Title(String),
    /// The report calls itself a review, and nothing shows that the agent wrote a file.
    #[error("the report is a review, «{0}», and no call of the agent is known to write a file")]
    Review(String),
    /// The report names what others did, which the agent looked at, and nothing shows that it wrote a file.
    #[error(
        "the list may be of what others did, «{0}», and no call of the agent is known to write a file"
    )]
    WorkOfOthers(String),
    /// The message is about what was read, and nothing shows that the agent wrote what stands beside it.
    #[error(
        "the message may be about what was read, «{0}», and no call of the agent is known to write a file beside it"
    )]
    Study(String),
    /// The report says that nothing was written, and nothing shows that the agent wrote what stands beside it.
    #[error(
        "the report says that nothing was written, «{0}», and no call of the agent is known to write a file beside it"
    )]
    NothingWritten(String),
    /// A command that the agent began has not ended, and may still write it.
    #[error("a command of the agent still runs in the background: «{0}»")]
    Background(String),
    /// What is claimed may be the work of others, or undone by them.
    #[error("other agents worked in the same work tree")]
    OthersAtWork,
    /// It changed before the agent began, and may be work that it went on with.
    #[error("it changed after an earlier agent of the session began, and before this one did")]
    EarlierAgent,
    /// Others may have removed what the agent may have written.
    #[error("other agents worked in the same tree and may have removed it")]
    MayBeRemoved,
    /// Code of the agent names it.
    #[error("a command of the agent names it, and may have written it")]
    MayBeMade,
    /// A name went from the folder in which the path would be.
    #[error("something was removed from its folder at {0}")]
    NameGone(String),
    /// Something else that was there is gone.
    #[error("{0}, so a file may have been here too")]
    Leftover(String),
    /// A later call of the agent may have removed what it wrote.
    #[error("a later call of the agent may have removed it")]
    OwnRemoval,
    /// The report says so itself, or may.
    #[error("the report itself says, or may say, that it is not there any more")]
    SaidGone,
    /// Somebody may have moved what was written.
    #[error("it was there, and {0} may be it under another name")]
    PerhapsMoved(RepoPath),
    /// Only a command was to write it.
    #[error("nothing tells that the agent itself wrote it")]
    NotSeenWritten,
    /// It was written where nothing is meant to stay.
    #[error("written below a temporary folder")]
    Temporary,
    /// It is not known that nobody else was at work.
    #[error("others may have been at work")]
    PerhapsOthers,
    /// The agent's tool calls are not known in full.
    #[error("the agent's tool calls are not known in full")]
    CallsUnknown,
    /// A tool that may have read the file.
    #[error("{0} may have read it")]
    MayHaveRead(String),
    /// The agent may know the file from elsewhere.
    #[error("the agent may know it without opening it, or there is no such file")]
    MayBeKnown,
    /// The transcript names what was not found.
    #[error("the agent's transcript names it, or what it begins with")]
    Shown,
    /// Nothing tells all that the agent was shown.
    #[error("no transcript tells all that the agent was shown")]
    NoTranscript,
    /// No remote-tracking branch has what was to be pushed.
    #[error(
        "no remote-tracking branch that can be meant has the commit of HEAD, and a push need not leave one"
    )]
    NoTrackingBranch,
    /// All of it was there at the start.
    #[error("no remote-tracking branch came or moved since the start")]
    NothingPushed,
    /// A commit that was amended, moved or taken back.
    #[error("a commit of that name is there, and no branch leads to it any more")]
    NoBranch,
    /// What was not committed at the start is not the agent's.
    #[error("{0} was not committed when the agent began, and is not now")]
    DirtyBefore(RepoPath),
    /// The claim is about a work tree that is not the agent's own.
    #[error("a file of the report was written in another work tree, and that one may be meant")]
    AnotherTree,
    /// The transcript does not show how it went.
    #[error("{0}")]
    CheckUnseen(&'static str),
    /// git lists what differs from the commit, whoever changed it.
    #[error("git lists it, as it did at the start")]
    ListedBefore,
    /// A folder that is as it was.
    #[error("a folder, in which a file may be older")]
    OlderFolder,
}

impl Doubt {
    /// The words around a claimed path that were not understood.
    pub(crate) fn of(entry: &attest_claim::Entry) -> Option<Self> {
        entry.doubt().map(|doubt| match doubt {
            attest_claim::Doubt::Remark(words) => Self::Remark(words.to_owned()),
            attest_claim::Doubt::Title(words) => Self::Title(words.to_owned()),
        })
    }

    /// Whether the text surely names a file of this work tree, which may have been there.
    pub(crate) const fn leaves_a_file(&self) -> bool {
        match self {
            Self::Seen(doubt) => !matches!(
                doubt,
                SeenDoubt::Outside
                    | SeenDoubt::NotLookedAt
                    | SeenDoubt::NoPlace
                    | SeenDoubt::SymbolicLink
                    | SeenDoubt::OtherRepository
                    | SeenDoubt::OtherWorktree
                    | SeenDoubt::UnreadableFolder
                    | SeenDoubt::WrittenElsewhere
                    | SeenDoubt::Dropped
            ),
            Self::SameName(_) | Self::Remark(_) | Self::Title(_) => true,
            _ => false,
        }
    }

    /// Whether it is only that the text may not be what it was taken for.
    pub(crate) const fn is_of_the_text(&self) -> bool {
        matches!(self, Self::PerhapsNoPath | Self::PerhapsNoFolder)
    }

    attest_evidence::doubt_words! {
        @held Self::Seen(doubt) => doubt.word();
        Self::SameName(_) => "SAME_NAME", "a changed file elsewhere has the name of the path";
        Self::NamedBeside(_) => "NAMED_BESIDE", "the list does not claim the path: the words beside a file that is gone name it as where that went";
        Self::NeverSeen => "NEVER_SEEN", "the path was claimed as deleted, is not there, and was never seen";
        Self::NotAPath => "NOT_A_PATH", "nothing has that name, and the text may not be a path";
        Self::PerhapsNoPath => "PERHAPS_NO_PATH", "the file is there as it was, and the text may not be a path";
        Self::PerhapsNoFolder => "PERHAPS_NO_FOLDER", "a single word with a slash may be the name of a part of the project";
        Self::Remark(_) => "REMARK", "the words beside the path are not understood as work";
        Self::Title(_) => "TITLE", "the words above the path, or in front of it, are not understood";
        Self::Review(_) => "REVIEW", "the report calls itself a review, and no call of the agent is known to write a file: what it lists may be what it reviewed";
        Self::WorkOfOthers(_) => "WORK_OF_OTHERS", "no call of the agent is known to write a file, and the report names a pull request or its author behind a look at what was done before, or the prompt asks for a text about that: what it lists may be what others did";
        Self::Study(_) => "STUDY", "without a status, a title or the first line has a word of a study, and no changed file beside it in the list is known to be written by a call of the agent: what it lists may be what it read";
        Self::NothingWritten(_) => "NOTHING_WRITTEN", "the report says that nothing was written in all of its run, and no changed file beside it in the list is known to be written by a call of the agent: what it lists may be what is planned, or what others did";
        Self::Background(_) => "BACKGROUND", "a command that the agent began still runs and may write the file";
        Self::OthersAtWork => "OTHERS_AT_WORK", "other agents worked in the same work tree, and what was seen may be theirs";
        Self::EarlierAgent => "EARLIER_AGENT", "the path changed after an earlier agent of the session began in the work tree, and before this one did, which may go on with its work";
        Self::MayBeRemoved => "MAY_BE_REMOVED", "nothing tells whether the agent wrote the path, and other agents may have removed it";
        Self::MayBeMade => "MAY_BE_MADE", "a command of the agent that is not read to its end names the path, and may have written it";
        Self::NameGone(_) => "NAME_GONE", "nothing tells whether the agent wrote the path, and a name went from the folder in which it would be";
        Self::Leftover(_) => "LEFTOVER", "nothing tells whether the agent wrote the path, and something that was in the work tree since the start may be gone";
        Self::OwnRemoval => "OWN_REMOVAL", "a call of the agent behind the one that wrote the path may have moved or removed it";
        Self::SaidGone => "SAID_GONE", "the report itself says that the path is not there any more, or has words of it that may say so";
        Self::PerhapsMoved(_) => "PERHAPS_MOVED", "the path was there, and a file that changed may be it under another name";
        Self::NotSeenWritten => "NOT_SEEN_WRITTEN", "the path was there, and no call of the agent surely wrote it";
        Self::Temporary => "TEMPORARY", "the agent wrote the path below a temporary folder, where nothing is meant to stay";
        Self::PerhapsOthers => "PERHAPS_OTHERS", "nothing tells that nobody else was at work, and what was seen may be of others";
        Self::CallsUnknown => "CALLS_UNKNOWN", "the agent's tool calls could not be read to their end";
        Self::MayHaveRead(_) => "MAY_HAVE_READ", "a call of the agent may have read the file, though it does not name it";
        Self::MayBeKnown => "MAY_BE_KNOWN", "the agent may know what the file holds without opening it, or there is no such file";
        Self::Shown => "SHOWN", "the agent was shown the name of what was not found: it may have been there, or be elsewhere";
        Self::NoTranscript => "NO_TRANSCRIPT", "no transcript tells all that the agent was shown";
        Self::NoTrackingBranch => "NO_TRACKING_BRANCH", "no remote-tracking branch that can be meant has the commit of HEAD, and a push need not leave one";
        Self::NothingPushed => "NOTHING_PUSHED", "the remote-tracking branches have the commit of HEAD, and are those of the start";
        Self::NoBranch => "NO_BRANCH", "the commit is there, and no branch leads to it any more, as after `--amend` or a reset";
        Self::DirtyBefore(_) => "DIRTY_BEFORE", "git lists what was not committed when the agent began and is not now, which a report may leave out";
        Self::AnotherTree => "ANOTHER_TREE", "a file of the report was written in another work tree, which the claim may be about";
        Self::CheckUnseen(_) => "CHECK_UNSEEN", "the transcript does not show how the check went at last";
        Self::ListedBefore => "LISTED_BEFORE", "the list is what git prints of the work tree, and the file was on it at the start";
        Self::OlderFolder => "OLDER_FOLDER", "the folder is there as it was, and a file in it may be meant";
    }
}

impl Serialize for Doubt {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.word())
    }
}
