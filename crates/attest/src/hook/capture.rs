//! `ATTEST_CAPTURE=1`: keep payloads and transcripts, to make fixtures of.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use attest_host::AgentTranscript;
use attest_state::private;
use clap::ValueEnum as _;

use super::Event;
use super::context::{Context, now};
use super::inside::is_in_repository_of;
use attest_base::log::Level;

/// The most that is kept of one transcript, in bytes.
const LARGEST_TRANSCRIPT: u64 = 64 * 1024 * 1024;
/// Digits of a time in nanoseconds, as every one since 2001 has.
const DIGITS: usize = 19;
/// The most characters of an id in a file name.
const LONGEST_NAME: usize = 40;

/// Keeps what the host sent. Never in the repository, and never a reason to fail.
pub(super) fn keep(context: &Context, event: &str, raw: &[u8]) {
    let Some(folder) = &context.config.capture_dir else {
        return;
    };
    if is_in_repository(folder, context) {
        context.log.write(
            Level::Warn,
            "CAPTURE_REFUSED",
            "the folder is in the repository",
        );
        return;
    }
    if let Err(error) = write(folder, context, event, raw) {
        context.shrug("CAPTURE_FAILED", &error);
    }
}

fn write(folder: &Path, context: &Context, event: &str, raw: &[u8]) -> io::Result<()> {
    private::make_folder(folder)?;
    let agent = context.payload.agent_id.as_deref().unwrap_or("unknown");
    let name = format!("{event}-{}-{}", safe(agent), now());
    let mut payload = create(&folder.join(format!("{name}.json")))?;
    payload.write_all(raw)?;
    if let AgentTranscript::Named(path) = &context.payload.agent_transcript
        && fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
    {
        let mut source = File::open(path)?.take(LARGEST_TRANSCRIPT);
        io::copy(
            &mut source,
            &mut create(&folder.join(format!("{name}.jsonl")))?,
        )?;
    }
    Ok(())
}

/// Whether a file has a name that [`keep`] gives.
pub(crate) fn is_named(name: &str) -> bool {
    let stem = name.strip_suffix(".json").or(name.strip_suffix(".jsonl"));
    let Some((head, moment)) = stem.and_then(|stem| stem.rsplit_once('-')) else {
        return false;
    };
    let verbs = Event::value_variants().iter().map(|event| event.verb());
    let mut agents = verbs.filter_map(|verb| head.strip_prefix(verb)?.strip_prefix('-'));
    moment.len() >= DIGITS
        && moment.bytes().all(|byte| byte.is_ascii_digit())
        && agents.any(|agent| safe(agent) == agent)
}

fn create(path: &Path) -> io::Result<File> {
    private::make_file(path, OpenOptions::new().write(true))
}

/// An id is the host's word: only letters, digits, `-` and `_` of it go into a file name.
fn safe(id: &str) -> String {
    id.chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '-' {
                c
            } else {
                '_'
            }
        })
        .take(LONGEST_NAME)
        .collect()
}

/// Whether the folder is in the repository that the hook runs in.
fn is_in_repository(folder: &Path, context: &Context) -> bool {
    let cwd = context.cwd();
    cwd.is_ok_and(|cwd| is_in_repository_of(&cwd, folder, context))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_given_here_are_those_of_captures() {
        for ours in [
            "start-a1-1764000000000000000.json",
            "session-stop-unknown-1764000000000000000.jsonl",
        ] {
            assert!(is_named(ours), "{ours}");
        }
        for theirs in [
            "start-notes.json",
            "start-a1-2026.json",
            "stop.json",
            "a1-1764000000000000000.json",
            "start-my notes-1764000000000000000.json",
        ] {
            assert!(!is_named(theirs), "{theirs}");
        }
    }
}
