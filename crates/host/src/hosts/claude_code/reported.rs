//! Whose final reports an event hands to the agent that started them.

use attest_json::Object;

use crate::fields;

/// The tool that starts an agent, by its present and its earlier name.
const AGENT_TOOLS: [&str; 2] = ["Agent", "Task"];
/// How the answer of the tool says that the agent has only been started: in the background, or as one of a team.
const LAUNCHED: [&str; 2] = ["async_launched", "teammate_spawned"];
/// What stands before the id in a notification.
const TASK_ID: (&str, &str) = ("<task-id>", "</task-id>");
const NOTIFICATION: &str = "<task-notification>";

/// An agent in the foreground reports in the answer of the tool that started it, one in the
/// background in a notification that stands where a person's prompt would.
pub(super) fn of(payload: &Object<'_>) -> Vec<String> {
    match fields::name(payload, &["hook_event_name"]).as_deref() {
        Some("PostToolUse") => Vec::from_iter(foreground(payload)),
        Some("UserPromptSubmit") => background(payload),
        _ => Vec::new(),
    }
}

fn foreground(payload: &Object<'_>) -> Option<String> {
    let tool = payload.text("tool_name")?;
    let response = payload.object("tool_response")?;
    let status = response.text("status");
    let is_launch = status.is_some_and(|status| LAUNCHED.contains(&status.as_str()));
    let is_report = AGENT_TOOLS.contains(&tool.as_str()) && !is_launch;
    is_report.then(|| fields::id(&response, &["agentId"]))?
}

/// Several agents may report in one prompt.
fn background(payload: &Object<'_>) -> Vec<String> {
    let prompt = payload.text("prompt").unwrap_or_default();
    if !prompt.trim_start().starts_with(NOTIFICATION) {
        return Vec::new();
    }
    let after = prompt.split(TASK_ID.0).skip(1);
    let mut ids: Vec<String> = after
        .filter_map(|text| text.split_once(TASK_ID.1))
        .filter_map(|(id, _)| fields::label(id.trim()))
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
