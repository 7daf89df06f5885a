//! Whether an agent may know what a file holds without a call of its own that shows it.

use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;

use attest_json::Object;
use memchr::memmem;

use crate::forward::{ForwardLines, Next};
use crate::record::Event;
use crate::{Forms, TranscriptError, open};

/// Lines of a file that are looked for in what an agent was told.
const MOST_LINES: usize = 500;
/// The shortest of them, in bytes: others stand in many files.
const SHORTEST: usize = 8;
/// The longest line of a transcript in which they are looked for.
const MOST_TOLD: usize = 256 * 1024;
/// What the host notes of a prompt or of a request: it repeats what the agent was told.
const REPEATS: [&[u8]; 4] = [
    b"\"prompt_snapshot\"",
    b"\"api-request",
    b"\"queue-operation\"",
    b"\"last-prompt\"",
];

/// Whether the transcript shows that its agent was given something of the file `name`, which holds `text`: the result
/// of a tool names it, an attachment or a summary does, or the words of a prompt have lines of it. A transcript that
/// cannot be read to its end may show it.
pub fn is_given(
    path: &Path,
    forms: Forms<'_>,
    name: &str,
    text: &str,
    deadline: Instant,
) -> Result<bool, TranscriptError> {
    let samples = samples(text);
    if samples.is_empty() || !is_plain(name) {
        return Ok(true);
    }
    let unreadable = |source| TranscriptError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let (file, _) = open::regular_file(path)?;
    let mut lines = ForwardLines::new(file);
    let name = memmem::Finder::new(name);
    loop {
        match lines.next(deadline).map_err(unreadable)? {
            Next::Line(line) => {
                if gives(line, forms, &name, &samples) {
                    return Ok(true);
                }
            }
            Next::End { torn } => return Ok(torn),
            Next::TooLong | Next::Over => return Ok(true),
        }
    }
}

/// Whether a line gives something of the file.
fn gives(line: &[u8], forms: Forms<'_>, name: &memmem::Finder<'_>, samples: &[&str]) -> bool {
    let is_named = name.find(line).is_some();
    let event = || {
        let text = String::from_utf8_lossy(line);
        let object = Object::parse(&text).ok()?;
        let event = forms.iter().find_map(|form| form.event(&object));
        Some(event.unwrap_or(Event::Other))
    };
    match event() {
        // What the agent says itself, or asks tools for.
        Some(Event::Assistant(_)) => false,
        Some(Event::User(results)) if !results.is_empty() => is_named,
        Some(Event::User(_)) => is_summary(line) || has_any(line, samples),
        Some(Event::Other) if is_repeated(line) => has_any(line, samples),
        Some(Event::Other) => is_named,
        None => !line.trim_ascii().is_empty(),
    }
}

/// Whether the line takes the place of what was said before.
fn is_summary(line: &[u8]) -> bool {
    memmem::find(line, b"\"isCompactSummary\"").is_some()
}

fn is_repeated(line: &[u8]) -> bool {
    REPEATS
        .iter()
        .any(|kind| memmem::find(line, kind).is_some())
}

/// Whether a line of the file stands in what the agent was told, or may.
fn has_any(line: &[u8], samples: &[&str]) -> bool {
    let mut samples = samples.iter();
    line.len() > MOST_TOLD || samples.any(|it| memmem::find(line, it.as_bytes()).is_some())
}

/// Lines of a file that are its own, and stand in JSON as they are. Each once.
fn samples(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim);
    let mut seen = HashSet::new();
    let own = lines.filter(|line| line.len() >= SHORTEST && is_plain(line) && seen.insert(*line));
    own.take(MOST_LINES).collect()
}

/// Whether a text is the same in JSON.
fn is_plain(text: &str) -> bool {
    text.chars()
        .all(|c| matches!(c, ' '..='~') && !matches!(c, '"' | '\\'))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::*;
    use crate::forms;

    const TEXT: &str = "def parse(text):\n    return text.split()\n";

    fn is_given_by(line: &Value) -> bool {
        let file = tempfile::NamedTempFile::new().unwrap();
        let first = json!({"type": "user", "message": {"content": "Review src/a.py."}});
        std::fs::write(file.path(), format!("{first}\n{line}\n")).unwrap();
        let deadline = Instant::now() + Duration::from_mins(1);
        is_given(file.path(), forms::ALL, "a.py", TEXT, deadline).unwrap()
    }

    #[test]
    fn whoever_was_given_a_file_need_not_open_it() {
        for line in [
            json!({"type": "user", "message": {"content": "It has:\n    return text.split()\n"}}),
            json!({"type": "queue-operation", "content": "    return text.split()"}),
            json!({"type": "user", "isCompactSummary": true, "message": {"content": "Before."}}),
            json!({"type": "attachment", "attachment": {"type": "file", "filename": "/w/src/a.py"}}),
            json!({"type": "user", "message": {"content": [
                {"type": "tool_result", "tool_use_id": "t", "content": "src/a.py\nsrc/b.py"}]}}),
        ] {
            assert!(is_given_by(&line), "{line}");
        }
    }

    #[test]
    fn its_name_alone_gives_nothing() {
        for line in [
            json!({"type": "user", "message": {"content": "Look at src/a.py again."}}),
            json!({"type": "assistant", "message": {"content": "I read src/a.py: def parse(text):"}}),
            json!({"type": "attachment", "attachment": {"type": "prompt_snapshot", "text": "Review src/a.py."}}),
            json!({"type": "queue-operation", "content": "Look at src/a.py again."}),
            json!({"type": "attachment", "attachment": {"type": "file", "filename": "/w/src/b.py"}}),
        ] {
            assert!(!is_given_by(&line), "{line}");
        }
    }

    #[test]
    fn a_file_without_lines_of_its_own_may_be_known() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let deadline = Instant::now() + Duration::from_mins(1);
        let is_given =
            |name, text| is_given(file.path(), forms::ALL, name, text, deadline).unwrap();
        assert!(is_given("a.py", "}\n"));
        assert!(is_given("ä.py", TEXT));
        assert!(!is_given("a.py", TEXT));
    }
}
