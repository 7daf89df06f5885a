//! How many tokens the last turn of an agent used, and how many turns and tokens a part of its work.

use std::ops::AddAssign;
use std::path::Path;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::Serialize;

use crate::backward::BackwardLines;
use crate::record::{self, Event, Record};
use crate::usage::Usage;
use crate::{Forms, TranscriptError, open};

/// How long the end of one transcript is searched: a command reads those of many agents.
const READING: Duration = Duration::from_millis(500);

/// What an agent used in a part of its work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Spent {
    /// Replies of the model.
    pub turns: u32,
    /// What it read, also from a cache.
    pub input_tokens: u64,
    /// What it wrote.
    pub output_tokens: u64,
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.turns = self.turns.saturating_add(other.turns);
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
    }
}

/// What the replies after `from` and up to `to` used, as the transcript at `path` has them; `None` if it has none with
/// a time. It is read backwards, and no longer than until `deadline`.
pub fn spent_between(
    path: &Path,
    forms: Forms<'_>,
    (from, to): (Timestamp, Timestamp),
    deadline: Instant,
) -> Result<Option<Spent>, TranscriptError> {
    let (mut spent, mut last) = (Spent::default(), None);
    for record in newest_first(path, forms, deadline)? {
        let Record { at, event, usage } = record?;
        let at = at.and_then(|at| at.parse::<Timestamp>().ok());
        let (Some(at), Some(usage)) = (at, usage) else {
            continue;
        };
        if at <= from {
            break;
        }
        // A host repeats what a reply used on each of its lines.
        let reply = match event {
            Event::Assistant(record::Reply { id: Some(id), .. }) => Reply::Named(id),
            _ => Reply::Same(usage.clone()),
        };
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

/// The usage of the last turn in the transcript at `path`, whose lines are in one of `forms`;
/// `None` if no turn says it.
///
/// Reads backwards, in bounded memory, and never waits; what takes longer than half a second is an error.
pub fn last_usage(path: &Path, forms: Forms<'_>) -> Result<Option<Usage>, TranscriptError> {
    let mut records = newest_first(path, forms, Instant::now() + READING)?;
    let last = records.find_map(|record| record.map(|it| it.usage).transpose());
    last.transpose()
}

/// The records of the transcript at `path`, the last one first.
fn newest_first(
    path: &Path,
    forms: Forms<'_>,
    deadline: Instant,
) -> Result<impl Iterator<Item = Result<Record, TranscriptError>>, TranscriptError> {
    let unreadable = TranscriptError::unreadable(path);
    let (file, _) = open::regular_file(path)?;
    let lines = BackwardLines::new(file).map_err(unreadable)?;
    let records = lines.until(deadline).map(move |line| {
        let bytes = line.map_err(unreadable)?.bytes;
        Ok(bytes.and_then(|line| record::decode(&line, forms)))
    });
    Ok(records.filter_map(Result::transpose))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests start what they need")]

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

    fn usage_of(text: &str) -> Option<Usage> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        fs::write(&path, text).unwrap();
        last_usage(&path, crate::forms::ALL).unwrap()
    }

    fn reply(model: &str, output: u64) -> String {
        format!(
            r#"{{"type":"assistant","message":{{"model":"{model}","usage":{{"input_tokens":1,"cache_creation_input_tokens":20,"cache_read_input_tokens":300,"output_tokens":{output}}}}}}}"#
        ) + "\n"
    }

    #[test]
    fn the_last_turn_counts_with_all_four_fields() {
        let text = reply("claude-x", 9) + &reply("claude-x", 4000) + "{\"type\":\"user\"}\n";
        let usage = usage_of(&text).unwrap();
        assert_eq!(usage.context_tokens(), 4321);
        assert_eq!(usage.output_tokens, 4000);
        assert_eq!(usage.window(), Some(200_000));
    }

    #[test]
    fn a_line_that_is_longer_than_any_tail_is_read() {
        let padding = format!(
            "{{\"type\":\"user\",\"x\":\"{}\"}}\n",
            "y".repeat(3_000_000)
        );
        let usage = usage_of(&(reply("claude-x", 7) + &padding));
        assert_eq!(usage.unwrap().output_tokens, 7);
    }

    #[test]
    fn a_torn_line_and_the_words_of_the_host_cost_nothing_but_themselves() {
        let text = reply("claude-x", 7) + &reply("<synthetic>", 0) + r#"{"type":"assistant","mes"#;
        assert_eq!(usage_of(&text).unwrap().output_tokens, 7);
        assert_eq!(usage_of(""), None);
        assert_eq!(usage_of("{\"type\":\"assistant\",\"message\":{}}\n"), None);
    }

    #[test]
    fn windows_are_named_measured_or_unknown() {
        assert_eq!(usage_of(&reply("other", 1)).unwrap().window(), None);
        let large = usage_of(&reply("claude-x", 200_000)).unwrap();
        assert_eq!(large.window(), Some(1_000_000));
        let named = usage_of(&reply("claude-x[1m]", 1)).unwrap();
        assert_eq!(named.window(), Some(1_000_000));
    }

    #[test]
    fn a_count_of_codex_is_read() {
        let text = r#"{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":9999},"last_token_usage":{"input_tokens":1000,"cached_input_tokens":900,"output_tokens":50},"model_context_window":258400}}}
{"type":"event_msg","payload":{"type":"token_count","info":null}}
"#;
        let usage = usage_of(text).unwrap();
        assert_eq!(usage.input_tokens, 100);
        assert_eq!(usage.cache_read_input_tokens, 900);
        assert_eq!(usage.context_tokens(), 1050);
        assert_eq!(usage.window(), Some(258_400));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_an_error_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        assert!(last_usage(&pipe, crate::forms::ALL).is_err());
    }
}
