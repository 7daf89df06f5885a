//! What the agent was asked, by whoever set it to work.

use std::path::Path;
use std::time::Instant;

use crate::scan::scan;
use crate::{Event, Forms, TranscriptError};

/// Lines among which a transcript has the prompt: a form that tells nothing must not cost a look at all of them.
const MAX_LINES: usize = 100;

/// The words that the agent began with; `None` if it began with others, or if the form does not tell.
pub fn first_prompt(
    path: &Path,
    forms: Forms<'_>,
    deadline: Instant,
) -> Result<Option<String>, TranscriptError> {
    let mut first = None;
    let mut count = 0;
    scan(path, deadline, |line| {
        count += 1;
        first = forms.iter().find_map(|form| form.asked(line));
        let has_spoken = || {
            let mut events = forms.iter().filter_map(|form| form.event(line));
            events.any(|event| matches!(event, Event::Assistant(_)))
        };
        first.is_none() && count < MAX_LINES && !has_spoken()
    })?;
    Ok(first)
}

/// Whether that is all that the agent was asked. One that is asked more may have been told to leave something out.
pub fn has_one_prompt(
    path: &Path,
    forms: Forms<'_>,
    deadline: Instant,
) -> Result<bool, TranscriptError> {
    let mut count = 0_usize;
    let is_whole = scan(path, deadline, |line| {
        count += usize::from(forms.iter().any(|form| form.asked(line).is_some()));
        count < 2
    })?;
    Ok(is_whole && count == 1)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::*;
    use crate::forms;

    fn read(lines: &[Value]) -> (Option<String>, bool) {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
        std::fs::write(file.path(), text).unwrap();
        let deadline = Instant::now() + Duration::from_mins(1);
        let first = first_prompt(file.path(), forms::ALL, deadline).unwrap();
        (
            first,
            has_one_prompt(file.path(), forms::ALL, deadline).unwrap(),
        )
    }

    fn user(content: &Value) -> Value {
        json!({"type": "user", "message": {"role": "user", "content": content}})
    }

    fn said() -> Value {
        json!({"type": "assistant", "message": {"content": [{"type": "text", "text": "Yes."}]}})
    }

    #[test]
    fn the_first_words_are_the_prompt() {
        let first = |lines: &[Value]| read(lines).0;
        let note = json!({"type": "attachment", "attachment": {"type": "hook_success"}});
        let asked = user(&json!("write a.py"));
        assert_eq!(first(&[note, asked.clone()]).as_deref(), Some("write a.py"));
        let blocks =
            user(&json!([{"type": "text", "text": "write"}, {"type": "text", "text": "a.py"}]));
        assert_eq!(first(&[blocks]).as_deref(), Some("write\na.py"));
        let of_team = "<teammate-message teammate_id=\"team-lead\" summary=\"work\">\nwrite a.py\n</teammate-message>";
        let of_team = first(&[user(&json!(of_team))]);
        assert_eq!(of_team.as_deref(), Some("write a.py"));
        assert_eq!(first(&[said(), asked.clone()]), None);
        assert_eq!(first(&[]), None);
        let notes = vec![json!({"type": "note"}); MAX_LINES];
        assert_eq!(
            first(&[notes, vec![asked]].concat()),
            None,
            "it is too late"
        );
    }

    #[test]
    fn what_hooks_tools_and_tasks_say_asks_for_nothing() {
        let asked = user(&json!("write a.py"));
        let mut feedback = user(&json!("Stop hook feedback:\nno"));
        feedback["isMeta"] = true.into();
        let result = user(&json!([{"type": "tool_result", "tool_use_id": "t", "content": "x"}]));
        let ended = "<task-notification>\n<task-id>b1</task-id>\n</task-notification>";
        let told = user(&json!(ended));
        let queued = |text: &str| json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": text}});
        let all = [asked.clone(), feedback, said(), result, told, queued(ended)];
        assert_eq!(read(&all), (Some("write a.py".to_owned()), true));
        for more in [user(&json!("and leave b.py out")), queued("stop")] {
            let (_, is_one) = read(&[asked.clone(), said(), more.clone()]);
            assert!(!is_one, "{more}");
        }
    }

    #[test]
    fn a_transcript_that_is_torn_may_ask_for_more() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), format!("{}\n{{\"ty", user(&json!("x")))).unwrap();
        let deadline = Instant::now() + Duration::from_mins(1);
        assert!(!has_one_prompt(file.path(), forms::ALL, deadline).unwrap());
        assert!(!has_one_prompt(file.path(), forms::ALL, Instant::now()).unwrap());
    }
}
