//! What the host keeps beside the transcript of an agent: what it calls its task, which a person knows, and no id; and of
//! one of a team, whose type is told as its name, the type that it was spawned as.

use std::path::Path;

use attest_json::Object;
use attest_snapshot::read_regular_whole;

use super::context::Context;

/// The largest file in which a host says it, in bytes.
const MAX_BYTES: u64 = 64 * 1024;
/// Characters of it that are kept.
const LONGEST: usize = 60;

/// The task of the subagent that stops.
pub(super) fn task(context: &Context, transcript: Option<&Path>) -> Option<String> {
    if context.turn.is_some() {
        return None;
    }
    let task = beside(transcript?, "description")?;
    let line = task.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(LONGEST).collect();
    (!short.is_empty()).then_some(short)
}

/// The type of one of a team.
pub(super) fn spawned_type(transcript: Option<&Path>) -> Option<String> {
    let spawned = beside(transcript?, "spawnedAgentType")?;
    let is_name = !spawned.trim().is_empty() && spawned.len() <= LONGEST;
    is_name.then_some(spawned)
}

/// A field of the file that the host keeps beside the transcript.
fn beside(transcript: &Path, field: &str) -> Option<String> {
    let beside = transcript.with_extension("meta.json");
    let (bytes, _) = read_regular_whole(&beside, MAX_BYTES).ok()??;
    let text = String::from_utf8(bytes).ok()?;
    Object::parse(&text).ok()?.text(field)
}
