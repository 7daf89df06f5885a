//! What one line of a Cursor transcript says, after the code of the npm package `@cursor/sdk` 1.0.32: nothing was
//! run.
//!
//! A line is a message with a role and content in blocks, without a type, an id or a time. Results of tools are
//! left out, and so is how a reply ended: one that calls no tool is the last of its turn.

use attest_json::Object;

use crate::content;
use crate::record::{Block, Ending, Event, Form, Reply, ToolUse};
use crate::usage::Usage;

/// The format of Cursor's transcripts.
pub struct Cursor;

impl Form for Cursor {
    fn event(&self, line: &Object<'_>) -> Option<Event> {
        if line.raw("type").is_some() {
            return None;
        }
        match line.text("role")?.as_str() {
            "user" => Some(Event::User(Vec::new())),
            "assistant" => Some(Event::Assistant(reply(line))),
            _ => Some(Event::Other),
        }
    }

    fn usage(&self, _line: &Object<'_>) -> Option<Usage> {
        None
    }

    /// Its tools are not known, so that none is known to write nothing.
    fn only_reads(&self, _tool: &str) -> bool {
        false
    }
}

fn reply(line: &Object<'_>) -> Reply {
    let message = line.object("message");
    let content = message.as_ref().and_then(|message| message.raw("content"));
    let blocks = content.map_or_else(Vec::new, |content| content::blocks(content, tool_use));
    let calls_tool = blocks
        .iter()
        .any(|block| matches!(block, Block::ToolUse(_)));
    Reply {
        id: None,
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
    ToolUse {
        tool: block.text("name").unwrap_or_default(),
        ..ToolUse::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::decode;

    fn event(line: &str) -> Event {
        decode(line.as_bytes(), crate::forms::ALL).unwrap().event
    }

    #[test]
    fn a_reply_that_calls_a_tool_is_followed_by_another() {
        let ending = |blocks: &str| {
            let line = format!(r#"{{"role":"assistant","message":{{"content":[{blocks}]}}}}"#);
            match event(&line) {
                Event::Assistant(reply) => reply.ending,
                other => panic!("{other:?}"),
            }
        };
        let text = r#"{"type":"text","text":"DONE"}"#;
        assert_eq!(ending(text), Ending::Complete);
        let call = r#"{"type":"tool_use","name":"Write","input":{"path":"a.py"}}"#;
        assert_eq!(ending(&format!("{text},{call}")), Ending::Continues);
    }

    #[test]
    fn a_prompt_ends_what_was_said_before_it() {
        let prompt = r#"{"role":"user","message":{"content":[{"type":"text","text":"go"}]}}"#;
        assert_eq!(event(prompt), Event::User(Vec::new()));
        assert_eq!(
            event(r#"{"type":"turn_ended","status":"success"}"#),
            Event::Other
        );
        assert_eq!(event(r#"{"role":"system"}"#), Event::Other);
    }
}
