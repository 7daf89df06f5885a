//! A transcript that grows as its agent works.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// The lines of one transcript, as Claude Code writes them.
#[derive(Default)]
pub struct Lines(pub String, u32);

impl Lines {
    pub fn call(&mut self, tool: &str, input: &Value, result: Option<Result<&str, &str>>) {
        self.1 += 1;
        let id = format!("t{}", self.1);
        let block = json!({"type": "tool_use", "id": id, "name": tool, "input": input});
        self.line(json!({"type": "assistant",
            "message": {"id": format!("m{id}"), "stop_reason": "tool_use", "content": [block]}}));
        let (text, is_error) = match result {
            None => return,
            Some(Ok(text)) => (text, false),
            Some(Err(text)) => (text, true),
        };
        let block = json!({"type": "tool_result", "tool_use_id": id, "content": text, "is_error": is_error});
        let mut line = json!({"type": "user", "message": {"role": "user", "content": [block]}});
        if is_error {
            line["toolUseResult"] = format!("Error: {text}").into();
        }
        self.line(line);
    }

    /// Something that the agent is asked.
    pub fn asked(&mut self, prompt: &str) {
        self.line(json!({"type": "user", "message": {"role": "user", "content": prompt}}));
    }

    /// Something that it says, and goes on.
    pub fn says(&mut self, text: &str) {
        let block = json!({"type": "text", "text": text});
        self.line(json!({"type": "assistant",
            "message": {"id": "said", "stop_reason": "tool_use", "content": [block]}}));
    }

    pub fn bash(&mut self, command: &str, status: i32, printed: &str) {
        let input = json!({"command": command});
        let failed = format!("Exit code {status}\n{printed}");
        let result = if status == 0 {
            Ok(printed)
        } else {
            Err(failed.as_str())
        };
        self.call("Bash", &input, Some(result));
    }

    pub fn line(&mut self, mut line: Value) {
        line["timestamp"] = jiff::Timestamp::now().to_string().into();
        writeln!(self.0, "{line}").unwrap();
    }

    pub fn end(&mut self, message: &str) {
        let block = json!({"type": "text", "text": message.trim()});
        self.line(json!({"type": "assistant",
            "message": {"id": "last", "stop_reason": "end_turn", "content": [block]}}));
    }
}
