//! What Claude Code writes of commands in the background. Observed in 2.1.138 and 2.1.330.

use attest_json::{self as json, Object};

use crate::background::Background;

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

/// What the line says of them.
pub(super) fn of(line: &Object<'_>) -> Vec<Background> {
    match line.text("type").as_deref() {
        Some("assistant") => blocks(line).filter_map(|block| call(&block)).collect(),
        Some("user") => {
            let results = blocks(line).filter_map(|block| result(&block));
            let content = line.object("message").and_then(|it| it.text("content"));
            let texts = blocks(line).filter_map(|block| block.text("text"));
            let texts = content.into_iter().chain(texts);
            results.chain(texts.flat_map(|text| ends(&text))).collect()
        }
        Some("queue-operation") => line.text("content").map_or_else(Vec::new, |it| ends(&it)),
        Some("attachment") => {
            let prompt = line.object("attachment").and_then(|it| it.text("prompt"));
            prompt.map_or_else(Vec::new, |prompt| ends(&prompt))
        }
        _ => Vec::new(),
    }
}

fn blocks<'l>(line: &Object<'l>) -> impl Iterator<Item = Object<'l>> {
    let content = line.object("message").and_then(|it| it.raw("content"));
    let blocks = content.and_then(json::array).unwrap_or_default();
    blocks.into_iter().filter_map(|it| Object::parse(it).ok())
}

fn call(block: &Object<'_>) -> Option<Background> {
    let (name, input) = (block.text("name")?, block.object("input")?);
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

fn result(block: &Object<'_>) -> Option<Background> {
    let call = block.text("tool_use_id")?;
    let content = block.raw("content").unwrap_or_default();
    let text = json::text(content).unwrap_or_else(|| content.to_owned());
    let task = text.split_once(BEGUN).map(|(_, rest)| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_'));
        rest[..end.unwrap_or(rest.len())].to_owned()
    });
    Some(Background::Answered { call, task })
}

fn ends(text: &str) -> Vec<Background> {
    if !text.contains(NOTIFICATION) {
        return Vec::new();
    }
    let after = text.split(TASK_ID.0).skip(1);
    let tasks = after.filter_map(|text| Some(text.split_once(TASK_ID.1)?.0.trim().to_owned()));
    tasks.map(|task| Background::Ended { task }).collect()
}
