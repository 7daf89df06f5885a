//! What one line of a Claude Code transcript says. Observed in 2.1.329.
//!
//! A reply of the model is written as one line per content block; the lines of one reply share
//! `message.id`. Text, a tool call and a stretch of thinking are blocks. The result of a call is a
//! block in a later line of type `user`.

mod background;

use attest_json::{self as json, Object};

use crate::record::{Effect, Ending, Event, Form, Reply, Shows, ToolResult, ToolUse};
use crate::usage::{Usage, number};
use crate::{Background, content};

/// The tools that write the file they are given, each with the name of its parameter for that file.
const WRITE_TOOLS: [(&str, &str); 4] = [
    ("Write", "file_path"),
    ("Edit", "file_path"),
    ("MultiEdit", "file_path"),
    ("NotebookEdit", "notebook_path"),
];

/// Tools that write nothing.
const READ_ONLY_TOOLS: [&str; 24] = [
    "AskUserQuestion",
    "BashOutput",
    "EnterPlanMode",
    "ExitPlanMode",
    "Glob",
    "Grep",
    "KillShell",
    "LS",
    "ListMcpResourcesTool",
    "NotebookRead",
    "Read",
    "ReadMcpResourceTool",
    "StructuredOutput",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
];

/// Tools that show a file, each with the name of its parameter for that file.
const SHOW_A_FILE: [(&str, &str); 2] = [("Read", "file_path"), ("NotebookRead", "notebook_path")];

/// Tools that search in files.
const SHOW_A_FOLDER: [&str; 1] = ["Grep"];

/// Tools that show none, but perhaps their names. What is left of those that only read may hand on what a command or
/// a server has read.
const SHOW_NOTHING: [&str; 12] = [
    "EnterPlanMode",
    "ExitPlanMode",
    "Glob",
    "LS",
    "StructuredOutput",
    "TaskCreate",
    "TaskList",
    "TaskUpdate",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
    "WebSearch",
];

/// What the host puts before a command that the person types into a session.
const PERSON_RAN: &str = "<bash-input>";
/// How the words begin with which a hook sends an agent back.
const SENT_BACK: &str = "Stop hook feedback:";

/// The format of Claude Code's transcripts.
pub struct ClaudeCode;

impl Form for ClaudeCode {
    fn event(&self, line: &Object<'_>) -> Option<Event> {
        match line.text("type")?.as_str() {
            "user" => {
                let results = content::results(line).into_iter();
                Some(Event::User(results.map(with_exit).collect()))
            }
            "assistant" => Some(Event::Assistant(reply(line))),
            _ => None,
        }
    }

    /// The usage of a reply. A message that the host writes in the model's name used no tokens and says
    /// nothing.
    fn usage(&self, line: &Object<'_>) -> Option<Usage> {
        (line.text("type")? == "assistant").then_some(())?;
        let message = line.object("message")?;
        let usage = message.object("usage")?;
        let model = message.text("model");
        if is_synthetic(line, model.as_deref()) {
            return None;
        }
        Some(Usage {
            model,
            input_tokens: number(&usage, "input_tokens"),
            cache_creation_input_tokens: number(&usage, "cache_creation_input_tokens"),
            cache_read_input_tokens: number(&usage, "cache_read_input_tokens"),
            output_tokens: number(&usage, "output_tokens"),
            named_window: None,
        })
    }

    fn only_reads(&self, tool: &str) -> bool {
        READ_ONLY_TOOLS.contains(&tool)
    }

    fn shows(&self, tool: &str, input: &Object<'_>) -> Option<Shows> {
        content::shows(tool, input, &SHOW_A_FILE, &SHOW_A_FOLDER, &SHOW_NOTHING)
    }

    /// Those of the request, as 2.1.330 keeps it in two forms, and those that the agent may ask for.
    fn offered(&self, line: &Object<'_>) -> Vec<String> {
        let part = match line.text("type").as_deref() {
            Some("attachment") => line.object("attachment"),
            Some("api-request-shape") => line.object("shape"),
            _ => None,
        };
        let Some(part) = part else {
            return Vec::new();
        };
        let list = |field: &str| part.raw(field).and_then(json::array).unwrap_or_default();
        let tools = list("tools").into_iter();
        let tools = tools.filter_map(|tool| Object::parse(tool).ok()?.text("name"));
        let is_later = part.text("type").as_deref() == Some("deferred_tools_delta");
        let later = list("addedNames").into_iter().filter(|_| is_later);
        tools.chain(later.filter_map(json::text)).collect()
    }

    /// A message may reach an agent at work as an attachment.
    fn asked(&self, line: &Object<'_>) -> Option<String> {
        let text = match line.text("type")?.as_str() {
            "user" if !line.is_true("isMeta") => content::words(&line.object("message")?),
            "attachment" => line
                .object("attachment")
                .filter(|it| it.text("type").as_deref() == Some("queued_command"))?
                .text("prompt"),
            _ => None,
        };
        let text = text.filter(|text| !text.trim_start().starts_with(background::NOTIFICATION))?;
        Some(of_teammate(&text).map_or_else(|| text.clone(), str::to_owned))
    }

    fn background(&self, line: &Object<'_>) -> Vec<Background> {
        background::of(line)
    }

    fn is_own(&self, line: &Object<'_>) -> Option<bool> {
        let kind = line.text("type")?;
        // Other hosts have lines of type `user` as well, without a message.
        let is_conversation = matches!(&*kind, "user" | "assistant");
        let is_message = is_conversation && line.raw("message").is_some();
        (is_message || kind == "attachment").then(|| kind == "assistant")
    }

    fn is_summary(&self, line: &Object<'_>) -> bool {
        line.is_true("isCompactSummary")
    }

    fn person_ran(&self, line: &Object<'_>) -> bool {
        let message = line
            .raw("message")
            .filter(|_| line.text("type").as_deref() == Some("user"));
        message.is_some_and(|message| message.contains(PERSON_RAN))
    }

    fn sends_back(&self, line: &Object<'_>) -> bool {
        let text = || content::words(&line.object("message")?);
        line.is_true("isMeta") && text().is_some_and(|text| text.starts_with(SENT_BACK))
    }

    /// `claude --resume --fork-session` copies all records with their ids, and puts its own session into them.
    fn record_id(&self, line: &Object<'_>) -> Option<String> {
        line.text("uuid")
    }
}

/// What one of a team is asked by another: the host puts that between tags. Observed in 2.1.170 and 2.1.330.
fn of_teammate(text: &str) -> Option<&str> {
    let text = text.trim().strip_prefix("<teammate-message ")?;
    let (_, text) = text.split_once(">\n")?;
    text.strip_suffix("\n</teammate-message>")
}

/// Whether the host wrote the line in the model's name.
fn is_synthetic(line: &Object<'_>, model: Option<&str>) -> bool {
    line.is_true("isApiErrorMessage") || model == Some("<synthetic>")
}

/// The reply, or the part of one, in a line of type `assistant`.
fn reply(line: &Object<'_>) -> Reply {
    let message = line.object("message");
    let text = |name| message.as_ref()?.text(name);
    Reply {
        id: text("id"),
        ending: ending(text("stop_reason").as_deref()),
        synthetic: is_synthetic(line, text("model").as_deref()),
        blocks: message
            .as_ref()
            .and_then(|message| message.raw("content"))
            .map_or_else(Vec::new, |content| content::blocks(content, tool_use)),
    }
}

/// The result with the status that a command ended with. A failure is told in words, "Exit code 3"; another error is
/// of the host, such as a time limit or a refusal.
fn with_exit(result: ToolResult) -> ToolResult {
    let printed = result.printed.as_deref().unwrap_or_default();
    let told = || {
        let line = printed.lines().next()?.trim();
        line.strip_prefix("Exit code ")?.trim().parse().ok()
    };
    let exit = match result.success {
        Some(true) => Some(0),
        _ => told(),
    };
    ToolResult { exit, ..result }
}

fn ending(stop_reason: Option<&str>) -> Ending {
    match stop_reason {
        Some("end_turn" | "stop_sequence" | "refusal") => Ending::Complete,
        Some("tool_use" | "pause_turn") => Ending::Continues,
        _ => Ending::Unclear,
    }
}

fn tool_use(block: &Object<'_>) -> ToolUse {
    let tool = block.text("name").unwrap_or_default();
    let input = block.object("input");
    let writer = WRITE_TOOLS.iter().find(|(name, _)| *name == tool);
    let targets = match (writer, &input) {
        (Some((_, field)), Some(input)) => {
            let path = input.text(field).map(|path| (Effect::Writes, path));
            path.into_iter().collect()
        }
        _ => Vec::new(),
    };
    ToolUse::new(block.text("id"), tool, targets, block.raw("input"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms;
    use crate::record::Block::{Other, Text, ToolUse};
    use crate::record::{self, Event, Record};

    fn decode(line: &[u8]) -> Option<Record> {
        record::decode(line, forms::ALL)
    }

    fn reply_of(line: &str) -> Reply {
        match decode(line.as_bytes()).map(|record| record.event) {
            Some(Event::Assistant(reply)) => reply,
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
            ToolUse(record::ToolUse {
                id: Some("x".into()),
                tool: "Write".into(),
                targets: Vec::new(),
                input: Some("{}".into()),
            }),
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
    fn a_call_names_the_file_that_it_writes() {
        let call = |name: &str, input: &str| {
            let line = format!(
                r#"{{"type":"assistant","message":{{"content":[
                {{"type":"tool_use","id":"t1","name":"{name}","input":{input}}}]}}}}"#
            );
            match reply_of(&line).blocks.pop() {
                Some(ToolUse(call)) => (call.id.unwrap(), call.tool, call.targets),
                other => panic!("{other:?}"),
            }
        };
        let targets = |path: &str| vec![(Effect::Writes, path.to_owned())];
        for (name, input, expected) in [
            (
                "Write",
                r#"{"file_path":"/a","content":"x"}"#,
                targets("/a"),
            ),
            ("Edit", r#"{"file_path":"/a"}"#, targets("/a")),
            (
                "MultiEdit",
                r#"{"file_path":"/a","edits":[]}"#,
                targets("/a"),
            ),
            (
                "NotebookEdit",
                r#"{"notebook_path":"/n.ipynb"}"#,
                targets("/n.ipynb"),
            ),
            ("NotebookEdit", r#"{"file_path":"/n.ipynb"}"#, vec![]),
            ("Write", r#"{"file_path":5}"#, vec![]),
            ("Write", "[]", vec![]),
            ("Read", r#"{"file_path":"/a"}"#, vec![]),
        ] {
            let expected = ("t1".to_owned(), name.to_owned(), expected);
            assert_eq!(call(name, input), expected);
        }
    }

    #[test]
    fn a_result_is_a_success_unless_it_says_that_it_is_an_error() {
        let line = r#"{"type":"user","message":{"content":[
            {"type":"tool_result","tool_use_id":"a","content":"x"},
            {"type":"tool_result","tool_use_id":"b","content":[],"is_error":false},
            {"type":"tool_result","tool_use_id":"c","is_error":true},
            {"type":"tool_result"},{"type":"text","text":"x"},7]}}"#;
        let Some(Event::User(results)) = decode(line.as_bytes()).map(|record| record.event) else {
            panic!()
        };
        let results: Vec<_> = results.into_iter().map(|r| (r.id, r.success)).collect();
        let expected = [("a", true), ("b", true), ("c", false)];
        assert_eq!(results, expected.map(|(id, ok)| (id.to_owned(), Some(ok))));
        let text = br#"{"type":"user","isMeta":true,"message":{"content":"hello"}}"#;
        assert_eq!(decode(text).unwrap().event, Event::User(Vec::new()));
    }
}
