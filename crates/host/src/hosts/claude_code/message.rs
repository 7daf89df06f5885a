//! Where a payload carries the agent's final message.

use crate::fields::is_blank;
use attest_json::{self as json, Object};

/// The agent's final message: the first of the four fields known to carry it that is not blank.
///
/// Claude Code sends `last_assistant_message`, which is only the last text block of the final
/// reply, and leaves it out when that reply is empty. The other three come from older versions and
/// from programs that drive the same hooks.
pub(super) fn of(payload: &Object<'_>) -> Option<String> {
    let response = || content(payload.object("agent_response")?.raw("content")?);
    let last = || content(payload.raw("last_assistant_message")?);
    said(response)
        .or_else(|| said(last))
        .or_else(|| said(|| payload.text("output")))
        .or_else(|| said(|| payload.text("body")))
}

fn said(source: impl FnOnce() -> Option<String>) -> Option<String> {
    source().filter(|text| !is_blank(text))
}

/// The text of a message's content: a string, or blocks whose texts are joined with newlines.
/// Blocks without a text, such as tool calls, say nothing.
fn content(json: &str) -> Option<String> {
    if let Some(text) = json::text(json) {
        return Some(text);
    }
    let texts: Vec<String> = json::array(json)?
        .into_iter()
        .filter_map(|block| Object::parse(block).ok()?.text("text"))
        .collect();
    Some(texts.join("\n"))
}
