//! What an agent did that a file may owe its being there, or its being gone.

use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

use attest_json::{self as json, Object};

use crate::forward::{ForwardLines, Next};
use crate::record::{self, Block, Effect, Event, Shows, ToolUse};
use crate::{Forms, Outcome, TranscriptError, open as opened};

/// How many deeds are kept.
const MAX_DEEDS: usize = 20_000;
/// The most bytes of contents that are kept.
const MAX_CONTENT: usize = 4 * 1024 * 1024;
/// By which hosts are told to run a command in the background: its answer says that it began.
const IN_BACKGROUND: [&str; 4] = [
    "run_in_background",
    "background",
    "is_background",
    "isBackground",
];
/// Where hosts put a command.
const COMMANDS: [&str; 2] = ["command", "cmd"];

/// One call that wrote or showed a file, or that may have moved or removed one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// The tool, in the host's spelling.
    pub tool: String,
    /// What it did.
    pub did: Did,
    /// When it was answered, or, without an answer, when it was called: as the host writes it.
    pub at: Option<String>,
    /// What came of it.
    pub result: Outcome,
}

/// What a call did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Did {
    /// It wrote this file.
    Wrote {
        /// As the call names it.
        path: String,
        /// All that it was given for it, if it says so.
        content: Option<String>,
    },
    /// It showed this file.
    Showed(String),
    /// It removed this file.
    Removed(String),
    /// It ran this command.
    Ran(String),
    /// Nobody knows.
    Unknown,
}

/// What the transcript at `path` says that its agent did and that is wanted, in order, and whether that is all.
pub fn deeds(
    path: &Path,
    forms: Forms<'_>,
    deadline: Instant,
    is_wanted: impl Fn(&Did) -> bool,
) -> Result<(Vec<Deed>, bool), TranscriptError> {
    let mut found: Vec<Deed> = Vec::new();
    let mut open: HashMap<String, Vec<usize>> = HashMap::new();
    let (mut is_full, mut held) = (false, 0);
    let is_whole = scan(path, deadline, |line| {
        let at = || line.text("timestamp");
        match record::read(line, forms).event {
            Event::Assistant(reply) => {
                for block in reply.blocks {
                    let Block::ToolUse(call) = block else {
                        continue;
                    };
                    for mut did in did(&call, forms) {
                        if let Did::Wrote { content, .. } = &mut did {
                            *content = content_of(line, call.id.as_deref())
                                .filter(|content| held + content.len() <= MAX_CONTENT);
                        }
                        if !is_wanted(&did) {
                            continue;
                        }
                        if let Did::Wrote {
                            content: Some(content),
                            ..
                        } = &did
                        {
                            held += content.len();
                        }
                        if let Some(id) = call.id.as_ref().filter(|_| !is_background(&call)) {
                            open.entry(id.clone()).or_default().push(found.len());
                        }
                        found.push(Deed {
                            tool: call.tool.clone(),
                            did,
                            at: at(),
                            result: Outcome::Unknown,
                        });
                    }
                }
            }
            Event::User(results) => {
                for result in results {
                    for index in open.remove(&result.id).unwrap_or_default() {
                        found[index].at = at().or(found[index].at.take());
                        found[index].result = match result.success {
                            Some(true) => Outcome::Ok,
                            Some(false) => Outcome::Error,
                            None => Outcome::Unknown,
                        };
                    }
                }
            }
            Event::Other => {}
        }
        is_full = found.len() >= MAX_DEEDS;
        !is_full
    })?;
    Ok((found, is_whole && !is_full))
}

/// Gives each line that is a JSON object to `look`, which ends the reading with `false`. Says whether nothing was
/// left out.
fn scan(
    path: &Path,
    deadline: Instant,
    mut look: impl FnMut(&Object<'_>) -> bool,
) -> Result<bool, TranscriptError> {
    let unreadable = |source| TranscriptError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let (file, _) = opened::regular_file(path)?;
    let mut lines = ForwardLines::new(file);
    let mut is_whole = true;
    loop {
        match lines.next(deadline).map_err(unreadable)? {
            Next::Line(line) => {
                let text = String::from_utf8_lossy(line);
                match Object::parse(&text) {
                    Ok(line) if !look(&line) => return Ok(is_whole),
                    Ok(_) => {}
                    Err(_) => is_whole &= text.trim().is_empty(),
                }
            }
            Next::TooLong => is_whole = false,
            Next::End { torn } => return Ok(is_whole && !torn),
            Next::Over => return Ok(false),
        }
    }
}

fn is_background(call: &ToolUse) -> bool {
    let input = call
        .input
        .as_deref()
        .and_then(|input| Object::parse(input).ok());
    input.is_some_and(|input| IN_BACKGROUND.iter().any(|field| input.is_true(field)))
}

fn did(call: &ToolUse, forms: Forms<'_>) -> Vec<Did> {
    let targets = call.targets.iter().map(|(effect, path)| match effect {
        Effect::Writes | Effect::WritesElsewhere => Did::Wrote {
            path: path.clone(),
            content: None,
        },
        Effect::Removes => Did::Removed(path.clone()),
    });
    let targets: Vec<_> = targets.collect();
    if !targets.is_empty() {
        return targets;
    }
    let input = call.input.as_deref().unwrap_or("{}");
    // The arguments of a call may be JSON in a string.
    let text = json::text(input);
    let Ok(input) = Object::parse(text.as_deref().unwrap_or(input)) else {
        return vec![Did::Unknown];
    };
    if let Some(Shows::File(path)) = forms
        .iter()
        .find_map(|form| form.tools().shows(&call.tool, &input))
    {
        return vec![Did::Showed(path)];
    }
    if forms.iter().any(|form| form.tools().only_reads(&call.tool)) {
        return Vec::new();
    }
    let mut commands = COMMANDS.iter().filter_map(|field| command(&input, field));
    vec![commands.next().map_or(Did::Unknown, Did::Ran)]
}

/// A command as one text, which a host may give word by word.
fn command(input: &Object<'_>, field: &str) -> Option<String> {
    let raw = input.raw(field)?;
    if let Some(text) = json::text(raw) {
        return Some(text);
    }
    let words = json::array(raw)?.into_iter();
    let words: Option<Vec<_>> = words.map(json::text).collect();
    Some(match words?.as_slice() {
        [shell, option, text] if option.starts_with('-') && shell.ends_with("sh") => text.clone(),
        words => words.join(" "),
    })
}

/// What the call with this id is given as the whole content of a file, in a message of Anthropic's form.
fn content_of(line: &Object<'_>, id: Option<&str>) -> Option<String> {
    let message = line.object("message")?;
    let blocks = json::array(message.raw("content")?)?;
    blocks.into_iter().find_map(|block| {
        let block = Object::parse(block).ok()?;
        (block.text("id").as_deref() == id).then_some(())?;
        block.object("input")?.text("content")
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::*;
    use crate::forms;

    fn read(lines: &[Value]) -> (Vec<Deed>, bool) {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text = lines
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("\n")
            + "\n";
        std::fs::write(file.path(), text).unwrap();
        let deadline = Instant::now() + Duration::from_mins(1);
        deeds(file.path(), forms::ALL, deadline, |_| true).unwrap()
    }

    #[test]
    fn a_call_is_what_it_did_and_what_came_of_it() {
        let call = |id: &str, name: &str, input: Value| {
            json!({"type": "assistant", "timestamp": "2026-01-01T12:00:00Z", "message": {"content": [
                {"type": "tool_use", "id": id, "name": name, "input": input}]}})
        };
        let answer = |id: &str, is_error: bool| {
            json!({"type": "user", "timestamp": "2026-01-01T12:00:09Z", "message": {"content": [
                {"type": "tool_result", "tool_use_id": id, "content": "x", "is_error": is_error}]}})
        };
        let (found, is_whole) = read(&[
            call(
                "1",
                "Write",
                json!({"file_path": "/w/a.py", "content": "one\n"}),
            ),
            answer("1", false),
            call("2", "Bash", json!({"command": "mv a.py b.py"})),
            answer("2", true),
            call("3", "Read", json!({"file_path": "/w/c.py"})),
            call("4", "Glob", json!({"pattern": "*"})),
            call("5", "Agent", json!({"prompt": "go"})),
            call(
                "6",
                "Bash",
                json!({"command": "x > y", "run_in_background": true}),
            ),
            answer("6", false),
        ]);
        assert!(is_whole);
        let wrote = Did::Wrote {
            path: "/w/a.py".to_owned(),
            content: Some("one\n".to_owned()),
        };
        let shown: Vec<_> = found.iter().map(|deed| (&deed.did, deed.result)).collect();
        assert_eq!(
            shown,
            [
                (&wrote, Outcome::Ok),
                (&Did::Ran("mv a.py b.py".to_owned()), Outcome::Error),
                (&Did::Showed("/w/c.py".to_owned()), Outcome::Unknown),
                (&Did::Unknown, Outcome::Unknown),
                (&Did::Ran("x > y".to_owned()), Outcome::Unknown),
            ]
        );
        assert_eq!(found[0].at.as_deref(), Some("2026-01-01T12:00:09Z"));
        assert_eq!(found[2].at.as_deref(), Some("2026-01-01T12:00:00Z"));
    }
}
