//! Rows of the decision table and findings in words.

use attest_snapshot::escaped;
use attest_state::history::Judged;
use attest_verdict::{Finding, ReasonCode};

/// A row of the decision table in words.
pub(in crate::cmd) fn meaning(reason: ReasonCode) -> &'static str {
    match reason {
        ReasonCode::AllowNotEnforcing => "enforcement is off",
        ReasonCode::AllowAgentNotInScope => "enforcement does not cover this type of agent",
        ReasonCode::AllowNoAgentId => "without an id of the agent its retries cannot be counted",
        ReasonCode::AllowNotFalseDone => "nothing disproves the claim",
        ReasonCode::AllowDeltaUnreliable => "the work tree could not be read in full",
        ReasonCode::AllowAmbiguous => "the work tree had uncommitted changes at the start",
        ReasonCode::AllowRetryCap => "the agent had been sent back often enough",
        ReasonCode::AllowSessionCeiling => "agents of the session had been sent back often enough",
        ReasonCode::AllowStopHookActive => "the host was already continuing after a block",
        ReasonCode::AllowCounterNotDurable => "the block could not be recorded",
        ReasonCode::AllowDeadline => "the time of the hook was over",
        ReasonCode::BlockFalseDone => "the DONE is disproved, and nothing stood against a block",
    }
}

/// What a finding rests on, and what the agent's tools say of the path. Safe to print.
pub(in crate::cmd) fn why(judged: &Judged) -> String {
    let why = match &judged.why {
        Some(why) => escaped(why.as_bytes()),
        None => of_finding(judged.finding).to_owned(),
    };
    match &judged.testimony {
        Some(testimony) => format!("{why}; {}", escaped(testimony.as_bytes())),
        None => why,
    }
}

/// A finding in words.
fn of_finding(finding: Finding) -> &'static str {
    match finding {
        Finding::Changed => "it changed between start and stop",
        Finding::LandedElsewhere => "the work is in a commit, a stash or another work tree",
        Finding::Present => "it is on disk without a change, which proves nothing",
        Finding::Unresolvable => "no path can be read from it",
        Finding::Untouched => "it is on disk, and was not written since the start",
        Finding::NotDeleted => "it was claimed as deleted, and is there as it was",
        Finding::Absent => "it is not on disk, never was, and nobody worked on it",
    }
}
