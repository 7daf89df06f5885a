//! What an agent did that a file may owe its being there, or its being gone.

use attest_json::{self as json, Object};
use attest_shell::looks::only_writes_named;

use crate::input::given;
use crate::record::goes_on;
use crate::{Call, CallKind, Outcome, Session, Shows};

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

impl Session {
    /// What its agent did that a file may owe something to, in order.
    #[must_use]
    pub fn deeds(&self) -> Vec<Deed> {
        let calls = self.tool_calls.calls.iter();
        let deeds = calls.filter_map(|call| {
            Some(Deed {
                tool: call.tool.clone(),
                did: did(call)?,
                at: call.at.clone(),
                result: if is_background(call) {
                    Outcome::Unknown
                } else {
                    call.result
                },
            })
        });
        deeds.collect()
    }
}

pub(crate) fn is_background(call: &Call) -> bool {
    let input = call.input.as_deref();
    input.and_then(|it| given(it, |input| goes_on(&call.tool, input))) == Some(true)
}

fn did(call: &Call) -> Option<Did> {
    if let Some(path) = call.path.clone() {
        return Some(match call.kind {
            CallKind::MayWrite => Did::Removed(path),
            _ => Did::Wrote {
                path,
                content: call.content(),
            },
        });
    }
    match (&call.shows, call.kind) {
        (Some(Shows::File(path)), _) => Some(Did::Showed(path.clone())),
        (_, CallKind::Other) => None,
        _ => Some(command_of(call).map_or(Did::Unknown, Did::Ran)),
    }
}

/// The command that a call is given, as one text.
pub(crate) fn command_of(call: &Call) -> Option<String> {
    let find = |input: &Object<'_>| COMMANDS.iter().find_map(|it| command(input, it));
    given(call.input.as_deref()?, find)?
}

/// Whether a call runs a command that may write where its words do not say, or code, which is all that it is given.
pub(crate) fn runs_unread(call: &Call) -> bool {
    match command_of(call) {
        Some(command) => !only_writes_named(&command),
        None => call.input.as_deref().is_some_and(|input| {
            json::text(input).is_some_and(|text| Object::parse(&text).is_err())
        }),
    }
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

#[cfg(test)]
mod tests {
    use attest_evidence::Budget;
    use serde_json::{Value, json};

    use super::*;
    use crate::{Whose, forms};

    fn read(lines: &[Value]) -> (Vec<Deed>, bool) {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text = lines
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("\n")
            + "\n";
        std::fs::write(file.path(), text).unwrap();
        let budget = &Budget::default();
        let session = Session::read(file.path(), forms::ALL, budget, &mut |_| Whose::Own);
        let session = session.unwrap();
        (session.deeds(), session.is_whole())
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
