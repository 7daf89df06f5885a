//! What the host keeps beside the transcript of an agent: what it calls its task, which a person knows, and no id; and of
//! one of a team, whose type is told as its name, the type that it was spawned as.

use std::path::Path;

use attest_json::Object;
use attest_snapshot::read_regular_whole;

/// The largest file in which a host says it, in bytes.
const MAX_BYTES: u64 = 64 * 1024;
/// Characters of it that are kept.
const LONGEST: usize = 60;

/// What a subagent was started for, and as what.
#[derive(Debug, Clone, Default)]
pub(super) struct Task {
    /// What a person calls it, on one line.
    pub(super) words: Option<String>,
    /// The type that one of a team was spawned as.
    pub(super) spawned_type: Option<String>,
}

impl Task {
    /// What the host keeps beside a transcript.
    pub(super) fn beside(transcript: &Path) -> Option<Self> {
        let beside = transcript.with_extension("meta.json");
        let (bytes, _) = read_regular_whole(&beside, MAX_BYTES).ok()??;
        let text = String::from_utf8(bytes).ok()?;
        let object = Object::parse(&text).ok()?;
        Some(Self {
            words: object.text("description").and_then(|text| short(&text)),
            spawned_type: object.text("spawnedAgentType").filter(|it| is_name(it)),
        })
    }
}

fn short(task: &str) -> Option<String> {
    let line = task.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(LONGEST).collect();
    (!short.is_empty()).then_some(short)
}

fn is_name(spawned: &str) -> bool {
    !spawned.trim().is_empty() && spawned.len() <= LONGEST
}
