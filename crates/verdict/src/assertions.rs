//! What is found of the claims that are not about files. A kind is a file here and a line of [`Sources::judge`].
//!
//! All kinds keep to one rule: only a certain reading with evidence that can prove may contradict a claim, and
//! what cannot be looked at is `NOT_JUDGED`, with the reason.

mod checks;
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
    /// Whether the calls are taken to be all, although more may still be written.
    pub assumes_all: bool,
    /// Of the main agent, the first of its calls that belongs to the turn which ends.
    pub own_from: Option<usize>,
    /// Whether the agent can run commands, as far as is known. It is asked for only if it matters.
    pub has_shell: &'a dyn Fn() -> bool,
    /// Whether git may run hooks in the repository. It is asked for only if it matters.
    pub has_hooks: &'a dyn Fn() -> bool,
}

impl Sources<'_> {
    /// Whether what is there of the calls speaks against a claim, if no more are to come.
    #[must_use]
    pub fn speak_against(self, claim: &Claim) -> bool {
        let sources = Self {
            assumes_all: true,
            ..self
        };
        let found = sources.judge(claim);
        found.iter().any(|found| found.finding.contradicts())
    }

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
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
