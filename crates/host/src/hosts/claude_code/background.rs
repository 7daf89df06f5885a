//! The commands that run in the background when an agent stops. 2.1.170 names them, 2.1.138 does not.

use attest_json::{self as json, Object};

use crate::payload::BackgroundCommand;

/// The types of tasks that run a command: 2.1.330 calls that of a Monitor so.
const COMMANDS: [&str; 2] = ["shell", "monitor"];
/// What a task says that is not at work any more.
const OVER: [&str; 4] = ["completed", "failed", "killed", "stopped"];

/// Those of the whole session: the host does not say which agent began one.
pub(super) fn of(payload: &Object<'_>) -> Option<Vec<BackgroundCommand>> {
    let tasks = json::array(payload.raw("background_tasks")?)?;
    let tasks = tasks.into_iter().filter_map(|it| Object::parse(it).ok());
    Some(tasks.filter_map(|task| command(&task)).collect())
}

fn command(task: &Object<'_>) -> Option<BackgroundCommand> {
    let is_over = task.text("status").is_some_and(|it| OVER.contains(&&*it));
    let is_command = COMMANDS.contains(&&*task.text("type")?);
    (is_command && !is_over).then_some(())?;
    Some(BackgroundCommand {
        id: task.text("id")?,
        command: task.text("command").unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tasks: &str) -> Option<Vec<String>> {
        let payload = format!(r#"{{"background_tasks":{tasks}}}"#);
        let commands = of(&Object::parse(&payload).unwrap())?;
        Some(commands.into_iter().map(|it| it.command).collect())
    }

    #[test]
    fn only_shells_that_run_are_commands() {
        let shell = r#"{"id":"b1","type":"shell","status":"running","command":"make"}"#;
        let all = format!(
            r#"[{shell},{},{},{{"id":"a1","type":"subagent","status":"running"}},7]"#,
            shell.replace("running", "completed"),
            r#"{"id":"b2","type":"monitor","status":"running","command":"tail"}"#
        );
        assert_eq!(read(&all), Some(vec!["make".to_owned(), "tail".to_owned()]));
        assert_eq!(read("[]"), Some(Vec::new()));
        assert_eq!(read("5"), None);
    }
}
