//! What one line of a Claude Code transcript says. Observed in 2.1.329.
//!
//! A reply of the model is written as one line per content block; the lines of one reply share
//! `message.id`. Text, a tool call and a stretch of thinking are blocks. The result of a call is a
//! block in a later line of type `user`.

mod background;

use attest_json::{Object, Value};
use memchr::memmem;

use crate::content;
use crate::printed::PRINTED_BYTES;
use crate::record::{ByPerson, Ending, Event, Form, Line, Reply, Tools};
use crate::usage::{Usage, number};

const TOOLS: Tools = Tools {
    write: &[
        ("Write", "file_path"),
        ("Edit", "file_path"),
        ("MultiEdit", "file_path"),
        ("NotebookEdit", "notebook_path"),
    ],
    only_read: "AskUserQuestion BashOutput EnterPlanMode ExitPlanMode Glob Grep KillShell LS ListMcpResourcesTool \
        NotebookRead Read ReadMcpResourceTool StructuredOutput TaskCreate TaskGet TaskList TaskOutput TaskStop \
        TaskUpdate TodoRead TodoWrite ToolSearch WebFetch WebSearch",
    show_a_file: &[("Read", "file_path"), ("NotebookRead", "notebook_path")],
    show_a_folder: "Grep",
    show_nothing: "EnterPlanMode ExitPlanMode Glob LS StructuredOutput TaskCreate TaskList TaskUpdate TodoRead \
        TodoWrite ToolSearch WebSearch",
};

/// What the host puts before a command that the person types into a session.
const PERSON_RAN: &str = "<bash-input>";
/// How the words begin with which a hook sends an agent back.
const SENT_BACK: &str = "Stop hook feedback:";

/// How the answer of a command begins that the person ended, and the status of such a one.
const ABORTED: [&str; 2] = [
    "[Request interrupted by user",
    "Command was aborted before completion",
];
const INTERRUPTED: i32 = 130;
/// The same of one that took too long.
const LATE: &str = "Command timed out after";
const TIMED_OUT: i32 = 124;

/// What hooks of attest say.
const OWN_NAME: &str = "attest: ";

/// The format of Claude Code's transcripts.
pub struct ClaudeCode;

impl Form for ClaudeCode {
    fn read(&self, line: &Object<'_>) -> Option<Line> {
        Some(match line.word("type")? {
            "user" => user(line),
            "assistant" => assistant(line),
            "attachment" => attachment(line),
            "api-request-shape" => Line {
                offered: offered(line.object("shape")),
                ..Line::default()
            },
            "queue-operation" => Line {
                background: line
                    .text("content")
                    .map_or_else(Vec::new, |it| background::ends(&it)),
                ..Line::default()
            },
            _ => return None,
        })
    }

    fn tools(&self) -> &'static Tools {
        &TOOLS
    }

    /// `claude --resume --fork-session` copies all records with their ids, and puts its own session into them.
    fn record_id(&self) -> Option<&'static str> {
        Some("uuid")
    }
}

fn user(line: &Object<'_>) -> Line {
    let message = line.value("message");
    let content = message.and_then(|it| it.object()?.value("content"));
    let blocks = content.map_or_else(Vec::new, content::items);
    let words = content.and_then(|content| content::words(content, &blocks));
    let is_meta = line.is_true("isMeta");
    // What a coordinator says to an agent at work is one of the host's own lines, but for where it came from.
    let is_hosts = is_meta && line.value("origin").is_none();
    let told = words.as_deref().unwrap_or_default();
    let begun = blocks.iter().filter_map(background::answered);
    let mut results = content::results(&blocks, exit);
    let answer = line.object("toolUseResult");
    if answer.is_some_and(|it| it.is_true("interrupted")) {
        for result in &mut results {
            result.exit = Some(INTERRUPTED);
        }
    }
    Line {
        event: Event::User(results),
        // Other hosts have lines of type `user` as well, without a message.
        is_own: message.map(|_| false),
        background: begun.chain(background::ends(told)).collect(),
        is_summary: line.is_true("isCompactSummary"),
        person_ran: message
            .filter(|it| memmem::find(it.raw().as_bytes(), PERSON_RAN.as_bytes()).is_some())
            .map(|_| ByPerson::Command),
        sends_back: is_meta && told.starts_with(SENT_BACK),
        interrupts: told.starts_with(ABORTED[0]),
        asked: words.as_deref().filter(|_| !is_hosts).and_then(asked),
        ..Line::default()
    }
}

fn assistant(line: &Object<'_>) -> Line {
    let message = line.object("message");
    let message = message.as_ref();
    let model = message.and_then(|it| it.text("model"));
    let synthetic = line.is_true("isApiErrorMessage") || model.as_deref() == Some("<synthetic>");
    let content = message.and_then(|message| message.value("content"));
    let items = content.map_or_else(Vec::new, content::items);
    let reply = Reply {
        id: message.and_then(|it| it.text("id")),
        ending: ending(message.and_then(|it| it.word("stop_reason"))),
        synthetic,
        blocks: content.map_or_else(Vec::new, |it| content::blocks(it, &items, &TOOLS)),
    };
    Line {
        event: Event::Assistant(reply),
        is_own: message.map(|_| true),
        background: items.iter().filter_map(background::asked).collect(),
        // A message that the host writes in the model's name used no tokens and says nothing.
        usage: message
            .filter(|_| !synthetic)
            .and_then(|it| usage(it, model)),
        ..Line::default()
    }
}

/// A message may reach an agent at work as an attachment.
fn attachment(line: &Object<'_>) -> Line {
    let part = line.object("attachment");
    let prompt = part.as_ref().and_then(|it| it.text("prompt"));
    let ends = prompt.as_deref().map_or_else(Vec::new, background::ends);
    let kind = part.as_ref().and_then(|it| it.word("type"));
    let is_hook = kind.is_some_and(|kind| kind.starts_with("hook_"));
    let hook = part.as_ref().filter(|_| is_hook);
    Line {
        is_own: Some(false),
        person_ran: hook.filter(|hook| prints(hook)).map(|_| ByPerson::Hook),
        background: ends,
        asked: prompt
            .as_deref()
            .filter(|_| kind == Some("queued_command"))
            .and_then(asked),
        offered: offered(part),
        ..Line::default()
    }
}

/// Whether a hook that is not attest's own has printed something.
fn prints(hook: &Object<'_>) -> bool {
    let fields = ["content", "stdout", "stderr"];
    let texts = fields.iter().filter_map(|field| hook.raw(field));
    let mut texts = texts.filter(|text| text.chars().any(char::is_alphanumeric) && *text != "null");
    texts.any(|text| !text.contains(OWN_NAME))
}

/// The tools of the request, as 2.1.330 keeps it in two forms, and those that the agent may ask for.
fn offered(part: Option<Object<'_>>) -> Vec<String> {
    let Some(part) = part else {
        return Vec::new();
    };
    let tools = part.objects("tools").filter_map(|tool| tool.text("name"));
    let is_later = part.word("type") == Some("deferred_tools_delta");
    let later = part.items("addedNames").filter(|_| is_later);
    tools.chain(later.filter_map(Value::text)).collect()
}

/// What somebody asks: that a task has ended is told by the host.
fn asked(text: &str) -> Option<String> {
    let is_told = text.trim_start().starts_with(background::NOTIFICATION);
    (!is_told).then(|| of_teammate(text).unwrap_or(text).to_owned())
}

/// What one of a team is asked by another: the host puts that between tags. Observed in 2.1.170 and 2.1.330.
fn of_teammate(text: &str) -> Option<&str> {
    let text = text.trim().strip_prefix("<teammate-message ")?;
    let (_, text) = text.split_once(">\n")?;
    text.strip_suffix("\n</teammate-message>")
}

fn usage(message: &Object<'_>, model: Option<String>) -> Option<Usage> {
    let usage = message.object("usage")?;
    Some(Usage {
        model,
        input_tokens: number(&usage, "input_tokens"),
        cache_creation_input_tokens: number(&usage, "cache_creation_input_tokens"),
        cache_read_input_tokens: number(&usage, "cache_read_input_tokens"),
        output_tokens: number(&usage, "output_tokens"),
        named_window: None,
    })
}

/// The status that a command ended with. A failure is told in words, "Exit code 3"; another error is of the host, such
/// as a refusal.
fn exit(success: bool, printed: Option<Value<'_>>) -> Option<i32> {
    if success {
        return Some(0);
    }
    let printed = printed?.beginning(PRINTED_BYTES)?;
    let line = printed.lines().next()?.trim();
    if ABORTED.iter().any(|text| line.contains(text)) {
        return Some(INTERRUPTED);
    }
    if line.starts_with(LATE) {
        return Some(TIMED_OUT);
    }
    line.strip_prefix("Exit code ")?.trim().parse().ok()
}

fn ending(stop_reason: Option<&str>) -> Ending {
    match stop_reason {
        Some("end_turn" | "stop_sequence" | "refusal") => Ending::Complete,
        Some("tool_use" | "pause_turn") => Ending::Continues,
        _ => Ending::Unclear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms;
    use crate::record::Block::{Other, Text, ToolUse};
    use crate::record::{self, Effect, Event, Record};

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
    fn blocks_of_every_kind_are_read_and_what_is_none_is_left_out() {
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
                content: None,
            }),
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
    fn an_interrupt_is_an_end_that_nothing_passed_with() {
        let exit = |more: &str, text: &str| {
            let line = format!(
                r#"{{"type":"user"{more},"message":{{"content":[{{"type":"tool_result","tool_use_id":"a","content":"{text}","is_error":true}}]}}}}"#
            );
            match decode(line.as_bytes()).unwrap().event {
                Event::User(results) => results[0].exit,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(
            exit("", "[Request interrupted by user for tool use]"),
            Some(130)
        );
        assert_eq!(
            exit(r#","toolUseResult":{"interrupted":true}"#, "x"),
            Some(130)
        );
        assert_eq!(
            exit(r#","toolUseResult":{"interrupted":false}"#, "Exit code 2"),
            Some(2)
        );
        assert_eq!(exit("", "Command timed out after 2m 0.0s\\n..."), Some(124));
        assert_eq!(exit("", "Permission denied"), None);
    }

    #[test]
    fn a_hook_of_the_person_may_have_run_anything() {
        let has_printed = |attachment: &str| {
            let line = format!(r#"{{"type":"attachment","attachment":{{{attachment}}}}}"#);
            ClaudeCode
                .read(&Object::parse(&line).unwrap())
                .unwrap()
                .person_ran
                .is_some()
        };
        assert!(has_printed(
            r#""type":"hook_success","stdout":"42 passed","content":"""#
        ));
        for other in [
            r#""type":"hook_success","stdout":"","content":"""#,
            r#""type":"hook_additional_context","content":["attest: 1 agent checked"]"#,
            r#""type":"file","content":"42 passed""#,
        ] {
            assert!(!has_printed(other), "{other}");
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
