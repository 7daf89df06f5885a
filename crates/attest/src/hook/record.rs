//! What a start and a stop leave in the history. It is written when the answer is out, and in the
//! transaction that the hook makes anyway; a failure to write it changes nothing else.

use std::path::PathBuf;

use attest_claim::Claim;
use attest_snapshot::{Change as Kind, Comparison, Unreadable, WorkTree, escaped};
use attest_state::history::{self, Change, Detail, Listed, RunStart, Side, ToolCall};
use attest_state::{
    Agent, AgentKey, Baseline, Closing, Registration, Store, StoreError, record_start, record_stop,
};
use attest_transcript::Call;
use attest_verdict::{self as verdict, Outcome, ReasonCode, Verdict};
use jiff::Timestamp;

use super::report::Source;
use super::{Context, shrug};
use crate::advice::Advice;

/// Names that a summary lists at most.
const MOST_NAMED: usize = 5;
/// Characters of a summary at most.
const LONGEST_SUMMARY: usize = 400;

/// What start and stop of a work tree show.
pub(super) struct Seen {
    repository: PathBuf,
    start: Side,
    stop: Side,
    delta: Listed<Change>,
}

impl Seen {
    pub(super) fn of(comparison: &Comparison<'_>) -> Self {
        Self {
            repository: comparison.start().common_dir.clone(),
            start: side(comparison.start()),
            stop: side(comparison.stop()),
            delta: Listed::of(comparison.delta().iter(), |(path, kind)| Change {
                path: path.to_string(),
                is_deleted: kind == Kind::Deleted,
            }),
        }
    }
}

fn side(tree: &WorkTree) -> Side {
    Side {
        taken_at: tree.taken_at.wall_ns,
        head: tree.head.oid.clone(),
        branch: tree.head.branch.clone(),
        differing: tree.files.len(),
    }
}

/// One stop, as the history keeps it.
pub(super) struct Record {
    at: Timestamp,
    key: AgentKey,
    outcome: Outcome,
    reason: ReasonCode,
    summary: String,
    repository: Option<PathBuf>,
    detail: Detail,
}

impl Record {
    /// A stop of which no claim was judged; `unreadable` says why where that is a failure.
    pub(super) fn unjudged(
        context: &Context,
        outcome: Outcome,
        unreadable: Option<String>,
    ) -> Self {
        let (key, has_agent_id) = context.agent_key();
        let policy = &context.config.policy;
        let is_false_done = unreadable.is_none().then_some(false);
        let kind = context.payload.agent_type.as_deref();
        let screened = verdict::screen(policy, kind, has_agent_id, is_false_done, false);
        Self {
            at: Timestamp::now(),
            key,
            outcome,
            reason: screened.err().unwrap_or(ReasonCode::AllowNotFalseDone),
            summary: summary(unreadable.iter()),
            repository: None,
            detail: Detail {
                policy: policy.clone(),
                has_agent_id,
                host_was_continuing: context.payload.stop_hook_active,
                unreadable: unreadable.map(|why| escaped(why.as_bytes())),
                ..Detail::default()
            },
        }
    }

    /// A stop with a claim that was held against the work tree.
    pub(super) fn judged(
        context: &Context,
        claim: &Claim,
        verdict: &Verdict,
        seen: &Seen,
        reason: ReasonCode,
    ) -> Self {
        let outcome = match reason {
            ReasonCode::BlockFalseDone => Outcome::Blocked,
            _ => verdict.outcome(),
        };
        let claimed = |found: &verdict::PathFinding| found.claimed.clone();
        let unmet = verdict.unmet().iter().map(|unmet| unmet.name.clone());
        let summary = match outcome {
            Outcome::Mismatch | Outcome::Blocked => {
                summary(verdict.proofs().map(claimed).chain(unmet))
            }
            Outcome::Warn => summary(verdict.unchanged().map(claimed)),
            Outcome::ScopeCreep => summary(verdict.unclaimed.iter().map(ToString::to_string)),
            _ => summary(verdict.findings.iter().map(claimed)),
        };
        let empty = Self::unjudged(context, outcome, None);
        let detail = empty.detail.with_claim(claim).with_verdict(verdict);
        Self {
            reason,
            summary,
            repository: Some(seen.repository.clone()),
            detail: Detail {
                start: Some(seen.start.clone()),
                stop: Some(seen.stop.clone()),
                delta: seen.delta.clone(),
                ..detail
            },
            ..empty
        }
    }

    /// A stop with a claim, of a work tree that could not be read.
    pub(super) fn unverifiable(
        context: &Context,
        claim: &Claim,
        why: &Unreadable,
        reason: ReasonCode,
    ) -> Self {
        let empty = Self::unjudged(context, Outcome::Unverifiable, Some(why.to_string()));
        Self {
            reason,
            detail: empty.detail.with_claim(claim),
            ..empty
        }
    }

    /// Adds where the report was found.
    pub(super) fn with_source(mut self, source: Source) -> Self {
        self.detail.source = Some(source.to_string());
        self
    }

    /// Adds what the agent's transcript speaks against.
    pub(super) fn with_advice(mut self, advice: &[Advice]) -> Self {
        self.detail.advice = advice.iter().map(ToString::to_string).collect();
        self
    }

    /// Adds the agent's own work, as its transcript has it.
    pub(super) fn with_calls<'a>(mut self, calls: impl Iterator<Item = &'a Call>) -> Self {
        self.detail.calls = Listed::of(calls, |call| ToolCall {
            tool: call.tool.clone(),
            path: call.path.clone(),
            at: call.at.clone(),
            is_ok: match call.result {
                attest_transcript::Outcome::Ok => Some(true),
                attest_transcript::Outcome::Error => Some(false),
                attest_transcript::Outcome::Unknown => None,
            },
        });
        self
    }

    /// Adds what the agent was sent back with.
    pub(super) fn with_block(mut self, block: Option<String>) -> Self {
        self.detail.block = block;
        self
    }

    pub(super) fn is_block(&self) -> bool {
        self.reason == ReasonCode::BlockFalseDone
    }

    /// Writes the record, and ends the generation as `closing` says. Gives what names the verdict. `agent` is
    /// `None` where the start was never seen.
    pub(super) fn write(
        &self,
        context: &Context,
        agent: Option<&Agent>,
        closing: Option<&Closing<'_>>,
        store: &mut Store,
    ) -> Result<Option<String>, StoreError> {
        let payload = &context.payload;
        let known_type = agent.and_then(|agent| agent.agent_type.as_deref());
        let transcript = context.harness.likely_transcript(payload);
        let stop = history::Stop {
            key: &self.key,
            agent_type: payload.agent_type.as_deref().or(known_type),
            harness: context.harness.name(),
            transcript: transcript.as_deref(),
            cwd: payload.cwd.as_deref(),
            repository: self.repository.as_deref(),
            at: self.at,
            outcome: self.outcome,
            reason: self.reason,
            blocks_before: agent.map_or(0, |agent| agent.block_count),
            summary: &self.summary,
            detail: &self.detail,
        };
        record_stop(store, &stop, closing, |error| not_recorded(context, error))
    }
}

fn not_recorded(context: &Context, error: &StoreError) {
    shrug(&context.log, "HISTORY_NOT_RECORDED", error);
}

/// Records a start, with what was found of the work tree if the agent has no baseline yet.
pub(super) fn start(
    context: &Context,
    store: &mut Store,
    registration: &Registration<'_>,
    found: Option<(&Baseline<'_>, Option<&WorkTree>)>,
) -> Result<(), StoreError> {
    let payload = &context.payload;
    let transcript = context.harness.likely_transcript(payload);
    let tree = found.and_then(|(_, tree)| tree);
    let run = RunStart {
        key: registration.key,
        agent_type: registration.agent_type,
        harness: registration.harness,
        transcript: transcript.as_deref(),
        cwd: payload.cwd.as_deref(),
        repository: tree.map(|tree| tree.common_dir.as_path()),
        at: Timestamp::now(),
    };
    let baseline = found.map(|(baseline, _)| baseline);
    record_start(store, registration, baseline, &run, |error| {
        not_recorded(context, error);
    })
}

/// The first of some names on one line.
fn summary(names: impl Iterator<Item = impl AsRef<str>>) -> String {
    let mut text = String::new();
    let mut left_out = 0;
    for (number, name) in names.enumerate() {
        if number >= MOST_NAMED {
            left_out += 1;
            continue;
        }
        if number > 0 {
            text.push_str(", ");
        }
        text.push_str(&escaped(name.as_ref().as_bytes()));
    }
    if text.chars().count() > LONGEST_SUMMARY {
        text = text.chars().take(LONGEST_SUMMARY).chain(['…']).collect();
    }
    if left_out > 0 {
        text.push_str(&format!(" and {left_out} more"));
    }
    text
}
