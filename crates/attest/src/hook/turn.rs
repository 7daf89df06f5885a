//! The turns of the main agent, if they are judged: a prompt begins one, the stop of the session ends it.

use attest_state::{Next, Prompt, TurnStart, end_unjudged, last_turn, next, turn_key};

use super::context::{Context, HookError, now};
use super::{start, stop, whole};
use attest_base::log::Level;

/// Records what the work tree is before the agent does what it is asked.
pub(super) fn prompt(context: &Context) -> Result<(), HookError> {
    let mut store = context.open_store()?;
    let session = &context.key.session;
    let payload = &context.payload;
    whole::end_unfinished(context, &mut store);
    let last = last_turn(&store, session)?;
    let prompt = Prompt {
        turn_id: payload.turn_id.as_deref(),
        text: payload.prompt.as_deref(),
        is_report: !payload.reported.is_empty(),
    };
    match (next(last.as_ref(), prompt), last) {
        (Next::Begun(number), _) => {
            let turn = TurnStart {
                number,
                id: prompt.turn_id,
            };
            let context = context.of_turn(turn_key(session, number), None);
            start::begin(&context, &mut store, Some(turn), false)
        }
        (Next::Resumed, Some(last)) => {
            let context = context.of_turn(last.key.clone(), Some(last));
            start::resume(&context, &mut store)
        }
        (Next::Resumed | Next::Same, _) => Ok(()),
    }
}

/// Records that subagents whose reports are handed on are not at work any more.
pub(super) fn reported(context: &Context) -> Result<(), HookError> {
    if context.payload.reported.is_empty() {
        return Ok(());
    }
    whole::end_unfinished(context, &mut context.open_store()?);
    Ok(())
}

/// Judges the turn. Whether the host has its answer.
pub(super) fn stop(context: &Context) -> Result<bool, HookError> {
    let mut store = context.open_store()?;
    whole::end_unfinished(context, &mut store);
    let Some(turn) = last_turn(&store, &context.key.session)? else {
        let session = &context.key.session;
        context.log.write(Level::Info, "TURN_NOT_SEEN", session);
        return Ok(false);
    };
    if !turn.agent.is_open {
        context.log.write(Level::Info, "TURN_OVER", &turn.key.agent);
        return Ok(false);
    }
    let agent = turn.agent.clone();
    if stop::began_while_off(context, &store, agent.started_at)? {
        end_unjudged(&mut store, &turn.key, now())?;
        return Ok(false);
    }
    let context = context.of_turn(turn.key.clone(), Some(turn));
    stop::judge_stop(&context, &mut store, Some(&agent))
}
