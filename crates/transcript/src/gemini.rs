//! What one line of a Gemini CLI session says. Observed in 0.61.0.
//!
//! A line is a message of the person or of the model, or a change to the session. A message is written again,
//! under its id, when the results of its tools are known: only then are its calls in it. The results stand there, and
//! once more in the line of the user that follows.

use attest_json::Object;

use crate::printed::Printed;
use crate::record::{Block, Event, Form, Line, Reply, ToolResult, Tools};

const TOOLS: Tools = Tools {
    write: &[("replace", "file_path"), ("write_file", "file_path")],
    only_read: "glob grep_search list_directory read_file",
    show_a_file: &[("read_file", "file_path")],
    show_a_folder: "grep_search",
    show_nothing: "glob list_directory",
};

/// The format of Gemini CLI's sessions.
pub struct Gemini;

impl Form for Gemini {
    fn read(&self, line: &Object<'_>) -> Option<Line> {
        let event = match line.word("type")? {
            // A host with the same word has its content in a message.
            "user" if line.raw("content").is_some() => {
                let parts = line.objects("content");
                let responses = parts.filter_map(|part| part.object("functionResponse"));
                Event::User(responses.filter_map(|it| result(&it)).collect())
            }
            "gemini" => Event::Assistant(reply(line)),
            _ => return None,
        };
        Some(Line::kept(event))
    }

    fn tools(&self) -> &'static Tools {
        &TOOLS
    }
}

fn reply(line: &Object<'_>) -> Reply {
    let text = line.text("content").filter(|text| !text.trim().is_empty());
    let calls = line.items("toolCalls").map(|call| match call.object() {
        Some(call) => Block::ToolUse(TOOLS.call(&call, ["id", "name", "args"])),
        None => Block::Other,
    });
    let blocks: Vec<_> = text.map(Block::Text).into_iter().chain(calls).collect();
    Reply::of_blocks(line.text("id"), blocks)
}

/// The exit status of a command that ended: behind what it printed, if it is not 0. What a signal ended has none, and
/// what goes on, or was ended by the host, is answered otherwise.
fn exit(output: &str) -> Option<i32> {
    const GROUP: &str = "Process Group PGID: ";
    let output = output.trim_start_matches("<untrusted_context>\n");
    let (printed, _) = output.strip_prefix("Output: ")?.rsplit_once(GROUP)?;
    let mut last = printed.lines().rev();
    let line = last.find(|line| !line.starts_with("Background PIDs: "))?;
    match line.split_once(": ") {
        Some(("Exit Code", status)) => status.trim().parse().ok(),
        Some(("Error" | "Signal", _)) => None,
        _ => Some(0),
    }
}

/// The result in a part of a line of the user. A call that failed has an error in place of an output.
fn result(part: &Object<'_>) -> Option<ToolResult> {
    let response = part.object("response");
    let output = response.as_ref().and_then(|it| it.text("output"));
    let has = |field| response.as_ref().is_some_and(|it| it.raw(field).is_some());
    Some(ToolResult {
        id: part.text("id").filter(|id| !id.is_empty())?,
        success: (has("output") || has("error")).then(|| !has("error")),
        exit: output.as_deref().and_then(exit),
        printed: output.as_deref().and_then(Printed::of),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Ending, decode};

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
        let prompt = Object::parse(prompt).unwrap();
        assert_eq!(Gemini.read(&prompt).unwrap().is_own, Some(false));
    }

    #[test]
    fn a_command_that_ended_has_its_status() {
        for (output, status) in [
            ("Output: gone\nExit Code: 3\n", Some(3)),
            (
                "Output: gone\nExit Code: 3\nBackground PIDs: 7, 8\n",
                Some(3),
            ),
            ("Output: Exit Code: 3\nfine\n", Some(0)),
            ("Output: (empty)\n", Some(0)),
            ("Output: half\nSignal: 15\n", None),
            (
                "Command moved to background (PID: 7). Output hidden.\n",
                None,
            ),
            ("the log of a run\nExit Code: 3\n", None),
        ] {
            let end = "Process Group PGID: 1\n</untrusted_context>";
            let output = format!("<untrusted_context>\n{output}{end}");
            assert_eq!(exit(&output), status, "{output}");
        }
        assert_eq!(exit("Exit Code: 3"), None, "a file that says so");
    }
}
