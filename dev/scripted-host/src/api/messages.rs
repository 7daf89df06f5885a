//! The Messages API, which Claude Code speaks: one message, or a stream of events.

use serde_json::{Value, json};

use super::{Api, Spoken, sse};
use crate::conversation::{Dialogue, Line, Speaker, list, texts};
use crate::scenario::ApiError;

/// One event of a stream: its name and its data.
type Event = (&'static str, Value);

/// `POST /v1/messages`.
#[derive(Debug)]
pub(crate) struct Messages;

impl Api for Messages {
    fn dialogue<'r>(&self, request: &'r Value) -> Dialogue<'r> {
        let system = texts(&request["system"]).into_iter();
        let system = system.map(|text| Line::new(Speaker::System, text));
        let said = list(&request["messages"]).flat_map(lines);
        Dialogue::new(system.chain(said), &request["tools"])
    }

    fn reply(&self, spoken: &Spoken<'_>) -> Value {
        let mut content = Vec::new();
        if let Some(text) = &spoken.text {
            content.push(json!({"type": "text", "text": text}));
        }
        for tool in &spoken.tools {
            content.push(json!({
                "type": "tool_use",
                "id": tool.id,
                "name": tool.name,
                "input": tool.input,
            }));
        }
        json!({
            "id": format!("msg_{:04}", spoken.number),
            "type": "message",
            "role": "assistant",
            "model": spoken.model,
            "content": content,
            "stop_reason": if spoken.tools.is_empty() { "end_turn" } else { "tool_use" },
            "stop_sequence": null,
            "usage": usage(),
        })
    }

    fn stream(&self, reply: &Value) -> String {
        let events = events(reply).into_iter();
        events.map(|(name, data)| sse(Some(name), &data)).collect()
    }

    fn error(&self, error: &ApiError) -> Value {
        json!({"type": "error", "error": {"type": error.kind, "message": error.message}})
    }
}

/// What a message says: the results of tools first, which the host puts there, then its texts.
fn lines(message: &Value) -> Vec<Line<'_>> {
    let speaker = match message["role"].as_str() {
        Some("assistant") => Speaker::Model,
        Some("user") => Speaker::Person,
        _ => Speaker::Host,
    };
    let results = list(&message["content"]).filter(|block| block["type"] == "tool_result");
    let results = results.flat_map(|block| texts(&block["content"]));
    let results = results.map(|text| Line::new(Speaker::Tool, text));
    let said = texts(&message["content"]).into_iter();
    results
        .chain(said.map(|text| Line::new(speaker, text)))
        .collect()
}

/// The message as the events of a stream.
fn events(message: &Value) -> Vec<Event> {
    let mut opening = message.clone();
    opening["content"] = json!([]);
    opening["stop_reason"] = Value::Null;
    let mut events = vec![(
        "message_start",
        json!({"type": "message_start", "message": opening}),
    )];
    for (index, block) in list(&message["content"]).enumerate() {
        let (empty, delta) = block_parts(block);
        events.push((
            "content_block_start",
            json!({"type": "content_block_start", "index": index, "content_block": empty}),
        ));
        events.push((
            "content_block_delta",
            json!({"type": "content_block_delta", "index": index, "delta": delta}),
        ));
        events.push((
            "content_block_stop",
            json!({"type": "content_block_stop", "index": index}),
        ));
    }
    events.push((
        "message_delta",
        json!({
            "type": "message_delta",
            "delta": {"stop_reason": message["stop_reason"], "stop_sequence": null},
            "usage": usage(),
        }),
    ));
    events.push(("message_stop", json!({"type": "message_stop"})));
    events
}

/// A block as it is announced, empty, and the delta that fills it.
fn block_parts(block: &Value) -> (Value, Value) {
    let mut empty = block.clone();
    if block["type"] == "tool_use" {
        empty["input"] = json!({});
        let delta = json!({
            "type": "input_json_delta",
            "partial_json": block["input"].to_string(),
        });
        (empty, delta)
    } else {
        empty["text"] = json!("");
        let delta = json!({"type": "text_delta", "text": block["text"]});
        (empty, delta)
    }
}

/// Small and constant: a run costs nothing, and the host must not think its context is full.
fn usage() -> Value {
    json!({
        "input_tokens": 10,
        "output_tokens": 10,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::tests::spoken;

    #[test]
    fn a_stream_says_what_the_message_says() {
        let message = Messages.reply(&spoken(Some("hi"), &[("Write", json!({"path": "f"}))]));
        assert_eq!(message["stop_reason"], "tool_use");
        let events = events(&message);
        let names: Vec<_> = events.iter().map(|(name, _)| *name).collect();
        assert_eq!(
            names,
            [
                "message_start",
                "content_block_start",
                "content_block_delta",
                "content_block_stop",
                "content_block_start",
                "content_block_delta",
                "content_block_stop",
                "message_delta",
                "message_stop",
            ]
        );
        for (name, data) in &events {
            assert_eq!(data["type"], *name);
        }
        assert_eq!(events[0].1["message"]["content"], json!([]));
        assert_eq!(
            events[2].1["delta"],
            json!({"type": "text_delta", "text": "hi"})
        );
        let json = events[5].1["delta"]["partial_json"].as_str().unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(json).unwrap(),
            message["content"][1]["input"]
        );
        assert_eq!(events[7].1["delta"]["stop_reason"], "tool_use");
    }

    #[test]
    fn an_empty_turn_is_an_empty_message() {
        let message = Messages.reply(&spoken(None, &[]));
        assert_eq!(message["content"], json!([]));
        assert_eq!(message["stop_reason"], "end_turn");
        assert_eq!(events(&message).len(), 3);
    }
}
