//! `SubagentStop`: check the report against the work tree, and send a proven false DONE back.
//!
//! A stop is judged and acted on, in this order: nothing is printed or recorded before all that it came to is known.

use std::io::stdout;

use attest_snapshot::{Printable, path_bytes};
use attest_state::{
    self as state, Agent, BlockPermit, BlockRequest, Looked, Refusal, StopRecord, Store, retention,
};
use attest_verdict::{Decision, Reason, ReasonCode, StopOutcome, judge};
use jiff::Timestamp;

use super::context::{Context, HookError, now, print};
use super::facts::StopFacts;
use super::{criteria, gates, lines, report, undone, whole};
use attest_base::log::Level;

/// Judges the stop of a subagent. Whether the host has its answer.
pub(super) fn run(context: &Context) -> Result<bool, HookError> {
    let mut store = context.open_store()?;
    let agent = state::find(&store, &context.key)?;
    if agent.is_none() && began_while_off(context, &store, 0)? {
        return Ok(false);
    }
    judge_stop(context, &mut store, agent.as_ref())
}

/// Whether the agent began while attest was off, later than `after`: what it found is not known.
pub(super) fn began_while_off(
    context: &Context,
    store: &Store,
    after: i64,
) -> Result<bool, HookError> {
    let began = state::began_while_off(store, &context.key, after)?;
    if began {
        let agent = &context.key.agent;
        context.log.write(Level::Info, "BEGAN_WHILE_OFF", agent);
    }
    Ok(began)
}

/// The same for an agent that was looked up.
pub(super) fn judge_stop(
    context: &Context,
    store: &mut Store,
    agent: Option<&Agent>,
) -> Result<bool, HookError> {
    let (judged, looked) = judged(context, store, agent);
    let checked = criteria::hear(context, store, agent, judged);
    let mut outcome = gates::hear(context, store, agent, checked);
    if let Err(reason) = send_back(context, store, agent, &outcome) {
        outcome = outcome.refused(reason);
    }
    let is_answered = outcome.is_block() || finalize(context, &outcome);
    lines::write(context, &outcome);
    let id = record(context, store, (agent, is_answered), &outcome, &looked)?;
    if agent.is_none() {
        whole::start_not_seen(context, store)?;
    }
    after(context, store, id.as_deref());
    Ok(is_answered)
}

/// What the stop comes to before the gates are heard, and what was found of the work of others that is not to be looked
/// at again. Nothing is known of an agent whose start was not seen.
fn judged(context: &Context, store: &Store, agent: Option<&Agent>) -> (StopOutcome, Vec<Looked>) {
    let policy = &context.config.policy;
    let Some(agent) = agent else {
        return (judge(report::unread(context), None, policy), Vec::new());
    };
    let report = report::read(context, store, agent);
    let facts = StopFacts::of(context, store, agent, &report);
    let judged = judge(report.clone(), Some(&facts), policy);
    (judged, facts.looked())
}

/// Sends the agent back if it is to be: counts the block, and only then sends it.
fn send_back(
    context: &Context,
    store: &mut Store,
    agent: Option<&Agent>,
    outcome: &StopOutcome,
) -> Result<(), ReasonCode> {
    let Decision::Revise { reason } = &outcome.decision else {
        return Ok(());
    };
    // Without a row there is nothing to count by.
    let agent = agent.ok_or(ReasonCode::AllowNotFalseDone)?;
    let reason = reason.text();
    let reply = context.harness.block(&context.payload, &reason);
    let permit = permit(context, store, agent, outcome, &reason).map_err(|refusal| {
        if refusal.code() == ReasonCode::AllowCounterNotDurable {
            context.log.error("ALLOW_COUNTER_NOT_DURABLE", &refusal);
        }
        refusal.code()
    })?;
    send(permit, &reply);
    Ok(())
}

/// Asks for leave to block, which is given once the block is counted.
fn permit(
    context: &Context,
    store: &mut Store,
    agent: &Agent,
    outcome: &StopOutcome,
    reason: &str,
) -> Result<BlockPermit, Refusal> {
    let compared = outcome.compared();
    let repository = compared.map(|compared| path_bytes(&compared.repository));
    let request = BlockRequest {
        agent,
        session: &context.key.session,
        reason,
        repository: &repository.unwrap_or_default(),
        host_is_continuing: context.payload.stop_hook_active,
        deadline: context.limits.budget.deadline,
        now: now(),
    };
    state::commit_block(store, &context.config.policy, &request)
}

/// Tells the host that the agent ends here, if a gate says so and the host can be told.
fn finalize(context: &Context, outcome: &StopOutcome) -> bool {
    let Decision::Finalize { reason } = &outcome.decision else {
        return false;
    };
    let reason = reason.as_ref().map(Reason::text);
    let reason = reason.unwrap_or_else(|| Printable::new("attest: a gate ended the agent"));
    let reply = context.harness.finalize(&context.payload, &reason);
    if let Some(reply) = &reply {
        print(stdout().lock(), reply);
    }
    reply.is_some()
}

/// Writes a block to the host, for which there is leave once.
fn send(_permit: BlockPermit, reply: &str) {
    print(stdout().lock(), reply);
}

fn record(
    context: &Context,
    store: &mut Store,
    (agent, is_answered): (Option<&Agent>, bool),
    outcome: &StopOutcome,
    looked: &[Looked],
) -> Result<Option<String>, HookError> {
    let transcript = context.harness.likely_transcript(&context.payload);
    let stop = StopRecord {
        key: &context.key,
        agent,
        task: context.task().words.as_deref(),
        harness: context.harness.name(),
        transcript: transcript.as_deref(),
        cwd: context.payload.cwd.as_deref(),
        outcome,
        policy: &context.config.policy,
        host_was_continuing: context.payload.stop_hook_active,
        tells: context.config.advise,
        seen: &undone::own(context, agent, outcome),
        looked,
        shows_ending: is_answered,
        at: Timestamp::now(),
    };
    let not_recorded = |error: &_| context.not_recorded(error);
    Ok(state::record_stop(store, &stop, not_recorded)?)
}

/// What can wait until the answer is out and everything is recorded.
fn after(context: &Context, store: &mut Store, id: Option<&str>) {
    if let (Some(id), Some(export)) = (id, &context.config.export)
        && let Err(error) = export.add(store, id)
    {
        context.shrug("NOT_EXPORTED", &error);
    }
    if let (Some(id), Some(path)) = (id, &context.config.cast_db)
        && let Err(error) = state::mirror(store, id, path)
    {
        context.shrug("CAST_NOT_WRITTEN", &error);
    }
    let most = context.config.most_state;
    let (forgotten, result) = retention::collect(store, most, context.limits.budget.deadline);
    if let Some(forgotten) = forgotten {
        context.log.write(Level::Info, "COLLECTED", forgotten);
    }
    if let Err(error) = result
        && !error.is_busy()
    {
        context.shrug("NOT_COLLECTED", &error);
    }
    if let Err(error) = store.tidy() {
        context.shrug("NOT_TIDIED", &error);
    }
}
