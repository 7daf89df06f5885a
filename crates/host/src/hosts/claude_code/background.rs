//! What runs in the background when an agent stops, commands and subagents. 2.1.170 names them, 2.1.138 does not.

use attest_json::{self as json, Object};

use crate::payload::BackgroundCommand;

/// The types of tasks that run a command: 2.1.330 calls that of a Monitor so.
const COMMANDS: [&str; 2] = ["shell", "monitor"];
/// That of one that is an agent.
const AGENT: &str = "subagent";
/// What a task says that is not at work any more.
const OVER: [&str; 4] = ["completed", "failed", "killed", "stopped"];

/// The commands of the whole session: the host does not say which agent began one.
pub(super) fn of(payload: &Object<'_>) -> Option<Vec<BackgroundCommand>> {
    let commands = tasks(payload)?.into_iter();
    let commands = commands.filter(|(kind, _)| COMMANDS.contains(&&**kind));
    let commands = commands.filter_map(|(_, task)| {
        Some(BackgroundCommand {
            id: task.text("id")?,
            command: task.text("command").unwrap_or_default(),
        })
    });
    Some(commands.collect())
}

/// The subagents of the whole session, the one that stops among them; `None` if something is at work that may have some
/// of its own, such as a workflow.
pub(super) fn agents(payload: &Object<'_>) -> Option<Vec<String>> {
    let tasks = tasks(payload)?.into_iter();
    let others = tasks.filter(|(kind, _)| !COMMANDS.contains(&&**kind));
    let agents = others.map(|(kind, task)| task.text("id").filter(|_| kind == AGENT));
    agents.collect()
}

/// The tasks that are at work, with their types.
fn tasks<'p>(payload: &Object<'p>) -> Option<Vec<(String, Object<'p>)>> {
    let tasks = json::array(payload.raw("background_tasks")?)?;
    let tasks = tasks.into_iter().filter_map(|it| Object::parse(it).ok());
    let at_work = tasks.filter(|task| {
        let status = task.text("status");
        !status.is_some_and(|it| OVER.contains(&&*it))
    });
    let typed = at_work.map(|task| (task.text("type").unwrap_or_default(), task));
    Some(typed.collect())
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
        let payload = format!(r#"{{"background_tasks":{all}}}"#);
        let agents = |payload: &str| agents(&Object::parse(payload).unwrap());
        assert_eq!(agents(&payload), Some(vec!["a1".to_owned()]));
        let workflow = r#"[{"id":"w1","type":"workflow","status":"running"}"#;
        assert_eq!(
            agents(&payload.replacen('[', &format!("{workflow},"), 1)),
            None
        );
        assert_eq!(agents(r#"{"background_tasks":[]}"#), Some(Vec::new()));
        assert_eq!(agents("{}"), None);
        assert_eq!(read("[]"), Some(Vec::new()));
        assert_eq!(read("5"), None);
    }
}
