//! What one line of a transcript says, whichever host wrote it.

mod patch;
mod tools;

use attest_json::Object;

use crate::printed::Printed;
use crate::server::{self, Says};
use crate::usage::Usage;

pub use tools::Tools;

/// The format in which a host writes its transcripts: what one line means.
pub trait Form: Sync {
    /// What the line says; `None` if it is not in this format.
    fn read(&self, line: &Object<'_>) -> Option<Line>;

    /// The tools of the host.
    fn tools(&self) -> &'static Tools;

    /// The field in which a line has an id that it keeps in a copy of the transcript, if it has one.
    fn record_id(&self) -> Option<&'static str> {
        None
    }

    /// The agent that a line is of, in a file that a session's agents share.
    fn agent_of(&self, _line: &Object<'_>) -> Option<String> {
        None
    }
}

/// The formats that the lines of a transcript may be in.
pub type Forms<'f> = &'f [&'f dyn Form];

/// What a line says of the conversation, and beside it.
#[derive(Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "any of them may be so")]
pub struct Line {
    /// What was said.
    pub event: Event,
    /// Whether the line is what the agent itself says, or repeats that; every other one was shown to it. `None` if
    /// the host does not keep all that its tools answer.
    pub is_own: Option<bool>,
    /// The words with which the line sets the agent to work, whoever says them. What a hook, a tool or the host says
    /// is none of that.
    pub asked: Option<String>,
    /// The tools that the line says the agent is offered.
    pub offered: Vec<String>,
    /// What it says of commands that run in the background.
    pub background: Vec<Background>,
    /// The tokens used by the turn that the line ends.
    pub usage: Option<Usage>,
    /// Whether the line is a summary that stands for what was said before it.
    pub is_summary: bool,
    /// What it shows that the person ran.
    pub person_ran: Option<ByPerson>,
    /// Whether it is what a hook sends the agent back to work with.
    pub sends_back: bool,
    /// Whether it is the host's word that somebody interrupted the agent.
    pub interrupts: bool,
    /// Whether it says that the transcript begins with a copy of another one.
    pub forks: bool,
}

/// By which hosts are told to run a command in the background: its answer says that it began.
const IN_BACKGROUND: [&str; 4] = [
    "run_in_background",
    "background",
    "is_background",
    "isBackground",
];
/// Claude Code's tool that runs a command to tell what it prints, while the agent goes on.
const WATCHES: &str = "Monitor";

/// Whether a call begins a command that goes on behind its answer.
pub(crate) fn goes_on(tool: &str, input: &Object<'_>) -> bool {
    tool == WATCHES || IN_BACKGROUND.iter().any(|field| input.is_true(field))
}

/// What ran that the agent did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByPerson {
    /// A command that the person ran in the session.
    Command,
    /// A hook of the person's that printed something.
    Hook,
}

impl Line {
    /// Of a host that keeps all that was said and answered.
    pub(crate) fn kept(event: Event) -> Self {
        let is_own = match event {
            Event::Assistant(_) => Some(true),
            Event::User(_) => Some(false),
            Event::Other => None,
        };
        Self {
            is_own,
            ..event.into()
        }
    }
}

impl From<Event> for Line {
    fn from(event: Event) -> Self {
        Self {
            event,
            ..Self::default()
        }
    }
}

/// What was said.
#[derive(Debug, Default, PartialEq, Eq)]
pub enum Event {
    /// The model spoke, or the host in its name.
    Assistant(Reply),
    /// Somebody spoke to the model: a person, a hook that gave feedback, or the tools with these
    /// results.
    User(Vec<ToolResult>),
    /// Attachments, system lines and the host's own notes.
    #[default]
    Other,
}

/// What a line says of a command in the background.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Background {
    /// It was asked for, in the call with this id.
    Asked {
        /// The id of the call.
        call: String,
        /// The command.
        command: String,
    },
    /// The call with this id was answered: it runs under a name, or it does not run.
    Answered {
        /// The id of the call.
        call: String,
        /// The name of the command, for as long as it runs.
        task: Option<String>,
    },
    /// The command of this name has ended.
    Ended {
        /// Its name.
        task: String,
    },
}

/// A reply of the model, or the part of one that a line holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Shared by all lines of one reply.
    pub id: Option<String>,
    /// Why the model stopped.
    pub ending: Ending,
    /// Written by the host in the model's name, such as "API Error: …".
    pub synthetic: bool,
    /// What was said or done, in order.
    pub blocks: Vec<Block>,
}

/// Why the model stopped, which tells whether the reply is the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// It had said everything.
    Complete,
    /// It waits for a tool's result, or will be asked to continue.
    Continues,
    /// It was cut off, or the line does not say. The host asks again after a cut, and the last
    /// reply counts.
    #[default]
    Unclear,
}

/// One content block.
#[derive(Debug, PartialEq, Eq)]
pub enum Block {
    /// Text for the reader.
    Text(String),
    /// A tool call.
    ToolUse(ToolUse),
    /// Thinking, and whatever else there may be.
    Other,
}

/// A call of a tool.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ToolUse {
    /// The id that its result refers to.
    pub id: Option<String>,
    /// The tool.
    pub tool: String,
    /// The files that the call names, each with what the tool does to it.
    pub targets: Vec<(Effect, String)>,
    /// What it is given, as JSON, if it names no file: a shell command, say.
    pub input: Option<String>,
    /// All that it is given for the file that it names, as JSON, if it says so.
    pub content: Option<String>,
}

impl Reply {
    /// One of a host that says nothing of how it ended: what calls a tool is followed by another.
    #[must_use]
    pub fn of_blocks(id: Option<String>, blocks: Vec<Block>) -> Self {
        let calls_tool = blocks.iter().any(|it| matches!(it, Block::ToolUse(_)));
        let ending = if calls_tool {
            Ending::Continues
        } else {
            Ending::Complete
        };
        Self {
            id,
            ending,
            synthetic: false,
            blocks,
        }
    }
}

impl ToolUse {
    /// A call with its `input`, which is JSON. A tool of a server that writes files is given their paths there, and one
    /// that applies a patch those that the patch names.
    #[must_use]
    pub fn new(
        id: Option<String>,
        tool: String,
        targets: Vec<(Effect, String)>,
        input: Option<&str>,
    ) -> Self {
        let mut targets = targets;
        if targets.is_empty() && server::says(&tool) == Some(Says::Writes) {
            let input = input.and_then(|input| Object::parse(input).ok());
            let paths = input
                .map_or_else(Vec::new, |input| server::paths(&input))
                .into_iter();
            targets.extend(paths.map(|path| (Effect::WritesElsewhere, path)));
        } else if targets.is_empty() {
            targets = input.map_or_else(Vec::new, patch::given);
        }
        let input = input.filter(|_| targets.is_empty()).map(str::to_owned);
        Self {
            id,
            tool,
            targets,
            input,
            content: None,
        }
    }
}

/// What a call may show an agent of the files that are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shows {
    /// The file that it names.
    File(String),
    /// Files in a folder, which it searches.
    Folder,
    /// None, but perhaps their names.
    Nothing,
}

/// What a tool does to a file that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It writes it.
    Writes,
    /// It writes it, on a machine that only the tool's own server knows.
    WritesElsewhere,
    /// It removes it.
    Removes,
}

/// The result of a tool call.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ToolResult {
    /// The call that it belongs to.
    pub id: String,
    /// Whether the tool reported success; `None` if it does not say.
    pub success: Option<bool>,
    /// The exit status of the command that it ran, where the host gives it.
    pub exit: Option<i32>,
    /// What a command has printed.
    pub printed: Option<Printed>,
}

/// What the line says, as the first form knows that it is in.
pub(crate) fn read(line: &Object<'_>, forms: Forms<'_>) -> Line {
    let mut forms = forms.iter();
    forms.find_map(|form| form.read(line)).unwrap_or_default()
}

/// One line, as far as it matters for the conversation.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// When it was written, in the host's format.
    pub(crate) at: Option<String>,
    /// What it says.
    pub(crate) event: Event,
    /// The tokens used by the turn that it ends.
    pub(crate) usage: Option<Usage>,
}

/// Reads one line; `None` if it is not a JSON object.
pub(crate) fn decode(line: &[u8], forms: Forms<'_>) -> Option<Record> {
    let line = attest_json::lossy(line);
    let line = Object::parse(&line).ok()?;
    let Line { event, usage, .. } = read(&line, forms);
    let at = line.text("timestamp");
    Some(Record { at, event, usage })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::forms;

    fn decode(line: &[u8]) -> Option<Record> {
        super::decode(line, forms::ALL)
    }

    fn event(line: &[u8]) -> Option<Event> {
        decode(line).map(|record| record.event)
    }

    #[test]
    fn lines_outside_the_conversation_are_other() {
        for kind in [
            "attachment",
            "system",
            "api-request",
            "prompt_snapshot",
            "event_msg",
            "",
            "User",
        ] {
            let line = format!(r#"{{"type":"{kind}","message":{{"content":"a"}}}}"#);
            assert_eq!(event(line.as_bytes()), Some(Event::Other));
        }
        assert_eq!(event(b"{}"), Some(Event::Other));
    }

    #[test]
    fn the_time_is_the_lines_own() {
        let line = br#"{"type":"user","timestamp":"2026-01-01T00:00:00.000Z"}"#;
        let at = decode(line).unwrap().at;
        assert_eq!(at.as_deref(), Some("2026-01-01T00:00:00.000Z"));
        assert_eq!(decode(br#"{"timestamp":5}"#).unwrap().at, None);
    }

    #[test]
    fn what_is_no_object_is_no_record() {
        for line in [
            "",
            "\0\0",
            "[]",
            "null",
            r#"{"type":"assistant","mess"#,
            "{} {}",
        ] {
            assert_eq!(decode(line.as_bytes()), None, "{line}");
        }
        let deep = r#"{"a":"#.repeat(1_000_000);
        assert_eq!(decode(deep.as_bytes()), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..256)) {
            let _ = decode(&bytes);
            let kinds = ["assistant\",\"message", "user\",\"message", "response_item\",\"payload"];
            for kind in kinds {
                let start = format!("{{\"type\":\"{kind}\":");
                let _ = decode(&[start.as_bytes(), &bytes[..], b"}"].concat());
            }
        }
    }
}
