//! A turn of the script in the shapes of the Messages API: one message, or a stream of events.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::scenario::{ApiError, Turn, fill, fill_text};

/// One event of a stream: its name and its data.
type Event = (&'static str, Value);

/// The whole message, as the API gives it when no stream was asked for.
///
/// `number` makes the ids unique in a run and the same in the next run.
#[must_use]
pub fn message(
    turn: &Turn,
    model: &str,
    number: usize,
    variables: &BTreeMap<String, String>,
) -> Value {
    let mut content = Vec::new();
    if let Some(text) = &turn.text {
        content.push(json!({"type": "text", "text": fill_text(text, variables)}));
    }
    for (index, tool) in turn.tools.iter().enumerate() {
        content.push(json!({
            "type": "tool_use",
            "id": format!("toolu_{number:04}_{index}"),
            "name": tool.name,
            "input": fill(&tool.input, variables),
        }));
    }
    let stop_reason = if turn.tools.is_empty() {
        "end_turn"
    } else {
        "tool_use"
    };
    json!({
        "id": format!("msg_{number:04}"),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": null,
        "usage": usage(),
    })
}

/// The same message as the events of a stream.
fn events(message: &Value) -> Vec<Event> {
    let mut opening = message.clone();
    opening["content"] = json!([]);
    opening["stop_reason"] = Value::Null;
    let mut events = vec![(
        "message_start",
        json!({"type": "message_start", "message": opening}),
    )];
    let blocks = message["content"].as_array();
    for (index, block) in blocks.into_iter().flatten().enumerate() {
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

/// The same as the text of a stream of server-sent events.
#[must_use]
pub fn stream(message: &Value) -> String {
    let mut stream = String::new();
    for (name, data) in events(message) {
        stream.push_str(&format!("event: {name}\ndata: {data}\n\n"));
    }
    stream
}

/// The body of an API error.
#[must_use]
pub fn error(error: &ApiError) -> Value {
    json!({"type": "error", "error": {"type": error.kind, "message": error.message}})
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
    use crate::scenario::Scenario;

    fn turn(text: &str) -> Turn {
        let scenario = Scenario::parse(text).unwrap();
        scenario.turn("a", 0).unwrap().clone()
    }

    #[test]
    fn a_stream_says_what_the_message_says() {
        let turn = turn(
            "[[scripts.a]]\ntext = 'hi'\ntools = [{ name = 'Write', input = { file_path = '${repo}/f' } }]",
        );
        let variables = BTreeMap::from([("repo".to_owned(), "/r".to_owned())]);
        let message = message(&turn, "m", 7, &variables);
        assert_eq!(message["stop_reason"], "tool_use");
        assert_eq!(message["content"][1]["input"]["file_path"], "/r/f");

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
        let message = message(&turn("[[scripts.a]]\n"), "m", 1, &BTreeMap::new());
        assert_eq!(message["content"], json!([]));
        assert_eq!(message["stop_reason"], "end_turn");
        assert_eq!(events(&message).len(), 3);
    }
}
