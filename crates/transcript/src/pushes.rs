//! Whether the last `git push` of an agent failed.

use std::path::Path;
use std::time::Instant;

use attest_json::Object;

use crate::record::{Block, Event, ToolUse};
use crate::scan::scan;
use crate::{Forms, TranscriptError};

/// What git prints of a push that did not happen. A command that was stopped may have pushed.
const REFUSALS: [&str; 2] = ["failed to push some refs", "fatal: "];
/// What a command begins with that pushes nothing.
const HARMLESS: [&str; 9] = [
    "git status",
    "git log",
    "git diff",
    "git show",
    "git branch",
    "git remote",
    "git rev-parse",
    "git fetch",
    "git ls-remote",
];

/// The calls that matter, as they come.
#[derive(Default)]
struct Pushes {
    /// The id of the last call that pushes, if it does nothing behind that.
    last: Option<String>,
    has_failed: bool,
}

/// Whether the last call that pushes is a `git push` that git refused, and nothing behind it can have pushed.
pub fn has_failed_push(
    path: &Path,
    forms: Forms<'_>,
    deadline: Instant,
) -> Result<bool, TranscriptError> {
    let mut pushes = Pushes::default();
    let is_whole = scan(path, deadline, |line| {
        match forms.iter().find_map(|form| form.event(line)) {
            Some(Event::Assistant(reply)) => {
                for block in reply.blocks {
                    if let Block::ToolUse(call) = block
                        && !forms.iter().any(|form| form.only_reads(&call.tool))
                    {
                        pushes.add(&call);
                    }
                }
            }
            Some(Event::User(results)) => {
                let failed = results
                    .iter()
                    .filter(|result| result.success == Some(false));
                let ids: Vec<_> = failed.map(|result| result.id.as_str()).collect();
                pushes.end(&ids, line);
            }
            _ => {}
        }
        true
    })?;
    Ok(is_whole && pushes.has_failed)
}

impl Pushes {
    fn add(&mut self, call: &ToolUse) {
        let command = command_of(call);
        match command.as_deref() {
            Some(command) if pushes_last(command) => {
                self.last.clone_from(&call.id);
                self.has_failed = false;
            }
            Some(command) if is_harmless(command) => {}
            // It names the file that it writes, which is no push.
            None if !call.targets.is_empty() => {}
            _ => *self = Self::default(),
        }
    }

    fn end(&mut self, failed: &[&str], line: &Object<'_>) {
        let is_last = |id: &str| failed.contains(&id);
        if self.last.as_deref().is_some_and(is_last) {
            let text = ["message", "payload"]
                .iter()
                .find_map(|field| line.raw(field));
            self.has_failed =
                text.is_some_and(|text| REFUSALS.iter().any(|refusal| text.contains(refusal)));
        }
    }
}

/// The command that a call is given, as one text.
fn command_of(call: &ToolUse) -> Option<String> {
    let input = Object::parse(call.input.as_deref()?).ok()?;
    input.text("command").or_else(|| input.text("cmd"))
}

/// Whether a command ends with a push and shows how that went.
fn pushes_last(command: &str) -> bool {
    let hides = ["|", ";", "\n", "`", "$(", "2>"];
    let last = command.rsplit("&&").next().unwrap_or_default().trim();
    let is_one = last.strip_prefix("git ").is_some_and(|rest| {
        let mut words = rest.split_whitespace();
        words.next() == Some("push") || rest.starts_with("-C ") && words.nth(1) == Some("push")
    });
    is_one && !last.contains('&') && !hides.iter().any(|it| command.trim().contains(it))
}

fn is_harmless(command: &str) -> bool {
    let command = command.trim();
    let is_alone = !command.contains(['&', '|', ';', '\n', '`', '$']);
    is_alone && HARMLESS.iter().any(|begin| command.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::*;
    use crate::forms;

    /// Calls of a shell: the command, and what it answers if it fails.
    fn has_failed(calls: &[(&str, Option<&str>)]) -> bool {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut text = String::new();
        for (at, (command, error)) in calls.iter().enumerate() {
            let id = format!("t{at}");
            let call = json!({"type": "assistant", "message": {"content": [
                {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]}});
            let result: Value = json!({"type": "user", "message": {"content": [{"type": "tool_result",
                "tool_use_id": id, "content": error.unwrap_or("ok"), "is_error": error.is_some()}]}});
            text += &format!("{call}\n{result}\n");
        }
        std::fs::write(file.path(), text).unwrap();
        let deadline = Instant::now() + Duration::from_mins(1);
        has_failed_push(file.path(), forms::ALL, deadline).unwrap()
    }

    const REFUSED: Option<&str> = Some("error: failed to push some refs to 'x'");

    #[test]
    fn a_push_that_git_refused_and_nothing_behind_it() {
        for calls in [
            &[("git push", REFUSED)][..],
            &[("git commit -m x && git push -u origin topic", REFUSED)],
            &[("git push", None), ("git push", REFUSED)],
            &[("git push", REFUSED), ("git status", None)],
            &[("git -C x push", Some("fatal: no remote"))],
        ] {
            assert!(has_failed(calls), "{calls:?}");
        }
        for calls in [
            &[("git push", None)][..],
            &[("git push", REFUSED), ("git push --force", None)],
            &[("git push", REFUSED), ("make release", None)],
            &[("git push", REFUSED), ("git pull && git push; true", None)],
            &[(
                "git push",
                Some("the command was stopped after two minutes"),
            )],
            &[("git push || true", REFUSED)],
            &[("git push | tail -1", REFUSED)],
            &[("git commit -m x", Some("fatal: x"))],
            &[],
        ] {
            assert!(!has_failed(calls), "{calls:?}");
        }
    }
}
