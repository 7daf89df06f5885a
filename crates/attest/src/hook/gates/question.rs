//! What a gate is told of a stop. The form is a contract, see docs/GATES.md.

use std::path::Path;

use attest_claim::Status;
use attest_snapshot::escaped;
use attest_state::Agent;
use attest_verdict::{
    Compared, Finding, Outcome, ReasonCode, Side, StopInput, StopOutcome, Verdict,
};
use serde::Serialize;

use crate::hook::context::Context;

/// Counts the forms. Fields may be added without a new one.
const VERSION: u32 = 1;
/// Bytes of a message that are passed on at most.
const LONGEST_MESSAGE: usize = 256 * 1024;
/// Paths of a list that are passed on at most.
const MOST_LISTED: usize = 1000;

#[derive(Serialize)]
struct Question<'a> {
    version: u32,
    host: &'a str,
    event: Option<&'a str>,
    session: Option<&'a str>,
    agent: Who<'a>,
    cwd: Option<String>,
    worktree: Option<String>,
    repository: Option<String>,
    head_at_start: Option<&'a str>,
    head: Option<&'a str>,
    message: &'a str,
    claim: Claimed,
    findings: Vec<Found<'a>>,
    unmet_criteria: Vec<&'a str>,
    changed: Vec<String>,
    outcome: Outcome,
    decision: SoFar,
    is_continuing: bool,
}

#[derive(Serialize)]
struct Who<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: Option<&'a str>,
    turn: Option<u32>,
    revisions: u32,
}

#[derive(Serialize)]
struct Claimed {
    status: Option<Status>,
    files: Vec<String>,
}

#[derive(Serialize)]
struct Found<'a> {
    path: &'a str,
    finding: Finding,
    disproves: bool,
}

#[derive(Serialize)]
struct SoFar {
    decision: &'static str,
    reason: Option<String>,
    code: ReasonCode,
}

/// One JSON object, in one line.
pub(super) fn question(context: &Context, agent: &Agent, outcome: &StopOutcome) -> String {
    let (payload, input) = (&context.payload, &outcome.input);
    let compared = outcome.compared();
    let verdict = compared.map(|compared| &compared.verdict);
    let head = |side: fn(&Compared) -> &Side| compared.and_then(|it| side(it).head.as_deref());
    let cut = input.report.message.floor_char_boundary(LONGEST_MESSAGE);
    let unmet = outcome.unmet().iter();
    let question = Question {
        version: VERSION,
        host: context.harness.name(),
        event: payload.event.as_deref(),
        session: payload.session_id.as_deref(),
        agent: who(context, agent, input),
        cwd: payload.cwd.as_deref().map(shown),
        worktree: agent.worktree.as_deref().map(shown),
        repository: compared.map(|compared| shown(&compared.repository)),
        head_at_start: head(|it| &it.start),
        head: head(|it| &it.stop),
        message: input.report.message.get(..cut).unwrap_or_default(),
        claim: Claimed {
            status: input.report.claim.status,
            files: input.report.claim.names(),
        },
        findings: verdict.map(findings).unwrap_or_default(),
        unmet_criteria: unmet.map(|it| it.name.as_str()).collect(),
        changed: verdict.map(changed).unwrap_or_default(),
        outcome: outcome.word(),
        decision: so_far(outcome),
        is_continuing: payload.stop_hook_active,
    };
    // Texts and numbers only: there is nothing in it that JSON cannot hold.
    serde_json::to_string(&question).unwrap_or_default()
}

fn who<'a>(context: &'a Context, agent: &Agent, input: &'a StopInput) -> Who<'a> {
    Who {
        id: &context.key.agent,
        kind: input.report.agent_type.as_deref(),
        turn: context.turn.as_ref().map(|turn| turn.number),
        revisions: agent.block_count,
    }
}

fn so_far(outcome: &StopOutcome) -> SoFar {
    let decision = &outcome.decision;
    SoFar {
        decision: decision.as_str(),
        reason: decision.reason().map(|reason| reason.text().to_string()),
        code: outcome.reason,
    }
}

fn shown(path: &Path) -> String {
    escaped(attest_snapshot::path_bytes(path).as_ref())
}

fn findings(verdict: &Verdict) -> Vec<Found<'_>> {
    let weighed = verdict.weighed().take(MOST_LISTED);
    weighed
        .map(|(found, disproves)| Found {
            path: &found.claimed,
            finding: found.finding,
            disproves,
        })
        .collect()
}

fn changed(verdict: &Verdict) -> Vec<String> {
    let observed = verdict.observed.iter().take(MOST_LISTED);
    observed.map(|(path, _)| path.to_string()).collect()
}
