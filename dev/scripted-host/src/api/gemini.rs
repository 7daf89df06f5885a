//! `generateContent` of the Gemini API, which Gemini CLI speaks.

use serde_json::{Value, json};

use super::{Api, Spoken, sse};
use crate::conversation::{Dialogue, Line, Speaker, list};
use crate::scenario::ApiError;

/// `POST /v1beta/models/MODEL:generateContent` and `:streamGenerateContent`.
#[derive(Debug)]
pub(crate) struct Gemini;

impl Api for Gemini {
    fn dialogue<'r>(&self, request: &'r Value) -> Dialogue<'r> {
        let system = list(&request["systemInstruction"]["parts"]);
        let system = system.filter_map(|part| part["text"].as_str());
        let system = system.map(|text| Line::new(Speaker::System, text));
        let said = list(&request["contents"]).flat_map(|content| {
            let is_model = content["role"] == "model";
            list(&content["parts"]).filter_map(move |part| line(part, is_model))
        });
        Dialogue::new(system.chain(said), &request["tools"])
    }

    fn reply(&self, spoken: &Spoken<'_>) -> Value {
        let text = spoken.text.iter().map(|text| json!({ "text": text }));
        let calls = spoken.tools.iter().map(|tool| {
            let call = json!({"id": tool.id, "name": tool.name, "args": tool.input});
            json!({ "functionCall": call })
        });
        let parts: Value = text.chain(calls).collect();
        json!({
            "candidates": [{
                "content": {"role": "model", "parts": parts},
                "finishReason": "STOP",
                "index": 0,
            }],
            "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20},
            "modelVersion": spoken.model,
            "responseId": format!("resp_{:04}", spoken.number),
        })
    }

    fn stream(&self, reply: &Value) -> String {
        sse(None, reply)
    }

    fn error(&self, error: &ApiError) -> Value {
        json!({"error": {"code": error.status, "message": error.message, "status": error.kind}})
    }
}

fn line(part: &Value, is_model: bool) -> Option<Line<'_>> {
    if let Some(text) = part["text"].as_str() {
        let speaker = if is_model {
            Speaker::Model
        } else {
            Speaker::Person
        };
        return Some(Line::new(speaker, text));
    }
    let output = &part["functionResponse"]["response"]["output"];
    Some(Line::new(Speaker::Tool, output.as_str()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::tests::spoken;

    #[test]
    fn a_conversation_is_read_from_the_contents() {
        let request = json!({
            "systemInstruction": {"role": "user", "parts": [{"text": "rules"}]},
            "tools": [{"functionDeclarations": []}],
            "contents": [
                {"role": "user", "parts": [{"text": "context"}, {"text": "[[script:a]] go"}]},
                {"role": "model", "parts": [{"text": "mine"}, {"functionCall": {"name": "t", "args": {}}}]},
                {"role": "user", "parts": [{"functionResponse": {"name": "t", "response": {"output": "done"}}}]},
            ],
        });
        let dialogue = Gemini.dialogue(&request);
        assert_eq!(dialogue.script_name(), Some("a"));
        assert_eq!(dialogue.told(), ["context", "[[script:a]] go", "done"]);
    }

    #[test]
    fn a_reply_holds_text_and_calls_as_parts() {
        let reply = Gemini.reply(&spoken(Some("hi"), &[("write_file", json!({"path": "f"}))]));
        let parts = &reply["candidates"][0]["content"]["parts"];
        assert_eq!(parts[0]["text"], "hi");
        assert_eq!(parts[1]["functionCall"]["args"]["path"], "f");
    }
}
