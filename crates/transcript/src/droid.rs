//! What one line of a droid session says.
//!
//! A line of type `message` holds a message with a role and content in blocks. How a reply ended is not said: one
//! that calls no tool is the last of its turn. What a hook did stands there too, as a message of the user.

use attest_json::Object;

use crate::content;
use crate::record::{Block, Effect, Ending, Event, Form, Reply, Shows, ToolUse};

/// The tools that write the file in their argument `file_path`.
const WRITE_TOOLS: [&str; 3] = ["Create", "Edit", "MultiEdit"];

/// Tools that write nothing.
const READ_ONLY_TOOLS: [&str; 5] = ["Glob", "Grep", "LS", "Read", "TodoWrite"];

/// Tools that show a file, search in files, or show none but perhaps their names.
const SHOW_A_FILE: [(&str, &str); 1] = [("Read", "file_path")];
const SHOW_A_FOLDER: [&str; 1] = ["Grep"];
const SHOW_NOTHING: [&str; 3] = ["Glob", "LS", "TodoWrite"];

/// The format of droid's sessions.
pub struct Droid;

impl Form for Droid {
    fn event(&self, line: &Object<'_>) -> Option<Event> {
        (line.text("type")? == "message").then_some(())?;
        let message = line.object("message")?;
        if message.raw("hookEventName").is_some() {
            return Some(Event::Other);
        }
        match message.text("role")?.as_str() {
            "user" => Some(Event::User(content::results_with(line, exit))),
            "assistant" => Some(Event::Assistant(reply(line, &message))),
            _ => Some(Event::Other),
        }
    }

    fn only_reads(&self, tool: &str) -> bool {
        READ_ONLY_TOOLS.contains(&tool)
    }

    fn shows(&self, tool: &str, input: &Object<'_>) -> Option<Shows> {
        content::shows(tool, input, &SHOW_A_FILE, &SHOW_A_FOLDER, &SHOW_NOTHING)
    }
}

/// The exit status of a command, which the host puts behind all that it printed.
fn exit(printed: &str) -> Option<i32> {
    let last = printed.trim_end().lines().next_back()?;
    let code = last.strip_prefix("[Process exited with code ")?;
    code.strip_suffix(']')?.parse().ok()
}

fn reply(line: &Object<'_>, message: &Object<'_>) -> Reply {
    let content = message.raw("content");
    let blocks = content.map_or_else(Vec::new, |content| content::blocks(content, tool_use));
    let calls_tool = blocks
        .iter()
        .any(|block| matches!(block, Block::ToolUse(_)));
    Reply {
        id: line.text("id"),
        ending: if calls_tool {
            Ending::Continues
        } else {
            Ending::Complete
        },
        synthetic: false,
        blocks,
    }
}

fn tool_use(block: &Object<'_>) -> ToolUse {
    let tool = block.text("name").unwrap_or_default();
    let path = WRITE_TOOLS
        .contains(&tool.as_str())
        .then(|| block.object("input")?.text("file_path"))
        .flatten();
    let targets = Vec::from_iter(path.map(|path| (Effect::Writes, path)));
    ToolUse::new(block.text("id"), tool, targets, block.raw("input"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{ToolResult, decode};

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
            printed: Some("ok".into()),
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
