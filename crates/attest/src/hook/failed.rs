//! `StopFailure`: an agent that an error ended never stops, and is not waited for.

use attest_verdict::End;

use super::context::{Context, HookError};
use super::whole;

/// Closes the run of a subagent that died. A turn of the main agent goes on when the person says so.
pub(super) fn run(context: &Context) -> Result<(), HookError> {
    if !context.has_agent_id {
        return Ok(());
    }
    let mut store = context.open_store()?;
    let why = context.payload.failure.as_deref().unwrap_or("unknown");
    whole::died(
        context,
        &mut store,
        &context.key,
        End::Error(why.to_owned()),
    )
}
