//! What is found of the claims that are not about files. A kind is a file here and a line of [`Sources::judge`].
//!
//! All kinds keep to one rule: only a certain reading with evidence that can prove may contradict a claim, and
//! what cannot be looked at is `NOT_JUDGED`, with the reason.

mod content;
mod reads;
mod stubs;
mod tree;

use attest_claim::{Assertion, Claim, Says};
use attest_evidence::RepositorySource;
use attest_transcript::ToolCalls;

use crate::ClaimFinding;

/// What claims that are not about files are held against.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The repository at the stop.
    pub repository: &'a dyn RepositorySource,
    /// What the agent's tools did, if that could be read.
    pub calls: Option<&'a ToolCalls>,
    /// The final message, with which complete tool calls end.
    pub message: &'a str,
    /// Whether no other agent worked in the same work tree.
    pub is_alone: bool,
    /// Whether the agent may know what the file of this path holds although no call of it shows it, or there is no
    /// such file.
    pub may_be_known: &'a dyn Fn(&str) -> bool,
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
            Says::Read { file } => Some(reads::find(file, self)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
