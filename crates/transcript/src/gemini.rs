//! What one line of a Gemini CLI session says. Observed in 0.61.0.
//!
//! A line is a message of the person or of the model, or a change to the session. A message is written again,
//! under its id, when the results of its tools are known: only then are its calls in it. The results stand there, and
//! once more in the line of the user that follows.

use attest_json::{self as json, Object};

use crate::content;
use crate::record::{Block, Effect, Ending, Event, Form, Reply, Shows, ToolResult, ToolUse};

/// The tools that write the file in their argument `file_path`.
const WRITE_TOOLS: [&str; 2] = ["replace", "write_file"];

/// Tools that write nothing.
const READ_ONLY_TOOLS: [&str; 4] = ["glob", "grep_search", "list_directory", "read_file"];

/// Tools that show a file, search in files, or show none but perhaps their names.
const SHOW_A_FILE: [(&str, &str); 1] = [("read_file", "file_path")];
const SHOW_A_FOLDER: [&str; 1] = ["grep_search"];
const SHOW_NOTHING: [&str; 2] = ["glob", "list_directory"];

/// The format of Gemini CLI's sessions.
pub struct Gemini;

impl Form for Gemini {
    fn event(&self, line: &Object<'_>) -> Option<Event> {
        match line.text("type")?.as_str() {
            // A host with the same word has its content in a message.
            "user" if line.raw("content").is_some() => Some(Event::User(results(line))),
            "gemini" => Some(Event::Assistant(reply(line))),
            _ => None,
        }
    }

    fn only_reads(&self, tool: &str) -> bool {
        READ_ONLY_TOOLS.contains(&tool)
    }

    fn shows(&self, tool: &str, input: &Object<'_>) -> Option<Shows> {
        content::shows(tool, input, &SHOW_A_FILE, &SHOW_A_FOLDER, &SHOW_NOTHING)
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
    let path = WRITE_TOOLS
        .contains(&tool.as_str())
        .then(|| call.object("args")?.text("file_path"))
        .flatten();
    let targets = Vec::from_iter(path.map(|path| (Effect::Writes, path)));
    let input = call.raw("args");
    Block::ToolUse(ToolUse::new(call.text("id"), tool, targets, input))
}

/// The exit status of a command, which the host puts behind what it printed if it is not 0. One that it does not name
/// may be that of a command that goes on.
fn exit(output: &str) -> Option<i32> {
    let mut last = output.lines().rev();
    let line = last.find(|line| !line.starts_with("</") && !line.starts_with("Process Group"))?;
    line.strip_prefix("Exit Code: ")?.trim().parse().ok()
}

/// The results in a line of the user, each in a part of its own. A call that failed has an error in place of an
/// output.
fn results(line: &Object<'_>) -> Vec<ToolResult> {
    let parts = line.raw("content").and_then(json::array);
    let result = |part: &str| {
        let part = Object::parse(part)
            .ok()?
            .object("functionResponse")
            .map(|it| {
                let response = it.object("response");
                let output = response.as_ref().and_then(|it| it.text("output"));
                let has = |field| response.as_ref().is_some_and(|it| it.raw(field).is_some());
                ToolResult {
                    id: it.text("id").unwrap_or_default(),
                    success: (has("output") || has("error")).then(|| !has("error")),
                    exit: output.as_deref().and_then(exit),
                    printed: output.as_deref().and_then(content::beginning),
                }
            });
        part.filter(|result| !result.id.is_empty())
    };
    parts.into_iter().flatten().filter_map(result).collect()
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

    #[test]
    fn a_command_that_failed_has_its_status() {
        let end = "Process Group PGID: 1\n</untrusted_context>";
        assert_eq!(exit(&format!("Output: gone\nExit Code: 3\n{end}")), Some(3));
        assert_eq!(exit(&format!("Output: Exit Code: 3\nfine\n{end}")), None);
    }
}
