//! What one line of a Gemini CLI session says, as far as it is needed for the last message.
//!
//! A line is a message of the person or of the model, or a change to the session. A message is written again,
//! under its id, when the results of its tools are known; those stand within it, so that no line is a result.

use attest_json::{self as json, Object};

use crate::record::{Block, Ending, Event, Form, Reply, ToolUse};
use crate::usage::Usage;

/// The format of Gemini CLI's sessions.
pub struct Gemini;

impl Form for Gemini {
    fn event(&self, line: &Object<'_>) -> Option<Event> {
        match line.text("type")?.as_str() {
            // A host with the same word has its content in a message.
            "user" if line.raw("content").is_some() => Some(Event::User(Vec::new())),
            "gemini" => Some(Event::Assistant(reply(line))),
            _ => None,
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
    let text = line.text("content").filter(|text| !text.trim().is_empty());
    let calls = line.raw("toolCalls").and_then(json::array);
    let calls: Vec<_> = calls.into_iter().flatten().map(call).collect();
    Reply {
        id: line.text("id"),
        ending: if calls.is_empty() {
            Ending::Complete
        } else {
            Ending::Continues
        },
        synthetic: false,
        blocks: text.map(Block::Text).into_iter().chain(calls).collect(),
    }
}

fn call(call: &str) -> Block {
    let Ok(call) = Object::parse(call) else {
        return Block::Other;
    };
    let tool = call.text("name").unwrap_or_default();
    let input = call.raw("args");
    Block::ToolUse(ToolUse::new(call.text("id"), tool, Vec::new(), input))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::decode;

    fn event(line: &str) -> Event {
        decode(line.as_bytes(), crate::forms::ALL).unwrap().event
    }

    #[test]
    fn a_message_with_tools_is_followed_by_another() {
        let ending = |more: &str| {
            let line =
                format!(r#"{{"id":"m","timestamp":"t","type":"gemini","content":"DONE"{more}}}"#);
            match event(&line) {
                Event::Assistant(reply) => (reply.ending, reply.blocks.len()),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(ending(""), (Ending::Complete, 1));
        let calls = r#","toolCalls":[{"id":"c","name":"write_file","args":{},"status":"success"}]"#;
        assert_eq!(ending(calls), (Ending::Continues, 2));
    }

    #[test]
    fn a_change_of_the_session_says_nothing() {
        assert_eq!(event(r#"{"$set":{"lastUpdated":"t"}}"#), Event::Other);
        assert_eq!(event(r#"{"sessionId":"s","kind":"main"}"#), Event::Other);
        let prompt = r#"{"id":"p","type":"user","content":[{"text":"go"}]}"#;
        assert_eq!(event(prompt), Event::User(Vec::new()));
    }
}
