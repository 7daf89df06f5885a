//! How many turns and tokens a part of an agent's work used.

use std::path::Path;
use std::time::Instant;

use attest_json::Object;
use jiff::Timestamp;

use crate::backward::BackwardLines;
use crate::record::{self, Event};
use crate::usage::Usage;
use crate::{Forms, TranscriptError, open};

/// What an agent used in a part of its work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    /// Replies of the model.
    pub turns: u32,
    /// What it read, also from a cache.
    pub input_tokens: u64,
    /// What it wrote.
    pub output_tokens: u64,
}

/// What the replies after `from` and up to `to` used, as the transcript at `path` has them; `None` if it has none with
/// a time. It is read backwards, and no longer than until `deadline`.
pub fn spent_between(
    path: &Path,
    forms: Forms<'_>,
    (from, to): (Timestamp, Timestamp),
    deadline: Instant,
) -> Result<Option<Spent>, TranscriptError> {
    let unreadable = |source| TranscriptError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let (file, _) = open::regular_file(path)?;
    let lines = BackwardLines::new(file).map_err(unreadable)?;
    let (mut spent, mut last) = (Spent::default(), None);
    for line in lines.until(deadline) {
        let line = line.map_err(unreadable)?;
        let Some((at, reply, usage)) = line.bytes.as_deref().and_then(|it| timed(it, forms)) else {
            continue;
        };
        if at <= from {
            break;
        }
        // A host repeats what a reply used on each of its lines.
        let reply = reply.map_or_else(|| Reply::Same(usage.clone()), Reply::Named);
        if at > to || last.as_ref() == Some(&reply) {
            continue;
        }
        last = Some(reply);
        spent.turns += 1;
        let input = usage.context_tokens().saturating_sub(usage.output_tokens);
        spent.output_tokens = spent.output_tokens.saturating_add(usage.output_tokens);
        spent.input_tokens = spent.input_tokens.saturating_add(input);
    }
    Ok((spent.turns > 0).then_some(spent))
}

/// By what the lines of one reply are known.
#[derive(Debug, PartialEq, Eq)]
enum Reply {
    Named(String),
    Same(Usage),
}

/// When a line was written, of which reply it is, and what that used.
fn timed(line: &[u8], forms: Forms<'_>) -> Option<(Timestamp, Option<String>, Usage)> {
    let text = String::from_utf8_lossy(line);
    let line = Object::parse(&text).ok()?;
    let said = record::read(&line, forms);
    let usage = said.usage?;
    let at = line.text("timestamp")?.parse().ok()?;
    let reply = match said.event {
        Event::Assistant(reply) => reply.id,
        _ => None,
    };
    Some((at, reply, usage))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_a_part_of_the_work_used_is_counted_once_a_reply() {
        let line = |second: u32, id: &str, output: u64| {
            format!(
                r#"{{"type":"assistant","timestamp":"2026-01-31T01:00:{second:02}.000Z","message":{{"id":"{id}","model":"claude-x","usage":{{"input_tokens":10,"output_tokens":{output}}}}}}}"#
            ) + "\n"
        };
        let text = line(1, "before", 5)
            + &line(10, "one", 7)
            + &line(11, "one", 7)
            + "{\"type\":\"user\"}\n"
            + &line(20, "two", 9)
            + &line(40, "after", 1);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        fs::write(&path, text).unwrap();
        let between = |from: &str, to: &str| {
            let at = |second: &str| format!("2026-01-31T01:00:{second}Z").parse().unwrap();
            let deadline = Instant::now() + Duration::from_secs(5);
            spent_between(&path, crate::forms::ALL, (at(from), at(to)), deadline).unwrap()
        };
        let expected = Spent {
            turns: 2,
            input_tokens: 20,
            output_tokens: 16,
        };
        assert_eq!(between("05", "30"), Some(expected));
        assert_eq!(between("21", "30"), None);
    }
}
