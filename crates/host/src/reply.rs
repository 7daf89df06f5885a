//! The replies of Claude Code, which most hosts take.

use attest_evidence::Printable;
use serde_json::{Value, json};

/// One object and a newline.
pub(crate) fn line(reply: &Value) -> String {
    format!("{reply}\n")
}

/// Sends an agent back, for `SubagentStop` and `Stop`. Claude Code honours it only if standard output holds nothing
/// else, and hands `reason` to the agent whole and twice, so that it has to be short. Codex fails one with any further
/// key.
pub(crate) fn block(reason: &Printable) -> String {
    line(&json!({ "decision": "block", "reason": &**reason }))
}

/// Shows the person `text`.
pub(crate) fn notice(text: &Printable) -> String {
    line(&json!({ "systemMessage": &**text }))
}

/// Whether a reply has `value` under `key`.
pub(crate) fn says(reply: &str, key: &str, value: &str) -> bool {
    let reply: Option<Value> = serde_json::from_str(reply).ok();
    reply.is_some_and(|reply| reply[key] == value)
}
