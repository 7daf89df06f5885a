//! What one line of a Claude Code transcript says. Observed in 2.1.329.
//!
//! A reply of the model is written as one line per content block; the lines of one reply share
//! `message.id`. A text, a tool call and a stretch of thinking are blocks.

use attest_json::{self as json, Object};

/// One line, as far as it concerns the conversation.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Record {
    /// The model spoke, or the host in its name.
    Assistant(Reply),
    /// Somebody spoke to the model: a person, a tool's result, a hook's feedback (`isMeta`).
    User,
    /// Attachments, system lines and the host's own notes.
    Other,
}

/// A reply of the model, or the part of one that a line holds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    /// Shared by all lines of one reply.
    pub(crate) id: Option<String>,
    /// Why the model stopped.
    pub(crate) ending: Ending,
    /// Written by the host in the model's name, such as "API Error: …".
    pub(crate) synthetic: bool,
    /// What was said or done, in order.
    pub(crate) blocks: Vec<Block>,
}

/// Why the model stopped, by what it means for whether the reply is the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It had said all it wanted to.
    Complete,
    /// It waits for a tool's result or is to be asked to go on.
    Continues,
    /// It was cut off, or the line does not say. The host asks again after a cut, and the last
    /// reply counts.
    Unclear,
}

/// One content block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// Text for the reader.
    Text(String),
    /// A tool call.
    ToolUse,
    /// Thinking, and whatever else there may be.
    Other,
}

/// Reads one line; `None` if it is no JSON object.
pub(crate) fn decode(line: &[u8]) -> Option<Record> {
    let line = String::from_utf8_lossy(line);
    let line = Object::parse(&line).ok()?;
    Some(match line.text("type").as_deref() {
        Some("user") => Record::User,
        Some("assistant") => Record::Assistant(reply(&line)),
        _ => Record::Other,
    })
}

fn reply(line: &Object<'_>) -> Reply {
    let message = line.object("message");
    let text = |name| message.as_ref()?.text(name);
    Reply {
        id: text("id"),
        ending: ending(text("stop_reason").as_deref()),
        synthetic: line.is_true("isApiErrorMessage")
            || text("model").as_deref() == Some("<synthetic>"),
        blocks: message
            .as_ref()
            .and_then(|message| message.raw("content"))
            .map_or_else(Vec::new, blocks),
    }
}

fn ending(stop_reason: Option<&str>) -> Ending {
    match stop_reason {
        Some("end_turn" | "stop_sequence" | "refusal") => Ending::Complete,
        Some("tool_use" | "pause_turn") => Ending::Continues,
        _ => Ending::Unclear,
    }
}

/// Content is an array of blocks, or a string that stands for one text block.
fn blocks(content: &str) -> Vec<Block> {
    if let Some(text) = json::text(content) {
        return vec![Block::Text(text)];
    }
    let items = json::array(content).unwrap_or_default();
    items.into_iter().map(block).collect()
}

fn block(item: &str) -> Block {
    let Ok(item) = Object::parse(item) else {
        return Block::Other;
    };
    match item.text("type").as_deref() {
        Some("text") => item.text("text").map_or(Block::Other, Block::Text),
        Some("tool_use") => Block::ToolUse,
        _ => Block::Other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Block::{Other, Text, ToolUse};
    use super::*;

    fn reply_of(line: &str) -> Reply {
        match decode(line.as_bytes()) {
            Some(Record::Assistant(reply)) => reply,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_line_of_a_reply_is_read() {
        let line = r#"{"type":"assistant","isSidechain":true,"agentId":"a1","apiBlockIndex":1,
            "message":{"id":"msg_1","role":"assistant","model":"m","stop_reason":"end_turn",
            "content":[{"type":"text","text":"Status: DONE"}]}}"#;
        let expected = Reply {
            id: Some("msg_1".into()),
            ending: Ending::Complete,
            synthetic: false,
            blocks: vec![Text("Status: DONE".into())],
        };
        assert_eq!(reply_of(line), expected);
    }

    #[test]
    fn blocks_of_every_kind_are_read_and_odd_ones_are_other() {
        let line = r#"{"type":"assistant","message":{"content":[
            {"type":"thinking","thinking":"t"},{"type":"tool_use","id":"x","name":"Write","input":{}},
            {"type":"text","text":5},7,null,{"type":"text","text":"a\ud83d"}]}}"#;
        let expected = [
            Other,
            ToolUse,
            Other,
            Other,
            Other,
            Text("a\u{fffd}".into()),
        ];
        assert_eq!(reply_of(line).blocks, expected);
        let string = r#"{"type":"assistant","message":{"content":"a"}}"#;
        assert_eq!(reply_of(string).blocks, [Text("a".into())]);
    }

    #[test]
    fn odd_shapes_leave_an_empty_reply() {
        for line in [
            r#"{"type":"assistant"}"#,
            r#"{"type":"assistant","message":"a"}"#,
            r#"{"type":"assistant","message":{"content":{"type":"text","text":"a"}}}"#,
            r#"{"type":"user","type":"assistant","message":[]}"#,
        ] {
            let reply = reply_of(line);
            assert_eq!((reply.id, reply.blocks), (None, Vec::new()), "{line}");
        }
    }

    #[test]
    fn messages_of_the_host_are_synthetic() {
        let flagged = r#"{"type":"assistant","isApiErrorMessage":true,"message":{"model":"m"}}"#;
        let named = r#"{"type":"assistant","message":{"model":"<synthetic>"}}"#;
        let neither = r#"{"type":"assistant","isApiErrorMessage":false,"message":{"model":"m"}}"#;
        assert!(reply_of(flagged).synthetic && reply_of(named).synthetic);
        assert!(!reply_of(neither).synthetic);
    }

    #[test]
    fn lines_outside_the_conversation_are_other() {
        for kind in [
            "attachment",
            "system",
            "api-request",
            "prompt_snapshot",
            "",
            "User",
        ] {
            let line = format!(r#"{{"type":"{kind}","message":{{"content":"a"}}}}"#);
            assert_eq!(decode(line.as_bytes()), Some(Record::Other));
        }
        assert_eq!(decode(b"{}"), Some(Record::Other));
        assert_eq!(
            decode(br#"{"type":"user","isMeta":true}"#),
            Some(Record::User)
        );
    }

    #[test]
    fn what_is_no_object_is_no_record() {
        for line in [
            "",
            "\0\0",
            "[]",
            "null",
            r#"{"type":"assistant","mess"#,
            "{} {}",
        ] {
            assert_eq!(decode(line.as_bytes()), None, "{line}");
        }
        let deep = r#"{"a":"#.repeat(1_000_000);
        assert_eq!(decode(deep.as_bytes()), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..256)) {
            let _ = decode(&bytes);
            let _ = decode(&[b"{\"type\":\"assistant\",\"message\":", &bytes[..], b"}"].concat());
        }
    }
}
