//! Commands that an agent left running when it went on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use attest_evidence::Searched;

use crate::places::{Place, Places};
use crate::scan::scan;
use crate::shell::Shell;
use crate::{Forms, TranscriptError};

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

/// A command that was left running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftRunning {
    /// The host's name for it, if it has given one.
    pub task: Option<String>,
    /// The command.
    pub command: String,
}

/// The commands that the agent began in the background, and whose end the transcript does not have. `None` if not
/// all of the transcript could be read.
pub fn left_running(
    path: &Path,
    forms: Forms<'_>,
    deadline: Instant,
) -> Result<Option<Vec<LeftRunning>>, TranscriptError> {
    let mut running: BTreeMap<String, LeftRunning> = BTreeMap::new();
    let mut ended = BTreeSet::new();
    let is_whole = scan(path, deadline, |line| {
        for said in forms.iter().flat_map(|form| form.background(line)) {
            match said {
                Background::Asked { call, command } => {
                    let task = None;
                    running.insert(call, LeftRunning { task, command });
                }
                Background::Answered { call, task: None } => {
                    running.remove(&call);
                }
                Background::Answered { call, task } => {
                    if let Some(known) = running.get_mut(&call) {
                        known.task = task;
                    }
                }
                Background::Ended { task } => {
                    ended.insert(task);
                }
            }
        }
        true
    })?;
    let running = running.into_values();
    let is_running = |it: &LeftRunning| it.task.as_ref().is_none_or(|task| !ended.contains(task));
    Ok(is_whole.then(|| running.filter(is_running).collect()))
}

/// Where a command may write, in the folder that it runs in, which is called `.`, as well as elsewhere.
pub fn places_of(command: &str) -> Searched<Vec<Place>> {
    let mut places = Places::default();
    Shell::default().read(command, Some("."), &mut places);
    places.list()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::*;
    use crate::forms;

    fn left_running_in(lines: &[Value]) -> Vec<String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
        std::fs::write(file.path(), text).unwrap();
        let deadline = Instant::now() + Duration::from_mins(1);
        let left = left_running(file.path(), forms::ALL, deadline).unwrap();
        left.unwrap().into_iter().map(|it| it.command).collect()
    }

    fn asked(call: &str, command: &str) -> Value {
        json!({"type": "assistant", "message": {"content": [{"type": "tool_use", "id": call,
            "name": "Bash", "input": {"command": command, "run_in_background": true}}]}})
    }

    fn answered(call: &str, text: &str) -> Value {
        json!({"type": "user", "message": {"content": [
            {"type": "tool_result", "tool_use_id": call, "content": text}]}})
    }

    /// In the words of 2.1.138 and of 2.1.330.
    fn begun(call: &str, task: &str) -> Value {
        let text = format!(
            "Command running in background with ID: {task}. Output is being written to: /t"
        );
        answered(call, &text)
    }

    const NOTIFICATION: &str = "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>";

    #[test]
    fn a_command_runs_until_its_end_is_told() {
        let begun = [asked("t1", "make all"), begun("t1", "b1")];
        assert_eq!(left_running_in(&begun[..1]), ["make all"], "no answer yet");
        assert_eq!(left_running_in(&begun), ["make all"]);
        for end in [
            json!({"type": "user", "message": {"content": NOTIFICATION}}),
            json!({"type": "queue-operation", "operation": "enqueue", "content": NOTIFICATION}),
            json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": NOTIFICATION}}),
            json!({"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "t2",
                "name": "TaskStop", "input": {"task_id": "b1"}}]}}),
            json!({"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "t2",
                "name": "KillShell", "input": {"shell_id": "b1"}}]}}),
        ] {
            assert_eq!(left_running_in(&[&begun[..], &[end]].concat()), [""; 0]);
        }
        let other =
            json!({"type": "user", "message": {"content": NOTIFICATION.replace("b1", "b2")}});
        assert_eq!(
            left_running_in(&[&begun[..], &[other]].concat()),
            ["make all"]
        );
    }

    #[test]
    fn a_command_that_was_refused_or_is_in_the_foreground_does_not_run() {
        let refused = answered("t1", "Permission denied");
        assert_eq!(left_running_in(&[asked("t1", "make"), refused]), [""; 0]);
        let mut foreground = asked("t1", "make");
        foreground["message"]["content"][0]["input"]["run_in_background"] = json!(false);
        assert_eq!(left_running_in(&[foreground]), [""; 0]);
    }

    #[test]
    fn what_a_command_only_waits_for_it_does_not_write() {
        let places = places_of("sleep 60");
        assert!(places.is_complete() && places.found().is_empty());
        let places = places_of("sleep 1 && echo x > made.py");
        assert_ne!(places.found().as_slice(), []);
    }
}
