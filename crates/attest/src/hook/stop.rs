//! `SubagentStop`: check the report against the work tree, and send a proven false DONE back.
//!
//! A stop is gathered, judged and acted on, in this order: nothing is printed or recorded before all that it came
//! to is known.

use std::io::stdout;

use attest_snapshot::path_bytes;
use attest_state::{
    self as state, Agent, BlockPermit, BlockRequest, Refusal, StopRecord, Store, retention,
};
use attest_verdict::{ReasonCode, StopOutcome, judge};
use jiff::Timestamp;

use super::context::{Context, HookError, now, print};
use super::gather::gather;
use super::lines;
use crate::log::Level;

pub(super) fn run(context: &Context) -> Result<(), HookError> {
    let mut store = context.open_store()?;
    let agent = state::find(&store, &context.key)?;
    let input = gather(context, &store, agent.as_ref());
    let mut outcome = judge(input, &context.config.policy);
    if let Err(reason) = send_back(context, &mut store, agent.as_ref(), &outcome) {
        outcome = outcome.refused(reason);
    }
    lines::write(context, &outcome);
    let id = record(context, &mut store, agent.as_ref(), &outcome)?;
    after(context, &mut store, id.as_deref());
    Ok(())
}

/// Sends the agent back if it is to be: counts the block, and only then sends it.
fn send_back(
    context: &Context,
    store: &mut Store,
    agent: Option<&Agent>,
    outcome: &StopOutcome,
) -> Result<(), ReasonCode> {
    let (Some(reason), Some(agent)) = (&outcome.block, agent) else {
        return Ok(());
    };
    let reply = context.harness.block(&context.payload, reason);
    let permit = permit(context, store, agent, outcome).map_err(|refusal| {
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
) -> Result<BlockPermit, Refusal> {
    let compared = outcome.compared();
    let repository = compared.map(|compared| path_bytes(&compared.repository));
    let request = BlockRequest {
        agent: agent.id,
        session: &context.key.session,
        repository: &repository.unwrap_or_default(),
        host_is_continuing: context.payload.stop_hook_active,
        deadline: context.limits.deadline,
        now: now(),
    };
    state::commit_block(store, &context.config.policy, &request)
}

/// Writes a block to the host, for which there is leave once.
fn send(_permit: BlockPermit, reply: &str) {
    print(stdout().lock(), reply);
}

fn record(
    context: &Context,
    store: &mut Store,
    agent: Option<&Agent>,
    outcome: &StopOutcome,
) -> Result<Option<String>, HookError> {
    let transcript = context.harness.likely_transcript(&context.payload);
    let stop = StopRecord {
        key: &context.key,
        agent,
        harness: context.harness.name(),
        transcript: transcript.as_deref(),
        cwd: context.payload.cwd.as_deref(),
        outcome,
        policy: &context.config.policy,
        host_was_continuing: context.payload.stop_hook_active,
        tells: context.config.advise,
        at: Timestamp::now(),
    };
    let not_recorded = |error: &_| context.not_recorded(error);
    Ok(state::record_stop(store, &stop, not_recorded)?)
}

/// What can wait until the answer is out and everything is recorded.
fn after(context: &Context, store: &mut Store, id: Option<&str>) {
    if let (Some(id), Some(path)) = (id, &context.config.cast_db)
        && let Err(error) = state::mirror(store, id, path)
    {
        context.shrug("CAST_NOT_WRITTEN", &error);
    }
    let most = context.config.most_state;
    let (forgotten, result) = retention::collect(store, most, context.limits.deadline);
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
