//! `StopFailure`: an agent that an error ended never stops, and is not waited for.

use attest_state::record_failure;
use jiff::Timestamp;

use super::context::{Context, HookError};
use attest_base::log::Level;

/// Closes the run of a subagent that died. A turn of the main agent goes on when the person says so.
pub(super) fn run(context: &Context) -> Result<(), HookError> {
    if !context.has_agent_id {
        return Ok(());
    }
    let mut store = context.open_store()?;
    let why = context.payload.failure.as_deref().unwrap_or("unknown");
    let not_recorded = |error: &_| context.not_recorded(error);
    record_failure(
        &mut store,
        &context.key,
        why,
        Timestamp::now(),
        not_recorded,
    )?;
    let agent = &context.key.agent;
    context
        .log
        .write(Level::Info, "DIED", format!("{agent}: {why}"));
    Ok(())
}
