//! Whether an agent was shown a text: by a person, by a tool, by whoever else writes to it.
//!
//! What an agent was never shown it cannot know, such as the name of a commit.

use std::path::Path;
use std::time::Instant;

use attest_json::Object;

use crate::forward::{ForwardLines, Next};
use crate::record::{Block, Event};
use crate::{Forms, TranscriptError, open};

/// How a line that holds a picture says so: nobody can search one.
const PICTURE: &[u8] = b"\"type\":\"image\"";

/// What may have shown a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// Anything but the agent itself, and but the host's feedback that has this text.
    Others {
        /// The text of such feedback.
        but: &'a str,
    },
    /// That, and what the agent gave to its tools.
    Calls,
}

/// What was found of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// It was shown.
    Yes,
    /// Every line was read, and none shows it.
    No,
    /// A line could not be read, or the host's transcripts do not keep what tools answer.
    Unknown,
}

/// Whether the transcript at `path` shows `text`, in whatever case.
pub fn shown(
    path: &Path,
    forms: Forms<'_>,
    text: &str,
    source: Source<'_>,
    deadline: Instant,
) -> Result<Shown, TranscriptError> {
    let unreadable = |source| TranscriptError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let (file, _) = open::regular_file(path)?;
    let mut lines = ForwardLines::new(file);
    let text = text.to_ascii_lowercase();
    let finder = memchr::memmem::Finder::new(text.as_bytes());
    let (mut is_whole, mut is_kept) = (true, false);
    loop {
        match lines.next(deadline).map_err(unreadable)? {
            Next::Line(line) => {
                let has_text = finder.find(&line.to_ascii_lowercase()).is_some();
                let has_picture = memchr::memmem::find(line, PICTURE).is_some();
                if !has_text && !has_picture && is_kept {
                    continue;
                }
                let Some(line) = Line::read(line, forms) else {
                    is_whole &= line.trim_ascii().is_empty();
                    continue;
                };
                is_kept |= line.is_kept;
                let is_unknown = has_text && !line.is_kept || has_picture && !line.is_own();
                is_whole &= !is_unknown;
                if has_text && line.is_kept && line.shows(source) {
                    return Ok(Shown::Yes);
                }
            }
            Next::TooLong | Next::Over => return Ok(Shown::Unknown),
            Next::End { torn } => {
                let is_known = is_whole && is_kept && !torn;
                return Ok(if is_known { Shown::No } else { Shown::Unknown });
            }
        }
    }
}

/// What is asked of one line.
struct Line {
    voice: Voice,
    /// It is of a form whose lines have all that was shown.
    is_kept: bool,
    text: String,
}

/// Whose words a line has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Voice {
    /// The agent's, or a repetition of them.
    Own,
    /// The agent's, to a tool.
    Call,
    /// The answer of a tool.
    Answer,
    /// Those of anybody else.
    Other,
}

impl Line {
    fn read(line: &[u8], forms: Forms<'_>) -> Option<Self> {
        let text = String::from_utf8_lossy(line);
        let object = Object::parse(&text).ok()?;
        let is_own = forms.iter().find_map(|form| form.is_own(&object));
        let is_call = |block: &Block| matches!(block, Block::ToolUse(_));
        let voice = match forms.iter().find_map(|form| form.event(&object)) {
            Some(Event::Assistant(reply)) if reply.blocks.iter().any(is_call) => Voice::Call,
            Some(Event::User(results)) if !results.is_empty() => Voice::Answer,
            _ if is_own == Some(true) => Voice::Own,
            _ => Voice::Other,
        };
        Some(Self {
            voice,
            is_kept: is_own.is_some(),
            text: text.into_owned(),
        })
    }

    fn is_own(&self) -> bool {
        matches!(self.voice, Voice::Own | Voice::Call)
    }

    fn shows(&self, source: Source<'_>) -> bool {
        match (self.voice, source) {
            (Voice::Own, _) | (Voice::Call, Source::Others { .. }) => false,
            // Feedback is in a line of its own, and never the answer of a tool.
            (Voice::Other, Source::Others { but }) => !self.text.contains(but),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::*;
    use crate::forms;

    const FEEDBACK: &str = "the report says";

    fn is_shown(lines: &[Value], source: Source<'_>) -> Shown {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
        std::fs::write(file.path(), text).unwrap();
        let deadline = Instant::now() + Duration::from_mins(1);
        shown(file.path(), forms::ALL, "1a2b3c4", source, deadline).unwrap()
    }

    fn said(block: &Value) -> Value {
        json!({"type": "assistant", "message": {"content": [block]}})
    }

    fn text(text: &str) -> Value {
        said(&json!({"type": "text", "text": text}))
    }

    fn call(command: &str) -> Value {
        said(&json!({"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": command}}))
    }

    fn answer(text: &str) -> Value {
        json!({"type": "user", "message": {"content": [
            {"type": "tool_result", "tool_use_id": "t", "content": text}]}})
    }

    fn prompt(text: &str) -> Value {
        json!({"type": "user", "message": {"content": text}})
    }

    const OTHERS: Source<'_> = Source::Others { but: FEEDBACK };

    #[test]
    fn what_others_say_is_shown_and_what_the_agent_says_is_not() {
        let begin = prompt("Fix it.");
        for (line, others, calls) in [
            (answer("[main 1A2B3C4d] x"), Shown::Yes, Shown::Yes),
            (prompt("Look at 1a2b3c4."), Shown::Yes, Shown::Yes),
            (
                json!({"type": "attachment", "a": "1a2b3c4"}),
                Shown::Yes,
                Shown::Yes,
            ),
            (text("Commit: 1a2b3c4"), Shown::No, Shown::No),
            (call("git show 1a2b3c4"), Shown::No, Shown::Yes),
            (
                prompt("attest: the report says 1a2b3c4"),
                Shown::No,
                Shown::Yes,
            ),
            (
                answer("attest: the report says 1a2b3c4"),
                Shown::Yes,
                Shown::Yes,
            ),
            (answer("1a2b3c5"), Shown::No, Shown::No),
        ] {
            let lines = [begin.clone(), line];
            assert_eq!(is_shown(&lines, OTHERS), others, "{lines:?}");
            assert_eq!(is_shown(&lines, Source::Calls), calls, "{lines:?}");
        }
    }

    #[test]
    fn what_cannot_be_searched_is_not_known() {
        let head = json!({"type": "mode", "mode": "x"});
        let begin = prompt("Fix it.");
        assert_eq!(is_shown(&[head.clone(), begin.clone()], OTHERS), Shown::No);
        let other = json!({"type": "summary", "summary": "1a2b3c4"});
        assert_eq!(is_shown(&[begin.clone(), other], OTHERS), Shown::Unknown);
        let picture = json!({"type": "user", "message": {"content": [
            {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "image"}]}]}});
        assert_eq!(is_shown(&[begin, picture], OTHERS), Shown::Unknown);
        assert_eq!(is_shown(&[], OTHERS), Shown::Unknown, "nothing is there");
        let other = json!({"type": "gemini", "content": "x"});
        assert_eq!(
            is_shown(&[other], OTHERS),
            Shown::Unknown,
            "not of a form that keeps it"
        );
    }

    #[test]
    fn a_rollout_repeats_what_the_agent_says() {
        let item = |payload: Value| json!({"type": "response_item", "payload": payload});
        let said = item(json!({"type": "message", "role": "assistant",
            "content": [{"type": "output_text", "text": "Commit: 1a2b3c4"}]}));
        let again = json!({"type": "event_msg", "payload": {"type": "agent_message", "message": "1a2b3c4"}});
        let thought = item(json!({"type": "reasoning", "summary": [{"text": "1a2b3c4"}]}));
        let answer =
            item(json!({"type": "function_call_output", "call_id": "t", "output": "1a2b3c4"}));
        let lines = [said, again, thought];
        assert_eq!(is_shown(&lines, OTHERS), Shown::No);
        assert_eq!(
            is_shown(&[&lines[..], &[answer]].concat(), OTHERS),
            Shown::Yes
        );
    }
}
