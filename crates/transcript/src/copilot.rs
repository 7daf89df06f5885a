//! What one line of the events of a Copilot session says. The same words are in the transcripts of VS Code.
//!
//! A line is an event with a `type` and its `data`. The events of a subagent stand among those of the session
//! and carry its id.

use attest_json::Object;

use crate::printed::Printed;
use crate::record::{Block, Event, Form, Line, Reply, ToolResult, Tools};

const TOOLS: Tools = Tools {
    write: &[("create", "path"), ("edit", "path")],
    only_read: "glob grep report_intent view",
    show_a_file: &[("view", "path")],
    show_a_folder: "grep",
    show_nothing: "glob report_intent",
};

/// What names the agent that an event belongs to, in the event or in its data.
const OF_AGENT: [&str; 2] = ["agentId", "parentToolCallId"];

/// The format of the events of Copilot's sessions.
pub struct Copilot;

impl Form for Copilot {
    fn read(&self, line: &Object<'_>) -> Option<Line> {
        let event = event(line)?;
        let is_of_agent = |object: &Object<'_>| OF_AGENT.iter().any(|it| object.raw(it).is_some());
        let is_of_agent =
            is_of_agent(line) || line.object("data").as_ref().is_some_and(is_of_agent);
        Some(if is_of_agent {
            Line::default()
        } else {
            line_of(event)
        })
    }

    fn tools(&self) -> &'static Tools {
        &TOOLS
    }
}

/// The same for the events of one subagent, which carry its id.
pub struct CopilotAgent;

impl Form for CopilotAgent {
    fn read(&self, line: &Object<'_>) -> Option<Line> {
        event(line).map(line_of)
    }

    fn tools(&self) -> &'static Tools {
        &TOOLS
    }

    fn agent_of(&self, line: &Object<'_>) -> Option<String> {
        line.text(OF_AGENT[0])
    }
}

/// VS Code, which writes the same events, is not known to keep what its tools answer.
fn line_of(event: Event) -> Line {
    let is_short = match &event {
        Event::User(results) => {
            let mut results = results.iter();
            results.any(|it| it.success == Some(true) && it.printed.is_none())
        }
        _ => false,
    };
    if is_short {
        event.into()
    } else {
        Line::kept(event)
    }
}

fn event(line: &Object<'_>) -> Option<Event> {
    let read: fn(&Object<'_>) -> Event = match line.word("type")? {
        "assistant.message" => reply,
        "user.message" => |_| Event::User(Vec::new()),
        "tool.execution_complete" => |data| Event::User(result(data).into_iter().collect()),
        _ => return None,
    };
    Some(line.object("data").map_or(Event::Other, |data| read(&data)))
}

/// A reply that asks for tools is followed by their results.
fn reply(data: &Object<'_>) -> Event {
    let text = data.text("content").filter(|text| !text.trim().is_empty());
    let calls = data.objects("toolRequests");
    let calls = calls.map(|call| TOOLS.call(&call, ["toolCallId", "name", "arguments"]));
    let blocks = text
        .map(Block::Text)
        .into_iter()
        .chain(calls.map(Block::ToolUse))
        .collect();
    Event::Assistant(Reply::of_blocks(data.text("messageId"), blocks))
}

fn result(data: &Object<'_>) -> Option<ToolResult> {
    Some(ToolResult {
        id: data.text("toolCallId")?,
        success: data.raw("success").and_then(|it| it.parse().ok()),
        // A command that failed is a success of the tool.
        exit: data
            .object("shellExecution")
            .and_then(|it| it.raw("exitCode")?.parse().ok()),
        printed: data
            .object("result")
            .and_then(|it| Printed::of(&it.text("content")?)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Effect, Ending, ToolUse, decode};

    fn event(kind: &str, data: &str, more: &str) -> Event {
        let line = format!(r#"{{"type":"{kind}","data":{data},"id":"e","parentId":null{more}}}"#);
        decode(line.as_bytes(), crate::forms::ALL).unwrap().event
    }

    fn reply_of(data: &str) -> Reply {
        match event("assistant.message", data, "") {
            Event::Assistant(reply) => reply,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_reply_without_tools_is_the_last_one() {
        let reply = reply_of(r#"{"messageId":"m","content":"DONE","toolRequests":[]}"#);
        assert_eq!(reply.ending, Ending::Complete);
        assert_eq!(reply.blocks, [Block::Text("DONE".into())]);
        let reply = reply_of(
            r#"{"messageId":"m","content":"","toolRequests":[
                {"toolCallId":"c","name":"create","arguments":{"path":"/w/a.py"}}]}"#,
        );
        assert_eq!(reply.ending, Ending::Continues);
        let call = ToolUse {
            id: Some("c".into()),
            tool: "create".into(),
            targets: vec![(Effect::Writes, "/w/a.py".into())],
            ..ToolUse::default()
        };
        assert_eq!(reply.blocks, [Block::ToolUse(call)]);
    }

    #[test]
    fn what_a_subagent_says_is_not_the_sessions() {
        let data = r#"{"content":"DONE","toolCallId":"c","success":true}"#;
        for kind in [
            "assistant.message",
            "user.message",
            "tool.execution_complete",
        ] {
            assert_ne!(event(kind, data, ""), Event::Other);
            assert_eq!(event(kind, data, r#","agentId":"a1""#), Event::Other);
            let inside = data.replacen('{', r#"{"parentToolCallId":"t","#, 1);
            assert_eq!(event(kind, &inside, ""), Event::Other);
        }
        assert_eq!(event("assistant.turn_end", "{}", ""), Event::Other);
        assert_eq!(event("assistant.message", "7", ""), Event::Other);
    }

    #[test]
    fn the_lines_of_one_agent_are_read_alone() {
        let line = |agent: &str, data: &str| {
            format!(r#"{{"type":"assistant.message",{agent}"data":{data}}}"#) + "\n"
        };
        let calls = |id: &str, path: &str| {
            format!(
                r#"{{"messageId":"{id}","content":"","toolRequests":[
                {{"toolCallId":"{id}","name":"create","arguments":{{"path":"{path}"}}}}]}}"#
            )
            .replace('\n', " ")
        };
        let text = line("", &calls("m", "/w/main.py"))
            + &line(r#""agentId":"a1","#, &calls("n", "/w/own.py"))
            + &line(r#""agentId":"a2","#, &calls("o", "/w/other.py"))
            + &line(
                r#""agentId":"a1","#,
                r#"{"messageId":"p","content":"DONE","toolRequests":[]}"#,
            );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events.jsonl");
        std::fs::write(&path, text).unwrap();
        let read = |of: Option<&str>, form: &dyn Form| {
            let forms = [form];
            let sought = crate::Sought::default();
            let file = crate::SessionFile::open(
                &path,
                &forms,
                sought,
                attest_shell::checks::OwnChecks::default(),
            );
            let mut file = file.unwrap().of_agent(of.map(str::to_owned));
            file.read_on(&mut |_| crate::Whose::Own).unwrap();
            let calls = &file.session().tool_calls.calls;
            let paths = calls.iter().filter_map(|call| call.path.clone());
            (
                paths.collect::<Vec<_>>(),
                file.session().tool_calls.ends_with("DONE"),
            )
        };
        assert_eq!(read(None, &Copilot), (vec!["/w/main.py".to_owned()], false));
        assert_eq!(
            read(Some("a1"), &CopilotAgent),
            (vec!["/w/own.py".to_owned()], true)
        );
        assert_eq!(read(Some("a3"), &CopilotAgent), (Vec::new(), false));
    }

    #[test]
    fn a_result_says_how_it_went() {
        for (success, expected) in [("true", Some(true)), ("false", Some(false)), ("1", None)] {
            let data = format!(r#"{{"toolCallId":"c","success":{success}}}"#);
            let result = ToolResult {
                id: "c".into(),
                success: expected,
                exit: None,
                printed: None,
            };
            let event = event("tool.execution_complete", &data, "");
            assert_eq!(event, Event::User(vec![result]));
        }
    }

    #[test]
    fn a_command_that_failed_has_its_status() {
        let data = r#"{"toolCallId":"c","success":true,"shellExecution":{"exitCode":3},
            "result":{"content":"gone"}}"#;
        let result = ToolResult {
            id: "c".into(),
            success: Some(true),
            exit: Some(3),
            printed: Printed::of("gone"),
        };
        let event = event("tool.execution_complete", data, "");
        assert_eq!(event, Event::User(vec![result]));
    }
}
