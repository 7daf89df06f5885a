//! What Claude Code writes of commands in the background. Observed in 2.1.138 and 2.1.330.

use attest_json::Object;

use crate::record::Background;

/// How the answer of the tool gives the command its name.
const BEGUN: &str = "running in background with ID: ";
/// What tells the agent of an end, wherever it stands in the line.
pub(super) const NOTIFICATION: &str = "<task-notification>";
const TASK_ID: (&str, &str) = ("<task-id>", "</task-id>");
/// The tools that end a command, each with the name of its parameter for the command.
const ENDS: [(&str, &str); 3] = [
    ("TaskStop", "task_id"),
    ("KillShell", "shell_id"),
    ("KillBash", "shell_id"),
];

/// What a block of a reply asks for, or ends.
pub(super) fn asked(block: &Object<'_>) -> Option<Background> {
    let (name, input) = (block.word("name")?, block.object("input")?);
    if let Some((_, field)) = ENDS.iter().find(|(tool, _)| *tool == name) {
        let task = input.text(field)?;
        return Some(Background::Ended { task });
    }
    input.is_true("run_in_background").then_some(())?;
    Some(Background::Asked {
        call: block.text("id")?,
        command: input.text("command")?,
    })
}

/// What a result says of the command that was asked for.
pub(super) fn answered(block: &Object<'_>) -> Option<Background> {
    let call = block.text("tool_use_id")?;
    let content = block.raw("content").unwrap_or_default();
    let task = content.split_once(BEGUN).map(|(_, rest)| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_'));
        rest[..end.unwrap_or(rest.len())].to_owned()
    });
    Some(Background::Answered { call, task })
}

/// The ends that a text tells of.
pub(super) fn ends(text: &str) -> Vec<Background> {
    if !text.contains(NOTIFICATION) {
        return Vec::new();
    }
    let after = text.split(TASK_ID.0).skip(1);
    let tasks = after.filter_map(|text| Some(text.split_once(TASK_ID.1)?.0.trim().to_owned()));
    tasks.map(|task| Background::Ended { task }).collect()
}
