//! What the tools of an agent say of one path.

use attest_evidence::escaped;
use attest_transcript::{Call, Kind, Outcome, ToolCalls};
use jiff::Timestamp;

/// Characters of a tool's name at most.
const LONGEST_TOOL: usize = 40;

/// Whether the tool calls are known to be complete: only then does a missing one mean anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    Yes,
    No,
}

impl Settled {
    /// Whether the tool calls include all up to the message.
    pub(super) fn of(tool_calls: &ToolCalls, message: &str) -> Self {
        if tool_calls.is_whole && tool_calls.ends_with(message) {
            Self::Yes
        } else {
            Self::No
        }
    }
}

/// What the calls say of the path that `is_it` recognises, as the first half of a sentence; `None`
/// where they say nothing.
pub(super) fn testimony(
    tool_calls: &ToolCalls,
    settled: Settled,
    is_it: impl Fn(&str) -> bool,
) -> Option<String> {
    let calls = &tool_calls.calls;
    let own = |call: &Call| call.path.as_deref().is_some_and(&is_it);
    // A tool that names the file that it writes wrote no other one, and one that reads by its name wrote none.
    let may_write = |call: &&Call| call.kind == Kind::MayWrite;
    let Some(at) = calls.iter().rposition(own) else {
        return match calls.iter().rfind(may_write) {
            _ if settled == Settled::No => None,
            Some(call) => Some(format!(
                "no tool call names it, though {} may have touched it",
                tool(call)
            )),
            None => Some("no tool call touched it".to_owned()),
        };
    };
    let (call, later) = (&calls[at], &calls[at + 1..]);
    let what = match (call.kind, call.result) {
        (Kind::Write | Kind::WriteElsewhere, Outcome::Ok) => "reported success",
        (_, Outcome::Error) => "reported an error",
        (Kind::Write | Kind::WriteElsewhere, Outcome::Unknown) => "was called, without a result,",
        _ => "was to remove it",
    };
    let mut text = format!("{} {what}{}", tool(call), time(call));
    if let Some(later) = later.iter().rfind(may_write) {
        text.push_str(&format!(", {} ran after it", tool(later)));
    }
    Some(text)
}

fn tool(call: &Call) -> String {
    let name = escaped(call.tool.as_bytes());
    name.chars().take(LONGEST_TOOL).collect()
}

fn time(call: &Call) -> String {
    let at: Option<Timestamp> = call.at.as_deref().and_then(|at| at.parse().ok());
    at.map_or_else(String::new, |at| format!(" at {}", at.strftime("%H:%M:%S")))
}
