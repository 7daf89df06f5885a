//! What the host calls the task of an agent: a person knows that, and no id.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use attest_json::Object;

use super::context::Context;

/// Bytes that are read of the file in which a host says it.
const MAX_BYTES: u64 = 64 * 1024;
/// Characters of it that are kept.
const LONGEST: usize = 60;

/// The task of the subagent that stops, by the file that the host keeps beside its transcript.
pub(super) fn task(context: &Context, transcript: Option<&Path>) -> Option<String> {
    if context.turn.is_some() {
        return None;
    }
    let beside = transcript?.with_extension("meta.json");
    // What is no file could be waited for without end.
    if !beside.metadata().ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    let file = File::open(beside).ok()?;
    file.take(MAX_BYTES).read_to_string(&mut text).ok()?;
    let task = Object::parse(&text).ok()?.text("description")?;
    let line = task.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(LONGEST).collect();
    (!short.is_empty()).then_some(short)
}
