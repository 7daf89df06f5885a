//! What one line of the transcript says that attest's plugin for `OpenCode` writes of a session's messages: a text, a
//! call of a tool, or its result.

use attest_json::Object;

use crate::printed::Printed;
use crate::record::{Block, Ending, Event, Form, Line, Reply, ToolResult, Tools};

const TOOLS: Tools = Tools {
    write: &[
        ("edit", "filePath"),
        ("multiedit", "filePath"),
        ("write", "filePath"),
    ],
    only_read: "codesearch glob grep list lsp read todoread todowrite webfetch websearch",
    show_a_file: &[("read", "filePath")],
    show_a_folder: "grep",
    show_nothing: "glob list todoread todowrite",
};

/// The format of what the plugin writes.
pub struct OpenCode;

impl Form for OpenCode {
    fn read(&self, line: &Object<'_>) -> Option<Line> {
        let role = line.word("role");
        let event = match line.word("opencode")? {
            "text" if role == Some("assistant") => {
                let text = Block::Text(line.text("text").unwrap_or_default());
                Event::Assistant(reply(line, Ending::Complete, text))
            }
            "text" => {
                return Some(Line {
                    event: Event::User(Vec::new()),
                    asked: line.text("text").filter(|_| role == Some("user")),
                    ..Line::default()
                });
            }
            "call" => {
                let call = Block::ToolUse(TOOLS.call(line, ["id", "tool", "input"]));
                Event::Assistant(reply(line, Ending::Continues, call))
            }
            "result" => Event::User(Vec::from_iter(result(line))),
            _ => Event::Other,
        };
        Some(event.into())
    }

    fn tools(&self) -> &'static Tools {
        &TOOLS
    }
}

fn reply(line: &Object<'_>, ending: Ending, block: Block) -> Reply {
    Reply {
        id: line.text("message"),
        ending,
        blocks: vec![block],
        ..Reply::default()
    }
}

fn result(line: &Object<'_>) -> Option<ToolResult> {
    let output = line.text("output");
    Some(ToolResult {
        id: line.text("id")?,
        success: match line.text("status")?.as_str() {
            "completed" => Some(true),
            "error" => Some(false),
            _ => None,
        },
        exit: line.raw("exit").and_then(|exit| exit.parse().ok()),
        printed: output.as_deref().and_then(Printed::of),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Effect, ToolUse, decode};

    fn event(line: &str) -> Event {
        decode(line.as_bytes(), crate::forms::ALL).unwrap().event
    }

    #[test]
    fn a_call_and_its_result_are_read() {
        let call = r#"{"opencode":"call","message":"m","id":"c","tool":"write","input":{"filePath":"/w/a.py","content":"x"}}"#;
        let Event::Assistant(reply) = event(call) else {
            panic!("no reply");
        };
        let expected = ToolUse {
            id: Some("c".into()),
            tool: "write".into(),
            targets: vec![(Effect::Writes, "/w/a.py".into())],
            content: Some("\"x\"".into()),
            ..ToolUse::default()
        };
        assert_eq!(reply.ending, Ending::Continues);
        assert_eq!(reply.blocks, [Block::ToolUse(expected)]);
        let result =
            r#"{"opencode":"result","id":"c","status":"completed","exit":3,"output":"no"}"#;
        let expected = ToolResult {
            id: "c".into(),
            success: Some(true),
            exit: Some(3),
            printed: Printed::of("no"),
        };
        assert_eq!(event(result), Event::User(vec![expected]));
    }

    #[test]
    fn what_is_said_ends_a_reply_and_what_is_asked_does_not() {
        let text = |role: &str| {
            event(&format!(
                r#"{{"opencode":"text","message":"m","role":"{role}","text":"DONE"}}"#
            ))
        };
        let Event::Assistant(reply) = text("assistant") else {
            panic!("no reply");
        };
        assert_eq!(
            (reply.ending, reply.blocks),
            (Ending::Complete, vec![Block::Text("DONE".into())])
        );
        assert_eq!(text("user"), Event::User(Vec::new()));
    }
}
