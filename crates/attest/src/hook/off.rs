//! A hook while attest is off: a row for a start or a stop, and the person is told once.

use std::io::stdout;

use attest_host::{Host, Payload};
use attest_snapshot::Printable;
use attest_state::{Passed, Store, Who, record_while_off, take_while_off};

use super::Event;
use super::context::{Context, HookError, now, print};
use attest_base::off::Off;
use attest_base::off::in_words;

/// Leaves a row for a start or a stop. Whether the host has its answer.
pub(super) fn pass(event: Event, context: &Context, off: &Off) -> Result<bool, HookError> {
    let is_of_turn = context.is_of_judged_turn();
    let passed = match event {
        Event::Start => Some(Passed::Start),
        Event::Prompt if is_of_turn => Some(Passed::Start),
        Event::Stop => Some(Passed::Stop),
        Event::SessionStop if is_of_turn => Some(Passed::Stop),
        Event::SessionStop => None,
        Event::Failed | Event::PostToolUse | Event::Prompt | Event::Named => return Ok(false),
    };
    let mut store = context.open_store()?;
    if let Some(passed) = passed {
        let who = Who {
            session: Some(&context.key.session),
            agent: Some(&context.key.agent),
            agent_type: context.payload.agent_type.as_deref(),
            harness: Some(context.harness.name()),
        };
        record_while_off(&mut store, passed, who, now())?;
    }
    if event == Event::SessionStop && context.payload.agent_id.is_none() {
        let session = &context.key.session;
        let taken = take_while_off(&mut store, session, Some(off.since_ns()), now())?;
        if !taken.is_nothing() {
            let text = format!(
                "attest is off {}: nothing is judged. `attest on` turns it on again.",
                off.phrase()
            );
            return Ok(tell(context.harness, &context.payload, &text));
        }
    }
    Ok(false)
}

/// Tells the person, once it is on again, what was not judged in their session. Whether there was anything.
pub(super) fn after(context: &Context, store: &mut Store) -> Result<bool, HookError> {
    let taken = take_while_off(store, &context.key.session, None, now())?;
    if taken.is_nothing() {
        return Ok(false);
    }
    let by = if taken.is_by_session {
        ", turned off in this session"
    } else {
        ""
    };
    let text = format!("attest was off for a while{by}. {}", in_words(taken));
    Ok(tell(context.harness, &context.payload, &text))
}

fn tell(harness: &dyn Host, payload: &Payload, text: &str) -> bool {
    let reply = harness.notice(payload, &Printable::new(text));
    if let Some(reply) = &reply {
        print(stdout().lock(), reply);
    }
    reply.is_some()
}
