//! `ATTEST_CAPTURE=1`: keep payloads and transcripts, to make fixtures of.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use attest_host::AgentTranscript;
use attest_state::private;

use super::context::{Context, now};
use super::inside::is_in_repository_of;
use attest_base::captures;
use attest_base::log::Level;

/// The most that is kept of one transcript, in bytes.
const LARGEST_TRANSCRIPT: u64 = 64 * 1024 * 1024;
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
    let name = captures::name(event, agent, now());
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

fn create(path: &Path) -> io::Result<File> {
    private::make_file(path, OpenOptions::new().write(true))
}

/// Whether the folder is in the repository that the hook runs in.
fn is_in_repository(folder: &Path, context: &Context) -> bool {
    let cwd = context.cwd();
    cwd.is_ok_and(|cwd| is_in_repository_of(&cwd, folder, context))
}

#[cfg(test)]
mod tests {
    use attest_base::captures::EVENTS;
    use clap::ValueEnum as _;

    use crate::hook::Event;

    #[test]
    fn captures_are_named_after_each_event() {
        let verbs = Event::value_variants().iter().map(|event| event.verb());
        assert_eq!(verbs.collect::<Vec<_>>(), EVENTS);
    }
}
