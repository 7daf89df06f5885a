//! Commands that the agent began and that have not ended: what they may still write is not disproved.

use attest_snapshot::Untrusted;
use attest_transcript::{LeftRunning, Place, places_of};
use attest_verdict::{Doubt, Verdict};

use super::transcript::Transcript;

/// Characters of a command that a reason quotes.
const MOST_QUOTED: usize = 80;
/// Commands that are looked at to be named.
const MOST_LEFT: usize = 20;

/// Takes away the proofs that a command in the background may still make untrue.
pub(super) fn doubt(transcript: &Transcript<'_>, verdict: &mut Verdict) {
    let running = running(transcript);
    if running.is_empty() {
        return;
    }
    verdict.doubt(|found| {
        let mut commands = running.iter();
        let command = commands.find(|command| may_write(command, &found.claimed))?;
        Some(Doubt::Background(quoted(command)))
    });
}

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
    named.map(|named| quoted(&named.command)).collect()
}

/// Whether any command may still run.
pub(super) fn is_any(transcript: &Transcript<'_>) -> bool {
    !running(transcript).is_empty()
}

/// Whether a command that still runs may write this path.
pub(super) fn may_still_write(transcript: &Transcript<'_>) -> impl Fn(&str) -> bool {
    let running = running(transcript);
    move |path| running.iter().any(|command| may_write(command, path))
}

/// The commands that run. What a host says runs in its session is the agent's if it is the main agent, or if the
/// agent's transcript begins it; one that cannot be read to its end may.
fn running(transcript: &Transcript<'_>) -> Vec<String> {
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

/// Whether the command may write a file of this name. One that only waits writes none.
fn may_write(command: &str, claimed: &str) -> bool {
    let last = |path: &str| {
        let path = path.trim_end_matches(['/', '\\']);
        let name = path.rsplit(['/', '\\']).next();
        name.unwrap_or(path).to_lowercase()
    };
    let places = places_of(command);
    let mut found = places.found().iter();
    command.trim().is_empty()
        || !places.is_complete()
        || found.any(|place| match place {
            Place::Exact(path) => last(path) == last(claimed),
            Place::Around(_) | Place::Moved { .. } => true,
            Place::Removed(_) | Place::Staged(_) | Place::Program { .. } | Place::Elsewhere(_) => {
                false
            }
        })
}

fn quoted(command: &str) -> String {
    let text = Untrusted::new(command).to_string();
    let short: String = text.chars().take(MOST_QUOTED).collect();
    if short.len() < text.len() {
        format!("{short}…")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_may_write_what_it_names_and_whatever_is_not_known_of_it() {
        for (command, path, may) in [
            ("sleep 9 && echo x > made.py", "src/made.py", true),
            ("sleep 9 && echo x > made.py", "src/other.py", false),
            ("sleep 9", "made.py", false),
            ("./generate.sh", "made.py", true),
            ("npm run build", "dist/a.js", true),
            ("", "made.py", true),
        ] {
            assert_eq!(may_write(command, path), may, "{command} {path}");
        }
    }

    #[test]
    fn a_long_command_is_cut() {
        assert_eq!(quoted("make all"), "make all");
        assert_eq!(quoted(&"x".repeat(200)).chars().count(), MOST_QUOTED + 1);
    }
}
