//! What a stop is judged by, as the judge asks for it. Each fact is fetched when it is asked for, since some cost, and
//! none is weighed where it is fetched.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use attest_claim::Wanted;
use attest_evidence::{Change, EvidenceSource, RepoPath, RepositorySource};
use attest_transcript::Session;

use crate::{Beside, Search, SentBack, Side, Tools, TranscriptSource, Verdict};

/// What is known of an agent that stopped.
pub trait Facts {
    /// The stop before this one, if it was sent back.
    fn sent_back(&self) -> Option<SentBack>;

    /// Its start, compared with what there is now.
    fn since_start(&self) -> Result<Box<dyn Since + '_>, Unseen>;

    /// The same of each earlier start whose work its report may sum up, until `wants_more` says that it is enough.
    /// False if that of another agent could not be read, so that nothing tells what that one did.
    fn since_earlier(
        &self,
        wants_more: &mut dyn FnMut(Earlier, &mut dyn Since) -> bool,
    ) -> Result<bool, Unseen>;

    /// What its tools did, where no claim asks for a comparison; `None` if nothing tells.
    fn tools(&self) -> Option<Tools>;

    /// Its transcript, if it is there up to the report.
    fn whole_session(&self) -> Option<Rc<Session>>;

    /// What its prompt asks for below "Done when:". Nothing is known of a turn's.
    fn wanted(&self) -> Vec<Wanted>;

    /// Whether its prompt is all that it was told.
    fn has_one_prompt(&self) -> bool;

    /// Whether it is of a kind that only reads, or was offered no tool that writes. `session` is its own.
    fn only_reads(&self, session: &Session) -> bool;

    /// Whether the person wants to hear what a message says outside of any list.
    fn hears_sentences(&self) -> bool;

    /// The commands that it began in the background and that may still run.
    fn running(&self) -> Vec<String>;

    /// Those that it certainly began and that certainly run, safe to print.
    fn left_running(&self) -> Vec<String>;

    /// How many other agents were at work in its work tree; `None` if that cannot be told.
    fn others_at_work(&self) -> Option<u32>;

    /// Whether a subagent is still at work in the turn that this is the stop of.
    fn has_subagent_at_work(&self) -> bool;

    /// What was seen that is not about its report.
    fn beside(&self) -> Vec<Beside>;
}

/// Whose work an earlier start shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    /// That of the conversation which goes on.
    Own,
    /// That of another agent, which this one may go on with.
    OfAnother,
}

/// What there was at a start, compared with what there is now.
pub trait Since {
    /// The top of the agent's work tree.
    fn root(&self) -> &Path;

    /// What is known of paths.
    fn paths(&self) -> &dyn EvidenceSource;

    /// What is known of the repository.
    fn repository(&self) -> &dyn RepositorySource;

    /// What changed, sorted by path.
    fn changes(&self) -> Vec<(RepoPath, Change)>;

    /// What names the repository, and what it was at the start and is now.
    fn sides(&self) -> (PathBuf, [Side; 2]);

    /// Whether the report names a place that is looked at only if a call of the agent names it as well.
    fn has_left_out(&self) -> bool;

    /// Takes in the places that the agent's calls name: from now on they speak for the agent. The transcript is read
    /// for it, and what is not written yet is waited for.
    fn add_calls(&mut self);

    /// What the agent's transcript shows. It is waited for as long as what is there leaves a question open.
    fn transcript(
        &self,
        is_open: &dyn Fn(&dyn TranscriptSource) -> bool,
    ) -> Box<dyn TranscriptSource + '_>;

    /// What can be found out of files that are not on disk.
    fn search(&self) -> Box<dyn Search + '_>;

    /// What the agent's tools did, if somebody asks for that.
    fn tools(&self, purpose: Purpose) -> Option<Tools>;

    /// Whether the file at the place is one of the work tree that certainly does not contain the text, in any style.
    fn lacks(&self, place: &Path, text: &str) -> bool;

    /// Whether each of these files, with its text, is certainly nowhere in the work tree, in any folder.
    fn are_nowhere(&self, wanted: &[&Wanted]) -> Vec<bool>;
}

/// What the account of an agent's tools is for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Purpose {
    /// To explain a path for which no work was seen.
    pub explains: bool,
    /// To explain one that stands against the claim.
    pub accuses: bool,
}

impl Purpose {
    /// What it is for beside a verdict.
    pub(crate) fn by(verdict: &Verdict) -> Self {
        Self {
            explains: verdict.unchanged().next().is_some(),
            accuses: verdict.contradictions().next().is_some(),
        }
    }
}

/// Why a start cannot be compared with what there is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unseen {
    /// It was not seen, or what was found then is gone.
    NoStart,
    /// A work tree could not be read, and why.
    Unreadable(String),
    /// The stop itself could not be read, and why.
    Failed(String),
}
