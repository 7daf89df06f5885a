//! What the host calls the task of an agent: a person knows that, and no id.

use std::path::Path;

use attest_json::Object;
use attest_snapshot::read_regular_whole;

use super::context::Context;

/// The largest file in which a host says it, in bytes.
const MAX_BYTES: u64 = 64 * 1024;
/// Characters of it that are kept.
const LONGEST: usize = 60;

/// The task of the subagent that stops, by the file that the host keeps beside its transcript.
pub(super) fn task(context: &Context, transcript: Option<&Path>) -> Option<String> {
    if context.turn.is_some() {
        return None;
    }
    let beside = transcript?.with_extension("meta.json");
    let (bytes, _) = read_regular_whole(&beside, MAX_BYTES).ok()??;
    let text = String::from_utf8(bytes).ok()?;
    let task = Object::parse(&text).ok()?.text("description")?;
    let line = task.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(LONGEST).collect();
    (!short.is_empty()).then_some(short)
}
