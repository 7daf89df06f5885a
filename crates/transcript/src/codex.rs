//! What one line of a Codex rollout says.
//!
//! The conversation is in lines of type `response_item`, one per item: a message, a tool call, or
//! its output. Other lines (`event_msg`, `turn_context`, …) repeat it for a reader.

use attest_json::{self as json, Object};

use crate::printed::Printed;
use crate::record::{Block, Ending, Event, Form, Line, Reply, ToolResult, ToolUse, Tools};
use crate::usage::{Usage, number};

const TOOLS: Tools = Tools {
    write: &[],
    only_read: "grep_files list_dir read_file request_user_input tool_search update_plan view_image web_search",
    show_a_file: &[("read_file", "file_path"), ("view_image", "path")],
    show_a_folder: "grep_files",
    show_nothing: "list_dir tool_search update_plan web_search",
};

/// How a plain-text output gives the exit status of a command.
const STATUS_LINES: [&str; 2] = ["Exit code: ", "Process exited with code "];

/// The format of Codex's rollouts.
pub struct Codex;

impl Form for Codex {
    fn read(&self, line: &Object<'_>) -> Option<Line> {
        let payload = || line.object("payload");
        Some(match line.word("type")? {
            "response_item" => {
                let item = payload();
                let is_thought = item.as_ref().and_then(|it| it.word("type")) == Some("reasoning");
                let event = item.as_ref().map_or(Event::Other, event);
                let is_own = Some(is_thought || matches!(event, Event::Assistant(_)));
                Line {
                    is_own,
                    ..event.into()
                }
            }
            "event_msg" => Line {
                is_own: Some(true),
                usage: payload().as_ref().and_then(usage),
                ..Line::default()
            },
            kind @ ("session_meta" | "turn_context" | "compacted") => Line {
                is_own: Some(false),
                is_summary: kind == "compacted",
                forks: kind == "session_meta"
                    && payload().is_some_and(|it| it.raw("forked_from_id").is_some()),
                ..Line::default()
            },
            _ => return None,
        })
    }

    fn tools(&self) -> &'static Tools {
        &TOOLS
    }
}

/// The usage in a token count, whose input includes what came from the cache.
fn usage(payload: &Object<'_>) -> Option<Usage> {
    (payload.word("type")? == "token_count").then_some(())?;
    let info = payload.object("info")?;
    let usage = info.object("last_token_usage")?;
    let cached = number(&usage, "cached_input_tokens");
    let window = number(&info, "model_context_window");
    Some(Usage {
        model: None,
        input_tokens: number(&usage, "input_tokens").saturating_sub(cached),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: cached,
        output_tokens: number(&usage, "output_tokens"),
        named_window: (window > 0).then_some(window),
    })
}

/// The item in a line of type `response_item`.
fn event(item: &Object<'_>) -> Event {
    let kind = item.text("type").unwrap_or_default();
    if kind == "message" {
        return message(item);
    }
    if kind.ends_with("_output") {
        return Event::User(output(item).into_iter().collect());
    }
    match kind.strip_suffix("_call") {
        Some(name) => said(vec![Block::ToolUse(call(item, name))]),
        None => Event::Other,
    }
}

fn message(item: &Object<'_>) -> Event {
    let texts = item.objects("content").filter_map(|part| part.text("text"));
    match item.word("role") {
        Some("assistant") => said(texts.map(Block::Text).collect()),
        Some("user") => Event::User(Vec::new()),
        _ => Event::Other,
    }
}

fn said(blocks: Vec<Block>) -> Event {
    Event::Assistant(Reply {
        ending: Ending::Complete,
        blocks,
        ..Reply::default()
    })
}

/// A call without its own name is known by its kind: `local_shell_call` calls `local_shell`.
fn call(item: &Object<'_>, kind: &str) -> ToolUse {
    let tool = item.text("name").unwrap_or_else(|| kind.to_owned());
    let inputs = ["arguments", "input", "action"];
    let input = inputs.into_iter().find_map(|field| item.raw(field));
    ToolUse::new(item.text("call_id"), tool, Vec::new(), input)
}

/// An output is a text, an object, or parts with texts. If it does not say how the call went, the
/// answer is unknown: a tool's own words are not a status.
fn output(item: &Object<'_>) -> Option<ToolResult> {
    let output = item.raw("output").unwrap_or_default();
    let object = Object::parse(output).ok();
    let text = text_of(output);
    let inner = text.as_deref().and_then(|text| Object::parse(text).ok());
    let code = match object.as_ref().or(inner.as_ref()) {
        Some(object) => object.object("metadata").and_then(|it| it.raw("exit_code")),
        None => text.as_deref().and_then(status_line),
    };
    let plain = text.as_deref().filter(|_| inner.is_none());
    let begins = |start: &str| plain.is_some_and(|text| text.starts_with(start));
    let has_succeeded = object.is_some_and(|it| it.is_true("success"))
        || begins("Success. Updated the following files:");
    let success = if has_succeeded {
        Some(true)
    } else if begins("apply_patch verification failed") {
        Some(false)
    } else {
        code.map(|code| code == "0")
    };
    let inner = inner.as_ref().and_then(|it| it.text("output"));
    Some(ToolResult {
        id: item.text("call_id")?,
        success,
        exit: code.and_then(|code| code.parse().ok()),
        printed: inner
            .as_ref()
            .or(text.as_ref())
            .and_then(|it| Printed::of(it)),
    })
}

/// The text of an output, or of the first of its parts.
fn text_of(output: &str) -> Option<String> {
    json::text(output).or_else(|| {
        let parts = json::array(output)?;
        Object::parse(parts.first()?).ok()?.text("text")
    })
}

/// What the first lines give as the exit status.
fn status_line(text: &str) -> Option<&str> {
    text.lines().take(8).find_map(|line| {
        let code = STATUS_LINES
            .iter()
            .find_map(|start| line.strip_prefix(start))?;
        Some(code.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::decode;

    fn event_of(payload: &str) -> Event {
        let line = format!(r#"{{"timestamp":"t","type":"response_item","payload":{payload}}}"#);
        decode(line.as_bytes(), crate::forms::ALL).unwrap().event
    }

    fn call_of(payload: &str) -> ToolUse {
        match event_of(payload) {
            Event::Assistant(mut reply) => match reply.blocks.pop() {
                Some(Block::ToolUse(call)) => call,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_the_models_messages_are_replies() {
        let message = |role: &str| {
            event_of(&format!(
                r#"{{"type":"message","role":"{role}","content":[{{"type":"output_text","text":"hi"}}]}}"#
            ))
        };
        assert!(matches!(message("assistant"), Event::Assistant(reply)
            if reply.blocks == [Block::Text("hi".into())]));
        assert_eq!(message("user"), Event::User(Vec::new()));
        assert_eq!(message("developer"), Event::Other);
        assert_eq!(event_of(r#"{"type":"reasoning"}"#), Event::Other);
        assert_eq!(event_of("5"), Event::Other);
    }

    #[test]
    fn other_calls_have_a_name_and_no_files() {
        let shell = r#"{"type":"function_call","name":"exec_command","call_id":"c","arguments":"{\"cmd\":\"ls\"}"}"#;
        let call = call_of(shell);
        assert_eq!(
            (call.tool.as_str(), call.targets.len()),
            ("exec_command", 0)
        );
        let local = call_of(r#"{"type":"local_shell_call","call_id":"c","action":{}}"#);
        assert_eq!(local.tool, "local_shell");
    }

    #[test]
    fn a_result_says_how_it_went_or_nobody_knows() {
        for (output, expected) in [
            (
                r#""{\"output\":\"x\",\"metadata\":{\"exit_code\":0}}""#,
                Some(true),
            ),
            (
                r#""{\"output\":\"x\",\"metadata\":{\"exit_code\":1}}""#,
                Some(false),
            ),
            (
                r#""Exit code: 0\nWall time: 1 seconds\nOutput:\nExit code: 1""#,
                Some(true),
            ),
            (
                r#""Chunk ID: 1\nProcess exited with code 2\nOutput:""#,
                Some(false),
            ),
            (
                r#""Success. Updated the following files:\nA a.py\n""#,
                Some(true),
            ),
            (
                r#""apply_patch verification failed: no such lines""#,
                Some(false),
            ),
            (
                r#"[{"type":"input_text","text":"Exit code: 0"}]"#,
                Some(true),
            ),
            (r#"{"content":"x","success":true}"#, Some(true)),
            (r#""ok""#, None),
            ("[]", None),
            ("7", None),
        ] {
            let payload =
                format!(r#"{{"type":"function_call_output","call_id":"c","output":{output}}}"#);
            let Event::User(results) = event_of(&payload) else {
                panic!("{output}");
            };
            let found: Vec<_> = results.iter().map(|it| (&*it.id, it.success)).collect();
            assert_eq!(found, [("c", expected)], "{output}");
            let is_zero = results[0].exit.map(|exit| exit == 0);
            assert!(is_zero.is_none() || is_zero == expected, "{output}");
        }
        let silent = r#"{"type":"custom_tool_call_output","call_id":"c"}"#;
        assert!(matches!(event_of(silent), Event::User(results) if results[0].success.is_none()));
    }
}
