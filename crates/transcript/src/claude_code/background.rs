//! What Claude Code writes of commands in the background. Observed in 2.1.138 and 2.1.330.

use attest_json::Object;
use memchr::memmem;

use crate::record::{Background, goes_on};

/// How the answer of the tool gives the command its name.
const BEGUN: [&str; 2] = ["running in background with ID: ", "Monitor started (task "];
/// What a notification has that tells what a command has printed, and not that it ended.
const EVENT: &str = "<event>";
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
    goes_on(name, &input).then_some(())?;
    Some(Background::Asked {
        call: block.text("id")?,
        command: input.text("command")?,
    })
}

/// What a result says of the command that was asked for.
pub(super) fn answered(block: &Object<'_>) -> Option<Background> {
    let call = block.text("tool_use_id")?;
    let content = block.raw("content").unwrap_or_default();
    let mut begun = BEGUN.iter().filter_map(|begun| {
        let at = memmem::find(content.as_bytes(), begun.as_bytes())?;
        content.get(at + begun.len()..)
    });
    let task = begun.next().map(|rest| {
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
    let after = after.filter(|text| !text.contains(EVENT));
    let tasks = after.filter_map(|text| Some(text.split_once(TASK_ID.1)?.0.trim().to_owned()));
    tasks.map(|task| Background::Ended { task }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_monitor_is_a_command_in_the_background() {
        let block = |json: &str| asked(&Object::parse(json).unwrap());
        let begun =
            block(r#"{"type":"tool_use","id":"t","name":"Monitor","input":{"command":"make"}}"#);
        let expected = Background::Asked {
            call: "t".to_owned(),
            command: "make".to_owned(),
        };
        assert_eq!(begun, Some(expected));
        assert_eq!(
            block(r#"{"id":"t","name":"Bash","input":{"command":"make"}}"#),
            None
        );
        let answer =
            r#"{"tool_use_id":"t","content":"Monitor started (task b1, timeout 9ms). You"}"#;
        let task = match answered(&Object::parse(answer).unwrap()) {
            Some(Background::Answered { task, .. }) => task,
            other => panic!("{other:?}"),
        };
        assert_eq!(task.as_deref(), Some("b1"));
        let told = |more: &str| {
            format!("<task-notification>\n<task-id>b1</task-id>\n{more}\n</task-notification>")
        };
        assert_eq!(ends(&told("<event>a line</event>")), []);
        assert_eq!(ends(&told("<status>completed</status>")).len(), 1);
    }
}
