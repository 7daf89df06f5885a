//! Commands that the agent began and that have not ended.

use attest_transcript::LeftRunning;
use attest_verdict::quoted_command;

use super::transcript::Transcript;

/// Commands that are looked at to be named.
const MOST_LEFT: usize = 20;

/// The commands that the agent certainly began and that certainly still run: the host says that they do, and the
/// agent's transcript has them.
pub(super) fn left(transcript: &Transcript<'_>) -> Vec<String> {
    let named = transcript.context.payload.background.iter().flatten();
    let named: Vec<_> = named.take(MOST_LEFT).collect();
    if named.is_empty() {
        return Vec::new();
    }
    let own = begun(transcript).unwrap_or_default();
    let is_own = |id: &str| own.iter().any(|own| own.task.as_deref() == Some(id));
    let named = named.into_iter().filter(|named| is_own(&named.id));
    named.map(|named| quoted_command(&named.command)).collect()
}

/// The commands that run. What a host says runs in its session is the agent's if it is the main agent, or if the
/// agent's transcript begins it; one that cannot be read to its end may.
pub(super) fn running(transcript: &Transcript<'_>) -> Vec<String> {
    let context = transcript.context;
    let named = &context.payload.background;
    if named.as_ref().is_some_and(Vec::is_empty) {
        return Vec::new();
    }
    let own = || {
        let own = begun(transcript)?;
        transcript.has_all().then_some(own)
    };
    match named {
        None => {
            let own = begun(transcript).unwrap_or_default().into_iter();
            own.map(|own| own.command).collect()
        }
        Some(named) => {
            let own = if context.turn.is_some() { None } else { own() };
            let named = named.iter().filter(|named| {
                own.as_ref().is_none_or(|own| {
                    own.iter().any(|own| match &own.task {
                        Some(task) => *task == named.id,
                        None => own.command == named.command,
                    })
                })
            });
            named.map(|named| named.command.clone()).collect()
        }
    }
}

/// The commands that the agent's transcript begins and does not end; `None` if it cannot be read to its end.
fn begun(transcript: &Transcript<'_>) -> Option<Vec<LeftRunning>> {
    transcript.as_it_is()?.left_running()
}
