//! Whether what git was told to keep is there: commits, branches, what was pushed.
//!
//! A commit is named by what is in it, so that no agent can know a name that it was not shown. One that is in no
//! repository, and that nothing in a whole transcript shows, was made up.

use attest_claim::{Assertion, Claim, Kind, Says};
use attest_evidence::{CommitEvidence, escaped, path_bytes};
use attest_shell::More;
use attest_transcript::ToolCalls;

use super::Sources;
use crate::{ClaimFinding, Doubt, Finding, quoted};

/// Digits of a name that are looked for in the transcript: tools print no fewer.
const DIGITS: usize = 7;
/// How the place begins that a report may name of a push.
const REMOTE: &str = "origin";

pub(super) fn commit(hash: &str, sources: Sources<'_>) -> ClaimFinding {
    let found = |finding| ClaimFinding::of_kind(Kind::Commits, hash, finding);
    match sources.repository.commit(hash) {
        // What it builds on, or what it looked at, may be meant.
        CommitEvidence::Found { is_old: true, .. } => found(Finding::CommitOld),
        CommitEvidence::Found {
            is_reachable: Some(false),
            ..
        } => found(Finding::NotJudged).with_doubt(Doubt::NoBranch),
        CommitEvidence::Found { .. } => found(Finding::CommitFound),
        CommitEvidence::FoundElsewhere(place) => {
            let place = quoted(&escaped(&path_bytes(&place)));
            found(Finding::CommitFound).because(format!("it is in the repository of {place}"))
        }
        CommitEvidence::Missing => {
            let is_named = sources.transcript.shows(begin(hash));
            missing(found, Finding::CommitMissing, is_named)
        }
        CommitEvidence::Inconclusive(doubt) => found(Finding::NotJudged).with_doubt(doubt.into()),
    }
}

/// What is looked for of the name of a commit.
pub(super) fn begin(hash: &str) -> &str {
    hash.get(..DIGITS).unwrap_or(hash)
}

pub(super) fn branch(name: &str, sources: Sources<'_>) -> ClaimFinding {
    let found = |finding| ClaimFinding::of_kind(Kind::Commits, name, finding);
    match sources.repository.has_branch(name) {
        Ok(true) => found(Finding::BranchFound),
        Ok(false) => missing(
            found,
            Finding::BranchMissing,
            sources.transcript.names(name),
        ),
        Err(doubt) => found(Finding::NotJudged).with_doubt(doubt.into()),
    }
}

/// The finding for what is nowhere, unless the transcript may name it: it can have been there, or be on a server.
fn missing(
    found: impl Fn(Finding) -> ClaimFinding,
    finding: Finding,
    is_named: Result<bool, Doubt>,
) -> ClaimFinding {
    match is_named {
        Ok(false) => found(finding),
        Ok(true) => found(Finding::NotJudged).with_doubt(Doubt::Shown),
        Err(doubt) => found(Finding::NotJudged).with_doubt(doubt),
    }
}

/// That no remote-tracking branch has HEAD says nothing: not every push leaves one behind.
pub(super) fn pushed(assertion: &Assertion, claim: &Claim, sources: Sources<'_>) -> ClaimFinding {
    let says = assertion.says.to_string();
    let found = |finding| ClaimFinding::of_kind(Kind::Commits, &says, finding);
    // "Pushed: origin/topic" names where to.
    let words = assertion.raw.split_whitespace();
    let mut names = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let to = names.find(|name| name.to_lowercase().starts_with(REMOTE));
    let doubted = |doubt| found(Finding::NotJudged).with_doubt(doubt);
    if sources.has_another_tree {
        return doubted(Doubt::AnotherTree);
    }
    let branch = claim.assertions.iter().find_map(|said| match &said.says {
        Says::Branch { name } => Some(name.as_str()),
        _ => None,
    });
    let mut meant = [to, branch].into_iter();
    if meant.all(|to| sources.repository.is_pushed(to)) {
        return if sources.repository.has_moved_on_a_remote() {
            found(Finding::Pushed)
        } else {
            doubted(Doubt::NothingPushed)
        };
    }
    // It was pushed, but not there, as far as that is known here.
    if sources.repository.is_pushed(None) {
        return doubted(Doubt::NoTrackingBranch);
    }
    match sources.transcript.has_failed_push() {
        Ok(true) => found(Finding::PushFailed),
        Ok(false) if sources.ran(ToolCalls::may_have_pushed) == More::Hooks => {
            found(Finding::PushNotRun)
        }
        Ok(false) => doubted(Doubt::NoTrackingBranch),
        Err(doubt) => doubted(doubt),
    }
}
