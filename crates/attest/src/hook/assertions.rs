//! What a claim says beside its files, held against the repository and the agent's tools.

use attest_snapshot::{Comparison, Repository, may_run_hooks};
use attest_state::{Agent, Store};
use attest_transcript::ToolCalls;
use attest_verdict::{ClaimFinding, Sources};

use super::context::Context;
use super::others;
use super::transcript::Transcript;

/// What is found of it. Nothing is looked at that the claim does not ask for.
pub(super) fn judge(
    context: &Context,
    store: &Store,
    agent: &Agent,
    transcript: &Transcript<'_>,
    comparison: &Comparison<'_>,
) -> Vec<ClaimFinding> {
    let claim = transcript.claim;
    if claim.assertions.is_empty() {
        return Vec::new();
    }
    let has_shell = || transcript.has_shell();
    let has_hooks = || has_hooks(context);
    let sources = Sources {
        repository: comparison,
        calls: None,
        message: transcript.message,
        // If that cannot be told, there may be some.
        is_alone: others::at_work(context, store, agent) == Some(0),
        assumes_all: false,
        own_from: None,
        has_shell: &has_shell,
        has_hooks: &has_hooks,
    };
    let calls = transcript.commands(|calls| with(sources, transcript, calls).speak_against(claim));
    let sources = calls.map_or(sources, |calls| with(sources, transcript, calls));
    sources.judge(claim)
}

fn with<'a>(
    sources: Sources<'a>,
    transcript: &Transcript<'_>,
    calls: &'a ToolCalls,
) -> Sources<'a> {
    Sources {
        calls: Some(calls),
        own_from: transcript.first_of_turn(calls),
        ..sources
    }
}

/// Whether git may run hooks in the agent's folder. If that cannot be told, it may.
fn has_hooks(context: &Context) -> bool {
    let Ok(cwd) = context.cwd() else {
        return true;
    };
    let repository = Repository::discover(&cwd, &context.limits);
    repository.map_or(true, |repository| {
        may_run_hooks(&repository, &context.limits)
    })
}
