//! What one line of a droid session says.
//!
//! A line of type `message` holds a message with a role and content in blocks. How a reply ended is not said: one
//! that calls no tool is the last of its turn. What a hook did stands there too, as a message of the user.

use attest_json::Object;

use crate::content;
use crate::record::{Event, Form, Line, Reply, Tools};

const TOOLS: Tools = Tools {
    write: &[
        ("Create", "file_path"),
        ("Edit", "file_path"),
        ("MultiEdit", "file_path"),
    ],
    only_read: "Glob Grep LS Read TodoWrite",
    show_a_file: &[("Read", "file_path")],
    show_a_folder: "Grep",
    show_nothing: "Glob LS TodoWrite",
};

/// The format of droid's sessions.
pub struct Droid;

impl Form for Droid {
    fn read(&self, line: &Object<'_>) -> Option<Line> {
        (line.word("type")? == "message").then_some(())?;
        let message = line.object("message")?;
        let role = message.word("role");
        let event = match role {
            _ if message.raw("hookEventName").is_some() => Event::Other,
            None => return None,
            Some("user") => {
                let items: Vec<_> = message.objects("content").collect();
                Event::User(content::results(&items, |_, printed| {
                    exit(&printed?.text()?)
                }))
            }
            Some("assistant") => {
                let content = message.value("content");
                let items = content.map_or_else(Vec::new, content::items);
                let blocks =
                    content.map_or_else(Vec::new, |it| content::blocks(it, &items, &TOOLS));
                Event::Assistant(Reply::of_blocks(line.text("id"), blocks))
            }
            Some(_) => Event::Other,
        };
        Some(Line::kept(event))
    }

    fn tools(&self) -> &'static Tools {
        &TOOLS
    }
}

/// The exit status of a command, which the host puts behind all that it printed.
fn exit(printed: &str) -> Option<i32> {
    let last = printed.trim_end().lines().next_back()?;
    let code = last.strip_prefix("[Process exited with code ")?;
    code.strip_suffix(']')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Block, Effect, Ending, ToolResult, ToolUse, decode};

    fn event(role: &str, content: &str) -> Event {
        let line = format!(
            r#"{{"type":"message","id":"m1","timestamp":"t","message":{{"role":"{role}","content":{content}}}}}"#
        );
        decode(line.as_bytes(), crate::forms::ALL).unwrap().event
    }

    #[test]
    fn a_reply_and_its_tools_are_read() {
        let text = r#"{"type":"text","text":"DONE"}"#;
        let Event::Assistant(reply) = event("assistant", &format!("[{text}]")) else {
            panic!("no reply");
        };
        assert_eq!(
            (reply.id.as_deref(), reply.ending),
            (Some("m1"), Ending::Complete)
        );
        let call = r#"{"type":"tool_use","id":"c","name":"Create","input":{"file_path":"/w/a.py","content":"x"}}"#;
        let Event::Assistant(reply) = event("assistant", &format!("[{text},{call}]")) else {
            panic!("no reply");
        };
        assert_eq!(reply.ending, Ending::Continues);
        let call = ToolUse {
            id: Some("c".into()),
            tool: "Create".into(),
            targets: vec![(Effect::Writes, "/w/a.py".into())],
            content: Some("\"x\"".into()),
            ..ToolUse::default()
        };
        assert_eq!(reply.blocks[1], Block::ToolUse(call));
    }

    #[test]
    fn results_and_prompts_are_the_users() {
        let result = r#"[{"type":"tool_result","tool_use_id":"c","content":"ok"}]"#;
        let expected = ToolResult {
            id: "c".into(),
            success: Some(true),
            exit: None,
            printed: crate::printed::Printed::of("ok"),
        };
        assert_eq!(event("user", result), Event::User(vec![expected]));
        let prompt = r#"[{"type":"text","text":"go"}]"#;
        assert_eq!(event("user", prompt), Event::User(Vec::new()));
        let hook = r#"{"type":"message","id":"h","message":{"role":"user","content":[],
            "visibility":"user_only","hookEventName":"Stop","hookStatus":"completed"}}"#;
        assert_eq!(
            decode(hook.as_bytes(), crate::forms::ALL).unwrap().event,
            Event::Other
        );
        let other = br#"{"type":"session_start","id":"s","cwd":"/w"}"#;
        assert_eq!(
            decode(other, crate::forms::ALL).unwrap().event,
            Event::Other
        );
    }

    #[test]
    fn the_status_of_a_command_is_behind_what_it_printed() {
        assert_eq!(
            exit("Error: failed\n\n[Process exited with code 3]"),
            Some(3)
        );
        assert_eq!(
            exit("[Process exited with code 3]\nfine\n\n[Process exited with code 0]"),
            Some(0)
        );
        assert_eq!(exit("fine"), None);
    }
}
