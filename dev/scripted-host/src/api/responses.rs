//! The Responses API of `OpenAI`, which Codex speaks: always a stream.

use serde_json::{Value, json};

use super::{Api, Spoken, sse};
use crate::conversation::{Dialogue, Line, Speaker, list, texts};
use crate::scenario::ApiError;

/// `POST /v1/responses`.
#[derive(Debug)]
pub(crate) struct Responses;

impl Api for Responses {
    fn dialogue<'r>(&self, request: &'r Value) -> Dialogue<'r> {
        let system = texts(&request["instructions"]).into_iter();
        let system = system.map(|text| Line::new(Speaker::System, text));
        let said = list(&request["input"]).flat_map(lines);
        Dialogue::new(system.chain(said), &request["tools"])
    }

    fn reply(&self, spoken: &Spoken<'_>) -> Value {
        let number = spoken.number;
        let mut output = Vec::new();
        if let Some(text) = &spoken.text {
            output.push(json!({
                "type": "message",
                "id": format!("msg_{number:04}"),
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": text, "annotations": []}],
            }));
        }
        for tool in &spoken.tools {
            output.push(json!({
                "type": "function_call",
                "id": format!("fc_{}", tool.id),
                "call_id": tool.id,
                "name": tool.name,
                "arguments": tool.input.to_string(),
                "status": "completed",
            }));
            if let (Some(space), Some(call)) = (&tool.namespace, output.last_mut()) {
                call["namespace"] = json!(space);
            }
        }
        json!({
            "id": format!("resp_{number:04}"),
            "object": "response",
            "status": "completed",
            "model": spoken.model,
            "output": output,
            "usage": {
                "input_tokens": 10,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": 10,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": 20,
            },
        })
    }

    fn stream(&self, reply: &Value) -> String {
        let opening = json!({"id": reply["id"], "object": "response", "status": "in_progress"});
        let created = json!({"type": "response.created", "response": opening});
        let items = list(&reply["output"])
            .enumerate()
            .flat_map(|(index, item)| {
                ["added", "done"].map(|what| {
                    let kind = format!("response.output_item.{what}");
                    json!({"type": kind, "output_index": index, "item": item})
                })
            });
        let completed = json!({"type": "response.completed", "response": reply});
        std::iter::once(created)
            .chain(items)
            .chain([completed])
            .map(|event| sse(event["type"].as_str(), &event))
            .collect()
    }

    fn error(&self, error: &ApiError) -> Value {
        json!({"error": {"type": error.kind, "message": error.message, "code": null}})
    }
}

/// What an item of the input says. A tool's result is a text, or a list of texts.
fn lines(item: &Value) -> Vec<Line<'_>> {
    let (speaker, content) = match item["type"].as_str() {
        Some("function_call_output" | "custom_tool_call_output") => {
            (Speaker::Tool, &item["output"])
        }
        Some("message") | None => match item["role"].as_str() {
            Some("assistant") => (Speaker::Model, &item["content"]),
            Some("user") => (Speaker::Person, &item["content"]),
            _ => (Speaker::Host, &item["content"]),
        },
        _ => return Vec::new(),
    };
    let texts = texts(content).into_iter();
    texts.map(|text| Line::new(speaker, text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::tests::spoken;

    #[test]
    fn a_conversation_is_read_from_the_items() {
        let request = json!({
            "instructions": "be good",
            "tools": [{"type": "function", "name": "shell"}],
            "input": [
                {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "rules"}]},
                {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "[[script:a]] go"}]},
                {"type": "reasoning", "summary": []},
                {"type": "function_call", "name": "shell", "arguments": "[[script:b]]", "call_id": "c"},
                {"type": "function_call_output", "call_id": "c", "output": "done"},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "mine"}]},
            ],
        });
        let dialogue = Responses.dialogue(&request);
        assert_eq!(dialogue.script_name(), Some("a"));
        assert_eq!(dialogue.told(), ["rules", "[[script:a]] go", "done"]);
        assert!(!dialogue.is_side_request());
    }

    #[test]
    fn a_stream_has_every_item_whole() {
        let reply = Responses.reply(&spoken(Some("hi"), &[("shell", json!({"command": "ls"}))]));
        let stream = Responses.stream(&reply);
        let events: Vec<_> = stream
            .lines()
            .filter_map(|line| line.strip_prefix("event: "))
            .collect();
        assert_eq!(
            events,
            [
                "response.created",
                "response.output_item.added",
                "response.output_item.done",
                "response.output_item.added",
                "response.output_item.done",
                "response.completed",
            ]
        );
        assert!(
            stream.contains(r#""arguments":"{\"command\":\"ls\"}""#),
            "{stream}"
        );
    }
}
