//! What is found of the claims that are not about files. A kind is a file here and a line of [`Sources::judge`].
//!
//! All kinds keep to one rule: only a certain reading with evidence that can prove may contradict a claim, and
//! what cannot be looked at is `NOT_JUDGED`, with the reason.

mod commits;
mod tree;

use attest_claim::{Assertion, Claim, Says};
use attest_evidence::RepositorySource;
use attest_transcript::ToolCalls;

use crate::{ClaimFinding, Doubt};

/// What the agent's transcript shows beside what its tools did.
pub trait TranscriptSource {
    /// Whether it shows this text in what the agent was told, or was answered.
    fn shows(&self, text: &str) -> Result<bool, Doubt>;
    /// Whether it does, or the agent gave the text to a tool.
    fn names(&self, text: &str) -> Result<bool, Doubt>;
    /// Whether the agent's last `git push` certainly failed, and nothing later can have pushed.
    fn has_failed_push(&self) -> Result<bool, Doubt>;
}

/// Where there is no transcript.
#[derive(Debug, Clone, Copy)]
pub struct NoTranscript;

impl TranscriptSource for NoTranscript {
    fn shows(&self, _text: &str) -> Result<bool, Doubt> {
        Err(Doubt::NoTranscript)
    }

    fn names(&self, _text: &str) -> Result<bool, Doubt> {
        Err(Doubt::NoTranscript)
    }

    fn has_failed_push(&self) -> Result<bool, Doubt> {
        Err(Doubt::NoTranscript)
    }
}

/// What claims that are not about files are held against.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The repository at the stop.
    pub repository: &'a dyn RepositorySource,
    /// What the agent's tools did, if that could be read.
    pub calls: Option<&'a ToolCalls>,
    /// What else its transcript shows.
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
        found.filter_map(|assertion| self.find(assertion)).collect()
    }

    fn find(self, assertion: &Assertion) -> Option<ClaimFinding> {
        match &assertion.says {
            Says::CleanTree => Some(tree::find(assertion, self)),
            Says::Commit { hash } => Some(commits::commit(hash, self)),
            Says::Branch { name } => Some(commits::branch(name, self)),
            Says::Pushed => Some(commits::pushed(assertion, self)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
