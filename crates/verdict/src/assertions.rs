//! What is found of the claims that are not about files. A kind is a file here and a line of [`Sources::judge`].
//!
//! All kinds keep to one rule: only a certain reading with evidence that can prove may contradict a claim, and
//! what cannot be looked at is `NOT_JUDGED`, with the reason.

mod checks;
mod commits;
mod content;
mod reads;
mod stubs;
mod tree;

use attest_claim::{Assertion, Claim, Says};
use attest_evidence::RepositorySource;
use attest_transcript::ToolCalls;

use crate::{ClaimFinding, Doubt};

/// What the agent's transcript shows. Reading it costs, so that each question is asked only where it is needed.
pub trait TranscriptSource {
    /// What its tools did, if that can be read.
    fn calls(&self) -> Option<&ToolCalls>;
    /// Whether it shows this text in what the agent was told, or was answered.
    fn shows(&self, text: &str) -> Result<bool, Doubt>;
    /// Whether it does, or the agent gave the text to a tool.
    fn names(&self, text: &str) -> Result<bool, Doubt>;
    /// Whether the agent's last `git push` certainly failed, and nothing later can have pushed.
    fn has_failed_push(&self) -> Result<bool, Doubt>;
    /// Whether the agent may know what the file of this path holds although no call of it shows it, or there is no
    /// such file.
    fn may_be_known(&self, file: &str) -> bool;
    /// The same calls with what their commands ran. While `speak_against` says so of what is there, more are waited for.
    fn commands(&self, _speak_against: &dyn Fn(&ToolCalls) -> bool) -> Option<&ToolCalls> {
        None
    }
    /// Of the main agent, the first of these that belongs to the turn which ends.
    fn first_of_turn(&self, _calls: &ToolCalls) -> Option<usize> {
        None
    }
    /// Whether the agent can run commands, as far as is known.
    fn has_shell(&self) -> bool {
        false
    }
    /// Whether git may have run hooks for it.
    fn may_have_run_hooks(&self) -> bool {
        true
    }
}

/// Where there is no transcript.
#[derive(Debug, Clone, Copy)]
pub struct NoTranscript;

impl TranscriptSource for NoTranscript {
    fn calls(&self) -> Option<&ToolCalls> {
        None
    }

    fn shows(&self, _text: &str) -> Result<bool, Doubt> {
        Err(Doubt::NoTranscript)
    }

    fn names(&self, _text: &str) -> Result<bool, Doubt> {
        Err(Doubt::NoTranscript)
    }

    fn has_failed_push(&self) -> Result<bool, Doubt> {
        Err(Doubt::NoTranscript)
    }

    fn may_be_known(&self, _file: &str) -> bool {
        true
    }
}

/// What claims that are not about files are held against.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The repository at the stop.
    pub repository: &'a dyn RepositorySource,
    /// What the agent's transcript shows.
    pub transcript: &'a dyn TranscriptSource,
    /// The final message, with which complete tool calls end.
    pub message: &'a str,
    /// Whether no other agent worked in the same work tree.
    pub is_alone: bool,
}

impl Sources<'_> {
    /// A finding for each assertion of a claim.
    #[must_use]
    pub fn judge(self, claim: &Claim) -> Vec<ClaimFinding> {
        let found = claim.assertions.iter();
        found
            .filter_map(|assertion| self.find(assertion, claim))
            .collect()
    }

    fn find(self, assertion: &Assertion, claim: &Claim) -> Option<ClaimFinding> {
        match &assertion.says {
            Says::CleanTree => Some(tree::find(assertion, self)),
            Says::Check(check) => {
                let others = claim.assertions.iter().filter_map(Assertion::check);
                checks::find(assertion, check, self, &others.collect::<Vec<_>>())
            }
            Says::Read { file } => Some(reads::find(file, self)),
            Says::Commit { hash } => Some(commits::commit(hash, self)),
            Says::Branch { name } => Some(commits::branch(name, self)),
            Says::Pushed => Some(commits::pushed(assertion, self)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
