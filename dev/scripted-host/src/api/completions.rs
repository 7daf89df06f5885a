//! The chat completions of `OpenAI`, which most hosts speak to a model of the person's own.

use serde_json::{Value, json};

use super::{Api, Spoken, sse};
use crate::conversation::{Dialogue, Line, Speaker, list, texts};
use crate::scenario::ApiError;

/// `POST /v1/chat/completions`.
#[derive(Debug)]
pub(crate) struct Completions;

impl Api for Completions {
    fn dialogue<'r>(&self, request: &'r Value) -> Dialogue<'r> {
        let said = list(&request["messages"]).flat_map(|message| {
            let speaker = match message["role"].as_str() {
                Some("assistant") => Speaker::Model,
                Some("user") => Speaker::Person,
                Some("tool") => Speaker::Tool,
                Some("system") => Speaker::System,
                _ => Speaker::Host,
            };
            let texts = texts(&message["content"]).into_iter();
            texts.map(move |text| Line::new(speaker, text))
        });
        Dialogue::new(said, &request["tools"])
    }

    fn reply(&self, spoken: &Spoken<'_>) -> Value {
        let calls = spoken.tools.iter().enumerate().map(|(index, tool)| {
            let function = json!({"name": tool.name, "arguments": tool.input.to_string()});
            json!({"index": index, "id": tool.id, "type": "function", "function": function})
        });
        let mut message = json!({"role": "assistant", "content": spoken.text});
        if !spoken.tools.is_empty() {
            message["tool_calls"] = calls.collect();
        }
        let end = if spoken.tools.is_empty() {
            "stop"
        } else {
            "tool_calls"
        };
        json!({
            "id": format!("chatcmpl-{:04}", spoken.number),
            "object": "chat.completion",
            "created": 0,
            "model": spoken.model,
            "choices": [{"index": 0, "message": message, "finish_reason": end}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20},
        })
    }

    fn stream(&self, reply: &Value) -> String {
        let mut chunk = reply.clone();
        chunk["object"] = json!("chat.completion.chunk");
        chunk["usage"] = Value::Null;
        let choice = &reply["choices"][0];
        let with = |delta: &Value, end: &Value| {
            let mut chunk = chunk.clone();
            chunk["choices"] = json!([{"index": 0, "delta": delta, "finish_reason": end}]);
            chunk
        };
        let said = with(&choice["message"], &Value::Null);
        let ended = with(&json!({}), &choice["finish_reason"]);
        let mut counted = chunk.clone();
        counted["choices"] = json!([]);
        counted["usage"] = reply["usage"].clone();
        let chunks = [said, ended, counted];
        let chunks = chunks.iter().map(|chunk| sse(None, chunk));
        chunks.chain(["data: [DONE]\n\n".to_owned()]).collect()
    }

    fn error(&self, error: &ApiError) -> Value {
        json!({"error": {"type": error.kind, "message": error.message, "code": null}})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::tests::spoken;

    #[test]
    fn a_conversation_is_read_from_the_messages() {
        let request = json!({
            "tools": [{"type": "function"}],
            "messages": [
                {"role": "system", "content": "rules"},
                {"role": "user", "content": [{"type": "text", "text": "[[script:a]] go"}]},
                {"role": "assistant", "content": null, "tool_calls": [{"id": "c"}]},
                {"role": "tool", "tool_call_id": "c", "content": "done"},
            ],
        });
        let dialogue = Completions.dialogue(&request);
        assert_eq!(dialogue.script_name(), Some("a"));
        assert_eq!(dialogue.told(), ["[[script:a]] go", "done"]);
    }

    #[test]
    fn a_stream_ends_with_its_reason_and_what_it_cost() {
        let reply = Completions.reply(&spoken(None, &[("write", json!({"path": "f"}))]));
        assert_eq!(reply["choices"][0]["finish_reason"], "tool_calls");
        let stream = Completions.stream(&reply);
        let data: Vec<_> = stream.split("\n\n").collect();
        assert_eq!(data.len(), 5, "{stream}");
        assert!(
            data[0].contains(r#""arguments":"{\"path\":\"f\"}""#),
            "{stream}"
        );
        assert!(
            data[1].contains(r#""finish_reason":"tool_calls""#),
            "{stream}"
        );
        assert!(data[2].contains(r#""total_tokens":20"#), "{stream}");
        assert_eq!(data[3], "data: [DONE]");
    }
}
